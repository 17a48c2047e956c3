"""Requests of an agent that is shown no tool: none is told of, and the whole answer comes back."""

import anyio
import pytest
from api_talks import DIALECTS, FakeDesk, limits, meter, open_talk, profile, turns

from gaugeblock.agents import ApiAgent, Brief
from gaugeblock.agents.mock import MockProvider, Say

ANSWER = "Here it is:\n\n```python\nresult = Box(1, 2, 3)\n```\n" + "long " * 200

TOOL_WORDS = ("tools", "tool_choice", "toolConfig", "functions", "response_format")


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("stream", [False, True])
def test_no_dialect_speaks_of_tools(dialect, stream):
    with MockProvider([Say(ANSWER)]) as mock:
        who = profile(dialect, mock.url(dialect), stream=stream)
        (reply,) = turns(open_talk(who, tools=()), 1)
        (request,) = mock.received
    assert not set(TOOL_WORDS) & set(request.parsed)
    assert b"Make it." in request.body
    assert reply.text == ANSWER and not reply.calls


def test_a_model_of_json_actions_just_answers():
    with MockProvider([Say(ANSWER)]) as mock:
        who = profile("openai-chat", mock.url("openai-chat"), tool_mode="json")
        (reply,) = turns(open_talk(who, tools=()), 1)
        (request,) = mock.received
    assert not set(TOOL_WORDS) & set(request.parsed)
    assert request.parsed["messages"] == [{"role": "user", "content": "Make it."}]
    assert reply.text == ANSWER and not reply.calls


def test_the_agent_reports_its_whole_answer_beside_the_short_line(tmp_path):
    with MockProvider([Say(ANSWER)]) as mock:
        who = profile("anthropic-messages", mock.url("anthropic-messages"))
        desk = FakeDesk()
        desk.tools = ()
        agent = ApiAgent(who, None, meter(who, tmp_path))
        report = anyio.run(agent.work, Brief("Make it.", "", limits(turns=1)), desk)
    assert report.answer == ANSWER
    assert "\n" not in report.final_text and len(report.final_text) <= 300
    assert desk.asked == []
