"""Statistics and tables over rows: pure functions, no file is touched."""

from gaugeblock.analysis.growth import growth_tables
from gaugeblock.analysis.growth_text import render_growth_table
from gaugeblock.analysis.report import render_report
from gaugeblock.analysis.run_summary import summary
from gaugeblock.analysis.tables import read_rows_csv, row_schema, rows_csv, rows_jsonl

__all__ = [
    "growth_tables",
    "read_rows_csv",
    "render_growth_table",
    "render_report",
    "row_schema",
    "rows_csv",
    "rows_jsonl",
    "summary",
]
