"""Two real runs that many tests look at, each in a copy of its own; what warms up, warmed once."""

import fcntl
import shutil
from contextlib import contextmanager, nullcontext
from functools import partial

import anyio
import pytest
from hidden_truth import CANARY, PROGRAM
from mock_models import KEY, snapshot, write_profiles

from gaugeblock.running.isolation import Gatehouse
from gaugeblock.running.isolation.needles import Truth, sought
from gaugeblock.running.plans import Wish
from gaugeblock.running.run import Watch, run, warm_host
from gaugeblock.worlds import HostWorld


@contextmanager
def shared(host, ruler, lean_one):
    """Let runs, audits and regrades use one warm sandbox and one ruler in place of their own.

    To warm both takes longer than most rounds here. That a run makes its own is seen in the runs
    of ``finished_run`` and of the command line. ``host`` gives the settings when a run asks, and
    ``lean_one`` those of a run that hides a truth: all of /usr would be searched for it otherwise.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            "gaugeblock.running.run.warm_host",
            lambda unsafe, lean=False: nullcontext(((lean_one if lean else host)(), None)),
        )
        for module in ("run", "audit", "amending"):
            patch.setattr(f"gaugeblock.running.{module}.Ruler", lambda **_: nullcontext(ruler))
        yield


@pytest.fixture(autouse=True)
def _shared_in_each_test(request, ruler):
    def made(fixture):
        with pytest.MonkeyPatch.context() as patch:  # the fixture makes the real one
            patch.setattr("gaugeblock.running.run.warm_host", warm_host)
            return request.getfixturevalue(fixture)

    with shared(partial(made, "warm"), ruler, partial(made, "lean_host")):
        yield


@pytest.fixture(scope="session")
def sharing(request, warm, ruler):
    """Return what a fixture that many tests share makes its run in."""
    return partial(shared, lambda: warm, ruler, lambda: request.getfixturevalue("lean_host"))


@pytest.fixture(scope="session")
def made_once(tmp_path_factory, worker_id):
    """Return a function that makes a folder once for all of pytest's workers; none may change it.

    The folder is made under another name and renamed when it is whole; the lock ends with its
    process, however that ends.
    """
    own = tmp_path_factory.getbasetemp()
    place = own if worker_id == "master" else own.parent  # else other sessions' folders lie there

    def folder(name, make):
        with (place / f"{name}.lock").open("w") as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            if not (place / name).exists():
                draft = place / f"{name}.{worker_id}"
                make(draft)
                draft.rename(place / name)
        return place / name

    return folder


@pytest.fixture(scope="session")
def finished_run(made_once):
    """A closed run: S1 and the depth sequence by reference, null and two mutants."""

    def make(out):
        profiles = ("reference", "null", "mutant:no-holes", "mutant:floor-kept")
        seen = []
        watch = Watch(round_ended=lambda trial, result: seen.append((trial.id, result.round)))
        run(Wish(("growth/S1", "growth/depth"), profiles, trials=1), out, watch)
        assert len(seen) == 3 * 1 + 3 * 6  # S1 by three, the six rounds of depth by three

    return made_once("finished-run", make)


@pytest.fixture(scope="session")
def short_run(made_once):
    """A closed run of two rounds, one of them an edit: auditing it takes a third of the time."""

    def make(out):
        profiles = ("reference", "null", "mutant:no-holes")
        run(Wish(("growth/S1", "growth/T2"), profiles, trials=1), out, Watch())

    return made_once("short-run", make)


@pytest.fixture
def run_copy(finished_run, tmp_path):
    """A copy that a test may damage."""
    return shutil.copytree(finished_run, tmp_path / "copy")


@pytest.fixture
def short_copy(short_run, tmp_path):
    """A copy of the short run that a test may damage."""
    return shutil.copytree(short_run, tmp_path / "copy")


@pytest.fixture
def prices():
    """Prices of a mock's model."""
    return snapshot()


@pytest.fixture
def wish(tmp_path, monkeypatch, prices):
    """Return a wish for mock profiles on S1; keywords go to the wish."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MOCK_KEY", KEY)

    def make(mock, dialects=("anthropic-messages",), trials=1, **more):
        write_profiles(tmp_path / "profiles.toml", mock, dialects)
        more = {"prices": prices, "budget_usd": "5", **more}
        return Wish(("growth/S1",), dialects, trials, **more)

    return make


@pytest.fixture(scope="session")
def lean_host():
    """Settings of hosts over a warm sandbox that shows of the system only what libraries load."""
    with warm_host(unsafe=False, lean=True) as (settings, _):
        yield settings


@pytest.fixture(scope="session")
def hidden_step(lean_host):
    """The STEP of a part that is somebody's truth."""

    async def made():
        async with HostWorld.open(lean_host, None) as world:
            answer = await world.call("propose", {"program": PROGRAM, "parameters": {}})
            assert not answer.failed, answer.text
            return await world.export()

    return anyio.run(made)


@pytest.fixture(scope="session")
def truth(hidden_step, ruler, tmp_path_factory):
    """All that must not be seen of that part; nothing is shown."""
    path = tmp_path_factory.mktemp("truth") / "part.step"
    path.write_bytes(hidden_step)
    return Truth(
        CANARY, hidden_step, ruler.measure(path), ruler.features(path), programs=(PROGRAM,)
    )


@pytest.fixture(scope="session")
def gates(truth):
    """The gates of the case; the libraries are proven once for all tests."""
    return Gatehouse({"case": sought(truth)})
