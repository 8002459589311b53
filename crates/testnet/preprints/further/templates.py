"""Yet other templates: series with a preface or an ISSN, an old typescript, and classes that TeX Live has."""
from pieces import author_year_list, bibliography, body, cover_date, halves, head, plain_body, plain_macros
from texts import tex

LINES = r"\\ "
GEOMETRY = r"\usepackage[margin=26mm]{geometry}"


def numbered_series(p):
    """A cover with university, title, authors, name and number of the series, ISSN and copyright; the paper has its marks in footnotes."""
    return head(p, "article", "11pt,a4paper", extra=GEOMETRY) + rf"""
\begin{{document}}
\thispagestyle{{empty}}
\begin{{flushright}}
{{\Large\scshape Universit\"at Hohenwerth}}
\end{{flushright}}
\vspace{{40mm}}
\noindent{{\Large {p.title}}}\par\vspace{{10mm}}
\noindent {LINES.join(a.tex() for a in p.authors)}\par\vspace{{40mm}}
\noindent\textbf{{Hohenwerther Schriften in Mathematik und Informatik}}\\
{p.series}\\
ISSN 0999--3558
\vfill
\noindent\copyright\ Fakult\"at f\"ur Mathematik\\
\copyright\ Fachbereich Informatik\\
Universit\"at Hohenwerth\\
Fach D 188, 99998 Hohenwerth, Germany\\
Email: preprints@math.uni-hohenwerth.example\\
WWW: http://www.math.uni-hohenwerth.example/Schriften/
\newpage\setcounter{{page}}{{1}}
\begin{{center}}
{{\bfseries\MakeUppercase{{{p.title}}}}}\\[4mm]
\textsc{{{' and '.join(a.tex() for a in p.authors)}}}
\end{{center}}
{{\renewcommand\thefootnote{{}}\footnotetext{{{cover_date(p)}}}
\footnotetext{{\textit{{AMS subject classification}} ({p.scheme}). Primary {p.msc[0]}. Secondary {', '.join(p.msc[1:])}.}}
\footnotetext{{\textit{{Keywords and phrases.}} {', '.join(p.keywords)}.}}}}
\begin{{quote}}\small
\textsc{{Abstract.}} {p.abstract}
\end{{quote}}
""" + body(p) + bibliography(p, "ams") + "\\end{document}\n"


def with_preface(p):
    """A report whose second page is a preface to the series, signed by the director; then the paper."""
    names = r" \quad ".join(a.tex() for a in p.authors)
    return head(p, "article", "11pt,a4paper", extra=GEOMETRY) + rf"""
\begin{{document}}
\thispagestyle{{empty}}
\noindent{{\sffamily\bfseries\large Werthtaler Institut f\"ur Techno- und Rechenmathematik}}\par\vspace{{50mm}}
\noindent{{\sffamily {', '.join(a.tex() for a in p.authors)}}}\par\vspace{{6mm}}
{{\noindent\raggedright\sffamily\bfseries\LARGE {p.title}\par}}\vfill
\noindent{{\sffamily Berichte des Werthtaler Instituts, Nr. 71 (2004)}}
\newpage\thispagestyle{{empty}}
\noindent \copyright\ Werthtaler Institut f\"ur Techno- und Rechenmathematik 2004\par\medskip
\noindent ISSN 0999-9973\par\medskip
\noindent {p.series}\par\medskip
\noindent Alle Rechte vorbehalten. Ohne ausdr\"uckliche, schriftliche Genehmigung des Herausgebers ist es nicht gestattet,
das Buch oder Teile daraus in irgendeiner Form zu vervielf\"altigen.\par\medskip
\noindent Bezugskontakt:\\ Werthtaler Institut\\ Rosengasse 49\\ 99981 Seedorf\\ Telefon: 09 99/3 03 20 32\\ E-Mail: info@witr.example
\newpage\thispagestyle{{empty}}
\section*{{Vorwort}}
Das T\"atigkeitsfeld des Instituts umfa\ss{{}}t anwendungsnahe Grundlagenforschung, angewandte Forschung sowie Beratung und
kundenspezifische L\"osungen auf allen Gebieten, die f\"ur Techno- und Rechenmathematik bedeutsam sind. In der Reihe soll die Arbeit des
Instituts kontinuierlich einer interessierten \"Offentlichkeit in Industrie, Wirtschaft und Wissenschaft vorgestellt werden. Dar\"uber
hinaus bietet die Reihe ein Forum f\"ur die Berichterstattung \"uber die zahlreichen Kooperationsprojekte.\par\bigskip
\noindent Prof.\ Dr.\ Leopold Finkenzeller\\ Institutsleiter\\[4mm] Seedorf, im Juni 2001
\newpage\setcounter{{page}}{{1}}
\begin{{center}}
{{\LARGE {p.title}\par}}\vspace{{5mm}}
{names}\par\vspace{{3mm}}
{cover_date(p)}
\end{{center}}
\paragraph{{Zusammenfassung}} {p.abstract}
\paragraph{{Schl\"usselw\"orter}} {', '.join(p.keywords)}
\paragraph{{MSC {p.scheme}}} {', '.join(p.msc)}
""" + body(p) + bibliography(p, "din") + "\\end{document}\n"


