"""The development templates: how a paper looks. Each takes a paper and returns TeX.

`TEMPLATES` maps a template's name to its function and the style of its bibliography. The wording of the marks
("Key words and phrases", "Schlagwörter", "AMS subject classification") varies on purpose, with the paper.
"""
from classes import amsart, amsart_addresses, elsart, ieee, llncs, revtex
from pieces import (LINE, WORDS, affiliations, author_year_list, bibliography, body, classification, cover_date, head, mail_line,
                    plain_body, plain_macros, room)


def article_maketitle(p):
    authors = r" \and ".join(rf"{a.tex()}\\ \small {a.address(', ', street=False)}\\ \small\tt {a.mail}" for a in p.authors)
    return head(p, "article", "11pt") + rf"""
\begin{{document}}
\title{{\bf {p.title}}}
\author{{{authors}}}
\date{{{cover_date(p)}}}
\maketitle{room(p)}
\begin{{abstract}}
{p.abstract}
\end{{abstract}}
\noindent\textbf{{{WORDS[p.lang]['keywords'][0]}:}} {', '.join(p.keywords)}

\smallskip\noindent\textbf{{{classification(p)}:}} {', '.join(p.msc)}
""" + body(p) + bibliography(p, "number", alpha=True) + "\\end{document}\n"


def article_bottom(p):
    names = r" \and ".join(rf"{a.tex()}\thanks{{{a.address()}. E-mail: {a.mail}}}" for a in p.authors)
    return head(p, "article", "12pt") + rf"""
\begin{{document}}
\title{{{p.title}}}
\author{{{names}}}
\date{{}}
\maketitle
\begin{{abstract}}
{p.abstract}
\end{{abstract}}
{{\renewcommand\thefootnote{{}}\footnotetext{{{p.scheme} \emph{{Mathematics Subject Classification}}. Primary {p.msc[0]}; secondary {', '.join(p.msc[1:])}.}}
\footnotetext{{\emph{{Key words and phrases}}. {', '.join(p.keywords)}.}}}}
""" + body(p) + bibliography(p, "number") + "\\end{document}\n"


def article_titlepage(p):
    names = r" \and ".join(rf"{a.tex()}\\ {a.address(LINE, street=False)}" for a in p.authors)
    word = WORDS[p.lang]
    return head(p, "article", "12pt,titlepage") + rf"""
\begin{{document}}
\title{{{p.title}}}
\author{{{names}}}
\date{{{cover_date(p)}}}
\maketitle
\begin{{abstract}}
{p.abstract}

\medskip
\noindent {word['keywords'][1]}: {'; '.join(p.keywords)}.

\noindent {classification(p)}: {', '.join(p.msc)}.
\end{{abstract}}
""" + body(p) + bibliography(p, "number") + "\\end{document}\n"


def koma(p):
    subtitle = rf"\subtitle{{{p.subtitle}}}" if p.subtitle else ""
    names = r" \and ".join(rf"{a.tex()}" for a in p.authors)
    codes = rf"\par\noindent\textit{{Mathematische Sachgebiete ({classification(p)}):}} {', '.join(p.msc)}" if p.msc else ""
    return head(p, "scrartcl", "abstracton,a4paper") + rf"""
\begin{{document}}
\title{{{p.title}}}
{subtitle}
\author{{{names}}}
\date{{Hohenwerth, {cover_date(p)}}}
\maketitle
\begin{{abstract}}
\noindent {p.abstract}
\end{{abstract}}
\noindent\textit{{{WORDS[p.lang]['keywords'][2]}:}} {', '.join(p.keywords)}
{codes}
""" + body(p) + bibliography(p, "din") + rf"""
\bigskip\noindent {affiliations(p)}
\end{{document}}
"""


def series_cover(p):
    """A cover sheet of the series; the paper with its own title begins on the next page."""
    names = ", ".join(a.tex() for a in p.authors)
    return head(p, "scrartcl", "a4paper,11pt") + rf"""
\begin{{document}}
\begin{{titlepage}}
\begin{{center}}
{{\Large\textsc{{{p.authors[0].address(', ', street=False).split(',')[1].strip()}}}}}\par\medskip
{{\large Fakult\"at f\"ur Mathematik}}\par\vspace{{3cm}}
{{\huge\bfseries {p.series}}}\par\vspace{{2cm}}
{{\LARGE {p.title}\par}}\vspace{{1.5cm}}
{{\large {names}\par}}\vfill
{{\large {cover_date(p)}}}\par\bigskip
\rule{{\textwidth}}{{0.4pt}}\par
Herausgegeben von der Fakult\"at f\"ur Mathematik, Klostergasse 4, 99998 Hohenwerth\\
ISSN 9999-0000 (fiktiv)
\end{{center}}
\end{{titlepage}}
\begin{{center}}
{{\Large\bfseries {p.title}\par}}\bigskip
{{\large {names}}}\par\bigskip
\end{{center}}
\begin{{quote}}\small
\textbf{{Zusammenfassung.}} {p.abstract}

\smallskip
\textbf{{Schlagw\"orter.}} {', '.join(p.keywords)}.

\smallskip
\textbf{{MSC {p.scheme}.}} {', '.join(p.msc)}.
\end{{quote}}
""" + body(p) + bibliography(p, "din") + "\\end{document}\n"


