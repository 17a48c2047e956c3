"""Damage to entities and their numbers: references, types, senses, values, splines."""

from __future__ import annotations

import random
import re

from corpus_base import before_end, entities, kind, numbers, put, replace_numbers

HUGE_LIST = 200_000


@kind
def ids_swapped(data: bytes, rng: random.Random) -> bytes:
    found = entities(data)
    a, b = rng.sample(found, 2)
    swap = {a.group(1): b.group(1), b.group(1): a.group(1)}
    return re.sub(rb"#(\d+)(?=\s*=)", lambda m: b"#" + swap.get(m.group(1), m.group(1)), data)


@kind
def references_changed(data: bytes, rng: random.Random) -> bytes:
    found = list(re.finditer(rb"#\d+(?=\s*[,)])", data))
    ids = [m.group(1) for m in entities(data)]
    for match in sorted(rng.sample(found, rng.choice([1, 3])), key=lambda m: -m.start()):
        data = put(data, match, b"#" + rng.choice(ids))
    return data


@kind
def references_dangling(data: bytes, rng: random.Random) -> bytes:
    found = list(re.finditer(rb"#\d+(?=\s*[,)])", data))
    for match in sorted(rng.sample(found, rng.choice([1, 3, 10])), key=lambda m: -m.start()):
        data = put(
            data, match, rng.choice([b"#99999999", b"#0", b"$", b"*", b"#-1", b"#4294967297"])
        )
    return data


@kind
def ids_duplicated(data: bytes, rng: random.Random) -> bytes:
    found = entities(data)
    one, other = rng.sample(found, 2)
    return before_end(data, other.group().replace(b"#" + other.group(1), b"#" + one.group(1), 1))


@kind
def self_references(data: bytes, rng: random.Random) -> bytes:
    found = [m for m in entities(data) if re.search(rb"[(,]\s*#\d+", m.group())]
    one = rng.choice(found)
    own = b"#" + one.group(1)
    head, tail = one.group().split(b"(", 1)
    return put(data, one, head + b"(" + re.sub(rb"#\d+", own, tail, count=rng.choice([1, 9])))


@kind
def reference_cycles(data: bytes, rng: random.Random) -> bytes:
    """An item refers to one that refers to it: placements, products, faces, assemblies."""
    found = [m for m in entities(data) if re.search(rb"[(,]\s*#\d+", m.group())]
    by_id = {m.group(1): m for m in found}
    pairs = [
        (m, by_id[r]) for m in found for r in re.findall(rb"#(\d+)", m.group())[1:] if r in by_id
    ]
    user, used = rng.choice(pairs)
    head, tail = used.group().split(b"(", 1)
    new = head + b"(" + re.sub(rb"#\d+", b"#" + user.group(1), tail, count=1)
    return put(data, used, new)


@kind
def entities_removed(data: bytes, rng: random.Random) -> bytes:
    for _ in range(rng.choice([1, 2, 5])):
        data = put(data, rng.choice(entities(data)), b"")
    return data


@kind
def types_changed(data: bytes, rng: random.Random) -> bytes:
    found = [m for m in entities(data) if m.group(2)]
    one, other = rng.sample(found, 2)
    name = rng.choice([other.group(2), b"IFCWALL", b"NO_SUCH_ENTITY", b"PLANE", b"A" * 5000])
    return put(data, one, one.group().replace(one.group(2), name, 1))


@kind
def arguments_changed(data: bytes, rng: random.Random) -> bytes:
    one = rng.choice([m for m in entities(data) if m.group(2)])
    head, tail = one.group().split(b"(", 1)
    parts = tail.rsplit(b")", 1)[0].split(b",")
    rng.shuffle(parts)
    drop = rng.choice([0, 1, len(parts)])
    return put(data, one, head + b"(" + b",".join(parts[drop:]) + b");")


@kind
def senses_flipped(data: bytes, rng: random.Random) -> bytes:
    found = list(re.finditer(rb"\.[TF]\.", data))
    for match in sorted(rng.sample(found, rng.choice([1, 3, 8])), key=lambda m: -m.start()):
        data = put(data, match, b".T." if match.group() == b".F." else b".F.")
    return data


