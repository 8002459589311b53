"""How the reports of imagined institutes look; see `../templates.py` for the first templates and `../late` for later ones."""
from pieces import author_year_list, bibliography, body, cover_date, head, plain_body, plain_macros
from texts import tex

GEOMETRY = r"\usepackage[margin=28mm]{geometry}"


def sfb(p):
    """A collaborative research centre: a cover with a framed title, then the paper without any name of the series."""
    cover = r"\\[2mm] ".join(a.tex() for a in p.authors)
    names = r" \quad ".join(rf"{a.tex()}\footnotemark[{n}]" for n, a in enumerate(p.authors, 1))
    notes = "".join(rf"\footnotetext[{n}]{{{a.address()}; \texttt{{{a.mail}}}}}" for n, a in enumerate(p.authors, 1))
    return head(p, "article", "11pt,a4paper", extra=GEOMETRY) + rf"""
\begin{{document}}
\thispagestyle{{empty}}
\begin{{center}}
{{\LARGE\sffamily Sonderforschungsbereich 997}}\\[3mm]
{{\large\sffamily Strukturen und ihre Grenzen}}\\[35mm]
\fbox{{\begin{{minipage}}{{11cm}}\centering\vspace*{{6mm}}
{{\Large\bfseries {p.title}\par}}\vspace{{8mm}}
{cover}\par\vspace*{{6mm}}
\end{{minipage}}}}\\[40mm]
{p.series}\\[3mm]
{cover_date(p)}
\end{{center}}
\newpage\setcounter{{page}}{{1}}
\begin{{center}}
{{\Large {p.title}\par}}\vspace{{5mm}}
{names}
\end{{center}}
{notes}
\begin{{quotation}}\noindent\small
\textsc{{Zusammenfassung:}} {p.abstract}
\end{{quotation}}
\noindent\small\textsc{{Schl\"usselworte:}} {', '.join(p.keywords)}.\quad \textsc{{MSC ({p.scheme}):}} {', '.join(p.msc)}.\normalsize
""" + body(p) + bibliography(p, "din") + "\\end{document}\n"


def letterhead(p):
    """The letterhead of the institute is larger than the title."""
    a = p.authors[0]
    names = " and ".join(b.tex() for b in p.authors)
    return head(p, "article", "11pt,a4paper", extra=GEOMETRY) + rf"""
\begin{{document}}
\noindent\begin{{minipage}}[t]{{9cm}}
{{\Huge\scshape {tex(a.body)}}}
\end{{minipage}}\hfill\begin{{minipage}}[t]{{5cm}}\raggedright\scriptsize
{tex(a.department)}\\ {tex(a.street)}\\ {tex(a.town)}\\ Telephone +99 0 4471\\ www.eastmere.example
\end{{minipage}}\\[4mm]
\rule{{\textwidth}}{{2pt}}\\[2mm]
{{\sffamily {p.series}\hfill {cover_date(p)}}}\\[12mm]
{{\noindent\raggedright\LARGE\bfseries {p.title}\par}}\vspace{{5mm}}
\noindent\textit{{{names}}}\par\vspace{{6mm}}
\noindent\textbf{{Summary.}} {p.abstract}\par\medskip
\noindent\textbf{{Keywords and phrases.}} {', '.join(p.keywords)}.\par\medskip
\noindent\textbf{{2000 AMS classification.}} {', '.join(p.msc)}.
""" + body(p) + bibliography(p, "number") + "\\end{document}\n"


def german_columns(p):
    """Two columns; authors at the left with their institutes, summaries in both languages across the page."""
    blocks = r"\par\smallskip ".join(rf"\textbf{{{a.tex()}}}, {tex(a.department)}, {tex(a.body)}" for a in p.authors)
    return head(p, "scrartcl", "a4paper,10pt,twocolumn", extra=r"\usepackage[margin=20mm,columnsep=8mm]{geometry}") + rf"""
\begin{{document}}
\twocolumn[
\noindent{{\small\sffamily {p.series}\hfill Seite 1--8}}\par\vspace{{1mm}}\hrule\vspace{{8mm}}
{{\raggedright\usekomafont{{disposition}}\huge {p.title}\par}}\vspace{{2mm}}
{{\raggedright\usekomafont{{disposition}}\Large\mdseries {p.subtitle}\par}}\vspace{{6mm}}
{{\raggedright {blocks}\par}}\vspace{{6mm}}
{{\small\noindent\textbf{{Zusammenfassung:}} {p.abstract}\par\smallskip
\noindent\textbf{{Schlagworte:}} {', '.join(p.keywords)}\par\medskip
\noindent\textbf{{Summary:}} {p.other}\par}}\vspace{{8mm}}]
""" + author_year_list(p) + "\\end{document}\n"