def diplom(p):
    a = p.authors[0]
    kind = p.get("thesis", "Diplomarbeit")
    subtitle = rf"{{\Large {p.subtitle}\par}}" if p.subtitle else ""
    marks = ""
    if p.keywords:
        marks = rf"\par\bigskip\noindent\textbf{{Stichworte:}} {', '.join(p.keywords)}"
    if p.msc:
        marks += rf"\par\noindent\textbf{{{classification(p)}:}} {', '.join(p.msc)}"
    return head(p, "scrreprt", "a4paper,12pt") + rf"""
\begin{{document}}
\begin{{titlepage}}
\begin{{center}}
{{\large Universit\"at Hohenwerth\par Fakult\"at f\"ur Mathematik\par}}
\vspace{{3cm}}
{{\Huge\bfseries {p.title}\par}}\vspace{{5mm}}{subtitle}
\vspace{{2cm}}
{{\large {kind}\par}}\vspace{{1cm}}
vorgelegt von\par\medskip
{{\Large {a.tex()}\par}}\medskip
aus Niederau\par
\vfill
Betreuer: {p.advisor}\par\bigskip
{cover_date(p)}
\end{{center}}
\end{{titlepage}}
\chapter*{{Zusammenfassung}}
{p.abstract}
{marks}
""" + body(p, section="chapter") + bibliography(p, "din", alpha=True) + "\\end{document}\n"


def dissertation(p):
    a = p.authors[0]
    subtitle = rf"\medskip{{\large {p.subtitle}\par}}" if p.subtitle else ""
    codes = rf"\par\noindent AMS-Klassifikation ({p.scheme}): {', '.join(p.msc)}" if p.msc else ""
    return head(p, "book", "a4paper,11pt,oneside") + rf"""
\begin{{document}}
\thispagestyle{{empty}}
\begin{{center}}
\vspace*{{2cm}}
{{\LARGE\textbf{{{p.title}}}\par}}{subtitle}
\vspace{{3cm}}
Inaugural-Dissertation\\
zur Erlangung der Doktorw\"urde\\
der Universit\"at Hohenwerth\\[2cm]
vorgelegt von\\[3mm]
{{\large {a.tex()}}}\\[3mm]
geboren in Nordhafen\\[3cm]
Hohenwerth {p.year}
\end{{center}}
\newpage\thispagestyle{{empty}}\vspace*{{\fill}}
\noindent Erstgutachterin: {p.advisor}\\
Zweitgutachter: Prof. Dr. Karl-Heinz M\"uller\\
Tag der m\"undlichen Pr\"ufung: {cover_date(p)}
\newpage
\section*{{Kurzfassung}}
{p.abstract}

\bigskip
\noindent Schlagworte: {' -- '.join(p.keywords)}
{codes}
\newpage
""" + body(p, section="chapter") + bibliography(p, "din") + "\\end{document}\n"


def plain_tex(p):
    names = r"\smallskip\centerline{and}\smallskip".join(
        rf"\centerline{{{a.tex()}}}\centerline{{\sl {a.address(', ', street=False)}}}" for a in p.authors)
    lines = r"\hfil\break\noindent ".join(
        [rf"{{\it Key words}}: {', '.join(p.keywords)}.", rf"{{\it AMS subject classification ({p.scheme})}}: {', '.join(p.msc)}."])
    return plain_macros() + rf"""
\vglue 1.5cm
{{\bigbf\baselineskip=20pt\parindent=0pt\rightskip=0pt plus 1fil\leftskip=0pt plus 1fil\parfillskip=0pt {p.title}\par}}
\bigskip
{names}
\medskip\centerline{{{cover_date(p)}}}
\bigskip
{{\narrower\smallskip\noindent{{\bf Abstract.}} {p.abstract}\smallskip}}
{{\narrower\noindent {lines}\smallskip}}
""" + plain_body(p) + "\\bye\n"


