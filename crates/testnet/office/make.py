#!/usr/bin/env python3
"""Makes the office documents of the demo and their answers from documents.toml.

DOCX, ODT and RTF are written here, byte for byte the same each time; the Word 97 file is what
LibreOffice makes of a DOCX.
"""

import json
import shutil
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from datetime import datetime
from pathlib import Path
from xml.sax.saxutils import escape

HERE = Path(__file__).parent
KINDS = {"= ": "title", "@ ": "author", "# ": "heading", "- ": "item"}
# Half points, as DOCX and RTF count.
SIZES = {"title": 34, "author": 26, "heading": 28, "item": 22, "text": 22}
NAMES = {"title": "Title", "author": "Subtitle", "heading": "Heading1", "item": "ListParagraph", "text": "Normal"}
HEADED = {"title", "heading"}
DEFAULT = 'w:default="1" '
BOLD = ' fo:font-weight="bold"'


def paragraphs(document):
    """The paragraphs of a document: what each is, and its text."""
    fill = {
        "{abstract}": document.get("abstract", ""),
        "{keywords}": ", ".join(document.get("keywords", [])),
        "{references}": "\n".join(document.get("references", [])),
    }
    text = document["text"]
    for name, value in fill.items():
        text = text.replace(name, value)
    for line in filter(None, text.splitlines()):
        kind = KINDS.get(line[:2])
        yield (kind, line[2:]) if kind else ("text", line)


def stamp(document):
    return f"{document['dated']}T09:30:00Z"


def write_zip(path, parts, date):
    """A zip file whose entries are dated by the document."""
    when = datetime.fromisoformat(date).timetuple()[:3] + (9, 30, 0)
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in parts:
            entry = zipfile.ZipInfo(name, when)
            # The media type of an ODT comes first and is not compressed, so that it can be seen.
            entry.compress_type = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)


def docx(document, path):
    word = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    package = "http://schemas.openxmlformats.org/package/2006"
    office = "http://schemas.openxmlformats.org/officeDocument/2006"
    head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
    styles = "".join(
        f'<w:style w:type="paragraph" {DEFAULT if kind == "text" else ""}w:styleId="{name}"><w:name w:val="{name}"/>'
        f'<w:rPr>{"<w:b/>" if kind in HEADED else ""}<w:sz w:val="{SIZES[kind]}"/></w:rPr></w:style>'
        for kind, name in NAMES.items()
    )
    body = "".join(
        f'<w:p><w:pPr><w:pStyle w:val="{NAMES[kind]}"/></w:pPr><w:r><w:t xml:space="preserve">{escape(text)}</w:t></w:r></w:p>'
        for kind, text in paragraphs(document)
    )
    said = document["properties"]
    core = (
        f'{head}<cp:coreProperties xmlns:cp="{package}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" '
        'xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">'
        f'<dc:title>{escape(said["title"])}</dc:title><dc:creator>{escape(said["author"])}</dc:creator>'
        f'<dcterms:created xsi:type="dcterms:W3CDTF">{stamp(document)}</dcterms:created></cp:coreProperties>'
    )
    types = (
        f'{head}<Types xmlns="{package}/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Default Extension="xml" ContentType="application/xml"/>'
        '<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/>'
        '<Override PartName="/word/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.styles+xml"/>'
        '<Override PartName="/docProps/core.xml" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/></Types>'
    )
    links = (
        f'{head}<Relationships xmlns="{package}/relationships">'
        f'<Relationship Id="rId1" Type="{office}/relationships/officeDocument" Target="word/document.xml"/>'
        f'<Relationship Id="rId2" Type="{package}/relationships/metadata/core-properties" Target="docProps/core.xml"/></Relationships>'
    )
    to_styles = (
        f'{head}<Relationships xmlns="{package}/relationships">'
        f'<Relationship Id="rId1" Type="{office}/relationships/styles" Target="styles.xml"/></Relationships>'
    )
    parts = [
        ("[Content_Types].xml", types),
        ("_rels/.rels", links),
        ("docProps/core.xml", core),
        ("word/_rels/document.xml.rels", to_styles),
        ("word/styles.xml", f'{head}<w:styles xmlns:w="{word}">{styles}</w:styles>'),
        ("word/document.xml", f'{head}<w:document xmlns:w="{word}"><w:body>{body}</w:body></w:document>'),
    ]
    write_zip(path, parts, document["dated"])