def italic_note(p):
    """No word announces the abstract; it is set in italics between two rules."""
    names = r"\\ ".join(rf"{a.tex()} \quad {{\small ({tex(a.body)})}}" for a in p.authors)
    return head(p, "article", "12pt", extra=r"\usepackage[margin=35mm]{geometry}") + rf"""
\begin{{document}}
\begin{{flushright}}{{\small\ttfamily {p.series}}}\end{{flushright}}
\begin{{flushleft}}
{{\LARGE {p.title}\par}}\vspace{{4mm}}
{names}
\end{{flushleft}}
\noindent\rule{{\textwidth}}{{0.4pt}}\par
\noindent\textit{{{p.abstract}}}\par
\noindent\rule{{\textwidth}}{{0.4pt}}\par
\noindent{{\small Key words: {'; '.join(p.keywords)}\par
\noindent Subject classification (MSC {p.scheme}): {', '.join(p.msc)}\par}}
""" + body(p) + bibliography(p, "number", alpha=True) + "\\end{document}\n"


def report_cover(p):
    """A cover with number, title, authors with their addresses, abstract and codes; the text begins on page two."""
    authors = r"\par\bigskip ".join(rf"{{\large {a.tex()}}}\\ {a.address(', ', street=False)}\\ \texttt{{{a.mail}}}" for a in p.authors)
    return head(p, "report", "11pt,a4paper", extra=GEOMETRY) + rf"""
\pdfvariable suppressoptionalinfo 512
\begin{{document}}
\thispagestyle{{empty}}
\noindent{{\Large\bfseries RESEARCH REPORT}}\hfill{{\Large\bfseries {p.series}}}\par
\noindent\rule{{\textwidth}}{{1.5pt}}\par\vspace{{20mm}}
\begin{{center}}
{{\huge\scshape {p.title}\par}}\vspace{{12mm}}
{authors}\par\vspace{{10mm}}
{cover_date(p)}
\end{{center}}
\vfill
\noindent\textbf{{Abstract}}\\[1mm]
{p.abstract}\par\bigskip
\noindent\textbf{{Keywords}}\quad {', '.join(p.keywords)}\\
\textbf{{AMS(MOS) Subject Classification}}\quad {', '.join(p.msc)}
\newpage\setcounter{{page}}{{1}}
""" + body(p, section="chapter") + bibliography(p, "ams") + "\\end{document}\n"


def sidebar(p):
    """Authors, keywords and codes in a narrow column at the left of the abstract."""
    names = r"\\ ".join(a.tex() for a in p.authors)
    words = r"\\ ".join(p.keywords)
    return head(p, "article", "10pt,a4paper", extra=r"\usepackage[margin=25mm]{geometry}") + rf"""
\begin{{document}}
\noindent{{\sffamily\small {tex(p.authors[0].body)} $\cdot$ {p.series}}}\par\vspace{{10mm}}
{{\raggedright\noindent\sffamily\bfseries\huge {p.title}\par}}\vspace{{4mm}}
\noindent{{\sffamily\large {', '.join(a.tex() for a in p.authors)}}}\par\vspace{{8mm}}
\noindent\begin{{minipage}}[t]{{38mm}}\raggedright\footnotesize\sffamily
\textbf{{Keywords}}\\ {words}\\[3mm]
\textbf{{MSC {p.scheme}}}\\ {', '.join(p.msc)}\\[3mm]
\textbf{{Contact}}\\ {p.authors[0].mail}
\end{{minipage}}\hfill\begin{{minipage}}[t]{{112mm}}
\textsf{{\textbf{{Abstract}}}}\par {p.abstract}
\end{{minipage}}\par\vspace{{8mm}}
""" + body(p) + bibliography(p, "elsevier") + "\\end{document}\n"


