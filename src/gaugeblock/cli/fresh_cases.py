"""``gaugeblock case draw``: what a seed draws; and what a plan says of its draws."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from gaugeblock.cli.console import plain

if TYPE_CHECKING:
    from gaugeblock.records.plan import Plan


def draw_lines(made: Plan) -> list[str]:
    """Return what a plan says of its fresh draws, one line each; none for a plan without."""
    draw = made.draw
    if draw is None:
        return []
    what = f"{draw.count} fresh cases each of {', '.join(draw.families)}"
    if not draw.sealed:
        return [f"{what}, replayed from a known seed: they are open, and no headline"]
    beacon = f", beacon {draw.beacon!r}" if draw.beacon else ""
    return [f"{what}, sealed: nonce of SHA-256 {draw.nonce_sha256}{beacon}"]


def case_draw(
    suite: str = typer.Argument(..., metavar="SUITE"),
    seed: str = typer.Option(
        ..., metavar="HEX", help="64 hex digits, as `drawn.json` of a closed run gives them."
    ),
    family: str = typer.Option(None, help="One family, such as T1; all without."),
    count: int = typer.Option(1, min=1, help="Draws of each family."),
    as_json: bool = typer.Option(False, "--json", help="Print the answer as JSON."),
) -> None:
    """Show what a seed draws: the cases of a closed run again, or those of any other seed.

    Example: gaugeblock case draw growth --seed 00112233…eeff --family T1 --count 3
    """
    from gaugeblock.cli.console import print_json
    from gaugeblock.records.draws import MOST_DRAWS
    from gaugeblock.records.errors import WrongUse
    from gaugeblock.running.draws import drawing_suite, seed_bytes
    from gaugeblock.suites import expected_figures

    if count > MOST_DRAWS:
        raise WrongUse(f"--count {count}: at most {MOST_DRAWS}")
    drawing, key = drawing_suite(suite), seed_bytes(seed)
    found = [
        drawing.draw(key, name, number, "open")
        for name in ([family] if family else drawing.families())
        for number in range(1, count + 1)
    ]
    if as_json:
        print_json(
            [
                {"case": item.case.model_dump(mode="json"), "rejected": item.rejected}
                for item in found
            ]
        )
        return
    for item in found:
        (asked,) = item.case.rounds
        numbers = ", ".join(f"{name} {value:g}" for name, value in asked.parameters.items())
        figures = {name: figure["value"] for name, figure in expected_figures(asked).items()}
        refused = ", ".join(f"{rule} {times}" for rule, times in item.rejected.items()) or "none"
        typer.echo(plain(f"{item.case.id}: {item.case.title}"))
        typer.echo(f"  {plain(numbers)}")
        typer.echo(f"  volume {figures['volume']} mm³; candidates refused: {plain(refused)}")