@kind
def huge_list(data: bytes, rng: random.Random) -> bytes:
    found = list(re.finditer(rb"\((#\d+(?:\s*,\s*#\d+)+)\)", data))
    one = rng.choice(found)
    first = one.group(1).split(b",")[0]
    return put(data, one, b"(" + b",".join([first] * HUGE_LIST) + b")")


@kind
def many_entities(data: bytes, rng: random.Random) -> bytes:
    line = rng.choice(
        [b"#%d=CARTESIAN_POINT('',(0.,0.,0.));\n", b"#%d=DIRECTION('',(0.,0.,0.));\n"]
    )
    return before_end(data, b"".join(line % i for i in range(10**6, 10**6 + 50_000)))


@kind
def numbers_huge(data: bytes, rng: random.Random) -> bytes:
    return replace_numbers(data, rng, [b"1.E308", b"-1.E308", b"1.E200", b"1.E+400"], 3)


@kind
def numbers_large(data: bytes, rng: random.Random) -> bytes:
    return replace_numbers(data, rng, [b"1.E9", b"-3.E6", b"1.E15", b"1.E30", b"2.E100"], 2)


@kind
def numbers_tiny(data: bytes, rng: random.Random) -> bytes:
    return replace_numbers(data, rng, [b"1.E-308", b"-1.E-308", b"5.E-324", b"0.", b"-0."], 3)


@kind
def numbers_no_numbers(data: bytes, rng: random.Random) -> bytes:
    return replace_numbers(
        data, rng, [b"NAN", b"INF", b"-INF", b"1.#QNAN", b"'x'", b"$", b".U.", b"1e"], 2
    )


@kind
def numbers_shifted(data: bytes, rng: random.Random) -> bytes:
    """Plausible but wrong coordinates: the most dangerous kind."""
    found = numbers(data)
    for match in sorted(rng.sample(found, rng.choice([1, 2])), key=lambda m: -m.start()):
        value = float(match.group()) * rng.choice([1.01, 1.5, -1.0, 10.0]) + rng.choice([0.0, 1.0])
        data = put(data, match, repr(value).upper().encode())
    return data


@kind
def all_scaled(data: bytes, rng: random.Random) -> bytes:
    """Every point multiplied alike, directions and radii left."""
    factor = rng.choice([1e-9, 1e-3, 1e6, 1e12, 1e80, 1e160, -1.0])

    def scaled(match: re.Match[bytes]) -> bytes:
        values = [f"{float(v) * factor:E}" for v in match.group(2).split(b",")]
        return match.group(1) + ",".join(values).encode() + b")"

    return re.sub(rb"(CARTESIAN_POINT\s*\(\s*'[^']*'\s*,\s*\()([^)]*)\)", scaled, data)


@kind
def radii_changed(data: bytes, rng: random.Random) -> bytes:
    """Negative, zero, enormous and vanishing radii of circles, cylinders, spheres and tori."""
    names = rb"CIRCLE|CYLINDRICAL_SURFACE|SPHERICAL_SURFACE|TOROIDAL_SURFACE"
    pattern = rb"((?:" + names + rb")\s*\([^,]*,[^,]*,)([^,)]*)"
    found = list(re.finditer(pattern, data))
    if not found:
        return replace_numbers(data, rng, [b"-5."], 1)
    for match in sorted(rng.sample(found, min(2, len(found))), key=lambda m: -m.start()):
        value = rng.choice([b"-" + match.group(2).strip(), b"0.", b"1.E300", b"1.E-300", b"-1.E20"])
        data = put(data, match, match.group(1) + value)
    return data


@kind
def splines_broken(data: bytes, rng: random.Random) -> bytes:
    """Degrees, multiplicities and knots of splines that do not fit together."""
    found = [m for m in entities(data) if b"B_SPLINE" in m.group() or b"KNOTS" in m.group()]
    if not found:
        return replace_numbers(data, rng, [b"1.E5"], 1)
    one = rng.choice(found)
    values = list(re.finditer(rb"(?<=[(,])-?\d+\.?\d*(?:E[+-]?\d+)?(?=[,)])", one.group()))
    text = one.group()
    for match in sorted(rng.sample(values, min(2, len(values))), key=lambda m: -m.start()):
        text = put(text, match, rng.choice([b"0", b"-1", b"99", b"1000000000", b"3.5", b"1.E300"]))
    return put(data, one, text)
