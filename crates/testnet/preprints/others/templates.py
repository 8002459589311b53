"""Twelve more templates: a typewritten cover, a Festschrift, a catalogue sheet, and heads as publishers of several kinds print them."""
from pieces import author_year_list, bibliography, body, cover_date, head
from texts import tex

LINES = r"\\ "
GEOMETRY = r"\usepackage[margin=27mm]{geometry}"
NO_NUMBER = r"\renewcommand\thefootnote{}"


def places_of(p):
    keys = list(dict.fromkeys(a.place for a in p.authors))
    return keys, [next(a for a in p.authors if a.place == key) for key in keys]


def typewritten_cover(p):
    """The cover is typed: a fixed pitch, the title underlined; the codes have spaces in them."""
    names = r"\\ and\\ ".join(a.tex() for a in p.authors)
    return head(p, "article", "12pt,a4paper", extra=GEOMETRY) + rf"""
\begin{{document}}
\thispagestyle{{empty}}
{{\ttfamily
\begin{{center}}
UNIVERSITAET HOHENWERTH\\ FAKULTAET FUER MATHEMATIK\\[30mm]
\begin{{minipage}}{{11cm}}\centering {p.title}\end{{minipage}}\\[2mm] \rule{{6cm}}{{0.4pt}}\\[15mm]
{names}\\[30mm]
{p.series}\\[4mm] {cover_date(p)}
\end{{center}}
\vfill
\noindent AMS subject classification: {p.get('printed_msc')}\\
Key words: {', '.join(p.keywords)}
}}
\newpage\setcounter{{page}}{{1}}
\begin{{center}}
\textbf{{{p.title}}}\\[4mm]
{' and '.join(a.tex() for a in p.authors)}\\[6mm]
\end{{center}}
\noindent\underline{{Abstract}}: {p.abstract}
""" + body(p) + bibliography(p, "number") + "\\end{document}\n"


def festschrift(p):
    """A dedication between title and authors; the abstract behind a spaced word."""
    names = " und ".join(rf"\textsc{{{a.tex()}}}" for a in p.authors)
    return head(p, "article", "10pt,a4paper", extra=GEOMETRY) + rf"""
\begin{{document}}
\noindent{{\footnotesize {tex(p.series)} ({p.year}), 33--41}}\par\vspace{{16mm}}
\begin{{center}}
{{\large\bfseries {p.title}}}\\[5mm]
\textit{{Herrn Professor Theodor Rehbein zum 90.\ Geburtstag gewidmet}}\\[5mm]
Von\\[3mm]
{names} in Hohenwerth
\end{{center}}
\vspace{{4mm}}
{{\small\noindent\textit{{Zusammenfassung}}. --- {p.abstract}\par\smallskip
\noindent\textit{{Stichworte}}. --- {', '.join(p.keywords)}.\par\smallskip
\noindent\textit{{Math.\ Subj.\ Class.}} ({p.scheme}). --- {', '.join(p.msc)}.\par}}
""" + body(p) + bibliography(p, "ams") + "\\end{document}\n"


def four_authors(p):
    """Four authors in article's own table, which sets them two by two; marks below a rule."""
    names = r" \and ".join(rf"{a.tex()}\thanks{{{tex(a.department)}, {tex(a.body)}. {{\ttfamily {a.mail}}}}}" for a in p.authors)
    return head(p, "article", "11pt,a4paper", extra=GEOMETRY) + rf"""
\title{{{{\normalsize Seedorf Centre for Scientific Computing \hfill {p.series}}}\\[14mm] {p.title}}}
\author{{{names}}}
\date{{{cover_date(p)}}}
\begin{{document}}
\maketitle
\begin{{abstract}}
{p.abstract}

\vspace{{3mm}}\noindent\rule{{4cm}}{{0.3pt}}\\
Keywords: {', '.join(p.keywords)}\\
AMS classification: {', '.join(p.msc)}
\end{{abstract}}
""" + body(p) + bibliography(p, "siam") + "\\end{document}\n"