def annals(p):
    """An old series: capitals, small capitals, codes and keywords at the foot of the page."""
    def town(author):
        return tex(author.town.split(" ", 1)[1])
    names = r" \textsc{and} ".join(rf"\textsc{{{a.tex()}}} (\textit{{{town(a)}}})" for a in p.authors)
    return head(p, "article", "10pt", extra=r"\usepackage[margin=38mm]{geometry}") + rf"""
\begin{{document}}
\noindent{{\footnotesize {p.series}}}\par\vspace{{15mm}}
\begin{{center}}
{{\large\bfseries {p.title}}}\\[6mm]
{{\footnotesize by}}\\[4mm]
{names}
\end{{center}}
\vspace{{4mm}}
{{\footnotesize\renewcommand\thefootnote{{}}\footnotetext{{{p.scheme} \textit{{Mathematics Subject Classification}}: {', '.join(p.msc)}.}}
\footnotetext{{\textit{{Key words and phrases}}: {', '.join(p.keywords)}.}}
\footnotetext{{Received {cover_date(p)}.}}}}
{{\small\leftskip=8mm\rightskip=8mm\noindent\textbf{{Abstract.}} {p.abstract}\par}}
""" + body(p) + bibliography(p, "ams") + "\\end{document}\n"


def author_first(p):
    """The authors stand above the title, as in the series of some academies."""
    return head(p, "scrartcl", "a4paper,11pt,DIV=10") + rf"""
\begin{{document}}
\thispagestyle{{empty}}
\noindent{{\scshape {p.series}}}\par\vspace{{18mm}}
\begin{{center}}
{{\large {' und '.join(a.tex() for a in p.authors)}\par}}\vspace{{8mm}}
{{\LARGE\bfseries {p.title}\par}}\vspace{{4mm}}
{{\small Vorgelegt in der Sitzung vom {cover_date(p)}\par}}
\end{{center}}\vspace{{6mm}}
\begin{{center}}\textbf{{Kurzfassung}}\end{{center}}
\begin{{quote}}{p.abstract}\end{{quote}}
\noindent\textit{{Schlagw\"orter:}} {', '.join(p.keywords)}\\
\textit{{Math. Subject Classification {p.scheme}:}} {', '.join(p.msc)}
""" + body(p) + bibliography(p, "din", alpha=True) + "\\end{document}\n"


def table_authors(p):
    """Authors side by side in a table, each with department and address of mail."""
    names = " & ".join(rf"\textbf{{{a.tex()}}}" for a in p.authors)
    bodies = " & ".join(tex(a.body) for a in p.authors)
    mails = " & ".join(rf"\texttt{{{a.mail}}}" for a in p.authors)
    columns = "c" * len(p.authors)
    return head(p, "article", "11pt,a4paper", extra=GEOMETRY) + rf"""
\begin{{document}}
\noindent Berichte aus dem Fachbereich\hfill {p.series}\par\vspace{{14mm}}
\begin{{center}}
{{\Huge {p.title}\par}}\vspace{{10mm}}
\begin{{tabular}}{{{columns}}}
{names}\\
{bodies}\\
{mails}\\
\end{{tabular}}\par\vspace{{8mm}}
{cover_date(p)}
\end{{center}}\vspace{{5mm}}
\section*{{Zusammenfassung}}
{p.abstract}\par\medskip
\noindent\textbf{{Stichw\"orter}}: {' -- '.join(p.keywords)}\par
\noindent\textbf{{AMS-Klassifikation}}: {', '.join(p.msc)}
""" + body(p) + bibliography(p, "lncs") + "\\end{document}\n"


def discussion_paper(p):
    """A discussion paper of the social sciences: cover with logo line, then title, authors with notes, abstract, JEL codes."""
    names = r"\\[1mm] ".join(rf"{a.tex()}, {tex(a.body)}" for a in p.authors)
    return head(p, "article", "12pt,a4paper", extra=GEOMETRY) + rf"""
\begin{{document}}
\thispagestyle{{empty}}
\noindent{{\Large\bfseries DISCUSSION PAPER}}\\[1mm]
{{\large {p.series}}}\par\vspace{{60mm}}
{{\noindent\raggedright\LARGE {p.title}\par}}\vspace{{10mm}}
\noindent{{\large {'; '.join(a.tex() for a in p.authors)}}}\par\vfill
\noindent {cover_date(p)}\par
\newpage
\begin{{center}}
{{\Large\bfseries {p.title}\par}}\vspace{{6mm}}
{names}\par\vspace{{6mm}}
{cover_date(p)}\par\vspace{{8mm}}
\textbf{{ABSTRACT}}
\end{{center}}
{p.abstract}\par\vspace{{4mm}}
\noindent Key-words: {', '.join(p.keywords)}\par
\noindent JEL Classification: D71, Z13
\newpage
""" + author_year_list(p, "apa") + "\\end{document}\n"


