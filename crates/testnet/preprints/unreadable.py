#!/usr/bin/env python3
"""Makes the papers that nobody can read: one cut short, one locked, one that is a picture of paper.

Needs qpdf and Ghostscript. Files are the same each time, except for the locked one, whose key is
drawn anew; it is made only if it is missing.
"""

import gzip
import subprocess
import tempfile
import zlib
from pathlib import Path

HERE = Path(__file__).parent
FILES = HERE / "files"
OUT = HERE / "unreadable"
# Far enough for the head of the file, not for its first page.
CUT_AFTER = 6_000
SCANNED_AT = 72  # dots per inch


def pdf(objects):
    """A PDF file of these objects, numbered from 1; the first is the catalogue."""
    out = bytearray(b"%PDF-1.4\n")
    places = []
    for number, content in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    out += b"xref\n0 %d\n0000000000 65535 f \n%s" % (len(objects) + 1, table)
    out += b"trailer\n<</Root 1 0 R/Size %d>>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, out.index(b"xref\n"))
    return bytes(out)


def stream(entries, data):
    packed = zlib.compress(data, 9)
    return b"<<%s/Filter/FlateDecode/Length %d>>stream\n%s\nendstream" % (entries, len(packed), packed)


def page(resources, content, extra):
    """A file with one A4 page; `extra` are the objects from number 5 on."""
    return pdf([
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<<%s>>/Contents 4 0 R>>" % resources,
        stream(b"", content),
        *extra,
    ])


def cut_short():
    """What an interrupted upload leaves of a paper."""
    (OUT / "cut-short.pdf").write_bytes((FILES / "meshfree-notes.pdf").read_bytes()[:CUT_AFTER])


def locked():
    """Exercises that wait for the day of the examination."""
    target = OUT / "locked.pdf"
    if target.exists():
        return
    lines = ["Klausur zur Analysis III", "Aufgabe 1. Zeigen Sie, dass die Menge kompakt ist.", "Aufgabe 2. Gilt das immer?"]
    shown = b"".join(b"(%s) Tj 0 -30 Td " % line.encode("latin-1") for line in lines)
    font = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>"
    plain = page(b"/Font<</F 5 0 R>>", b"BT /F 14 Tf 72 760 Td " + shown + b"ET", [font])
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "plain.pdf")
        source.write_bytes(plain)
        command = ["qpdf", "--encrypt", "klosterberg", "dekanat", "256", "--", source, target]
        subprocess.run(command, check=True)


def scanned():
    """The first page of an old paper, as a copier sees it."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "paper.ps")
        source.write_bytes(gzip.decompress((FILES / "splines-plain.ps.gz").read_bytes()))
        seen = Path(folder, "page.pbm")
        command = ["gs", "-q", "-dSAFER", "-dBATCH", "-dNOPAUSE", "-sDEVICE=pbmraw", f"-r{SCANNED_AT}", "-sPAPERSIZE=a4"]
        subprocess.run([*command, "-dLastPage=1", f"-sOutputFile={seen}", source], check=True)
        lines = [line for line in seen.read_bytes().split(b"\n", 3) if not line.startswith(b"#")]
        width, height = map(int, lines[-2].split())
        bits = lines[-1]
    image = b"/Type/XObject/Subtype/Image/Width %d/Height %d/ColorSpace/DeviceGray/BitsPerComponent 1/Decode[1 0]" % (width, height)
    made = page(b"/XObject<</I 5 0 R>>", b"595 0 0 842 0 0 cm /I Do", [stream(image, bits)])
    (OUT / "scanned.pdf").write_bytes(made)


OUT.mkdir(exist_ok=True)
cut_short()
locked()
scanned()
