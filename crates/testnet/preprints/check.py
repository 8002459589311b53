#!/usr/bin/env python3
"""Checks that the right answers really stand on the pages: check.py [--folder late|series|classes|mixed|further|others|fresh|plain|everyday] [ID ...]

Every file is read with pdftotext (PostScript through Ghostscript first) and searched for the title, authors, abstract,
keywords, codes and references of gold.jsonl. Bitmap fonts cannot be read that way; such papers are set once more with
outline fonts, from the same source. Prints what is missing.
"""
import argparse
import difflib
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unicodedata

import make
import papers
import routes


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--folder", choices=make.FOLDERS)
    arguments.add_argument("ids", nargs="*")
    chosen = arguments.parse_args()
    made, templates, into = make.described(chosen.folder)
    missing = 0
    for paper in made:
        if chosen.ids and paper.id not in chosen.ids:
            continue
        gold = make.answer(paper, templates)
        seen = text_of(paper, templates, into / "files" / gold["file"])
        for field, wanted in sought(gold):
            if not stands_in(wanted, seen):
                missing += 1
                print(f"{paper.id} [{paper.template}, {paper.route}] {field}: {wanted[:90]}")
    sys.exit(1 if missing else 0)


def sought(gold):
    yield "title", gold["title"]
    yield "abstract", gold["abstract"]
    for field in ("author", "keywords", "msc", "references"):
        for wanted in gold[field]:
            yield field, wanted


def text_of(paper, templates, path):
    with tempfile.TemporaryDirectory() as directory:
        pdf = pathlib.Path(directory) / "preprint.pdf"
        if "bitmap" in paper.route:
            source = templates[paper.template][0](paper)
            pdf.write_bytes(routes.make(source, "ps2pdf", paper.date, paper.get("engine"))[0])
        elif path.suffix == ".gz":
            unpacked = subprocess.run(["gzip", "-dc", path], capture_output=True, check=True).stdout
            subprocess.run(["gs", "-q", "-dBATCH", "-dNOPAUSE", "-dSAFER", "-sDEVICE=pdfwrite", f"-sOutputFile={pdf}", "-"],
                           input=unpacked, check=True)
        else:
            pdf.write_bytes(path.read_bytes())
        # Both orders, because pdftotext misjudges a column that begins low on the page.
        orders = [subprocess.run(["pdftotext", *order, pdf, "-"], capture_output=True, check=True).stdout.decode()
                  for order in ([], ["-raw"])]
    return letters(re.sub(r"[-\u00ad‐]\n", "", "\n".join(orders)))


def letters(text):
    """Letters and digits only: spaces, hyphens and detached accents differ too much between converters."""
    text = unicodedata.normalize("NFKD", text).casefold().replace("ı", "i").replace("ł", "l")
    return "".join(c for c in text if c.isalnum() and not unicodedata.combining(c))


def stands_in(wanted, seen):
    wanted = letters(wanted)
    if wanted in seen:
        return True
    # Formulas, page numbers and column breaks interrupt long texts: nearly all of it, in order, is enough.
    start = seen.find(wanted[:12])
    while start >= 0 and len(wanted) > 20:
        window = seen[start:start + int(len(wanted) * 1.5) + 400]
        blocks = difflib.SequenceMatcher(None, wanted, window, autojunk=False).get_matching_blocks()
        if sum(b.size for b in blocks if b.size > 3) >= 0.93 * len(wanted):
            return True
        start = seen.find(wanted[:12], start + 1)
    return False


if __name__ == "__main__":
    main()
