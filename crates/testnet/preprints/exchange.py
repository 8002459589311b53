#!/usr/bin/env python3
"""Sets the texts of papers in the templates of others: exchange.py DIRECTORY [--count 120] [--seed 1]

Whether rules know templates or only the papers they were written with is told by papers that nobody has seen: for each,
a template is drawn at random, and another paper of the same language that has what the template prints (keywords, codes, a subtitle,
a second abstract). Files and gold.jsonl go to DIRECTORY, which is no part of the project.
"""
import argparse
import pathlib
import random

import make
import papers
import routes

EXCHANGED = ["title", "subtitle", "authors", "abstract", "abstract_other", "keywords", "msc", "body"]
# A title, a running head or the notes of certain authors are typed into these templates.
FIXED = {"plain-department", "amsart-contents", "sociology-journal", "probability-journal", "smf", "transactions",
         "revista"}


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("directory", type=pathlib.Path)
    arguments.add_argument("--count", type=int, default=120)
    arguments.add_argument("--seed", type=int, default=1)
    chosen = arguments.parse_args()
    (chosen.directory / "files").mkdir(parents=True, exist_ok=True)
    draw = random.Random(chosen.seed)
    pool = [(paper, templates) for folder in [None, *make.FOLDERS] for paper, templates in with_templates(folder)]
    people = papers.tomllib.loads((papers.HERE / "people.toml").read_text(encoding="utf-8"))
    bodies = papers.tomllib.loads((papers.HERE / "bodies.toml").read_text(encoding="utf-8"))
    gold = []
    while len(gold) < chosen.count:
        host, templates = draw.choice(pool)
        guests = [guest for guest, _ in pool if host.template not in FIXED and fits(guest, host)]
        if not guests:
            continue
        guest = draw.choice(guests)
        source = {key: value for key, value in host.source.items() if key not in EXCHANGED}
        source |= {key: guest.source[key] for key in EXCHANGED if key in guest.source}
        source |= {"id": f"x{len(gold):03d}-{host.template}", "printed_msc": ", ".join(source["msc"])}
        paper = papers.Paper(source, people["people"], people["places"], bodies)
        paper.works = guest.works
        try:
            content, suffix = routes.make(templates[paper.template][0](paper), paper.route, paper.date, paper.get("engine"))
        except RuntimeError as trouble:  # formulas that plain TeX does not have
            print(f"{guest.id} in {host.template}: {trouble}")
            continue
        (chosen.directory / "files" / f"{paper.id}.{suffix}").write_bytes(content)
        gold.append(make.answer(paper, templates))
    make.write(chosen.directory / "gold.jsonl", gold)


def with_templates(folder):
    made, templates, _ = make.described(folder)
    return [(paper, templates) for paper in made]


def fits(guest, host):
    """Whether the template of `host` can print what `guest` has, and prints nothing that it lacks."""
    return (guest.id != host.id and guest.lang == host.lang and "$" not in guest.source["title"]
            and bool(guest.source["keywords"]) == bool(host.source["keywords"])
            and (len(guest.msc) >= 2) == (len(host.msc) >= 2) and len(guest.msc) >= min(3, len(host.msc))
            and bool(guest.subtitle) == bool(host.subtitle) and bool(guest.other) == bool(host.other)
            and len(guest.authors) <= 4 and (len(guest.authors) > 1) == (len(host.authors) > 1))


if __name__ == "__main__":
    main()
