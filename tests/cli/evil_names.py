"""Parts whose name would run as a program where a page takes it as it is."""

import re

from OCP.STEPControl import STEPControl_AsIs, STEPControl_Writer

EVIL = "<script>alert(1)</script><img src=x onerror=alert(2)>"


def write(shape, path):
    """Write a shape as a STEP file with a product of that name."""
    writer = STEPControl_Writer()
    writer.Transfer(shape, STEPControl_AsIs)
    writer.Write(str(path))
    text = path.read_text(encoding="latin-1")
    named = re.sub(r"PRODUCT\('[^']*',\s*'[^']*'", f"PRODUCT('{EVIL}','{EVIL}'", text)
    assert EVIL in named
    path.write_text(named, encoding="latin-1")