def nature_like(p):
    """As a large publisher's class of today sets it: authors with raised figures and a star, bodies, addresses of mail, then the marks."""
    keys, bodies = places_of(p)
    names = ", ".join(rf"{a.tex()}\textsuperscript{{{keys.index(a.place) + 1}{'*' if n == 0 else ''}}}" for n, a in enumerate(p.authors))
    lines = r"\\[1mm] ".join(rf"\textsuperscript{{{n}}}{a.address()}." for n, a in enumerate(bodies, 1))
    others = "; ".join(a.mail for a in p.authors[1:])
    return head(p, "article", "10pt", extra=r"\usepackage[margin=38mm]{geometry}") + rf"""
\begin{{document}}
\begin{{center}}
{{\LARGE\bfseries {p.title}\par}}\vspace{{5mm}}
{{\large {names}\par}}\vspace{{3mm}}
{{\small {lines}\par}}\vspace{{5mm}}
{{\small *Corresponding author(s). E-mail(s): {p.authors[0].mail};\\ Contributing authors: {others};\par}}\vspace{{5mm}}
\textbf{{Abstract}}
\end{{center}}
{{\small\leftskip=8mm\rightskip=8mm\noindent {p.abstract}\par\medskip
\noindent\textbf{{Keywords:}} {', '.join(p.keywords)}\par\medskip
\noindent\textbf{{MSC Classification:}} {p.msc[0]}, {', '.join(p.msc[1:])}\par}}
""" + body(p) + bibliography(p, "lncs") + "\\end{document}\n"


def side_information(p):
    """A column at the left with citation, dates and licence; the word Article above the title."""
    keys, bodies = places_of(p)
    last = len(p.authors) - 1
    names = ", ".join(rf"{'and ' if n == last else ''}{a.tex()} \textsuperscript{{{keys.index(a.place) + 1}{',*' if n == 0 else ''}}}" for n, a in enumerate(p.authors))
    lines = r"\par ".join(rf"\makebox[4mm][l]{{\textsuperscript{{{n}}}}}{a.address()}; {a.mail}" for n, a in enumerate(bodies, 1))
    families = "; ".join(f"{tex(a.family)}, {tex(a.given[0])}." for a in p.authors)
    return head(p, "article", "10pt,a4paper", extra=r"\usepackage[left=62mm,right=20mm,top=25mm,bottom=25mm]{geometry}") + rf"""
\begin{{document}}
\noindent\makebox[0pt][l]{{\hspace*{{-45mm}}\raisebox{{-110mm}}[0pt][0pt]{{\parbox[t]{{38mm}}{{\raggedright\scriptsize
\textbf{{Citation:}} {families} {p.title}. \textit{{Bogs}} \textbf{{{p.year}}}, \textit{{1}}, 0.\\[3mm]
Received: 1 May {p.year}\\ Accepted: 2 August {p.year}\\ Published: 9 August {p.year}\\[3mm]
\textbf{{Copyright:}} \copyright\ {p.year} by the authors. Submitted for possible open access publication.}}}}}}%
\textit{{Article}}\par\vspace{{2mm}}
{{\noindent\raggedright\LARGE\bfseries {p.title}\par}}\vspace{{4mm}}
\noindent\textbf{{{names}}}\par\vspace{{3mm}}
{{\footnotesize\noindent {lines}\par\noindent\makebox[4mm][l]{{*}}Correspondence: {p.authors[0].mail}\par}}\vspace{{4mm}}
\noindent\textbf{{Abstract:}} {p.abstract}\par\vspace{{3mm}}
\noindent\textbf{{Keywords:}} {'; '.join(p.keywords)}\par\vspace{{3mm}}\hrule
""" + body(p) + bibliography(p, "number") + "\\end{document}\n"


def stamped(p):
    """An archive's stamp runs up the left margin of page one; codes with dots between them."""
    codes = r" $\cdot$ ".join(p.msc[1:])
    names = " and ".join(rf"{a.tex()}\thanks{{{a.address(', ', street=False)}. \texttt{{{a.mail}}}.}}" for a in p.authors)
    return head(p, "article", "11pt", extra=r"\usepackage{graphicx}\usepackage[margin=32mm]{geometry}") + rf"""
\title{{\bfseries {p.title}}}
\author{{{names}}}
\date{{}}
\begin{{document}}
\noindent\makebox[0pt][l]{{\hspace*{{-20mm}}\raisebox{{-150mm}}[0pt][0pt]{{\rotatebox{{90}}{{\Large\ttfamily asrXiv:2301.00417v1 [math.CO] 11 Jan 2023}}}}}}
\vspace*{{-8mm}}
{{\let\newpage\relax\maketitle}}
\begin{{abstract}}
\noindent {p.abstract}

\medskip\noindent\textit{{{p.scheme} Mathematics Subject Classification:}} Primary {p.msc[0]} $\cdot$ Secondary {codes}.

\smallskip\noindent\textit{{Keywords and phrases:}} {', '.join(p.keywords)}.
\end{{abstract}}
""" + body(p) + bibliography(p, "number") + "\\end{document}\n"


