"""Parts that many templates share: preambles, bodies, bibliographies, dates, the words of each language."""
from texts import tex

WORDS = {
    "en": {"abstract": "Abstract", "keywords": ["Key words", "Keywords", "Key words and phrases"]},
    "de": {"abstract": "Zusammenfassung", "keywords": [r'Schl\"usselw\"orter', r'Schlagw\"orter', "Stichworte"]},
    "fr": {"abstract": r"R\'esum\'e", "keywords": [r"Mots-cl\'es"] * 3},
    "es": {"abstract": "Resumen", "keywords": ["Palabras clave"] * 3},
}
MONTHS = {
    "en": "January February March April May June July August September October November December",
    "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
}
FONTS = {"ot1": "", "t1": r"\usepackage[T1]{fontenc}", "lm": r"\usepackage[T1]{fontenc}\usepackage{lmodern}",
         "times": r"\usepackage[T1]{fontenc}\usepackage{mathptmx}",
         "palatino": r"\usepackage[T1]{fontenc}\usepackage{mathpazo}"}
LINE = r"\\ "
REFERENCE_FONTS = r"""\newcommand\refi[1]{\textit{#1}}\newcommand\refb[1]{\textbf{#1}}\newcommand\refc[1]{\textsc{#1}}
"""


def head(p, cls, options="", extra="", style209=False):
    """Class, fonts, language."""
    if style209:
        babel = {"de": ",german", "en": ""}[p.lang]
        return rf"\documentstyle[{options}{babel}]{{{cls}}}" + "\n" + REFERENCE_FONTS
    german = "german" if p.year < 1999 else "ngerman"
    babel = {"de": rf"\usepackage[{german}]{{babel}}", "fr": r"\usepackage[french]{babel}", "es": r"\usepackage[spanish]{babel}",
             "en": ""}[p.lang]
    fonts = "" if p.route in ("xelatex", "lualatex") else FONTS[p.fonts]
    symbols = "" if cls in ("acmart", "lni") else r"\usepackage{amssymb}"
    return (rf"\documentclass[{options}]{{{cls}}}" + "\n" + fonts + symbols + babel + extra + "\n" + REFERENCE_FONTS)


def halves(p):
    """Keywords given in two languages, as many in each."""
    half = len(p.keywords) // 2
    return p.keywords[:half], p.keywords[half:]


def cover_date(p):
    year, month, day = (int(part) for part in p.date.split("-"))
    name = tex(MONTHS[p.lang].split()[month - 1])
    return {"en": f"{name} {day}, {year}", "de": f"{day}. {name} {year}", "fr": f"{day} {name} {year}",
            "es": f"{day} de {name} de {year}"}[p.lang]


def split_line(p):
    """A running head: the title, cut where it would be too long."""
    words = p.title.split()
    return p.title if len(p.title) < 50 else " ".join(words[:6])


def classification(p):
    """One of the many ways to announce the codes."""
    return [f"Mathematics Subject Classification ({p.scheme})", f"AMS subject classification ({p.scheme})",
            f"MSC ({p.scheme})", f"AMS Subject Classifications", f"{p.scheme} Mathematics Subject Classification"][p.pick(5)]


def room(p):
    """Space before the abstract, so that it begins low and runs on over the next column or page."""
    return rf"\vspace*{{{p.get('push')}}}" if p.get("push") else ""


def affiliations(p):
    return r"\par\noindent ".join(rf"{a.tex()}, {a.address()}, {{\ttfamily {a.mail}}}" for a in p.authors)


def mail_line(p):
    return ", ".join(rf"\texttt{{{a.mail}}}" for a in p.authors)


def body(p, section="section"):
    from papers import INTRODUCTION
    out = [rf"\{section}{{{tex(INTRODUCTION[p.lang])}}}" + "\n" + p.opening(lambda work: rf"\cite{{{work.key}}}") + "\n"]
    out += [rf"\{section}{{{heading}}}" + "\n" + text.strip() + "\n" for heading, text in p.sections]
    return "".join(out)


def bibliography(p, style, alpha=False):
    entries = p.bibliography(style)
    widest = max((tex(w.label()) for w, _, _ in entries), key=len) if alpha else "99"
    items = "".join(rf"\bibitem{f'[{tex(w.label())}]' if alpha else ''}{{{w.key}}} {typeset}" + "\n" for w, typeset, _ in entries)
    return rf"\begin{{thebibliography}}{{{widest}}}" + "\n" + items + "\\end{thebibliography}\n"


def author_year_list(p, style="ay", heading=None):
    """Sections and a bibliography without labels, cited by author and year."""
    from papers import INTRODUCTION
    def cite(work):
        families = [tex(family) for _, family in work.authors]
        last = {"de": " und ", "en": " and ", "fr": " et ", "es": " y "}[p.lang]
        name = families[0] + (last + families[1] if len(families) == 2 else " et al." if len(families) > 2 else "")
        return f"{name} ({work.year})"
    heading = heading or {"de": "Literatur", "en": "References", "fr": r"R\'ef\'erences", "es": "Referencias"}[p.lang]
    text = rf"\section{{{tex(INTRODUCTION[p.lang])}}}" + "\n" + p.opening(cite) + "\n"
    text += "".join(rf"\section{{{heading_}}}" + "\n" + body_.strip() + "\n" for heading_, body_ in p.sections)
    items = "".join(r"\hangindent=1.5em\hangafter=1\noindent " + typeset + r"\par\smallskip" + "\n"
                    for _, typeset, _ in p.bibliography(style))
    return text + rf"\section*{{{heading}}}" + "\n" + items


def plain_macros():
    return r"""\font\bigbf=cmbx12 scaled \magstep1
\def\refi#1{{\it #1\/}}\def\refb#1{{\bf #1}}\def\refc#1{#1}
\magnification=\magstep0
"""


def plain_body(p):
    from papers import INTRODUCTION
    numbers = {work.key: n for n, (work, _, _) in enumerate(p.bibliography("number"), 1)}
    out = rf"\beginsection 1. {INTRODUCTION[p.lang]}" + "\n\n" + p.opening(lambda work: f"[{numbers[work.key]}]") + "\n"
    for n, (heading, text) in enumerate(p.sections, 2):
        out += rf"\beginsection {n}. {heading}" + "\n\n" + text.strip() + "\n"
    out += "\\beginsection References\n\n\\frenchspacing\n"
    for n, (_, typeset, _) in enumerate(p.bibliography("number"), 1):
        out += rf"\item{{[{n}]}} {typeset}" + "\n"
    return out
