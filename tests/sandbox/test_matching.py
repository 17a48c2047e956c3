"""Finding needles in bytes: wherever they lie, and nothing that only looks like one."""

import gzip
import io
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gaugeblock.sandbox.matching import SHORTEST_BYTES, Needles, figures
from gaugeblock.sandbox.packed import UNPACKED_BYTES, members


@given(
    before=st.binary(max_size=200),
    needle=st.binary(min_size=SHORTEST_BYTES, max_size=120),
    after=st.binary(max_size=200),
)
def test_a_needle_is_found_wherever_it_lies(before, needle, after):
    found = Needles([needle], [], []).in_content(before + needle + after, loose=False)
    assert found == {"bytes 0"}


@given(data=st.binary(max_size=400), needle=st.binary(min_size=SHORTEST_BYTES, max_size=60))
def test_what_is_found_is_there(data, needle):
    found = Needles([needle], [], []).in_content(data, loose=False)
    assert (found == {"bytes 0"}) == (needle in data)


def test_a_needle_that_could_be_missed_is_refused():
    with pytest.raises(ValueError, match="at least"):
        Needles([b"x" * (SHORTEST_BYTES - 1)], [], [])


@pytest.mark.parametrize(
    ("text", "digits"),
    [
        ("471071.08", ["471071"]),
        ("471,071.08", ["471071"]),
        ("4.7107108e+05", ["471071"]),
        ("0.000471071", ["471071"]),
        ("47107", []),
        ("12.5", []),
        ("471 071", ["471071"]),
        ("1,2,3,4,5,6", []),
        ("v=-471071", ["471071"]),
    ],
)
def test_a_figure_is_known_by_its_first_six_digits(text, digits):
    assert [item.decode() for item in figures(text.encode())] == digits


def test_names_and_figures_are_sought_in_loose_content_alone():
    needles = Needles([], ["reference.step"], ["471071"])
    text = b"Reference.STEP 471071.5"
    assert needles.in_content(text, loose=True) == {"name reference.step", "number 471071"}
    assert needles.in_content(text, loose=False) == set()
    assert needles.in_path("/x/REFERENCE.step") == {"name reference.step"}


def test_what_is_packed_is_unpacked_within_bounds():
    def unpacked(data):
        return list(members(io.BytesIO(data), data))

    assert unpacked(gzip.compress(b"inner")) == [("unpacked", b"inner")]
    joined = gzip.compress(b"one") + gzip.compress(b"two")
    assert [data for _, data in unpacked(joined)] == [b"one", b"two"]
    assert unpacked(b"plain text") == []
    assert unpacked(b"PK\3\4 damaged") == [("damaged", None)]
    too_much = zlib.compress(bytes(UNPACKED_BYTES + 1))
    assert unpacked(too_much) == [("unpacked", None)]
    nested = b"x"
    for _ in range(5):
        nested = gzip.compress(nested)
    assert unpacked(nested)[-1][1] is None  # deeper than is followed: told, never passed over