def english_abstract(p):
    """A German working paper with an English abstract only; the author with a lead-in and a note."""
    names = " und ".join(rf"{a.tex()}\footnote{{{a.address()}, {a.mail}}}" for a in p.authors)
    return head(p, "scrartcl", "a4paper,11pt,titlepage=false") + rf"""
\begin{{document}}
\thispagestyle{{empty}}
\noindent\rule{{\textwidth}}{{3pt}}\par\noindent{{\large\sffamily {tex(p.series)}}}\par\noindent\rule{{\textwidth}}{{3pt}}\par\vspace{{20mm}}
\begin{{flushleft}}
{{\sffamily\bfseries\Huge {p.title}\par}}\vspace{{4mm}}
{{\sffamily\Large {p.subtitle}\par}}\vspace{{10mm}}
{{\large Von {names}\par}}
\end{{flushleft}}\vspace{{6mm}}
\noindent\textbf{{Abstract}} (in English)\par\smallskip\noindent {p.abstract}\par\medskip
\noindent\textbf{{Keywords}} (in English)\par\smallskip\noindent {', '.join(p.keywords)}\par
""" + author_year_list(p) + "\\end{document}\n"


def between_rules(p):
    """Abstract and marks between two rules, as a publisher of journals printed preprints around 2000."""
    keys, bodies = places_of(p)
    letters = "abc"
    names = ", ".join(rf"{a.tex()}\,$^{{\mathrm{{{letters[keys.index(a.place)]}}}}}$" for a in p.authors)
    lines = r"\\ ".join(rf"$^{{\mathrm{{{letters[n]}}}}}${a.address()}" for n, a in enumerate(bodies))
    return head(p, "article", "12pt", extra=r"\usepackage[margin=34mm]{geometry}") + rf"""
\begin{{document}}
\begin{{center}}
{{\LARGE {p.title}\par}}\vspace{{8mm}}
{{\large {names}\par}}\vspace{{4mm}}
{{\small\itshape {lines}\par}}\vspace{{6mm}}
\end{{center}}
\hrule\vspace{{3mm}}
\noindent{{\small\textbf{{Abstract}}\par\medskip
\noindent {p.abstract}\par\medskip
\noindent\textit{{Key words:}} {', '.join(p.keywords)}\par
\noindent\textit{{{p.scheme} MSC:}} {', '.join(p.msc)}\par}}\vspace{{3mm}}
\hrule
\vfill
\noindent{{\footnotesize Preprint submitted to Annals of Small Results\hfill {cover_date(p)}}}
\newpage
""" + body(p) + bibliography(p, "elsevier") + "\\end{document}\n"


def science_press(p):
    """Everything centred and small: authors in capitals, bodies in italics, dates in brackets, an abstract that no word announces."""
    blocks = r"\vspace{3mm} ".join(rf"{{\small\MakeUppercase{{{a.tex()}}}\par}}\vspace{{1mm}} {{\footnotesize\itshape {a.address(LINES, street=False)}\\ {a.mail}\par}}" for a in p.authors)
    return head(p, "article", "10pt", extra=r"\usepackage[margin=42mm]{geometry}") + rf"""
\begin{{document}}
\noindent{{\footnotesize Annals of Small Results\\ Vol. 14, No. 3 ({p.year}) 201--219\\ \copyright\ Small Results Press}}\par\vspace{{10mm}}
\begin{{center}}
{{\bfseries {p.title}\par}}\vspace{{6mm}}
{blocks}\vspace{{4mm}}
{{\footnotesize Received 2 March {p.year}\\ Revised {cover_date(p)}\par}}
\end{{center}}
{{\footnotesize\leftskip=7mm\rightskip=7mm\noindent {p.abstract}\par\vspace{{3mm}}
\noindent\textit{{Keywords}}: {'; '.join(p.keywords)}.\par\vspace{{2mm}}
\noindent AMS Subject Classification: {', '.join(p.msc)}\par}}
""" + body(p) + bibliography(p, "number") + "\\end{document}\n"