def odt(document, path):
    media_type = "application/vnd.oasis.opendocument.text"
    names = "urn:oasis:names:tc:opendocument:xmlns"
    spaces = (
        f'xmlns:office="{names}:office:1.0" xmlns:style="{names}:style:1.0" xmlns:text="{names}:text:1.0" '
        f'xmlns:meta="{names}:meta:1.0" xmlns:fo="{names}:xsl-fo-compatible:1.0" xmlns:dc="http://purl.org/dc/elements/1.1/" '
        'office:version="1.2"'
    )
    head = '<?xml version="1.0" encoding="UTF-8"?>\n'
    styles = "".join(
        f'<style:style style:name="{name}" style:family="paragraph"><style:text-properties fo:font-size="{SIZES[kind] // 2}pt"'
        f'{BOLD if kind in HEADED else ""}/></style:style>'
        for kind, name in NAMES.items()
    )
    body = "".join(
        f'<text:h text:style-name="{NAMES[kind]}" text:outline-level="1">{escape(text)}</text:h>'
        if kind == "heading"
        else f'<text:p text:style-name="{NAMES[kind]}">{escape(text)}</text:p>'
        for kind, text in paragraphs(document)
    )
    said = document["properties"]
    meta = (
        f'{head}<office:document-meta {spaces}><office:meta><dc:title>{escape(said["title"])}</dc:title>'
        f'<meta:initial-creator>{escape(said["author"])}</meta:initial-creator>'
        f'<meta:creation-date>{stamp(document)}</meta:creation-date></office:meta></office:document-meta>'
    )
    files = [("/", media_type), ("content.xml", "text/xml"), ("styles.xml", "text/xml"), ("meta.xml", "text/xml")]
    entries = "".join(
        f'<manifest:file-entry manifest:full-path="{name}" manifest:media-type="{kind}"/>' for name, kind in files
    )
    parts = [
        ("mimetype", media_type),
        ("content.xml", f"{head}<office:document-content {spaces}><office:body><office:text>{body}</office:text></office:body></office:document-content>"),
        ("styles.xml", f"{head}<office:document-styles {spaces}><office:styles>{styles}</office:styles></office:document-styles>"),
        ("meta.xml", meta),
        ("META-INF/manifest.xml", f'{head}<manifest:manifest xmlns:manifest="{names}:manifest:1.0" manifest:version="1.2">{entries}</manifest:manifest>'),
    ]
    write_zip(path, parts, document["dated"])


def rtf(document, path):
    def encoded(text):
        """As Word writes it: windows-1252 where that has the letter, Unicode where it has not."""
        letters = []
        for letter in text:
            if letter in "\\{}":
                letters.append(f"\\{letter}")
            elif letter < "\x80":
                letters.append(letter)
            else:
                try:
                    letters.append(f"\\'{letter.encode('cp1252')[0]:02x}")
                except UnicodeEncodeError:
                    letters.append(f"\\u{ord(letter)}?")
        return "".join(letters)

    said = document["properties"]
    year, month, day = document["dated"].split("-")
    lines = [
        "{\\rtf1\\ansi\\ansicpg1252\\deff0\\deflang1031{\\fonttbl{\\f0\\froman Times New Roman;}}",
        f"{{\\info{{\\title {encoded(said['title'])}}}{{\\author {encoded(said['author'])}}}"
        f"{{\\creatim\\yr{year}\\mo{int(month)}\\dy{int(day)}}}}}",
    ]
    for kind, text in paragraphs(document):
        bold = "\\b" if kind in HEADED else ""
        lines.append(f"{{\\pard\\plain\\sa120\\f0\\fs{SIZES[kind]}{bold} {encoded(text)}\\par}}")
    path.write_bytes("\r\n".join(lines + ["}\r\n"]).encode("ascii"))


def doc(document, path):
    """Word 97, by way of a DOCX."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, path.stem + ".docx")
        docx(document, source)
        profile = Path(folder, "profile").as_uri()
        command = ["soffice", f"-env:UserInstallation={profile}", "--headless", "--convert-to", "doc:MS Word 97"]
        subprocess.run([*command, "--outdir", folder, source], check=True, stdout=subprocess.DEVNULL)
        shutil.copyfile(source.with_suffix(".doc"), path)


def main():
    with open(HERE / "documents.toml", "rb") as file:
        documents = tomllib.load(file)["document"]
    writers = {".docx": docx, ".odt": odt, ".rtf": rtf, ".doc": doc}
    answers = []
    for document in documents:
        path = HERE / "files" / document["file"]
        path.parent.mkdir(exist_ok=True)
        # The Word file differs each time in what LibreOffice adds, so it is made only on request.
        if path.suffix != ".doc" or not path.exists() or "--doc" in sys.argv:
            writers[path.suffix](document, path)
        answer = {"id": path.stem}
        for name in ("language", "title", "author", "dated", "abstract", "keywords", "references", "cites", "file"):
            empty = "" if name == "abstract" else []
            answer[name] = document.get(name, empty)
        answers.append(json.dumps(answer, ensure_ascii=False))
    (HERE / "gold.jsonl").write_text("\n".join(answers) + "\n", encoding="utf-8")


main()
