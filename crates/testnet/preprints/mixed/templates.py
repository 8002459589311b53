"""A mixture of covers of institutes and of classes that TeX Live has; see `../templates.py` for the first templates."""
from pieces import author_year_list, bibliography, body, cover_date, head, plain_body, plain_macros
from texts import tex

LINES = r"\\ "
GEOMETRY = r"\usepackage[margin=27mm]{geometry}"


def natbib_items(p, style):
    items = "".join(rf"\bibitem[{tex(w.authors[0][1])}({w.year})]{{{w.key}}} {typeset}" + "\n" for w, typeset, _ in p.bibliography(style))
    return r"\begin{thebibliography}{}" + "\n" + items + "\\end{thebibliography}\n"


def institute_foot(p):
    """The cover has title, authors and their addresses in two columns, and below them codes and keywords; the publisher is
    named at the foot of the next page, above the abstract's page."""
    a = p.authors[0]
    columns = "".join(rf"\begin{{minipage}}[t]{{7cm}}\raggedright $^{{{n}}}$ {tex(b.department)}\\ {tex(b.body)}\\ {tex(b.street)}\\ {tex(b.town)}\\ E-Mail: {b.mail}\end{{minipage}}\hfill"
                      for n, b in enumerate(p.authors, 1))
    names = ", ".join(rf"{b.tex()}$^{{{n}}}$" for n, b in enumerate(p.authors, 1))
    return head(p, "article", "12pt,a4paper", extra=GEOMETRY) + rf"""
\begin{{document}}
\thispagestyle{{empty}}
\begin{{center}}
{{\Large\bfseries {tex(a.body)}}}\\[1mm]
{{\small im Forschungsverbund Seedorf e.\,V.}}\\[2mm]
\end{{center}}
\hfill {{\small ISSN 0999 -- 8633}}\par\vspace{{22mm}}
\begin{{center}}
{{\Large\bfseries {p.title}}}\\[8mm]
{{\large {names}}}\\[8mm]
submitted: 12th May {p.year}
\end{{center}}
\vspace{{5mm}}
\noindent{{\small {columns}}}\par\vspace{{12mm}}
\begin{{center}}{p.series}\\ Seedorf {p.year}\end{{center}}
\vfill
\noindent\rule{{\textwidth}}{{0.4pt}}\par
\noindent{{\small\textit{{{p.scheme} Mathematics Subject Classification.}} {', '.join(p.msc)}.\\
\textit{{Keywords.}} {', '.join(p.keywords)}.\par}}
\newpage\thispagestyle{{empty}}\vspace*{{\fill}}
\noindent{{\small Edited by\\ {tex(a.body)}\\ {tex(a.street)}\\ D -- {tex(a.town)}\\ Germany\\[2mm] Fax: + 49 999 2044975\\ e-mail (X.400): c=de;a=d400-gw;p=sia-seedorf;s=preprint\\ e-mail (Internet): preprint@sia-seedorf.example}}
\newpage\setcounter{{page}}{{1}}
\begin{{abstract}}
{p.abstract}
\end{{abstract}}
""" + body(p) + bibliography(p, "number") + "\\end{document}\n"


def computing_centre(p):
    """A computing centre's preprint: authors in spaced type above the title, marks below the abstract on a page of its own."""
    names = r"\qquad ".join(rf"\textsc{{{a.tex()}}}" for a in p.authors)
    notes = r" \\ ".join(rf"{a.tex()}: {a.address(', ', street=False)}" for a in p.authors)
    return head(p, "article", "11pt,a4paper", extra=GEOMETRY) + rf"""
\begin{{document}}
\thispagestyle{{empty}}
\noindent{{\sffamily\bfseries Konrad-Eberling-Zentrum f\"ur Rechentechnik Hohenwerth}}\\
{{\sffamily Klostergasse 11, D-99998 Hohenwerth, Germany}}\par\vspace{{45mm}}
\begin{{center}}
{names}\\[12mm]
{{\LARGE {p.title}\par}}
\end{{center}}
\vfill
\noindent {p.series} (July {p.year})
\newpage\thispagestyle{{empty}}
\begin{{center}}
{{\Large {p.title}}}\\[6mm]
{names}
\end{{center}}
\vspace{{8mm}}
\begin{{center}}\textbf{{Abstract}}\end{{center}}
\noindent {p.abstract}\par\vspace{{6mm}}
\noindent \textbf{{Key words:}} {', '.join(p.keywords)}.\par\medskip
\noindent \textbf{{AMS (MOS) subject classifications:}} {', '.join(p.msc)}.
\vfill
\noindent{{\footnotesize {notes}}}
\newpage\setcounter{{page}}{{1}}
\tableofcontents
\newpage
""" + body(p) + bibliography(p, "siam") + "\\end{document}\n"


