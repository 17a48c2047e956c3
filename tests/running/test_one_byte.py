"""One changed byte in a closed run: the audit names the very file, and says only truths."""

import contextlib
import functools
import random
import re

import pytest

from gaugeblock.records.errors import DamagedEvidence
from gaugeblock.records.store import file_sha256
from gaugeblock.running import fingerprints
from gaugeblock.running.amending import invalidate, regrade, void
from gaugeblock.running.audit import audit
from gaugeblock.running.plans import Wish
from gaugeblock.running.run import Watch, run
from gaugeblock.running.soundness import faults, read_run

SEED = 20_261_130


@pytest.fixture(scope="module")
def amended_run(tmp_path_factory, sharing):
    """A closed run of S1 and T2 by reference and null, with one amendment of each kind."""
    out = tmp_path_factory.mktemp("runs") / "amended"

    def wanted(profile, case):
        return profile.id == "reference" or case.id == "S1"

    wish = Wish(("growth/S1", "growth/T2"), ("reference", "null"), 1, wanted=wanted)
    with sharing():
        run(wish, out, Watch())
        void(out, "S1", "null", "a wrong limit")
        assert regrade(out, "another look") == 2  # reference on S1 and T2, without the void cell
    invalidate(out, "the host build was wrong")
    return out


class Remembering:
    """A ruler that measures the same bytes once: sixty audits of one run would take minutes."""

    def __init__(self, ruler):
        self.ruler = ruler
        self.known = {}

    def measure(self, path, wall_s):
        return self._once((path,), lambda: self.ruler.measure(path, wall_s))

    def conserved(self, start, path, region, *, wall_s):
        return self._once(
            (start, path), lambda: self.ruler.conserved(start, path, region, wall_s=wall_s)
        )

    def _once(self, paths, ask):
        key = tuple(map(file_sha256, paths))
        if key not in self.known:
            self.known[key] = ask()
        return self.known[key]


def files(folder):
    return {p.relative_to(folder).as_posix(): p for p in folder.rglob("*") if p.is_file()}


def test_one_changed_byte_is_told_of_its_file(amended_run, ruler, monkeypatch):
    once = contextlib.nullcontext(Remembering(ruler))
    monkeypatch.setattr("gaugeblock.running.audit.Ruler", lambda: once)
    # The code is the same in all audits; to hash it for each takes a minute together.
    monkeypatch.setattr(fingerprints, "compute", functools.cache(fingerprints.compute))
    assert audit(amended_run).mismatches == []
    dice = random.Random(SEED)
    seen = files(amended_run)
    # What a run writes after closing, and the one file that holds the hashes, are among them.
    assert {"manifest.json", "INVALIDATED.json", "amendments/0003.json", "plan.json"} <= set(seen)
    for name, path in seen.items():
        whole = path.read_bytes()
        if not whole:
            assert path.name == "usage.jsonl", name  # a script sends no request
            continue
        place = dice.randrange(len(whole))
        changed = bytes([whole[place] ^ 1 << dice.randrange(8)])
        path.chmod(0o644)
        path.write_bytes(whole[:place] + changed + whole[place + 1 :])
        found = audit(amended_run)
        path.write_bytes(whole)
        where = f"byte {place} of {name}: {found.mismatches}"
        assert any(name in line for line in found.mismatches), where
        assert not found.sound and "\n" not in "".join(found.mismatches), where
        told = [line for line in found.mismatches if re.search(r"changed since|: missing", line)]
        others = {other for line in told for other in seen if re.search(rf"(?<!/){other}:", line)}
        assert others <= {name}, where  # no other file is said to be changed
    assert audit(amended_run).mismatches == []


@pytest.mark.parametrize(
    "name", ["manifest.json", "amendments/0003.json", "AMENDED.json", "INVALIDATED.json"]
)
def test_each_byte_of_what_no_hash_covers_counts(amended_run, name):
    """Every tenth byte: the seals and the notice leave no place where a change would pass."""
    path = amended_run / name
    whole = path.read_bytes()
    path.chmod(0o644)
    for place in range(0, len(whole), 10):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        try:
            told = faults(read_run(amended_run))
        except DamagedEvidence as error:
            told = [str(error)]
        assert any(name in line for line in told), place
    path.write_bytes(whole)
    assert faults(read_run(amended_run)) == []