def old_typescript(p):
    """Plain TeX of the eighties: everything in one size, footnotes with addresses, codes of the revision of 1985."""
    marks = ["*", r"\dag", r"\ddag"]
    names = r"\medskip\centerline{\rm and}\medskip".join(rf"\centerline{{\rm {a.tex()}$^{{{m}}}$}}" for a, m in zip(p.authors, marks))
    notes = "".join(rf"\footnote{{}}{{$^{{{m}}}$ {a.address()}}}" for a, m in zip(p.authors, marks))
    return plain_macros() + rf"""
\hsize=15cm\font\eightrm=cmr8
\line{{\hfil {cover_date(p)}}}
\vskip 1.5cm
\centerline{{\bf {p.title}}}
\bigskip
{names}
{notes}
\bigskip\bigskip
{{\narrower\noindent{{\it Abstract.}}\enspace {p.abstract}\par}}
\bigskip
\noindent 1980 Mathematics Subject Classification (1985 Revision): {', '.join(p.msc)}\par
\noindent Key words and phrases: {', '.join(p.keywords)}\par
\bigskip
""" + plain_body(p) + "\\bye\n"


def two_languages(p):
    """A discussion paper: cover, imprint with a form of citation, both abstracts on a page, then the title again."""
    names = ", ".join(a.tex() for a in p.authors)
    german, english = halves(p)
    return head(p, "article", "12pt,a4paper", extra=GEOMETRY) + rf"""
\begin{{document}}
\thispagestyle{{empty}}
\noindent{{\small Schwerpunkt II}}\hfill{{\small Bildung, Arbeit und Lebenswege}}\par\vspace{{45mm}}
\begin{{flushright}}
{LINES.join(a.tex() for a in p.authors)}\par\vspace{{8mm}}
{{\LARGE\bfseries {p.title}\par}}\vspace{{3mm}}
{{\Large {p.subtitle}\par}}\vspace{{20mm}}
{p.series}\\ November {p.year}
\end{{flushright}}
\vfill
\noindent{{\bfseries Wissenschaftszentrum Hohenwerth f\"ur Gemeindeforschung (WZH)}}
\newpage\thispagestyle{{empty}}
\noindent Wissenschaftszentrum Hohenwerth f\"ur Gemeindeforschung gGmbH\\ M\"uhlgasse 50\\ 99998 Hohenwerth\\ www.wzh.example\par\vfill
\noindent {names}\\ \textbf{{{p.title}. {p.subtitle}}}\\ {p.series}\\ Wissenschaftszentrum Hohenwerth ({p.year})
\newpage\thispagestyle{{empty}}
\noindent{{\bfseries Abstract}}\par\medskip
\noindent\textbf{{On the edge of town. How commuters get to know their neighbours}}\par\smallskip
\noindent {p.other}\par\medskip
\noindent Keywords: {', '.join(english)}\par\bigskip\bigskip
\noindent{{\bfseries Zusammenfassung}}\par\medskip
\noindent\textbf{{{p.title}. {p.subtitle}}}\par\smallskip
\noindent {p.abstract}\par\medskip
\noindent Schlagw\"orter: {', '.join(german)}
\newpage\setcounter{{page}}{{1}}
""" + author_year_list(p) + "\\end{document}\n"


def three_columns(p):
    """Authors in boxes side by side, each with his address in small type; marks in italics without bold type."""
    width = f"{0.95 / len(p.authors):.3f}"
    boxes = r"\hfill ".join(rf"\parbox[t]{{{width}\textwidth}}{{\centering \textbf{{{a.tex()}}}\\ {{\footnotesize {a.address(LINES)}\\ {a.mail}}}}}" for a in p.authors)
    return head(p, "article", "11pt,a4paper", extra=GEOMETRY) + rf"""
\begin{{document}}
\noindent{{\footnotesize {p.series}\hfill 211--218}}\par\vspace{{12mm}}
\begin{{center}}{{\Large\bfseries {p.title}}}\end{{center}}\vspace{{4mm}}
\noindent {boxes}\par\vspace{{10mm}}
\noindent{{\itshape Kurzfassung:}} {p.abstract}\par\medskip
\noindent{{\itshape Schl\"usselbegriffe:}} {', '.join(p.keywords)}\par\medskip
\noindent{{\itshape AMS-Klassifizierung ({p.scheme}):}} {', '.join(p.msc)}\par
""" + body(p) + bibliography(p, "lncs") + "\\end{document}\n"


