#!/usr/bin/env python3
"""Fills fuzz/corpus/TARGET with small inputs from the project's own fixtures, so that a fuzzer begins where the
readers are: documents as they are, and the texts in quotes of the tests that name expressions, rules and questions.

    fuzz/seeds.py        from anywhere; existing inputs stay
"""

import gzip
import hashlib
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent
CRATES = ROOT / "crates"
CORPUS = ROOT / "fuzz" / "corpus"
# Larger inputs make a fuzzer slow and find little more.
LARGEST = 200_000


def put(target, content):
    folder = CORPUS / target
    folder.mkdir(parents=True, exist_ok=True)
    if 0 < len(content) <= LARGEST:
        (folder / hashlib.sha256(content).hexdigest()[:16]).write_bytes(content)


def put_files(target, *patterns, change=lambda content: content):
    for pattern in patterns:
        for path in sorted(CRATES.glob(pattern)):
            if path.is_file():
                put(target, change(path.read_bytes()))


def quoted(*patterns):
    """Texts in quotes in Rust sources, with their escapes taken back as far as they are simple."""
    for pattern in patterns:
        for path in sorted(CRATES.glob(pattern)):
            source = path.read_text(encoding="utf-8")
            for match in re.finditer(r'r#"(.*?)"#|"((?:[^"\\]|\\.)*)"', source, re.S):
                text = match.group(1)
                if text is None:
                    text = match.group(2)
                    for escape, plain in (("\\n", "\n"), ("\\r", "\r"), ("\\t", "\t"), ('\\"', '"'), ("\\\\", "\\")):
                        text = text.replace(escape, plain)
                yield text.encode()


def unpacked(content):
    return gzip.decompress(content) if content[:2] == b"\x1f\x8b" else content


def warc():
    """A small archive by hand: one of each kind of record, each a member of its own, and the same uncompressed."""
    message = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"
    blocks = [
        ("warcinfo", "application/warc-fields", b"software: x\r\n"),
        ("response", "application/http; msgtype=response", message),
        ("request", "application/http; msgtype=request", b"GET / HTTP/1.1\r\nHost: www.example.org\r\n\r\n"),
        ("revisit", "application/http; msgtype=response", message.split(b"5\r\n")[0]),
        ("metadata", "application/warc-fields", b"via: http://www.example.org/\r\n"),
        ("resource", "text/dns", b"20261115214000\n"),
    ]
    plain, packed = b"", b""
    for number, (kind, media_type, block) in enumerate(blocks):
        record = (
            f"WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-{number:012}>\r\n"
            f"WARC-Date: 2026-11-15T21:40:00Z\r\nWARC-Target-URI: http://www.example.org/\r\n"
            f"Content-Type: {media_type}\r\nContent-Length: {len(block)}\r\n\r\n"
        ).encode() + block + b"\r\n\r\n"
        put("warc", record)
        plain += record
        packed += gzip.compress(record, mtime=0)
    put("warc", plain)
    put("warc", packed)


def office():
    for number, suffixes in enumerate((["doc"], ["rtf"], ["docx"], ["odt"])):
        for suffix in suffixes:
            marked = lambda content, number=number: bytes([number]) + content
            put_files("office", f"**/tests/**/*.{suffix}", f"testnet/**/*.{suffix}", change=marked)


def main():
    put_files("html", "testnet/demo/sites/**/*.html", "markup/tests/fixtures/**/*", "markup/tests/**/*.html")
    put_files("robots", "testnet/demo/sites/**/robots.txt")
    put_files("whois", "discover/tests/whois/*.txt")
    put_files("rdap", "discover/tests/whois/*.json", "discover/tests/**/*rdap*.json")
    put_files("heuristics", "describe/heuristics/*/*.heur")
    put_files("dvips", "layout/tests/papers/*.ps", "testnet/preprints/**/*.ps.gz", change=unpacked)
    put_files("pdf", "layout/tests/**/*.pdf", "testnet/preprints/**/*.pdf")
    put_files("oai", "testnet/demo/sites/**/*.html", "testnet/**/*.xml")
    put_files("sitemap", "testnet/demo/sites/**/*.xml", "testnet/demo/sites/**/sitemap*")
    office()
    warc()
    texts = {
        "http_response": ["net/tests/*.rs"],
        "robots": ["crawl/src/robots/tests.rs", "harvest/tests/crawl/robots.rs"],
        "sitemap": ["crawl/src/sitemap.rs", "harvest/tests/crawl/*.rs"],
        "html": ["markup/tests/*.rs"],
        "soif": ["model/src/soif/*.rs", "model/tests/*.rs", "hidden/tests/*.rs"],
        "hel": ["hidden/src/hel/**/*.rs", "hidden/tests/**/*.rs", "hidden/src/finite*.rs"],
        "xpath": ["markup/tests/xpath*.rs", "markup/tests/xpath_oracle/*.rs", "markup/src/xpath/*.rs"],
        "heuristics": ["describe/src/heuristics/**/*.rs"],
        "query": ["search/src/query/*.rs", "search/tests/**/*.rs"],
        "oai": ["hidden/tests/**/*.rs", "hidden/src/oai/*.rs", "hidden/src/declared/*.rs"],
        "whois": ["discover/src/whois/*.rs"],
        "rdap": ["discover/src/rdap/*.rs"],
    }
    for target, patterns in texts.items():
        for text in quoted(*patterns):
            put(target, text)
    for folder in sorted(CORPUS.iterdir()):
        print(f"{folder.name}: {sum(1 for _ in folder.iterdir())} inputs")


main()
