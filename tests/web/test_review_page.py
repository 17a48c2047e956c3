"""The page in a real browser: scored by clicks and by keyboard, hostile words, an empty network."""

import json
import os
import shutil

import pytest
from made_packs import origins, pack_of, shown
from serving_packs import SCORES, put, said, served

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
HOSTILE = "</script><img src=x onerror=\"document.title='owned'\"> & <b>bold</b>"
PATIENCE = 20
"""Seconds until the page must have answered; usually it takes a few hundredths."""

pytestmark = pytest.mark.skipif(
    not (CHROMIUM and DRIVER), reason="no chromium and chromedriver on PATH; .ci/run installs them"
)


@pytest.fixture(scope="module")
def browser():
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    flags = "headless no-sandbox disable-gpu disable-background-networking disable-dev-shm-usage"
    for flag in flags.split():
        options.add_argument(f"--{flag}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    os.environ["SE_OFFLINE"] = "true"  # Selenium's manager fetches nothing
    driver = webdriver.Chrome(options=options, service=Service(DRIVER))
    yield driver
    driver.quit()


@pytest.fixture
def folder(tmp_path):
    items = [shown(item, brief=f"Make a box. {HOSTILE}") for item in origins(3)]
    pack_of(items, tmp_path / "pack")
    return tmp_path / "pack"


def until(browser, condition):
    from selenium.webdriver.support.ui import WebDriverWait

    return WebDriverWait(browser, PATIENCE, poll_frequency=0.02).until(condition)


def text(browser, name):
    return browser.execute_script("return document.getElementById(arguments[0]).textContent", name)


def opened(browser, port):
    browser.get(f"http://127.0.0.1:{port}/")
    until(browser, lambda b: "reviewed" in text(b, "progress"))


def stored(folder, number):
    return json.loads((folder / f"samples/{number:03d}/review.json").read_bytes())


def test_scored_by_clicks(browser, folder):
    with served(folder) as port:
        opened(browser, port)
        browser.find_element("id", "save").click()
        assert text(browser, "told") == "Give your name first."
        browser.find_element("id", "reviewer").send_keys("Ana")
        browser.find_element("id", "save").click()
        assert text(browser, "told").startswith("Not scored yet: Recognisability; Coherent")
        for name, score in SCORES.items():
            browser.find_element("css selector", f'input[name="{name}"][value="{score}"]').click()
        browser.find_element("id", "notes").send_keys(HOSTILE)
        browser.find_element("id", "save").click()
        until(browser, lambda b: text(b, "progress") == "1 of 3 reviewed")
        assert text(browser, "which") == "Sample 2"
        assert not browser.find_elements("css selector", ".scale input:checked")
    assert stored(folder, 1)["scores"] == SCORES
    assert stored(folder, 1)["notes"] == HOSTILE


def test_a_second_window_does_not_overwrite_unseen(browser, folder):
    def choose(score):
        browser.execute_script(
            "document.getElementById('reviewer').value = 'Ana';"
            "for (const box of document.querySelectorAll(`.scale input[value='${arguments[0]}']`))"
            " box.click(); document.getElementById('save').click()",
            str(score),
        )

    with served(folder) as port:
        opened(browser, port)
        first = browser.current_window_handle
        browser.switch_to.new_window("tab")
        opened(browser, port)
        choose(9)
        until(browser, lambda b: "is saved" in text(b, "told"))
        browser.close()
        browser.switch_to.window(first)
        choose(2)
        until(browser, lambda b: "in another window: 9, 9, 9, 9" in text(b, "told"))
        assert set(stored(folder, 1)["scores"].values()) == {9}
        choose(2)  # knowing it
        until(browser, lambda b: "is saved" in text(b, "told"))
        assert set(stored(folder, 1)["scores"].values()) == {2}


def test_a_review_that_cannot_be_read_is_told(browser, folder):
    with served(folder) as port:
        (folder / "samples/002/review.json").write_text("{")
        opened(browser, port)
        until(browser, lambda b: "could not be read" in text(b, "told"))
        assert "002/review.json" in text(browser, "told")


def test_scored_by_keyboard_alone(browser, folder):
    from selenium.webdriver import ActionChains, Keys

    with served(folder) as port:
        opened(browser, port)
        browser.execute_script("document.getElementById('form').focus()")  # as the skip link does
        keys = ActionChains(browser)
        keys.send_keys(Keys.TAB, "Ben", Keys.TAB)
        for right in (4, 3, 2, 1):  # a space takes 0, an arrow one more
            keys.send_keys(Keys.TAB, Keys.SPACE, *[Keys.ARROW_RIGHT] * right)
        keys.send_keys(Keys.TAB, "by hand")
        keys.key_down(Keys.CONTROL).send_keys(Keys.ENTER).key_up(Keys.CONTROL)
        keys.perform()
        until(browser, lambda b: text(b, "progress") == "1 of 3 reviewed")
    review = stored(folder, 1)
    assert list(review["scores"].values()) == [4, 3, 2, 1]
    assert (review["reviewer"], review["notes"], review["method"]) == ("Ben", "by hand", "human")


def test_hostile_words_stay_words_and_a_refusal_is_told(browser, folder):
    with served(folder) as port:
        assert put(port, 1, said(reviewer=HOSTILE[:70], notes=HOSTILE))[0] == 200
        opened(browser, port)
        until(browser, lambda b: b.find_element("id", "notes").get_property("value") == HOSTILE)
        assert browser.title == "Blind review"
        assert text(browser, "brief").endswith(HOSTILE)
        assert not browser.find_elements("css selector", "b:not(#anchors b), img[src='x']")
        name = browser.find_element("id", "reviewer")
        name.clear()
        name.send_keys("Ana")
        browser.find_element("id", "save").click()
        until(browser, lambda b: "was reviewed by </script>" in text(b, "told"))
        assert browser.title == "Blind review"


def test_from_a_folder_it_shows_and_takes_nothing(browser, folder):
    browser.get_log("browser")
    browser.get((folder / "index.html").as_uri())
    until(browser, lambda b: text(b, "progress") == "3 samples")
    until(
        browser,
        lambda b: b.execute_script(
            "return [...document.images].length === 3"
            " && [...document.images].every((image) => image.naturalWidth > 0)"
        ),
    )
    assert not browser.find_element("id", "fields").is_displayed()
    refused = [line for line in browser.get_log("browser") if "Content Security" in line["message"]]
    assert not refused
