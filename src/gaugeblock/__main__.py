"""``python -m gaugeblock`` is the command ``gaugeblock``."""

from gaugeblock.cli import main

main()