def planned_series(p):
    """A cover with the institute on two lines, title, (revised version), by, authors, number and year left and right; then the paper."""
    inside = r" \and ".join(LINES.join([a.tex(), tex(a.department), tex(a.body), tex(a.town)]) for a in p.authors)
    return head(p, "article", "11pt,a4paper", extra=GEOMETRY) + rf"""
\begin{{document}}
\thispagestyle{{empty}}
\begin{{center}}
{{\Huge\bfseries Theodor-Rehbein-Institut}}\\[2mm]
{{\LARGE\bfseries f\"ur Mathematik in den Geisteswissenschaften}}\\[2mm]
{{\LARGE\bfseries Fjordby}}\\[45mm]
{{\Large {p.title}}}\\[6mm]
(revised version: {cover_date(p).split()[0]} {p.year})\\[8mm]
by\\[6mm]
{{\large\itshape {' and '.join(a.tex() for a in p.authors)}}}
\end{{center}}
\vfill
\noindent {p.series} \hfill {p.year}
\newpage\setcounter{{page}}{{1}}
\title{{{p.title}}}
\author{{{inside}}}
\date{{}}
\maketitle
\begin{{abstract}}
{p.abstract}
\end{{abstract}}
\renewcommand\thefootnote{{}}
\footnotetext{{\emph{{{p.scheme} MSC}}. Primary {p.msc[0]}; Secondary {', '.join(p.msc[1:])}.}}
\footnotetext{{\emph{{Key words and phrases}}. {', '.join(p.keywords)}.}}
""" + body(p) + bibliography(p, "ams", alpha=True) + "\\end{document}\n"


def centre_contents(p):
    """A research centre: its name large, authors, title, number; inside the cover contents and the authors' addresses, then the abstract."""
    covered = r"\qquad ".join(a.tex() for a in p.authors)
    addresses = r"\par\medskip ".join(rf"{a.tex()}\\ {a.address(LINES)}\\ \texttt{{http://www.{a.mail.split('@')[1]}}}" for a in p.authors)
    return head(p, "article", "11pt,a4paper", extra=GEOMETRY) + rf"""
\begin{{document}}
\thispagestyle{{empty}}
\begin{{center}}
{{\LARGE Sonderforschungsbereich 998}}\\[2mm]
{{\large Parallele Numerische Simulation f\"ur Physik und Wasserwirtschaft}}
\end{{center}}
\vspace{{35mm}}
\begin{{flushleft}}
{{\Large {covered}}}\\[10mm]
{{\LARGE\bfseries {p.title}\par}}\vspace{{12mm}}
{{\large {p.series}}}
\end{{flushleft}}
\vfill
\noindent\rule{{\textwidth}}{{1pt}}\\
{{\small\sffamily Preprint-Reihe des Nordhafener SFB 998}}\par
\noindent SFB998/99-31 \hfill {cover_date(p)}
\newpage\thispagestyle{{empty}}
\tableofcontents
\vfill
\noindent{{\small Author's addresses:\par\medskip
\noindent {addresses}}}
\newpage\setcounter{{page}}{{1}}
\begin{{abstract}}
\noindent {p.abstract}

\medskip\noindent\textbf{{Keywords:}} {', '.join(p.keywords)}

\medskip\noindent\textbf{{AMS subject classification:}} {', '.join(p.msc)}
\end{{abstract}}
""" + body(p) + bibliography(p, "number", alpha=True) + "\\end{document}\n"


