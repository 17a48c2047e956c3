"""What a run through a mock provider needs: profiles, a price, a key, and calls that build S1."""

from datetime import date

from gaugeblock.records.prices import PriceSnapshot
from gaugeblock.suites import load_suite

KEY = "sk-never-to-be-written-7f3a"
PROFILE = """
[[profile]]
id = "{dialect}"
label = "a mock"
agent = "api"
dialect = "{dialect}"
provider = "mock"
model = "mock-maker"
base_url = "{url}"
key_variable = "MOCK_KEY"
"""
PRICE = {
    "provider": "mock",
    "model": "mock-maker",
    "source": "test",
    "source_row": "mock-maker",
    "input": {"usd_per_mtok": "2"},
    "cache_read": {"usd_per_mtok": "0.60"},
    "output": {"usd_per_mtok": "15"},
}
SUITE = load_suite("growth")
CASE = SUITE.case("S1")
BUILD = [
    (call.tool, call.arguments) for call in SUITE.script(CASE, CASE.rounds[0], "reference").calls
]


def snapshot():
    """Return today's prices of the mock's one model."""
    sources = [{"name": "test", "sha256": "0" * 64}]
    content = {"taken": date.today(), "sources": sources, "rows": [PRICE]}
    return PriceSnapshot.build(content, "test")


def write_profiles(path, mock, dialects):
    """Write a profile of each dialect, each of which talks to this mock."""
    texts = [PROFILE.format(dialect=dialect, url=mock.url(dialect)) for dialect in dialects]
    path.write_text("".join(texts))
