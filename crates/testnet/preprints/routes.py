"""From TeX to a file, by each of the ways that papers on the web were made.

Everything runs in an empty directory under neutral names and with the paper's own date, because dvips, pdfTeX and
Ghostscript write command lines, file names and dates into their output.
"""
import calendar
import gzip
import os
import pathlib
import subprocess
import tempfile

# route: (engine for LaTeX, commands that follow, suffix)
DVIPS = ["dvips", "-q", "preprint.dvi", "-o", "preprint.ps"]
GS = ["gs", "-q", "-dBATCH", "-dNOPAUSE", "-sDEVICE=pdfwrite", "-dCompatibilityLevel=1.4", "-sOutputFile=preprint.pdf", "preprint.ps"]
ROUTES = {
    "ps-bitmap-300": ("latex", [DVIPS + ["-V1", "-D", "300", "-mode", "cx"]], "ps"),
    "ps-bitmap-600": ("latex", [DVIPS + ["-V1", "-D", "600", "-mode", "ljfour"]], "ps"),
    # Without structuring comments and, like the oldest dvips, without the names of the fonts: nothing but the shapes
    # of the glyphs tells their size.
    "ps-bitmap-600-bare": ("latex", [DVIPS + ["-V1", "-D", "600", "-mode", "ljfour", "-N"]], "ps"),
    "ps-bitmap-packed": ("latex", [DVIPS + ["-V1", "-D", "400", "-mode", "nexthi", "-Z"]], "ps"),
    "ps-type1": ("latex", [DVIPS + ["-V0"]], "ps"),
    "ps-type1-pdf": ("latex", [DVIPS + ["-Ppdf", "-t", "letter"]], "ps"),
    "ps-type1-reversed": ("latex", [DVIPS + ["-V0", "-r"]], "ps"),
    "pdf": ("pdflatex", [], "pdf"),
    "dvipdfmx": ("latex", [["dvipdfmx", "-q", "preprint.dvi"]], "pdf"),
    "ps2pdf": ("latex", [DVIPS + ["-V0"], GS], "pdf"),
    "ps2pdf-bitmap": ("latex", [DVIPS + ["-V1", "-D", "600", "-mode", "ljfour"], GS], "pdf"),
    "xelatex": ("xelatex", [], "pdf"),
    "lualatex": ("lualatex", [], "pdf"),
}
# Not "tex" itself, which dates its output by the clock.
PLAIN = {"latex": "etex", "pdflatex": "pdftex"}


def make(source, route, date, engine=None):
    """Bytes and suffix of the file made of `source`."""
    latex, after, suffix = ROUTES[route]
    if engine:
        latex = engine
    elif r"\documentclass" not in source and r"\documentstyle" not in source:
        latex = PLAIN[latex]
    year, month, day = (int(part) for part in date.split("-"))
    stamp = calendar.timegm((year, month, day, 12, 0, 0))
    environment = {"PATH": os.environ["PATH"], "HOME": os.environ["HOME"], "SOURCE_DATE_EPOCH": str(stamp),
                   "FORCE_SOURCE_DATE": "1", "TZ": "UTC", "LC_ALL": "C"}
    with tempfile.TemporaryDirectory() as directory:
        work = pathlib.Path(directory)
        (work / "preprint.tex").write_text(source, encoding="ascii")
        for _ in range(2):  # citations are resolved in the second pass
            run([latex, "-interaction=batchmode", "-halt-on-error", "preprint.tex"], work, environment)
        for command in after:
            run(command, work, environment)
        made = (work / f"preprint.{suffix}").read_bytes()
    if route == "ps-bitmap-600-bare":
        made = b"\n".join(line for line in made.split(b"\n") if not line.startswith((b"%DVIPSBitmapFont", b"%EndDVIPSBitmapFont")))
    if suffix == "ps":
        return gzip.compress(made, 9, mtime=0), "ps.gz"
    return made, suffix


def run(command, work, environment):
    done = subprocess.run(command, cwd=work, env=environment, capture_output=True, check=False)
    if done.returncode != 0:
        log = work / "preprint.log"
        tail = log.read_text(errors="replace") if log.exists() else ""
        complaint = [line for at, line in enumerate(tail.splitlines()) if line.startswith(("!", "l."))]
        raise RuntimeError(f"{' '.join(command)}: {complaint or done.stderr.decode(errors='replace')[-800:]}")