def plain_department(p):
    """Plain TeX, German: department and number at the top, the authors with their towns, codes as primary and secondary."""
    text = plain_body(p).replace("References", "Schrifttum")
    names = r"\centerline{und}".join(rf"\centerline{{\caps {a.tex()}, {tex(a.town.split(' ', 1)[1])}}}" for a in p.authors)
    return plain_macros() + rf"""
\hsize=14.5cm\font\caps=cmcsc10\font\eightrm=cmr8\font\bigger=cmbx10 scaled \magstep3
\line{{\eightrm Universit\"at Hohenwerth, Fakult\"at f\"ur Mathematik\hfil {p.series}}}
\hrule
\vskip 2.5cm
\centerline{{\bigger Zur Konvergenz}}\smallskip
\centerline{{\bigger gest\"orter Randwertaufgaben}}
\vskip 1cm
{names}
\vskip 1.5cm
{{\leftskip=1.2cm\rightskip=1.2cm\parindent=0pt
{{\bf Zusammenfassung.}} {p.abstract}\par
\medskip
{{\bf Stichworte.}} {'; '.join(p.keywords)}\par
\medskip
{{\bf AMS-Klassifikation.}} prim\"ar {p.msc[0]}; sekund\"ar {', '.join(p.msc[1:])}\par}}
\vskip 1cm
""" + text + "\\bye\n"


def koma_report(p):
    """A report of an institute: a cover, an inner page with a form (title, authors, abstract, marks), contents, chapters."""
    rows = rf"""Titel & {p.title}\\[2mm]
Autoren & {', '.join(a.tex() for a in p.authors)}\\[2mm]
Auftraggeber & Wasserverband Werthtal\\[2mm]
Datum & {cover_date(p)}\\[2mm]
Umfang & 12 Seiten\\[2mm]
Stichworte & {', '.join(p.keywords)}\\[2mm]
MSC {p.scheme} & {', '.join(p.msc)}\\"""
    return head(p, "scrreprt", "a4paper,11pt,oneside") + rf"""
\begin{{document}}
\thispagestyle{{empty}}
\noindent{{\sffamily\Large {tex(p.authors[0].body)}}}\par\vspace{{50mm}}
{{\sffamily\bfseries\huge\raggedright {p.title}\par}}\vspace{{10mm}}
\noindent{{\sffamily\large {LINES.join(a.tex() for a in p.authors)}}}\par\vfill
\noindent{{\sffamily {p.series}\hfill {cover_date(p)}}}
\newpage\thispagestyle{{empty}}
\noindent\textbf{{\sffamily Berichtsblatt}}\par\bigskip
\noindent\begin{{tabular}}{{@{{}}p{{28mm}}p{{110mm}}@{{}}}}
{rows}
\end{{tabular}}\par\bigskip
\noindent\textbf{{\sffamily Kurzfassung}}\par\medskip\noindent {p.abstract}
\tableofcontents
""" + body(p, section="chapter") + bibliography(p, "din") + "\\end{document}\n"