def bulletin(p):
    """A bulletin: name and address of mail of each author in one line."""
    lines = r"\\ ".join(rf"{a.tex()} $\langle${a.mail}$\rangle$" for a in p.authors)
    return head(p, "article", "10pt,a4paper,twocolumn", extra=r"\usepackage[margin=20mm]{geometry}") + rf"""
\begin{{document}}
\title{{\vspace*{{-10mm}}{{\normalsize\sffamily {p.series}\hfill {p.year}}}\\[10mm] \textbf{{{p.title}}}}}
\author{{{lines}}}
\date{{}}
\maketitle
\noindent\textit{{Abstract}}: {p.abstract}\par\smallskip
\noindent\textit{{Index terms}}: {', '.join(p.keywords)}.\par\smallskip
\noindent\textit{{MSC codes}}: {', '.join(p.msc)}.\par
""" + body(p) + bibliography(p, "ieee") + "\\end{document}\n"


def typed_plain(p):
    """Plain TeX as of 1990: title in capitals, the date at the end of the head, marks below the abstract."""
    names = r"\medskip ".join(rf"\centerline{{{a.tex()}}}\centerline{{{tex(a.department)}}}\centerline{{{tex(a.body)}, {tex(a.town)}}}" for a in p.authors)
    return plain_macros() + rf"""
\hsize=14cm\font\caps=cmcsc10
\centerline{{\bf {p.title}}}
\bigskip
\centerline{{by}}
\bigskip
{names}
\bigskip\bigskip
\centerline{{\caps Abstract}}
\medskip
{{\parindent=0pt\leftskip=1cm\rightskip=1cm {p.abstract}\par}}
\bigskip
{{\parindent=0pt {{\caps Keywords}}: {', '.join(p.keywords)}.\par
{{\caps Subject classifications}} (AMS {p.scheme}): {', '.join(p.msc)}.\par}}
\bigskip
\centerline{{{cover_date(p)}}}
\vfill\eject
""" + plain_body(p) + "\\bye\n"


def koma_titlehead(p):
    """Everything that KOMA-Script offers for a title: head, subject, publishers."""
    names = r" \and ".join(rf"{a.tex()}\thanks{{{a.mail}}}" for a in p.authors)
    return head(p, "scrartcl", "a4paper,12pt,titlepage=false,abstract=true") + rf"""
\begin{{document}}
\titlehead{{{tex(p.authors[0].body)}\hfill {tex(p.authors[0].department)}}}
\subject{{{p.series}}}
\title{{{p.title}}}
\author{{{names}}}
\date{{{cover_date(p)}}}
\publishers{{Hohenwerther Hefte zur Mathematik}}
\maketitle
\begin{{abstract}}
\noindent {p.abstract}
\end{{abstract}}
\paragraph{{Schlagw\"orter}} {', '.join(p.keywords)}
\paragraph{{Mathematics Subject Classification}} {', '.join(p.msc)}
""" + body(p) + bibliography(p, "din") + "\\end{document}\n"


def dutch(p):
    """The design of the Dutch TeX users' classes, with a head of the department typed above the title."""
    names = r" \and ".join(rf"{a.tex()}\\ {tex(a.department)}\\ {tex(a.body)}" for a in p.authors)
    return head(p, "artikel3", "11pt,a4paper") + rf"""
\begin{{document}}
\title{{{p.title}}}
\author{{{names}}}
\date{{{p.series}, {cover_date(p)}}}
\maketitle
\begin{{abstract}}
{p.abstract}

\textbf{{Keywords:}} {', '.join(p.keywords)}

\textbf{{{p.scheme} MSC:}} {', '.join(p.msc)}
\end{{abstract}}
""" + body(p) + bibliography(p, "siam") + "\\end{document}\n"


# name: (template, style of the bibliography)
TEMPLATES = {
    "sfb": (sfb, "din"),
    "letterhead": (letterhead, "number"),
    "german-columns": (german_columns, "ay"),
    "italic-note": (italic_note, "number"),
    "report-cover": (report_cover, "ams"),
    "sidebar": (sidebar, "elsevier"),
    "annals": (annals, "ams"),
    "author-first": (author_first, "din"),
    "table-authors": (table_authors, "lncs"),
    "discussion-paper": (discussion_paper, "apa"),
    "bulletin": (bulletin, "ieee"),
    "typed-plain": (typed_plain, "number"),
    "koma-titlehead": (koma_titlehead, "din"),
    "dutch": (dutch, "siam"),
}