def boxed_abstract(p):
    """The abstract and the marks in a frame; names in one line with their towns in brackets."""
    names = ", ".join(rf"{a.tex()} ({tex(a.town.split(' ', 1)[1] if a.town[0].isdigit() else a.town.split()[0])})" for a in p.authors)
    return head(p, "article", "11pt,a4paper", extra=GEOMETRY) + rf"""
\begin{{document}}
\noindent Fakult\"at f\"ur Mathematik, Universit\"at Hohenwerth\hfill {p.series}\par\vspace{{15mm}}
\begin{{center}}
{{\LARGE\bfseries {p.title}\par}}\vspace{{6mm}}
{names}\par\vspace{{3mm}}
{cover_date(p)}
\end{{center}}\vspace{{3mm}}
\noindent\fbox{{\parbox{{0.97\textwidth}}{{\textbf{{Kurzfassung.}} {p.abstract}\par\smallskip
\textbf{{Schl\"usselw\"orter.}} {', '.join(p.keywords)}.\par\smallskip
\textbf{{Klassifikation (MSC {p.scheme}).}} {', '.join(p.msc)}.}}}}\par
""" + body(p) + bibliography(p, "din") + "\\end{document}\n"


def one_line_authors(p):
    """Authors in one line with slashes, bodies in a footnote, everything flush left in sans serif type."""
    return head(p, "article", "11pt,a4paper", extra=GEOMETRY + r"\renewcommand\familydefault{\sfdefault}") + rf"""
\begin{{document}}
\noindent{{\small {p.series} \quad ISSN 0999-1234}}\par\vspace{{18mm}}
{{\noindent\raggedright\huge {p.title}\par}}\vspace{{5mm}}
\noindent {' / '.join(a.tex() for a in p.authors)}\par\vspace{{8mm}}
{{{NO_NUMBER}\footnotetext{{{'; '.join(rf'{a.tex()}: {a.address()}' for a in p.authors)}}}}}
\noindent SUMMARY\par\smallskip\noindent {p.abstract}\par\medskip
\noindent KEYWORDS\par\smallskip\noindent {', '.join(p.keywords)}\par\medskip
\noindent MSC {p.scheme}\par\smallskip\noindent {', '.join(p.msc)}\par
""" + body(p) + bibliography(p, "number", alpha=True) + "\\end{document}\n"


def catalogue_sheet(p):
    """The last thing before the text is a sheet for the library's catalogue, with numbered fields."""
    rows = rf"""1. Berichtsnummer: & {p.series}\\
2. Titel: & {p.title}\\
3. Verfasser: & {'; '.join(a.tex() for a in p.authors)}\\
4. Institution: & {tex(p.authors[0].body)}\\
5. Datum: & {cover_date(p)}\\
6. Schlagw\"orter: & {', '.join(p.keywords)}\\
7. MSC {p.scheme}: & {', '.join(p.msc)}\\"""
    return head(p, "scrartcl", "a4paper,11pt") + rf"""
\begin{{document}}
\thispagestyle{{empty}}
\begin{{center}}
{{\large {tex(p.authors[0].body)}\par}}\vspace{{2mm}}
{{\large {tex(p.authors[0].department)}\par}}\vspace{{45mm}}
{{\usekomafont{{disposition}}\huge {p.title}\par}}\vspace{{15mm}}
{{\Large {LINES.join(a.tex() for a in p.authors)}\par}}\vfill
{p.series}\par
\end{{center}}
\newpage\thispagestyle{{empty}}
\noindent\textbf{{Dokumentationsblatt}}\par\bigskip
\noindent\begin{{tabular}}{{@{{}}p{{36mm}}p{{105mm}}@{{}}}}
{rows}
\end{{tabular}}\par\bigskip
\noindent 8. Kurzfassung:\par\smallskip\noindent {p.abstract}
\newpage\setcounter{{page}}{{1}}
""" + body(p) + bibliography(p, "din", alpha=True) + "\\end{document}\n"


# name: (template, style of the bibliography)
TEMPLATES = {
    "typewritten-cover": (typewritten_cover, "number"),
    "festschrift": (festschrift, "ams"),
    "four-authors": (four_authors, "siam"),
    "nature-like": (nature_like, "lncs"),
    "side-information": (side_information, "number"),
    "stamped": (stamped, "number"),
    "english-abstract": (english_abstract, "ay"),
    "between-rules": (between_rules, "elsevier"),
    "science-press": (science_press, "number"),
    "boxed-abstract": (boxed_abstract, "din"),
    "one-line-authors": (one_line_authors, "number"),
    "catalogue-sheet": (catalogue_sheet, "din"),
}