def marked_columns(p):
    """Two columns, German; authors with raised figures, bodies below them with the same figures, summaries in both languages."""
    places = list(dict.fromkeys(a.place for a in p.authors))
    names = [rf"{a.tex()}\textsuperscript{{{places.index(a.place) + 1}}}" for a in p.authors]
    lines = r"\\ ".join(rf"\textsuperscript{{{n}}}{tex(a.department)}, {tex(a.body)}" for n, a in enumerate((next(a for a in p.authors if a.place == place) for place in places), 1))
    words = r" $\cdot$ ".join(p.keywords)
    return head(p, "article", "a4paper,10pt,twocolumn", extra=r"\usepackage[margin=19mm,columnsep=7mm]{geometry}") + rf"""
\begin{{document}}
\twocolumn[
\begin{{center}}
{{\footnotesize {p.series}, S. 44--61\par}}\vspace{{9mm}}
{{\LARGE\sffamily\bfseries {p.title}\par}}\vspace{{5mm}}
{{\large {', '.join(names[:-1])} und {names[-1]}\par}}\vspace{{2mm}}
{{\small {lines}}}
\end{{center}}\vspace{{5mm}}]
\noindent\textbf{{Zusammenfassung}}\ \textit{{{p.abstract}}}\par\smallskip
\noindent\textbf{{Schlagw\"orter}}\ {words}\par\medskip
\noindent\textbf{{Abstract}}\ \textit{{{p.other}}}\par\bigskip
""" + author_year_list(p, heading="Literaturverzeichnis") + "\\end{document}\n"


def authblk_marks(p):
    """authblk: raised figures and an asterisk, keywords after a dash, codes as primary and secondary with colons."""
    places = list(dict.fromkeys(a.place for a in p.authors))
    names = "".join(rf"\author[{places.index(a.place) + 1}{',*' if n == 0 else ''}]{{{a.tex()}}}" + "\n" for n, a in enumerate(p.authors))
    lines = "".join(rf"\affil[{n}]{{{a.address()}}}" + "\n" for n, a in enumerate((next(a for a in p.authors if a.place == place) for place in places), 1))
    return head(p, "article", "11pt", extra=r"\usepackage{authblk}\usepackage[margin=30mm]{geometry}") + rf"""
\title{{{p.title}}}
{names}{lines}\affil[*]{{Corresponding author: \texttt{{{p.authors[0].mail}}}}}
\date{{{cover_date(p)}}}
\begin{{document}}
\maketitle
\begin{{abstract}}
{p.abstract}
\end{{abstract}}
\noindent\textbf{{\textit{{Keywords---}}}}{', '.join(p.keywords)}\par\smallskip
\noindent\textbf{{{p.scheme} Mathematics Subject Classification:}} Primary: {p.msc[0]}; Secondary: {', '.join(p.msc[1:])}.
""" + body(p) + bibliography(p, "number") + "\\end{document}\n"


def complexity(p):
    authors = r" \and ".join(rf"{a.tex()}\\ {tex(a.department)}\\ {tex(a.body)}\\ {tex(a.town)}\\ \email{{{a.mail}}}" for a in p.authors)
    return head(p, "cc") + rf"""
\title{{{p.title}}}
\author{{{authors}}}
\contact{{{p.authors[0].mail}}}
\submitted{{{cover_date(p)}}}
\begin{{abstract}}
{p.abstract}
\end{{abstract}}
\begin{{keywords}}
{', '.join(p.keywords)}
\end{{keywords}}
\begin{{subject}}
{', '.join(p.msc)}
\end{{subject}}
\begin{{document}}
""" + body(p) + natbib_items(p, "siam") + "\\end{document}\n"


def progress(p):
    places = list(dict.fromkeys(a.place for a in p.authors))
    names = " and ".join(rf"\textsc{{{a.tex()}}}$^{{{places.index(a.place) + 1},}}$\footnote{{E-mail: {a.mail}}}" for a in p.authors)
    lines = r"\\ ".join(rf"$^{{{n}}}$ {next(a for a in p.authors if a.place == place).address(', ', street=False)}" for n, place in enumerate(places, 1))
    return head(p, "ptptex") + rf"""
\title{{{p.title}}}
\author{{{names}}}
\inst{{{lines}}}
\recdate{{{cover_date(p)}}}
\abst{{{p.abstract}}}
\begin{{document}}
\maketitle
""" + body(p) + bibliography(p, "elsevier") + "\\end{document}\n"


