"""What the amendments of a run come to: folded in their order, each held to what was before it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from gaugeblock.records.evidence import Amendment
from gaugeblock.records.follows import CellName, FollowedCell
from gaugeblock.records.revision import Evaluator, Judged, Regrade, Regraded, Withdrawal

Key = tuple[str, str]
"""Trial and round."""

Cell = tuple[str, str]
"""Case and profile."""


@dataclass(frozen=True)
class Planned:
    """What a run was before anything was amended.

    Attributes:
        cells: trial → its case and profile.
        suites: case → its suite.
        evaluators: suite → the evaluator of the plan.
        judged: how a round stood when the run was closed; None: there is no such round.
    """

    cells: Mapping[str, Cell]
    suites: Mapping[str, str]
    evaluators: Mapping[str, Evaluator]
    judged: Callable[[Key], Judged | None]


@dataclass(frozen=True)
class Revision:
    """One amendment that graded again.

    Attributes:
        amendment: its number, reason and time.
        content: both evaluators of each suite, and the grades before and after.
    """

    amendment: Amendment
    content: Regrade

    @property
    def name(self) -> str:
        """How messages name it."""
        return f"amendment {self.amendment.number}"

    @property
    def reason(self) -> str:
        """Why it was made."""
        return self.amendment.reason

    @property
    def told(self) -> str:
        """What it did, in one line: an evaluator that is no other one corrects nothing."""
        grades = self.content.grades
        by = "a corrected evaluator" if self.content.corrected else "the same evaluator"
        changed = sum(item.changed for item in grades)
        what = f"{changed} changed" if changed else "nothing changed"
        return f"{len(grades)} rounds graded again by {by}, {what}"


@dataclass(frozen=True)
class Withdrawn:
    """A suite of a run, or the whole run, that counts no more.

    Attributes:
        suite: None for the whole run.
        amendment: its number, reason and time.
    """

    suite: str | None
    amendment: Amendment


@dataclass
class Standing:
    """How a run stands after its amendments.

    Attributes:
        evaluators: cell → what its verdicts rest on; a void cell keeps what it had.
        void: cell → the cell with the reason.
        withdrawn: in order.
        revisions: in order.
        newest: round → its newest regrade, and how many it has.
    """

    evaluators: dict[Cell, Evaluator] = field(default_factory=dict)
    void: dict[Cell, FollowedCell] = field(default_factory=dict)
    withdrawn: list[Withdrawn] = field(default_factory=list)
    revisions: list[Revision] = field(default_factory=list)
    newest: dict[Key, tuple[Regraded, int]] = field(default_factory=dict)

    @property
    def suites_withdrawn(self) -> dict[str, str]:
        """Return suite → the reason, of suites that were withdrawn by themselves."""
        return {item.suite: item.amendment.reason for item in self.withdrawn if item.suite}

    def counts(self, cell: Cell, suites: Mapping[str, str]) -> bool:
        """Whether a cell is neither void nor of a withdrawn suite."""
        return cell not in self.void and suites[cell[0]] not in self.suites_withdrawn


def stand(planned: Planned, amendments: Sequence[Amendment]) -> Standing:
    """Fold amendments.

    Raises:
        WrongUse: the content of one is no such record.
        ValueError: one contradicts what was before it.
    """
    cells = dict.fromkeys(planned.cells.values())
    found = Standing({cell: planned.evaluators[planned.suites[cell[0]]] for cell in cells})
    for amendment in amendments:
        where = f"amendment {amendment.number}"
        if amendment.kind == "void":
            _void(found, amendment, where)
        elif amendment.kind == "invalidation":
            _withdraw(found, planned, amendment, where)
        elif amendment.kind == "regrade":
            _regrade(found, planned, amendment, where)
    return found


def _void(found: Standing, amendment: Amendment, where: str) -> None:
    name = CellName.build(amendment.content, where)
    cell = (name.case, name.profile)
    if cell not in found.evaluators or cell in found.void:
        why = "is void already" if cell in found.void else "is none of this run"
        raise ValueError(f"{where}: cell {name} {why}")
    found.void[cell] = FollowedCell(**name.model_dump(), reason=amendment.reason)


def _withdraw(found: Standing, planned: Planned, amendment: Amendment, where: str) -> None:
    suite = Withdrawal.build(amendment.content, where).suite
    if suite is not None and suite not in planned.evaluators:
        raise ValueError(f"{where} withdraws suite {suite}, which is none of this run")
    if any(item.suite in (None, suite) for item in found.withdrawn):
        raise ValueError(f"{where} withdraws what is withdrawn already")
    found.withdrawn.append(Withdrawn(suite, amendment))


def _regrade(found: Standing, planned: Planned, amendment: Amendment, where: str) -> None:
    content = Regrade.build(amendment.content, where)
    if any(item.suite is None for item in found.withdrawn):
        raise ValueError(f"{where} grades a run again that is withdrawn")
    if len({(item.trial, item.round) for item in content.grades}) != len(content.grades):
        raise ValueError(f"{where} grades one round twice")
    counting = {cell for cell in found.evaluators if found.counts(cell, planned.suites)}
    for item in content.grades:
        cell = planned.cells.get(item.trial)
        if cell in found.void:
            raise ValueError(f"{where} grades a cell again that is void")
        if cell not in counting:
            raise ValueError(f"{where} grades {item.trial} again, which does not count here")
        key = (item.trial, item.round)
        newest = found.newest.get(key)
        before = newest[0].after if newest else planned.judged(key)
        if before != item.before:
            raise ValueError(f"{where}: {item.trial} {item.round} stood otherwise before it")
        found.newest[key] = (item, newest[1] + 1 if newest else 1)
    for cell in counting:
        change = content.evaluators.get(planned.suites[cell[0]])
        if change is None:
            raise ValueError(f"{where} tells no evaluator of suite {planned.suites[cell[0]]}")
        if found.evaluators[cell] != change.before:
            raise ValueError(f"{where}: {cell[1]} on {cell[0]} was graded by another evaluator")
        found.evaluators[cell] = change.after
    found.revisions.append(Revision(amendment, content))
