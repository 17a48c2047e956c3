"""Time and outcome of `gaugeblock calibrate parts`, part by part.

Run: python benchmarks/calibration_parts.py [PART …]
"""

from __future__ import annotations

import sys

from gaugeblock.calibration import calibrate


def main() -> None:
    """Print one line a part."""
    words = [f"parts/{name}" for name in sys.argv[1:]] or ["parts"]
    found = calibrate(words, ruler_fingerprint="benchmark")
    print(
        f"{'part':14} {'killed':>7} {'toler.':>7} {'surv.':>6} {'n/a':>4} {'s':>7} {'ms each':>8}"
    )
    for result in found.targets:
        counts = result.counts()
        made = counts["killed"] + counts["tolerated"] + counts["survivor"]
        print(
            f"{result.target.removeprefix('parts/'):14} {counts['killed']:7} "
            f"{counts['tolerated']:7} {counts['survivor']:6} {counts['not-applicable']:4} "
            f"{result.seconds:7.1f} {1000 * result.seconds / max(made, 1):8.0f}"
        )
    print(f"{found.state}, {found.seconds:.0f} s")


if __name__ == "__main__":
    main()