def university_press(p):
    marks = {1: r"1,$\ast$"}
    authors = "".join(rf"\author[{marks.get(n, n)}]{{{a.tex()}}}" + "\n" for n, a in enumerate(p.authors, 1))
    places = "".join(rf"\address[{n}]{{\orgdiv{{{tex(a.department)}}}, \orgname{{{tex(a.body)}}}, \orgaddress{{\street{{{tex(a.street)}}}, \postcode{{{tex(a.town.split()[0])}}}}}}}" + "\n" for n, a in enumerate(p.authors, 1))
    return head(p, "oup-authoring-template", "webpdf,contemporary,large,namedate") + rf"""
\begin{{document}}
\journaltitle{{Journal of Invented Hydrology}}
\DOI{{none yet}}
\copyrightyear{{{p.year}}}
\pubyear{{{p.year}}}
\access{{Advance Access Publication Date: {cover_date(p)}}}
\appnotes{{Paper}}
\firstpage{{1}}
\title[{' '.join(p.title.split()[:4])}]{{{p.title}}}
{authors}{places}
\authormark{{{tex(p.authors[0].family)} et al.}}
\corresp[$\ast$]{{Corresponding author. {p.authors[0].mail}}}
\abstract{{{p.abstract}}}
\keywords{{{', '.join(p.keywords)}}}
\maketitle
""" + body(p) + natbib_items(p, "apa") + "\\end{document}\n"


def conference_tables(p):
    authors = r" \and ".join(rf"{a.tex()}\\ \begin{{affiliation}} {a.address(LINES, street=False)} \end{{affiliation}}\\ \email{{{a.mail}}}" for a in p.authors)
    return head(p, "IEEEconf") + rf"""
\begin{{document}}
\title{{{p.title}}}
\author{{{authors}}}
\maketitle
\begin{{abstract}}
{p.abstract}
\end{{abstract}}
\noindent\textbf{{Index terms:}} {', '.join(p.keywords)}.
""" + body(p) + bibliography(p, "ieee") + "\\end{document}\n"


def technical(p):
    names = LINES.join(rf"{a.tex()} ({tex(a.body)})" for a in p.authors)
    return head(p, "hitec") + rf"""
\company{{{tex(p.authors[0].body)}}}
\confidential{{}}
\title{{{p.title}}}
\author{{{names}}}
\date{{{cover_date(p)}}}
\begin{{document}}
\maketitle
\begin{{abstract}}
{p.abstract}
\end{{abstract}}
\textbf{{Keywords and phrases:}} {', '.join(p.keywords)}\par
\textbf{{Classification (AMS MSC {p.scheme}):}} {p.msc[0]}, {p.msc[1]}\par
""" + body(p) + bibliography(p, "ams") + "\\end{document}\n"


def wide_margin(p):
    """refart: a very wide left margin with the headings in it."""
    return head(p, "refart", "a4paper,11pt") + rf"""
\begin{{document}}
\title{{{p.title}\\ {{\large {p.subtitle}}}}}
\author{{{' und '.join(a.tex() for a in p.authors)}\\ {tex(p.authors[0].body)}}}
\date{{{cover_date(p)}}}
\maketitle
\begin{{abstract}}
{p.abstract}
\end{{abstract}}
\noindent\emph{{Schlagworte:}} {', '.join(p.keywords)}. \emph{{MSC-Klassifikation ({p.scheme}):}} {', '.join(p.msc)}.\par
\noindent {p.series}\par
""" + body(p) + bibliography(p, "lncs") + "\\end{document}\n"


# name: (template, style of the bibliography)
TEMPLATES = {
    "institute-foot": (institute_foot, "number"),
    "computing-centre": (computing_centre, "siam"),
    "planned-series": (planned_series, "ams"),
    "centre-contents": (centre_contents, "number"),
    "plain-department": (plain_department, "number"),
    "koma-report": (koma_report, "din"),
    "marked-columns": (marked_columns, "ay"),
    "authblk-marks": (authblk_marks, "number"),
    "complexity": (complexity, "siam"),
    "progress": (progress, "elsevier"),
    "university-press": (university_press, "apa"),
    "conference-tables": (conference_tables, "ieee"),
    "technical": (technical, "ams"),
    "wide-margin": (wide_margin, "lncs"),
}
