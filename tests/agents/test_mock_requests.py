"""What the agent sends is of the official SDKs' own types, member by member.

The agent writes its bodies itself, so no SDK looks at them on the way out; and the mock is no
judge of them, since it takes anything.
"""

from typing import Any

import anyio
import pytest
from anthropic.types import message_create_params
from google.genai import types as gemini
from openai.types.chat import completion_create_params
from openai.types.responses import response_create_params
from pydantic import TypeAdapter

from gaugeblock.agents import ApiAgent, Brief
from gaugeblock.agents.mock import Fault, MockProvider, MockWorld, Say
from gaugeblock.agents.mock.dialects import DIALECTS
from gaugeblock.agents.mock.world import GOOD_CALL
from gaugeblock.metering.costs import Tariff
from gaugeblock.metering.meter import Gate, Meter
from gaugeblock.metering.pacing import Pacer
from gaugeblock.records.case import Limits
from gaugeblock.records.profile import Pacing, Profile
from gaugeblock.records.store import Journal

RESPONSES = (
    response_create_params.ResponseCreateParamsNonStreaming,
    response_create_params.ResponseCreateParamsStreaming,
)
TYPES: dict[str, tuple[Any, Any]] = {
    "openai-responses": RESPONSES,
    "xai-responses": RESPONSES,
    "anthropic-messages": (
        message_create_params.MessageCreateParamsNonStreaming,
        message_create_params.MessageCreateParamsStreaming,
    ),
    "openai-chat": (
        completion_create_params.CompletionCreateParamsNonStreaming,
        completion_create_params.CompletionCreateParamsStreaming,
    ),
}
"""Type of a request, whole and streamed."""

BEYOND = {"reasoning_content"}
"""Members that OpenAI's types lack: DeepSeek gives and takes them."""


class Desk:
    """Passes calls on to the mock's world."""

    def __init__(self) -> None:
        self._world = MockWorld()
        self.tools = self._world.tools
        self.call = self._world.call

    def refuse(self, name, arguments, fault):
        raise AssertionError("every call here can be passed on")


def plain(value: Any, without: set[str] = frozenset()) -> Any:
    """Return data with what a validator left lazy read out, and without some members."""
    if isinstance(value, dict):
        return {k: plain(v, without) for k, v in value.items() if k not in without}
    if value is None or isinstance(value, str | int | float):
        return value
    return [plain(item, without) for item in value]


def requests(dialect, stream, folder) -> list[dict[str, Any]]:
    """Return the bodies of a conversation with every kind of turn."""
    says = [Say("Two.", (GOOD_CALL, GOOD_CALL)), Fault("arguments-against-schema"), Say("Done.")]
    with MockProvider(says) as mock, Journal(folder / "usage.jsonl") as journal:
        profile = Profile(
            id="mock",
            label="a mock",
            agent="api",
            dialect=dialect,
            base_url=mock.url(dialect),
            model="mock-large",
            stream=stream,
            billing="local",
        )
        meter = Meter(
            profile=profile,
            tariff=Tariff(None, "none", None),
            accounts=(),
            gate=Gate(),
            pacer=Pacer(Pacing()),
            round_id="R",
            journal=journal,
        )
        limits = Limits(wall_s=60, tool_calls=9, turns=9, program_s=1, evaluation_s=1)
        agent = ApiAgent(profile, "key", meter)
        anyio.run(agent.work, Brief("Make it.", "", limits), Desk())
        assert mock.left == 0
        return [received.parsed for received in mock.received]


CASES = [(dialect, stream) for dialect in TYPES for stream in (False, True)]


@pytest.mark.parametrize(("dialect", "stream"), CASES)
def test_every_member_is_of_the_sdks_type(dialect, stream, tmp_path):
    adapter = TypeAdapter(TYPES[dialect][stream])
    for body in requests(dialect, stream, tmp_path):
        # What a type lacks is dropped in reading: so it would be missing here.
        assert plain(adapter.validate_python(body)) == plain(body, BEYOND)


@pytest.mark.parametrize("stream", [False, True])
def test_every_member_is_of_geminis_types(stream, tmp_path):
    for body in requests("gemini-generate-content", stream, tmp_path):
        assert set(body) <= {"contents", "tools", "generationConfig"}
        for content in body["contents"]:
            gemini.Content.model_validate(content)  # refuses what it does not know
        for tool in body["tools"]:
            gemini.Tool.model_validate(tool)
        gemini.GenerationConfig.model_validate(body["generationConfig"])


def test_no_dialect_is_left_out():
    assert {*TYPES, "gemini-generate-content"} == set(DIALECTS)
