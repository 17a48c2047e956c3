"""The matrix finds every failure told as it is, and finds a way to the model that does not."""

import json

import openai
import pytest

from gaugeblock.agents.api import anthropic_messages, conversation
from gaugeblock.agents.api.raw_json import write
from gaugeblock.agents.api.wire import PlainClient
from gaugeblock.agents.mock import FAULTS
from gaugeblock.metering.accounts import Account
from gaugeblock.metering.meter import Gate
from gaugeblock.records.store import Journal
from gaugeblock.running.expected_faults import expected
from gaugeblock.running.fault_matrix import DIALECTS, LINES, fault_matrix


def wrong(*faults, dialects=("openai-chat",), stream=False):
    """Return what is wrong, by fault."""
    lines = fault_matrix(stream=stream, faults=faults, dialects=dialects)
    return {line.fault: " / ".join(line.wrong) for line in lines}


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_fault_is_told_as_it_is(dialect, stream):
    lines = fault_matrix(stream=stream, dialects=[dialect])
    assert [line.fault for line in lines] == list(LINES)
    assert {line.fault: line.wrong for line in lines if line.wrong} == {}


def test_every_fault_has_a_rule():
    for fault in LINES:
        for dialect in DIALECTS:
            assert expected(fault, dialect).calls in (1, 2)
    with pytest.raises(ValueError, match="no rule"):
        expected("something new", "openai-chat")
    assert set(FAULTS) < set(LINES)


# Negative controls: the ways in which such code usually fails.


def test_a_client_that_tries_again_is_found(monkeypatch):
    def eager(base_url, key):
        return openai.AsyncOpenAI(
            api_key=key, base_url=base_url, max_retries=2, http_client=PlainClient({})
        )

    monkeypatch.setattr("gaugeblock.agents.api.openai_chat.open_client", eager)
    found = wrong("http-429", "http-500", "drop", "http-401")
    for fault in ("http-429", "http-500", "drop"):
        assert "wire calls" in found[fault], fault
    assert "wire calls" not in found["http-401"]  # no client tries that again


def test_a_gate_that_stays_open_is_found(monkeypatch):
    monkeypatch.setattr(Gate, "shut_by", lambda self, why: None)
    found = wrong("http-500", "missing-usage", "none")
    assert "later requests, none may be" in found["http-500"]
    assert "later requests, none may be" in found["missing-usage"]
    assert found["none"] == ""


def test_a_reserve_that_is_given_back_is_found(monkeypatch):
    def forget(self, held, charge):
        self.held -= held

    monkeypatch.setattr(Account, "settle", forget)
    assert all("USD charged" in why for why in wrong("http-500", "none").values())


def test_money_left_aside_is_found(monkeypatch):
    def keep(self, held, charge):
        self.charged += charge

    monkeypatch.setattr(Account, "settle", keep)
    assert "still set aside" in wrong("none")["none"]


def test_a_key_in_the_evidence_is_found(monkeypatch):
    monkeypatch.setattr(conversation, "one_line", lambda text, key=None: text)
    assert "the key was written down" in wrong("http-401")["http-401"]


def test_an_unjournalled_request_is_found(monkeypatch):
    journalled = Journal.append

    def forgetful(self, kind, **data):
        if kind != "request-sent":
            journalled(self, kind, **data)

    monkeypatch.setattr(Journal, "append", forgetful)
    assert "evidence: requests [] noted as sent" in wrong("none")["none"]


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("stream", [False, True])
def test_an_answer_that_is_written_anew_is_found(monkeypatch, dialect, stream):
    added = conversation.Body.add

    def anew(self, turn, images=()):
        if isinstance(turn, str):
            turn = write(json.loads(f"[{turn}]")).decode()[1:-1]
        added(self, turn, images)

    monkeypatch.setattr(conversation.Body, "add", anew)
    found = wrong("none", dialects=[dialect], stream=stream)["none"]
    # Written anew by the same rules, a chat's one text comes out as it was.
    assert bool(found) == (dialect != "openai-chat")


def test_a_usage_that_is_added_up_is_found(monkeypatch):
    def added(reports):
        total = {}
        for report in filter(None, reports):
            for name, count in report.items():
                whole = isinstance(count, int)
                total[name] = total.get(name, 0) + count if whole else count
        return total

    monkeypatch.setattr(anthropic_messages, "streamed_usage", added)
    found = wrong("usage-repeated", dialects=["anthropic-messages"], stream=True)
    assert "input_uncached" in found["usage-repeated"]
