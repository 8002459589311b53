"""Bibliography entries in the styles that mathematicians and social scientists use.

An entry is a list of runs (style, text); from it follow the typeset entry and its plain text, so the two cannot
disagree. A work's place is "Journal 12, 33–61" (an article), "Town: Publisher" (a book) or free text (a report).
"""
import re

from texts import plain, tex

# Macros that every template's preamble defines, because no font command is common to all formats.
FONTS = {"": "%s", "i": r"\refi{%s}", "b": r"\refb{%s}", "c": r"\refc{%s}"}


class Work:
    """What is cited: authors as (given, family), title, place, year."""

    def __init__(self, key, authors, title, place, year):
        self.key, self.authors, self.title, self.place, self.year = key, authors, title, place, year
        article = re.fullmatch(r"(.*) (\d+), (\d+–\d+)", place)
        self.journal, self.volume, self.pages = article.groups() if article else (None, None, None)

    def label(self):
        """The label of an alphabetic bibliography: "Lin00", "LN10"."""
        families = [family.split()[-1] for _, family in self.authors]
        letters = families[0][:3] if len(families) == 1 else "".join(f[0] for f in families[:4])
        return f"{letters}{self.year % 100:02d}"


def initials(given):
    return " ".join("-".join(part[0] + "." for part in word.split("-")) for word in given.split())


def joined(names, last, between=", "):
    return names[0] if len(names) == 1 else between.join(names[:-1]) + last + names[-1]


def forward(work, last):
    return joined([f"{initials(g)} {f}" for g, f in work.authors], last)


def inverted(work, last, between=", "):
    return joined([f"{f}, {initials(g)}" for g, f in work.authors], last, between)


def number_style(w, words):
    where = ([("", " "), ("i", w.journal), ("", f", {w.volume}:{w.pages}, {w.year}.")] if w.journal
             else [("", f" {w.place}, {w.year}.")])
    return [("", f"{forward(w, words['and'])}. {w.title}.")] + where


def ams_style(w, words):
    where = ([("", f", {w.journal} "), ("b", w.volume), ("", f" ({w.year}), {w.pages}.")] if w.journal
             else [("", f", {w.place}, {w.year}.")])
    return [("", forward(w, words["and"]) + ", "), ("i", w.title)] + where


def siam_style(w, words):
    where = f", {w.journal}, {w.volume} ({w.year}), pp. {w.pages}." if w.journal else f", {w.place}, {w.year}."
    return [("c", forward(w, words["and"])), ("", ", "), ("i", w.title), ("", where)]


def din_style(w, words):
    names = "; ".join(f"{f}, {g}" for g, f in w.authors)
    where = f" In: {w.journal} {w.volume} ({w.year}), S. {w.pages}" if w.journal else f" {w.place}, {w.year}"
    return [("", names + ": "), ("i", w.title + "."), ("", where)]


def author_year_style(w, words):
    where = f". {w.journal} {w.volume}, {words['pages']} {w.pages}." if w.journal else f". {w.place}."
    return [("", f"{inverted(w, words['and'])} ({w.year}): {w.title}{where}")]


def ieee_style(w, words):
    where = ([("i", w.journal), ("", f", vol. {w.volume}, pp. {w.pages}, {w.year}.")] if w.journal
             else [("", f"{w.place}, {w.year}.")])
    return [("", f"{forward(w, words['and'])}, “{w.title},” ")] + where


def lncs_style(w, words):
    where = ([("", f" {w.journal} "), ("b", w.volume), ("", f", {w.pages} ({w.year})")] if w.journal
             else [("", f" {w.place} ({w.year})")])
    return [("", f"{inverted(w, ', ')}: {w.title}.")] + where


def elsevier_style(w, words):
    where = f"{w.journal} {w.volume} ({w.year}) {w.pages}." if w.journal else f"{w.place}, {w.year}."
    return [("", f"{forward(w, ', ')}, {w.title}, {where}")]


def apa_style(w, words):
    last = " & " if len(w.authors) < 2 else ", & "
    where = ([("i", f"{w.journal}, {w.volume}"), ("", f", {w.pages}.")] if w.journal else [("", f"{w.place}.")])
    return [("", f"{inverted(w, last)} ({w.year}). {w.title}. ")] + where


def full_names_style(w, words):
    """BibTeX's plain and alpha: given names in full, the journal in italics, volume and pages with a colon."""
    names = [f"{g} {f}" for g, f in w.authors]
    where = ([("i", w.journal), ("", f", {w.volume}:{w.pages}, {w.year}.")] if w.journal else [("", f"{w.place}, {w.year}.")])
    return [("", f"{joined(names, words['and'] if len(names) < 3 else ',' + words['and'])}. {w.title}. ")] + where


def sociology_style(w, words):
    """First author inverted, given names in full, title in quotation marks, volume and pages with a colon; books in italics."""
    first, *others = [(f"{f}, {g}", f"{g} {f}") for g, f in w.authors]
    names = joined([first[0]] + [forwards for _, forwards in others], words["and"] if len(others) == 1 else "," + words["and"])
    full_stop = "" if names.endswith(".") else "."
    if w.journal:
        return [("", f"{names}{full_stop} {w.year}. “{w.title}.” "), ("i", w.journal), ("", f" {w.volume}:{w.pages}.")]
    return [("", f"{names}{full_stop} {w.year}. "), ("i", w.title), ("", f". {w.place}.")]


def economics_style(w, words):
    """Names and year, then commas: as German economists cite."""
    names = inverted(w, words["and"])
    if w.journal:
        return [("", f"{names} ({w.year}), {w.title}, "), ("i", w.journal), ("", f", Bd. {w.volume}, {words['pages']} {w.pages}.")]
    return [("", f"{names} ({w.year}), "), ("i", w.title), ("", f", {w.place}.")]


def year_colon_style(w, words):
    """A publisher's journals in the nineties: names inverted, the year behind them, the volume in bold type."""
    names = f"{inverted(w, ', ')} ({w.year}): {w.title}. "
    return [("", names + w.journal + " "), ("b", w.volume), ("", f", {w.pages}")] if w.journal else [("", names + w.place)]


def doi_style(w, words):
    """Like Elsevier's, with the identifier of articles at the end."""
    where = (f"{w.journal} {w.volume} ({w.year}) {w.pages}, doi:10.99999/{w.key}.{w.year}." if w.journal else f"{w.place}, {w.year}.")
    return [("", f"{forward(w, ', ')}, {w.title}, {where}")]


STYLES = {"number": number_style, "ams": ams_style, "siam": siam_style, "din": din_style, "ay": author_year_style,
          "ieee": ieee_style, "lncs": lncs_style, "elsevier": elsevier_style, "apa": apa_style,
          "full": full_names_style, "asa": sociology_style, "econ": economics_style, "yearcolon": year_colon_style, "doi": doi_style}
WORDS = {"en": {"and": " and ", "pages": "pp."}, "de": {"and": " und ", "pages": "S."}, "fr": {"and": " et ", "pages": "p."},
         "es": {"and": " y ", "pages": "págs."}}


def entry(work, style, language):
    """The typeset entry and what is read on the page."""
    runs = STYLES[style](work, WORDS[language])
    typeset = "".join(FONTS[font] % tex_run(text) if text.strip() else text for font, text in runs)
    return typeset, plain("".join(text for _, text in runs))


def tex_run(text):
    # `tex` strips its argument; the blanks at the ends of a run matter here.
    before, after = text[:len(text) - len(text.lstrip())], text[len(text.rstrip()):]
    return before + tex(text) + after

