"""Labels by hand: what each is read as, and who plays which role."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from machines import BOXES, SUITE, solids
from measurements import solid

from gaugeblock.suites.assembly.labels import ALSO, COMPOUND, EXACT, PLAIN, readings
from gaugeblock.suites.assembly.parts import cast, parts_of

ROLES = SUITE.rubric.roles

READ = [
    # as asked, and other ways to write it
    ("base", "base", EXACT),
    ("Housing", "housing", EXACT),
    ("DRIP TRAY", "drip tray", EXACT),
    ("drip_tray", "drip tray", EXACT),
    ("drip-tray", "drip tray", EXACT),
    ("DripTray", "drip tray", EXACT),
    ("driptray", "drip tray", EXACT),
    ("groupHead", "group head", EXACT),
    ("porta filter", "portafilter", EXACT),
    ("handles", "handle", EXACT),
    ("grate bars", "grate bar", EXACT),
    ("grate bar 3", "grate bar", EXACT),
    ("GrateBar_03", "grate bar", EXACT),
    ("STEAM_WAND", "steam wand", EXACT),
    ("steam control", "steam control", EXACT),
    ("ｈｏｕｓｉｎｇ", "housing", EXACT),  # full width
    # with words that name no other thing
    ("chrome portafilter", "portafilter", PLAIN),
    ("base plate", "base", EXACT + PLAIN),
    ("main housing body", "housing", PLAIN),
    ("brew control knob", "brew control", PLAIN),
    ("steam wand tube", "steam wand", PLAIN),
    ("grate bar left", "grate bar", PLAIN),
    ("机身 housing", "housing", PLAIN),
    ("housing 机身", "housing", PLAIN),  # the brief's own word for it
    ("grate bar 栅条 3", "grate bar", PLAIN),
    # numbers in other ways
    ("grate bar no. 1", "grate bar", EXACT),
    ("Grate-Bar No 2", "grate bar", EXACT),
    ("grate bar #3", "grate bar", EXACT),
    ("grate bar IV", "grate bar", PLAIN),
    ("grate bar five", "grate bar", PLAIN),
    # adjectives that look like a denial or a place
    ("non-slip base", "base", PLAIN),
    ("no-drip drip tray", "drip tray", PLAIN),
    ("rear-mounted water tank", "water tank", PLAIN),
    ("top mounted cup warmer", "cup warmer", PLAIN),
    ("built-in drip tray", "drip tray", EXACT),
    ("on/off brew control", "brew control", EXACT),
    ("pressure gauge mounted on housing", "pressure gauge", EXACT),
    ("drip-tray-on-base", "drip tray", EXACT),
    ("steam wand, attached", "steam wand", EXACT),
    # a qualifier says where, not what
    ("drip tray below group head", "drip tray", EXACT),
    ("group head above drip tray", "group head", EXACT),
    ("handle of portafilter", "handle", EXACT),
    ("housing with water tank", "housing", EXACT),
    ("pressure gauge on housing", "pressure gauge", EXACT),
    ("water tank (behind the housing)", "water tank", EXACT),
    ("cup warmer, on top of the housing", "cup warmer", EXACT),
    ("steam wand - right side", "steam wand", EXACT),
    # the last noun of a compound is what it is
    ("portafilter handle", "handle", COMPOUND),
    ("steam wand handle", "handle", COMPOUND),
    ("housing base", "base", COMPOUND),
]

UNREAD = [
    None,
    "",
    "   ",
    "steam wand block",
    "water tank lid",
    "water tank 盖",
    "housing lid (water tank)",
    "lid of water tank",
    "below group head",
    "tray",
    "head",
    "control",
    "steam",
    "steam wand control",
    "baseline",
    "database",
    "not housing",
    "no portafilter",
    "non-housing",
    "No. 3",
    "mounted on housing",
    "bracket mounted under water tank",
    "water tank 机身",
    "机身",
    "接水盘",
    "o7",
    "123",
    "((((",
    "Körper",
]


@pytest.mark.parametrize(("label", "role", "rank"), READ)
def test_a_label_is_read(label, role, rank):
    (found,) = readings(label, ROLES)
    assert (found.role, found.rank) == (role, rank)


@pytest.mark.parametrize("label", UNREAD)
def test_a_label_of_something_else(label):
    assert readings(label, ROLES) == ()


def test_two_things_in_one_label():
    found = {item.role: item.rank for item in readings("group head and portafilter", ROLES)}
    assert found == {"group head": EXACT, "portafilter": ALSO}
    assert {item.role for item in readings("GroupHead/DripTray", ROLES)} == {
        "group head",
        "drip tray",
    }


@given(st.text(max_size=600))
def test_any_text_is_read_without_a_fault(text):
    assert len(readings(text, ROLES)) <= len(ROLES)


def names(*labels, **volumes):
    """Who plays which role among solids with these labels."""
    made = [
        solid(index, name=label, volume=volumes.get(f"v{index}", 1000.0))
        for index, label in enumerate(labels)
    ]
    given_ = cast(parts_of(made), ROLES)
    return {role: [part.name for part in players] for role, players in given_.items() if players}


def test_each_part_plays_one_role():
    assert names("group head and portafilter") == {"group head": ["group head and portafilter"]}
    assert names("group head and portafilter", "group head") == {
        "group head": ["group head"],
        "portafilter": ["group head and portafilter"],
    }


def test_the_source_s_own_case():
    """`drip tray below group head` was once taken for the group head."""
    found = names("drip tray below group head", "group head")
    assert found == {"drip tray": ["drip tray below group head"], "group head": ["group head"]}


def test_the_better_label_plays_and_then_the_larger_part():
    assert names("steam wand handle", "handle") == {"handle": ["handle"]}
    assert names("left housing", "right housing", v1=2000.0) == {"housing": ["right housing"]}


def test_five_bars_are_five_labels():
    assert len(names(*(f"grate bar {n}" for n in range(1, 8)))["grate bar"]) == 5
    assert names("grate bar 1", "grate bar 1") == {"grate bar": ["grate bar 1"]}


def test_solids_of_one_object_are_one_part():
    made = [
        solid(0, name="base"),
        *(solid(n, name=None).model_copy(update={"instance": "grate bar 1"}) for n in (1, 2, 3)),
        solid(4, name=None),
    ]
    found = {part.name: len(part.solids) for part in parts_of(made)}
    assert found == {"base": 1, "grate bar 1": 3, None: 1}


@given(st.permutations(solids()))
def test_the_order_of_solids_does_not_matter(made):
    given_ = cast(parts_of(made), ROLES)
    assert {label: len(players) for label, players in given_.items()} == {
        role.label: role.count for role in ROLES
    }
    assert {part.name for players in given_.values() for part in players} == set(BOXES)


LABELS = st.sampled_from(
    ["base", "Base Plate", "housing base", "handle", "portafilter handle", "group head/handle"]
)


@given(st.lists(st.tuples(LABELS, st.sampled_from([1.0, 2.0, 3.0])), max_size=7), st.randoms())
def test_equal_solids_in_another_order_play_the_same(pairs, random):
    made = [
        solid(index, name=f"{label} {index}", volume=volume)
        for index, (label, volume) in enumerate(pairs)
    ]
    one = cast(parts_of(made), ROLES)
    random.shuffle(made)
    other = cast(parts_of(made), ROLES)
    assert one == other
    played = [part.name for players in one.values() for part in players]
    assert len(played) == len(set(played))