def twocolumn(p):
    names = r" \and ".join(rf"{a.tex()}\\ \small {tex_body(a)}" for a in p.authors)
    return head(p, "article", "twocolumn,10pt") + rf"""
\begin{{document}}
\title{{{p.title}}}
\author{{{names}}}
\date{{{cover_date(p)}}}
\maketitle{room(p)}
\begin{{abstract}}
{p.abstract}
\end{{abstract}}
\par
\noindent{{\bf Keywords:}} {', '.join(p.keywords)}\par
\noindent{{\bf MSC ({p.scheme}):}} {', '.join(p.msc)}
""" + body(p) + bibliography(p, "number") + "\\end{document}\n"


def tex_body(author):
    return author.address("|", street=False).split("|")[1]


def twocolumn_wide(p):
    """Title and abstract run over both columns; authors carry raised affiliation marks."""
    places = list(dict.fromkeys(a.place for a in p.authors))
    names = ", ".join(rf"{a.tex()}$^{{{places.index(a.place) + 1}}}$" for a in p.authors)
    lines = r"\\".join(rf"$^{{{n}}}$\,{next(a for a in p.authors if a.place == place).address()}"
                       for n, place in enumerate(places, 1))
    return head(p, "article", "twocolumn,10pt") + rf"""
\begin{{document}}
\twocolumn[
\begin{{center}}
{{\LARGE\bfseries {p.title}\par}}\bigskip
{{\large {names}\par}}\medskip
{{\small\itshape {lines}\par}}\bigskip
\begin{{minipage}}{{0.85\textwidth}}\small
\textbf{{Abstract}} --- {p.abstract}\par\smallskip
\textbf{{Key words}} --- {', '.join(p.keywords)}\par\smallskip
\textbf{{Mathematics Subject Classification ({p.scheme})}} --- {', '.join(p.msc)}
\end{{minipage}}\bigskip
\end{{center}}]
""" + body(p) + bibliography(p, "number") + "\\end{document}\n"


def techreport(p):
    """Set by hand, flush left, without \\maketitle."""
    names = r"\\ ".join(rf"\textit{{{a.tex()}}}" for a in p.authors)
    place = p.authors[0].address(", ")
    return head(p, "article", "11pt") + rf"""
\begin{{document}}
\thispagestyle{{empty}}
\noindent {{\sf {place}\hfill {p.series}}}\\[2mm]
\rule{{\textwidth}}{{1pt}}
\vspace{{1cm}}

{{\raggedright\noindent\Large\bf {p.title}\par}}
\vspace{{5mm}}
\noindent {names}

\vspace{{3mm}}
\noindent {cover_date(p)}

\vspace{{8mm}}
\noindent {{\bf Abstract:}} {p.abstract}

\vspace{{4mm}}
\noindent {{\bf Keywords:}} {', '.join(p.keywords)}\\
{{\bf {classification(p)}:}} {', '.join(p.msc)}
""" + body(p) + bibliography(p, "number", alpha=True) + "\\end{document}\n"


def latex209(p):
    """The way papers were typed for LaTeX 2.09: a centred title in capitals, everything by hand."""
    names = r"\\ and \\ ".join(rf"{{\sc {a.tex()}}}\\ {{\small {a.address(', ', street=False)}}}\\ {{\small {a.mail}}}" for a in p.authors)
    word = WORDS[p.lang]
    keywords = rf"\noindent {{\em {word['keywords'][0]}:}} {', '.join(p.keywords)}.\\ " if p.keywords else r"\noindent "
    return head(p, "article", "12pt", style209=True) + rf"""
\begin{{document}}
\begin{{center}}
{{\large\bf {p.title}}}\\[5mm]
{names}\\[5mm]
{cover_date(p)}
\end{{center}}
\begin{{quotation}}\small
\begin{{center}}{{\bf {word['abstract']}}}\end{{center}}
{p.abstract}
\end{{quotation}}
{keywords}{{\em {p.scheme} AMS Subject Classification:}} {', '.join(p.msc)}
""" + body(p) + bibliography(p, "ams") + "\\end{document}\n"


