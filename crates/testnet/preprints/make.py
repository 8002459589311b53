#!/usr/bin/env python3
"""Makes the test preprints and their right answers: make.py [--folder late|series|classes|mixed|further|others|fresh|plain|everyday] [--only ID ...] [--answers] [--tex DIRECTORY]

Without arguments: every paper of papers/*.toml into files/, then gold.jsonl and citations.jsonl. With --folder the same
for papers.toml and templates.py of that folder, into it. With --only, just these files and no answers; with --answers, no files.
"""
import argparse
import importlib.util
import json

import papers
import routes
from templates import TEMPLATES

HERE = papers.HERE
FOLDERS = ["late", "series", "classes", "mixed", "further", "others", "fresh", "plain", "everyday"]


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--folder", choices=FOLDERS)
    arguments.add_argument("--only", nargs="+")
    arguments.add_argument("--answers", action="store_true")
    arguments.add_argument("--tex", help="also leave the TeX sources in this directory")
    chosen = arguments.parse_args()

    made, templates, into = described(chosen.folder)
    (into / "files").mkdir(exist_ok=True)
    failed = []
    for paper in made:
        if chosen.answers or chosen.only and paper.id not in chosen.only:
            continue
        source = templates[paper.template][0](paper)
        if chosen.tex:
            (papers.pathlib.Path(chosen.tex) / f"{paper.id}.tex").write_text(source, encoding="ascii")
        try:
            content, suffix = routes.make(source, paper.route, paper.date, paper.get("engine"))
        except RuntimeError as trouble:
            failed.append(paper.id)
            print(f"{paper.id}: {trouble}")
            continue
        (into / "files" / f"{paper.id}.{suffix}").write_bytes(content)
        print(f"{paper.id}.{suffix} {len(content)}")
    if not chosen.only:
        write(into / "gold.jsonl", [answer(paper, templates) for paper in made])
        write(into / "citations.jsonl", [{"id": p.id, "cites": sorted(p.get("cites", []))} for p in made])
    if failed:
        raise SystemExit(f"not made: {' '.join(failed)}")


def answer(paper, templates):
    suffix = routes.ROUTES[paper.route][2]
    return paper.gold(templates[paper.template][1]) | {"file": f"{paper.id}.{'ps.gz' if suffix == 'ps' else suffix}"}


def described(folder):
    """Papers, templates and place of the first preprints, or of those in a folder of their own."""
    developed = papers.read((HERE / "papers").glob("*.toml"))
    if not folder:
        return developed, TEMPLATES, HERE
    place = importlib.util.spec_from_file_location(f"{folder}_templates", HERE / folder / "templates.py")
    module = importlib.util.module_from_spec(place)
    place.loader.exec_module(module)
    return papers.read([HERE / folder / "papers.toml"], developed), module.TEMPLATES, HERE / folder


def write(path, rows):
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


if __name__ == "__main__":
    main()
