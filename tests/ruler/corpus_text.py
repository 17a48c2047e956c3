"""Damage to the text: bytes, line ends, encodings, header, sections, nesting, schemas."""

from __future__ import annotations

import random
import re

from corpus_base import before_end, kind, numbers, put

LONG_TOKEN = 2_000_000
DEEP = 20_000


@kind
def cut_anywhere(data: bytes, rng: random.Random) -> bytes:
    return data[: rng.randrange(1, len(data))]


@kind
def cut_but_ended(data: bytes, rng: random.Random) -> bytes:
    """Cut, and closed again as if it were whole: at a line, in an entity, in a string."""
    at = rng.randrange(data.index(b"DATA;"), len(data))
    tail = rng.choice([b"", b"\n", b";\n", b");\n", b"';\n"])
    return data[:at] + tail + b"ENDSEC;\nEND-ISO-10303-21;\n"


@kind
def middle_missing(data: bytes, rng: random.Random) -> bytes:
    a, b = sorted(rng.sample(range(len(data)), 2))
    return data[:a] + data[min(b, a + len(data) // 4) :]


@kind
def bits_flipped(data: bytes, rng: random.Random) -> bytes:
    out = bytearray(data)
    for _ in range(rng.choice([1, 3, 10, 100])):
        out[rng.randrange(len(out))] ^= 1 << rng.randrange(8)
    return bytes(out)


@kind
def bytes_dropped(data: bytes, rng: random.Random) -> bytes:
    out = bytearray(data)
    for _ in range(rng.choice([1, 3, 10, 100])):
        del out[rng.randrange(len(out))]
    return bytes(out)


@kind
def bytes_doubled(data: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(data))
    return data[:at] + data[max(0, at - rng.choice([1, 20, 500])) :]


@kind
def line_ends(data: bytes, rng: random.Random) -> bytes:
    return data.replace(b"\n", rng.choice([b"\r\n", b"\r", b"", b"\n\n\n", b" \x0b\x0c", b"\x00"]))


@kind
def wrong_encoding(data: bytes, rng: random.Random) -> bytes:
    text = data.decode("latin-1")
    coding = rng.choice(["utf-16", "utf-16-le", "utf-32", "utf-8-sig", "utf-7", "cp500"])
    return text.encode(coding, errors="replace")


@kind
def binary_in_strings(data: bytes, rng: random.Random) -> bytes:
    found = list(re.finditer(rb"'[^']*'", data))
    for match in sorted(rng.sample(found, min(5, len(found))), key=lambda m: -m.start()):
        junk = bytes(rng.randrange(256) for _ in range(rng.choice([3, 40, 900])))
        data = put(data, match, b"'" + junk.replace(b"'", b"''") + b"'")
    return data


@kind
def escapes_in_strings(data: bytes, rng: random.Random) -> bytes:
    bad = [
        b"\\X2\\D800\\X0\\",
        b"\\X2\\00",
        b"\\X4\\FFFFFFFF\\X0\\",
        b"\\S",
        b"\\P",
        b"\\X\\1B[2J",
        b"\\X2\\202E202D\\X0\\",
        b"\\X\\00",
        b"%s%n%x",
        b"\\N\\\\",
    ]
    found = list(re.finditer(rb"'[^']*'", data))
    for match in sorted(rng.sample(found, min(6, len(found))), key=lambda m: -m.start()):
        data = put(data, match, b"'" + rng.choice(bad) * rng.choice([1, 30]) + b"'")
    return data


@kind
def long_token(data: bytes, rng: random.Random) -> bytes:
    filler = rng.choice([b"A", b"9", b"'", b"\\X2\\0041\\X0\\", b"\x1b[31m"])
    fill = filler * (LONG_TOKEN // len(filler))
    match = rng.choice([*re.finditer(rb"'[^']*'", data), *numbers(data)])
    return put(data, match, b"'" + fill + b"'" if match.group()[:1] == b"'" else fill)


@kind
def units_changed(data: bytes, rng: random.Random) -> bytes:
    choice = rng.randrange(4)
    if choice == 0:
        return data.replace(
            b".MILLI.,.METRE.", rng.choice([b"$,.METRE.", b".EXA.,.METRE.", b".ATTO.,.METRE."])
        )
    if choice == 1:
        return data.replace(b".METRE.", rng.choice([b".GRAM.", b".FURLONG.", b".RADIAN.", b"$"]))
    if choice == 2:
        return re.sub(rb"#\d+\s*=\s*\(\s*LENGTH_UNIT.*?;", b"", data, flags=re.DOTALL)
    return re.sub(
        rb"GLOBAL_UNIT_ASSIGNED_CONTEXT\(\(.*?\)\)",
        b"GLOBAL_UNIT_ASSIGNED_CONTEXT(())",
        data,
        flags=re.DOTALL,
    )


@kind
def other_schema(data: bytes, rng: random.Random) -> bytes:
    names = [
        b"CONFIG_CONTROL_DESIGN",
        b"AP242_MANAGED_MODEL_BASED_3D_ENGINEERING_MIM_LF",
        b"IFC4",
        b"IFC2X3",
        b"",
        b"\x1b]0;owned\x07",
        b"S" * 100_000,
        b"AUTOMOTIVE_DESIGN','IFC4",
    ]
    return re.sub(
        rb"FILE_SCHEMA\s*\(.*?\)\s*;",
        lambda m: b"FILE_SCHEMA(('" + rng.choice(names) + b"'));",
        data,
        count=1,
        flags=re.DOTALL,
    )


@kind
def header_broken(data: bytes, rng: random.Random) -> bytes:
    a, b = data.index(b"HEADER;"), data.index(b"DATA;")
    head = rng.choice(
        [
            b"",
            b"HEADER;\nENDSEC;\n",
            b"HEADER;\n",
            data[a:b] * 3,
            b"FILE_SCHEMA((('X;\n",
            b"HEADER;\nFILE_NAME(" + b"(" * DEEP + b";\nENDSEC;\n",
        ]
    )
    return data[:a] + head + data[b:]


@kind
def data_sections(data: bytes, rng: random.Random) -> bytes:
    a, b = data.index(b"DATA;"), data.rindex(b"ENDSEC;")
    body = data[a:b] + b"ENDSEC;\n"
    sections = rng.choice(
        [
            b"DATA;\nENDSEC;\n",
            b"",
            body * 2,
            b"DATA;\nENDSEC;\n" + body,
            body + b"DATA;\n#1=;\nENDSEC;\n",
            body.replace(b"DATA;", b"DATA('a',('AUTOMOTIVE_DESIGN'));"),
        ]
    )
    return data[:a] + sections + b"END-ISO-10303-21;\n"


@kind
def deep_parentheses(data: bytes, rng: random.Random) -> bytes:
    deep = rng.choice([100, 2_000, DEEP, 20 * DEEP])
    text = b"(" * deep + b")" * rng.choice([deep, deep - 1, 0])
    if rng.random() < 0.5:
        return before_end(data, b"#9999999=CARTESIAN_POINT('',(" + text + b"));\n")
    return put(data, rng.choice(numbers(data)), text)


@kind
def deep_assembly(data: bytes, rng: random.Random) -> bytes:
    """A chain of empty products hung above the part's own, or one that contains itself."""
    found = re.search(rb"#(\d+)\s*=\s*PRODUCT_DEFINITION\s*\(", data)
    if found is None:
        return data
    below, deep = int(found.group(1)), rng.choice([3, 70, 300])
    match = re.search(
        rb"PRODUCT_DEFINITION\s*\(\s*'[^']*'\s*,\s*'[^']*'\s*,\s*(#\d+)\s*,\s*(#\d+)", data
    )
    if match is None:
        return data
    lines, own, identity = [], below, 5_000_000
    for level in range(deep):
        above = identity + 2 * level
        lines.append(b"#%d=PRODUCT_DEFINITION('d','',%b,%b);\n" % (above, *match.groups()))
        lines.append(
            b"#%d=NEXT_ASSEMBLY_USAGE_OCCURRENCE('n%d','n','',#%d,#%d,$);\n"
            % (above + 1, level, above, own)
        )
        own = above
    if rng.random() < 0.5:
        lines.append(
            b"#4999999=NEXT_ASSEMBLY_USAGE_OCCURRENCE('c','c','',#%d,#%d,$);\n" % (below, own)
        )
    return before_end(data, b"".join(lines))


@kind
def external_references(data: bytes, rng: random.Random) -> bytes:
    """Other documents named: none may be opened."""
    target = rng.choice(
        [b"/etc/passwd", b"http://localhost:1/x.stp", b"../../secret.stp", b"\\\\host\\x"]
    )
    text = (
        b"#8000001=DOCUMENT_TYPE('geometry');\n"
        b"#8000002=DOCUMENT_FILE('" + target + b"','x','',#8000001,'',$);\n"
        b"#8000003=EXTERNAL_SOURCE(IDENTIFIER('" + target + b"'));\n"
        b"#8000004=APPLIED_EXTERNAL_IDENTIFICATION_ASSIGNMENT('"
        + target
        + b"',$,#8000003,(#8000002));\n"
    )
    return before_end(data, text)


@kind
def something_else(data: bytes, rng: random.Random) -> bytes:
    """No STEP at all, some with STEP's first line."""
    first = rng.choice([b"", b"ISO-10303-21;\n", b"\n/* x */ ISO-10303-21;\n"])
    body = rng.choice(
        [
            b"import cadquery\n",
            b"PK\x03\x04" + bytes(500),
            b"solid x\nendsolid\n",
            b"%PDF-1.4\n",
            bytes(rng.randrange(256) for _ in range(3000)),
            b"<html>",
            b"\x00" * 4096,
            b"\x1b[2J" * 99,
        ]
    )
    return first + body + rng.choice([b"", b"END-ISO-10303-21;"])
