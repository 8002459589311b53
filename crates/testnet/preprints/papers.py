"""Reads the descriptions and makes papers of them: everything a template needs, already typeset."""
import pathlib
import tomllib

from references import Work, entry
from texts import plain, tex

HERE = pathlib.Path(__file__).parent

INTRODUCTION = {"en": "Introduction", "de": "Einleitung", "fr": "Introduction", "es": "Introducción"}
OPENINGS = {
    "en": ["The question treated here goes back to @.", "Related results are contained in @, under stronger assumptions.",
           "Background and further references can be found in @.", "A different point of view is taken in @; the methods have little in common.",
           "Some of the arguments are borrowed from @.", "We also mention @, although the setting is not the same.",
           "The present paper continues @."],
    "de": ["Die hier behandelte Frage geht auf @ zurück.", "Verwandte Ergebnisse finden sich in @, freilich unter stärkeren Voraussetzungen.",
           "Für die Grundlagen sei auf @ verwiesen.", "Einen anderen Weg beschreitet @; die Methoden haben wenig gemeinsam.",
           "Einige Überlegungen sind @ entnommen.", "Zu nennen ist schließlich @, obwohl dort anderes im Vordergrund steht."],
    "fr": ["La question remonte à @.", "Des résultats voisins se trouvent dans @, sous des hypothèses plus fortes.",
           "Pour les préliminaires nous renvoyons à @.", "Un autre point de vue est adopté dans @."],
    "es": ["La pregunta se remonta a @.", "Resultados parecidos se encuentran en @.", "Para los preliminares remitimos a @."],
}


class Author:
    def __init__(self, given, family, place, local, places):
        self.given, self.family = given, family
        self.department, self.body, self.street, self.town, host = places[place]
        self.place, self.mail = place, f"{local}@{host}"
        self.name = f"{given} {family}"

    def tex(self):
        return tex(self.name).replace(" ", "~")

    def address(self, between=", ", street=True):
        lines = [self.department, self.body] + ([self.street] if street else []) + [self.town]
        return between.join(tex(line) for line in lines)


class Paper:
    def __init__(self, source, people, places, bodies):
        self.source = source
        self.id, self.template, self.route = source["id"], source["template"], source["route"]
        self.lang, self.date, self.fonts = source["lang"], source["date"], source.get("fonts", "ot1")
        self.year = int(self.date[:4])
        self.authors = [Author(*people[key], places) for key in source["authors"]]
        self.title, self.subtitle = tex(source["title"]), tex(source.get("subtitle", ""))
        self.abstract = tex(source["abstract"])
        self.other = tex(source["abstract_other"]) if "abstract_other" in source else None
        self.keywords = [tex(word) for word in source["keywords"]]
        self.msc, self.scheme = source["msc"], source.get("scheme")
        self.series = tex(source.get("series", ""))
        self.advisor = tex(source.get("advisor", ""))
        self.sections = [(tex(heading), tex(text)) for heading, text in bodies[source["body"]].items()]
        self.works = []

    def get(self, name, default=""):
        return self.source.get(name, default)

    def pick(self, count):
        """A number below `count` that depends on the paper only, for choices of wording."""
        return sum(self.id.encode()) % count

    def work(self):
        place = self.get("published") or ", ".join(filter(None, [self.get("series") or "Preprint", self.authors[0].body]))
        return Work(self.id, [(a.given, a.family) for a in self.authors], self.source["title"], place, self.year)

    def bibliography(self, style):
        return [(work, *entry(work, style, self.lang)) for work in self.works]

    def opening(self, cite):
        """The introduction: a sentence for each work cited, with `cite` naming a work."""
        sentences = OPENINGS[self.lang]
        start = self.pick(len(sentences))
        return " ".join(tex(sentences[(start + at) % len(sentences)]).replace("@", cite(work), 1)
                        for at, work in enumerate(self.works))

    def gold(self, style):
        """The right answers, in the form the scoring scripts read."""
        title = ". ".join(filter(None, [plain(self.source["title"]), plain(self.get("subtitle"))]))
        gold = {"id": self.id, "language": self.lang, "title": plain(self.source["title"]),
                "author": [a.name for a in self.authors], "dated": self.date,
                "abstract": plain(self.source["abstract"]), "keywords": [plain(k) for k in self.source["keywords"]],
                "msc": self.msc, "references": [seen for _, _, seen in self.bibliography(style)],
                "template": self.template, "route": self.route}
        if self.subtitle:
            gold["title_with_subtitle"] = title
        if self.other:
            gold["abstract_other"] = plain(self.get("abstract_other"))
        return gold


def read(descriptions, known=()):
    """The papers of `descriptions` (TOML files); they may cite each other and the `known` papers."""
    load = lambda path: tomllib.loads(path.read_text(encoding="utf-8"))
    people = load(HERE / "people.toml")
    bodies, works = load(HERE / "bodies.toml"), load(HERE / "works.toml")["works"]
    outside = {key: Work(key, [tuple(a.split("|")) for a in authors], title, place, year)
               for key, (authors, title, place, year) in works.items()}
    papers = [Paper(source, people["people"], people["places"], bodies)
              for path in sorted(descriptions) for source in load(path)["paper"]]
    cited = {p.id: p for p in [*known, *papers]}
    for paper in papers:
        for key in paper.get("cites", []):
            if cited[key].date >= paper.date:
                raise ValueError(f"{paper.id} cites {key}, which is not older")
        paper.works = [cited[key].work() for key in paper.get("cites", [])] + [outside[key] for key in paper.get("works", [])]
        paper.works.sort(key=lambda work: (work.authors[0][1], work.year, work.title))
    return papers