def siamlike(p):
    notes = "".join(rf"\footnotetext[{n}]{{{a.address()} ({a.mail}).}}" for n, a in enumerate(p.authors, 1))
    names = r" \textsc{and} ".join(rf"\textsc{{{a.tex()}}}\footnotemark[{n}]" for n, a in enumerate(p.authors, 1))
    return head(p, "article", "10pt", extra=r"\usepackage[margin=35mm]{geometry}") + rf"""
\begin{{document}}
\begin{{center}}
\textbf{{\MakeUppercase{{{p.title}}}}}\\[5mm]
{names}
\end{{center}}
{notes}
{{\small
\textbf{{Abstract.}} {p.abstract}

\textbf{{Key words.}} {', '.join(p.keywords)}

\textbf{{AMS subject classifications.}} {', '.join(p.msc)}

}}
""" + body(p) + bibliography(p, "siam") + "\\end{document}\n"


def author_year(p):
    names = r" \and ".join(rf"{a.tex()}" for a in p.authors)
    word = WORDS[p.lang]
    codes = rf"\par\noindent\textbf{{MSC {p.scheme}:}} {', '.join(p.msc)}" if p.msc else ""
    return head(p, "article", "11pt,a4paper") + rf"""
\begin{{document}}
\title{{{p.title}}}
\author{{{names}\\[1mm] \normalsize {p.authors[0].address(', ', street=False)}}}
\date{{}}
\maketitle{room(p)}
\noindent\textbf{{{word['abstract']}:}} {p.abstract}

\medskip\noindent\textbf{{{word['keywords'][1]}:}} {', '.join(p.keywords)}
{codes}
""" + author_year_list(p) + "\\end{document}\n"


def working_paper(p):
    """A cover with the abstract on it, perhaps in two languages; the text begins on the second page."""
    names = r"\\ ".join(a.tex() for a in p.authors)
    subtitle = rf"{{\large {p.subtitle}\par}}" if p.subtitle else ""
    other = rf"\textbf{{Abstract.}} {p.other}\par\smallskip" if p.other else ""
    return head(p, "scrartcl", "a4paper,11pt") + rf"""
\begin{{document}}
\thispagestyle{{empty}}
\noindent\textsf{{\large {p.series}}}\\
\noindent\textsf{{Institut f\"ur Soziologie, Universit\"at Hohenwerth}}
\vspace{{25mm}}
\begin{{flushleft}}
{{\LARGE\bfseries {p.title}\par}}\medskip {subtitle}
\vspace{{8mm}}
{{\large {names}}}\\[4mm]
{cover_date(p)}
\end{{flushleft}}
\vspace{{8mm}}
\noindent\textbf{{Zusammenfassung.}} {p.abstract}\par\smallskip
\noindent {other}
\noindent\textbf{{{WORDS['de']['keywords'][p.pick(3)]}:}} {', '.join(p.keywords)}
\vfill
\noindent\small Anschrift: {p.authors[0].address()}. E-Mail: {mail_line(p)}
\newpage
""" + author_year_list(p) + "\\end{document}\n"


def french(p):
    names = r" \and ".join(rf"{a.tex()}\\ \small {a.address(', ', street=False)}" for a in p.authors)
    return head(p, "article", "11pt,a4paper") + rf"""
\begin{{document}}
\title{{{p.title}}}
\author{{{names}}}
\date{{{cover_date(p)}}}
\maketitle
\begin{{abstract}}
{p.abstract}
\end{{abstract}}
{{\renewcommand\abstractname{{Abstract}}
\begin{{abstract}}
{p.other}
\end{{abstract}}}}
\noindent\textbf{{Mots-cl\'es :}} {', '.join(p.keywords)}.\par
\noindent\textbf{{Classification math\'ematique (MSC {p.scheme}) :}} {', '.join(p.msc)}.
""" + body(p) + bibliography(p, "number") + "\\end{document}\n"


# name: (template, style of the bibliography)
TEMPLATES = {
    "amsart": (amsart, "ams"),
    "amsart-addresses": (amsart_addresses, "ams"),
    "article-maketitle": (article_maketitle, "number"),
    "article-bottom": (article_bottom, "number"),
    "article-titlepage": (article_titlepage, "number"),
    "koma": (koma, "din"),
    "series-cover": (series_cover, "din"),
    "diplom": (diplom, "din"),
    "dissertation": (dissertation, "din"),
    "plain": (plain_tex, "number"),
    "twocolumn": (twocolumn, "number"),
    "twocolumn-wide": (twocolumn_wide, "number"),
    "ieee": (ieee, "ieee"),
    "revtex": (revtex, "number"),
    "elsart": (elsart, "elsevier"),
    "llncs": (llncs, "lncs"),
    "techreport": (techreport, "number"),
    "latex209": (latex209, "ams"),
    "siamlike": (siamlike, "siam"),
    "authoryear": (author_year, "ay"),
    "workingpaper": (working_paper, "ay"),
    "french": (french, "number"),
}
