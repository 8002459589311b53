#!/usr/bin/env python3
"""Makes the training sets of the shipped keyphrase models from Debian packages.

    keyphrase_corpora.py english R_PACKAGES > english.jsonl
    keyphrase_corpora.py german LIBREOFFICE_HELP > german.jsonl
    keyphrase_corpora.py handbook DEBIAN_HANDBOOK > handbook.jsonl

R_PACKAGES: r-cran-* packages of Debian, each unpacked into a folder of its name (dpkg-deb -x). Their
manuals in the form of papers carry the keywords of their authors, in a line that is taken out of the
text. LIBREOFFICE_HELP: libreoffice-help-de, unpacked; pages carry the entries of the index.
DEBIAN_HANDBOOK: the folder de-DE of debian-handbook; chapters carry keywords. Needs pdftotext.
The texts are not kept: only what `auslese keyphrases train` learns from them is shipped.
"""
import html
import json
import pathlib
import re
import subprocess
import sys

KEYWORDS = re.compile(r"^\s*Key ?words?\s*[:—]\s*~?(.+?)(?:\n\s*\n|\.\s*\n)", re.I | re.M | re.S)
FEWEST_WORDS = 150


def split(keywords):
    parts = re.split(r"[,;•·]", " ".join(re.sub(r"-\n", "-", keywords).split()))
    return [part.strip(" .~") for part in parts if 2 < len(part.strip(" .~")) < 60]


def english(folder):
    seen = set()
    for path in sorted(pathlib.Path(folder).rglob("*.pdf")):
        run = subprocess.run(["pdftotext", "-q", "-enc", "UTF-8", path, "-"], capture_output=True)
        text = run.stdout.decode("utf-8", "replace")
        found = KEYWORDS.search(text[:20000])
        if not found:
            continue
        keywords = split(found[1])
        rest = text[: found.start()] + "\n\n" + text[found.end() :]
        title = rest.strip()[:60]
        if 2 <= len(keywords) <= 15 and len(rest.split()) > 800 and title not in seen:
            seen.add(title)
            yield {"id": path.name, "text": rest, "keywords": keywords}


def visible(page):
    page = re.sub(r"(?s)<(script|style|nav|header|footer|aside)\b.*?</\1>", " ", page)
    page = re.sub(r"<(p|h\d|li|td|div|dt|dd|pre|br)\b", r"\n\n<\1", page)
    text = html.unescape(re.sub(r"(?s)<[^>]*>", " ", page))
    return re.sub(r"\n\s*\n+", "\n\n", re.sub(r"[ \t\xa0]+", " ", text)).strip()


def german(folder):
    for path in sorted(pathlib.Path(folder).rglob("*.html")):
        page = path.read_text("utf-8", "replace")
        entries = re.findall(r'itemprop="keywords" content="([^"]*)"', page)
        keywords = set()
        for entry in entries:
            keywords.update(split(html.unescape(entry).replace("--", ",")))
        at = page.find('id="DisplayArea"')
        text = visible(page[page.find(">", at) + 1 :]) if at > 0 else ""
        words = text.split()
        # The pages about macros have English entries, which are names of functions.
        if len(words) >= FEWEST_WORDS and 2 <= len(keywords) <= 15 and "sbasic" not in path.parts:
            yield {"id": path.name, "text": text, "keywords": sorted(keywords)}


def handbook(folder):
    folder = pathlib.Path(folder)
    for path in sorted(folder.glob("*.html")):
        page = path.read_text("utf-8", "replace")
        found = re.search(r'meta name="keywords" content="([^"]*)"', page)
        if not found or path.name.startswith("sect."):
            continue
        sections = re.findall(r'class="section"><a href="(sect\.[^"#]+\.html)"', page)
        pages = [page] + [(folder / name).read_text("utf-8", "replace") for name in dict.fromkeys(sections)]
        text = "\n\n".join(visible(page[page.find("<body") :]) for page in pages)
        yield {"id": path.name, "text": text, "keywords": split(html.unescape(found[1]))}


if __name__ == "__main__":
    make = {"english": english, "german": german, "handbook": handbook}[sys.argv[1]]
    for document in make(sys.argv[2]):
        print(json.dumps(document, ensure_ascii=False))
