"""The agent over a provider's API: one loop of requests and tool calls."""

from __future__ import annotations

import anyio

from gaugeblock.agents.api.provider import Call, Conversation, Reply, WireFailed
from gaugeblock.agents.api.providers import dialect_of
from gaugeblock.agents.api.wire import one_line
from gaugeblock.agents.protocol import AgentFailed, AgentReport, Brief, Desk
from gaugeblock.metering.limits import BillingUnknown, LimitReached
from gaugeblock.metering.meter import Meter
from gaugeblock.records.case import Limits
from gaugeblock.records.profile import Profile
from gaugeblock.worlds.protocol import ToolResult

CLOSING_S = 5
"""Time to close a connection, s: also when the trial's own is over, but never without end."""

MOST_CALLS = 1_000
"""Tool calls in one answer. They are made one after the other and answered in one request, so that
more of them are a model gone wrong; the answer itself is paid for and accounted."""


class ApiAgent:
    """Works by asking a model, doing what it asks for, and telling it what came of it."""

    def __init__(self, profile: Profile, key: str | None, meter: Meter) -> None:
        """Make an agent for one conversation.

        Args:
            profile: who is asked, and how.
            key: of the provider; None for a server that needs none.
            meter: accounts for every request.
        """
        self._open = dialect_of(profile)  # imports an SDK: before any clock of a trial runs
        self._profile = profile
        self._key = key
        self._meter = meter

    async def work(self, brief: Brief, desk: Desk) -> AgentReport:
        """Work until the model calls no tool.

        Raises:
            LimitReached: turns, request-bytes, output-tokens, budget, or one of the desk's.
            AgentFailed: no usable answer, or nothing more may be sent.
        """
        limits = brief.limits
        try:
            conversation = self._open(
                self._profile, self._key, brief.message(), brief.images, desk.tools, limits
            )
        except ValueError as error:
            raise AgentFailed("adapter", str(error)) from None
        try:
            for _ in range(limits.turns):
                reply = await self._ask(conversation, limits)
                if not reply.calls:
                    if reply.cut_off:
                        raise LimitReached("output-tokens", self._cut_off(limits))
                    return AgentReport(one_line(reply.text, self._key), reply.text)
                if len(reply.calls) > MOST_CALLS:
                    asked = f"one answer asks for {len(reply.calls):,}, {MOST_CALLS:,} are the most"
                    raise LimitReached("tool-calls", asked)
                conversation.results([(call, await _do(call, desk)) for call in reply.calls])
            raise LimitReached("turns", f"{limits.turns} turns taken")
        finally:
            with anyio.move_on_after(CLOSING_S, shield=True):
                await conversation.close()

    def _cut_off(self, limits: Limits) -> str:
        """Say how long the last answer became, as far as the provider told."""
        written = self._meter.requests[-1].buckets.output
        told = "" if written is None else f"; {written} are reported"
        return f"the answer was cut off at the ceiling of {limits.output_tokens} tokens{told}"

    async def _ask(self, conversation: Conversation, limits: Limits) -> Reply:
        """Send one request, once, and account for it whatever becomes of it."""
        size = conversation.size()
        if size.request_bytes > limits.request_bytes:
            raise LimitReached("request-bytes", f"the next request has {size.request_bytes} bytes")
        try:
            ticket = await self._meter.open(size)
        except BillingUnknown as unknown:
            raise AgentFailed("provider", f"nothing more is sent: {unknown}") from None
        try:
            with anyio.fail_after(limits.request_s):
                reply = await conversation.send()
        except TimeoutError:
            failed = WireFailed(f"no answer within {limits.request_s:g} s")
        except WireFailed as failure:
            failed = failure
        except Exception as fault:  # of ours
            line = one_line(f"{type(fault).__name__}: {fault}", self._key)
            self._meter.fail(ticket, line)
            raise AgentFailed("adapter", line) from fault
        except BaseException:  # stopped from outside: nobody will read the answer
            self._meter.abandon(ticket)
            raise
        else:
            self._meter.settle(ticket, reply.answer)
            return reply
        self._meter.fail(ticket, str(failed), failed.status)
        raise AgentFailed("provider", str(failed))


async def _do(call: Call, desk: Desk) -> ToolResult:
    """Have a tool called; what cannot be called is counted all the same."""
    if call.arguments is None:
        return desk.refuse(call.name, call.written, call.fault)
    if all(call.name != tool.name for tool in desk.tools):
        return desk.refuse(call.name, call.written, "there is no such tool")
    return await desk.call(call.name, call.arguments)