def acm_conference(p):
    authors = r" \and ".join(rf"\Author{{{a.tex()}}}\\ \Address{{{tex(a.department)}\\ {tex(a.body)}\\ {tex(a.town)}}}\\ \Email{{{a.mail}}}" for a in p.authors)
    return head(p, "acmconf") + rf"""
\ConferenceName{{Workshop on Unlikely Failures}}
\ConferenceShortName{{WUF '98}}
\begin{{document}}
\title{{{p.title}}}
\author{{{authors}}}
\date{{}}
\maketitle
\begin{{abstract}}
{p.abstract}
\end{{abstract}}

\noindent\textbf{{Keywords}}\quad {', '.join(p.keywords)}
""" + body(p) + bibliography(p, "number") + "\\end{document}\n"


def chemistry(p):
    authors = "".join(rf"\author{{{a.tex()}}}" + "\n" + rf"\affiliation{{{a.address()}}}" + "\n" + (rf"\email{{{a.mail}}}" + "\n" if n == 0 else "") for n, a in enumerate(p.authors))
    return head(p, "achemso", "journal=esthag,manuscript=article") + rf"""
\title{{{p.title}}}
{authors}
\keywords{{{', '.join(p.keywords)}}}
\begin{{document}}
\begin{{abstract}}
{p.abstract}
\end{{abstract}}
""" + body(p) + bibliography(p, "elsevier") + "\\end{document}\n"


def civil(p):
    names = r", \and ".join(rf"{a.tex()}\thanks{{Lecturer, {a.address()}. E-mail: {a.mail}}}" for a in p.authors)
    return head(p, "ascelike", "NoLists,NoPageNumbers") + rf"""
\begin{{document}}
\title{{{p.title}}}
\author{{{names}}}
\maketitle
\begin{{abstract}}
{p.abstract}
\end{{abstract}}
\KeyWords{{{', '.join(p.keywords)}}}
""" + author_year_list(p, "apa") + "\\end{document}\n"


def physics_preprint(p):
    authors = "".join(rf"\author{{{a.tex()}}}" + "\n" + rf"\email{{{a.mail}}}" + "\n" + rf"\affiliation{{{a.address()}}}" + "\n" for a in p.authors)
    return head(p, "revtex4", "preprint,aps,showpacs") + rf"""
\begin{{document}}
\preprint{{{p.series}}}
\title{{{p.title}}}
{authors}
\date{{{cover_date(p)}}}
\begin{{abstract}}
{p.abstract}
\end{{abstract}}
\pacs{{05.40.-a, 02.50.Ey}}
\maketitle
""" + body(p) + bibliography(p, "elsevier") + "\\end{document}\n"


def journal_head(p):
    """The head of a journal with volume and pages; title in small capitals, the abstract narrow, dates below the marks."""
    names = ", ".join(rf"\MakeUppercase{{{a.tex()}}}" for a in p.authors)
    return head(p, "article", "10pt", extra=r"\usepackage[margin=36mm]{geometry}") + rf"""
\begin{{document}}
\noindent{{\footnotesize Brzezina Studies in Analysis\hfill Vol. 19 ({p.year}), No. 2, pp. 101--118}}\par
\noindent{{\footnotesize ISSN: 0999-6691. URL: http://bsa.brzezina.example}}\par\vspace{{14mm}}
\begin{{center}}
{{\large\scshape {p.title}}}\\[8mm]
{names}
\end{{center}}\vspace{{4mm}}
{{\footnotesize\leftskip=12mm\rightskip=12mm\noindent\textsc{{Abstract.}} {p.abstract}\par}}\vspace{{5mm}}
{{\renewcommand\thefootnote{{}}\footnotetext{{{p.scheme} \textit{{Mathematics Subject Classification.}} {', '.join(p.msc)}.}}
\footnotetext{{\textit{{Key words and phrases.}} {'; '.join(p.keywords)}.}}
\footnotetext{{\copyright {p.year} Uniwersytet w Brzezinie Ma\l{{}}ej.}}
\footnotetext{{Submitted {cover_date(p)}. Published later.}}}}
""" + body(p) + bibliography(p, "ams") + "\\end{document}\n"


# name: (template, style of the bibliography)
TEMPLATES = {
    "numbered-series": (numbered_series, "ams"),
    "with-preface": (with_preface, "din"),
    "old-typescript": (old_typescript, "number"),
    "two-languages": (two_languages, "ay"),
    "three-columns": (three_columns, "lncs"),
    "acm-conference": (acm_conference, "number"),
    "chemistry": (chemistry, "elsevier"),
    "civil": (civil, "apa"),
    "physics-preprint": (physics_preprint, "elsevier"),
    "journal-head": (journal_head, "ams"),
}
