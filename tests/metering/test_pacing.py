"""Pacing: requests wait for their turn, and the wait is no part of provider time."""

import anyio
import pytest
from test_meter import SIZE, Bench

from gaugeblock.metering import pacing
from gaugeblock.metering.pacing import Pacer
from gaugeblock.records.profile import Pacing


class Clock:
    """Time that passes only where somebody sleeps."""

    def __init__(self):
        self.now = 100.0
        self.slept = []

    def monotonic(self):
        return self.now

    async def sleep(self, seconds):
        self.slept.append(seconds)
        self.now += seconds


@pytest.fixture
def clock(monkeypatch):
    made = Clock()
    monkeypatch.setattr(pacing.time, "monotonic", made.monotonic)
    monkeypatch.setattr(pacing.anyio, "sleep", made.sleep)
    return made


def waits(pacer, clock, pauses, size=SIZE):
    async def work():
        found = []
        for pause in pauses:
            clock.now += pause
            found.append(await pacer.wait(size))
        return found

    return anyio.run(work)


def test_no_pacing_never_waits(clock):
    assert waits(Pacer(Pacing()), clock, [0, 0, 0]) == [0, 0, 0]
    assert clock.slept == []


def test_requests_a_minute_are_spaced_evenly(clock):
    pacer = Pacer(Pacing(requests_per_min=6))
    assert waits(pacer, clock, [0, 0, 4, 60]) == pytest.approx([0, 10, 6, 0])


def test_tokens_a_minute_count_bytes_framing_and_output(clock):
    # 5904 + 4096 + 1000 tokens at 22000 a minute: 30 s
    pacer = Pacer(Pacing(tokens_per_min=22_000))
    assert waits(pacer, clock, [0, 0]) == pytest.approx([0, 30])
    both = Pacer(Pacing(tokens_per_min=22_000, requests_per_min=1))
    assert waits(both, clock, [0, 0]) == pytest.approx([0, 60])


def test_conversations_of_one_profile_share_the_pace(clock):
    pacer = Pacer(Pacing(requests_per_min=6))

    async def together():
        found = []
        async with anyio.create_task_group() as group:

            async def one():
                found.append(await pacer.wait(SIZE))

            for _ in range(3):
                group.start_soon(one)
        return found

    assert sorted(anyio.run(together)) == pytest.approx([0, 10, 10])
    assert clock.now == pytest.approx(120)


def test_the_wait_is_written_apart_from_provider_time(tmp_path, clock):
    bench = Bench(tmp_path, pacer=Pacer(Pacing(requests_per_min=6)))
    assert bench.ask().waited_s == 0
    request = bench.ask()
    assert request.waited_s == pytest.approx(10)
    assert request.provider_s == pytest.approx(0, abs=1e-9)
