"""Fourteen everyday templates: manuscripts, reports, theses and journals of mathematics, computing, economics and sociology, 1996 to 2020."""
from pieces import author_year_list, bibliography, body, cover_date, head, split_line
from texts import tex

LINES = r"\\ "
DOT = r" $\cdot$ "
UNNUMBERED = r"\renewcommand\thefootnote{}"


def month_of(p):
    """The month and the year, as covers give them."""
    words = cover_date(p).split()
    return f"{words[0]} {words[-1]}" if p.lang == "en" else " ".join(words[-2:])


def by_place(p):
    """The authors in groups of the same address, in the order of the names."""
    keys = list(dict.fromkeys(a.place for a in p.authors))
    return [[a for a in p.authors if a.place == key] for key in keys]


def listed(names, last):
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + last + names[-1]


def article_blocks(p):
    """Plain article as most people write it: names side by side with addresses below them, a grant at the title, key words and codes after the abstract."""
    names = r" \and ".join(rf"{a.tex()}\\ {tex(a.department)}\\ {tex(a.body)}\\ {tex(a.town)}\\ {{\tt {a.mail}}}" for a in p.authors)
    return head(p, "article", "11pt,a4paper") + rf"""
\title{{{p.title}\thanks{{This work was supported in part by the Delmond Science Foundation under grant 612-97.}}}}
\author{{{names}}}
\date{{{cover_date(p)}}}
\begin{{document}}
\maketitle
\begin{{abstract}}
{p.abstract}
\end{{abstract}}
\medskip
\noindent{{\bf Key words.}} {', '.join(p.keywords)}

\medskip
\noindent{{\bf AMS subject classifications.}} {', '.join(p.msc)}
""" + body(p) + bibliography(p, "siam") + "\\end{document}\n"


def amsart_without_keywords(p):
    """amsart in twelve points with current addresses and notes of thanks, and codes but no keywords at the foot."""
    more = [r"\curraddr{Department of Mathematics, University of Eastmere, 12 Ferry Lane, Eastmere EM2 7QT}",
            r"\thanks{The second author thanks the Instytut Matematyki in Brzezina for its support.}", "", ""]
    authors = "".join(rf"""\author{{{a.tex()}}}
\address{{{a.address()}}}
{further}
\email{{{a.mail}}}
""" for a, further in zip(p.authors, more))
    return head(p, "amsart", "12pt,reqno") + rf"""
\begin{{document}}
\title[{split_line(p)}]{{{p.title}}}
{authors}
\subjclass[{p.scheme}]{{Primary {p.msc[0]}; Secondary {', '.join(p.msc[1:])}}}
\begin{{abstract}}
{p.abstract}
\end{{abstract}}
\maketitle
""" + body(p) + bibliography(p, "ams", alpha=True) + "\\end{document}\n"


def bericht(p):
    """A technical report of a German department of computing: report.cls, a title page, the summary on the second page, categories instead of keywords."""
    first = p.authors[0]
    names = r"\\[2mm] ".join(a.tex() for a in p.authors)
    return head(p, "report", "12pt,a4paper") + rf"""
\begin{{document}}
\begin{{titlepage}}
\begin{{center}}
{{\Large {tex(first.body)}\\[2mm] {tex(first.department)}\par}}
\vspace{{45mm}}
{{\LARGE\bf {p.title}\par}}
\vspace{{15mm}}
{{\large {names}\par}}
\vspace{{25mm}}
{{\large\bf {p.series}\par}}
\vspace{{3mm}}
{month_of(p)}
\vfill
{{\small {tex(first.department)}, {tex(first.body)}\\ {tex(first.street)}, {tex(first.town)}\\ Telefax: 0999 / 71 20 33\\ {first.mail}\par}}
\end{{center}}
\end{{titlepage}}
\renewcommand\abstractname{{Kurzfassung}}
\begin{{abstract}}
{p.abstract}

\bigskip\noindent{{\bf CR-Klassifikation:}} C.2.4, D.2.5, D.4.7
\end{{abstract}}
\tableofcontents
""" + body(p, section="chapter") + bibliography(p, "number") + "\\end{document}\n"


def koma_publishers(p):
    """A German preprint: KOMA-Script with the department in the place of the publisher, summaries in two languages, keywords and codes after both."""
    names = r" \and ".join(rf"{a.tex()}\thanks{{E-Mail: {{\ttfamily {a.mail}}}}}" for a in p.authors)
    first = p.authors[0]
    return head(p, "scrartcl", "11pt,a4paper,abstract=on,twoside") + rf"""
\title{{{p.title}}}
\author{{{names}}}
\date{{{cover_date(p)}}}
\publishers{{\normalsize {first.address(LINES)}}}
\begin{{document}}
\maketitle
\begin{{abstract}}
\noindent {p.abstract}
\end{{abstract}}
\renewcommand\abstractname{{Abstract}}
\begin{{abstract}}
\noindent {p.other}
\end{{abstract}}
\begin{{quotation}}\small
\noindent\textbf{{Stichw\"orter:}} {', '.join(p.keywords)}

\noindent\textbf{{MSC ({p.scheme}):}} {', '.join(p.msc)}
\end{{quotation}}
""" + body(p) + bibliography(p, "number") + "\\end{document}\n"


def frontmatter_nineties(p):
    """A manuscript for a Dutch publisher in the nineties: centred head, summary between rules, key words and codes in italics, the addressee at the foot."""
    groups = by_place(p)
    mark = lambda a: rf"$^{{\rm {'abcd'[[g[0].place for g in groups].index(a.place)]}}}$"
    names = ", ".join(a.tex() + mark(a) + (r"$^{,1}$" if n == 0 else "") for n, a in enumerate(p.authors))
    lines = r"\\[1mm] ".join(rf"{mark(g[0])}{g[0].address()}" for g in groups)
    return head(p, "article", "12pt,a4paper", extra=r"\usepackage[margin=33mm]{geometry}") + rf"""
\begin{{document}}
\makeatletter\def\ps@submitted{{\def\@oddhead{{}}\def\@oddfoot{{\footnotesize Preprint submitted to Small Science\hfil {cover_date(p)}}}}}\makeatother
\thispagestyle{{submitted}}
\vspace*{{12mm}}
\begin{{center}}
{{\LARGE {p.title}\par}}\vspace{{9mm}}
{{\large {names}\par}}\vspace{{5mm}}
{{\small\it {lines}\par}}
\end{{center}}
\vspace{{6mm}}\hrule\vspace{{3mm}}
\noindent{{\bf Abstract}}\par\medskip
{{\small\noindent {p.abstract}\par\medskip
\noindent{{\it Key words:}} {', '.join(p.keywords)}\\ {{\it {p.scheme} MSC:}} {', '.join(p.msc)}\par}}
\vspace{{3mm}}\hrule\vspace{{8mm}}
{{\renewcommand\thefootnote{{1}}\footnotetext{{Corresponding author. E-mail: {p.authors[0].mail}}}}}
""" + body(p) + bibliography(p, "elsevier") + "\\end{document}\n"


def society_journal(p):
    """A journal of a European society around 2005: volume at the left and the society at the right of the head, run-in labels below the names."""
    names = listed([a.tex() for a in p.authors], " and ")
    ends = "".join(rf"""
\bigskip\noindent{{\small {a.tex()}, {a.address()}\\ E-mail: {a.mail}\par}}""" for a in p.authors)
    return head(p, "article", "11pt", extra=r"\usepackage[margin=38mm]{geometry}\usepackage{amsmath}") + rf"""
\pagestyle{{myheadings}}\markboth{{}}{{\hfil {split_line(p)}\hfil}}\setcounter{{page}}{{633}}
\makeatletter\renewcommand\section{{\@startsection{{section}}{{1}}{{\z@}}{{-3ex}}{{1.5ex}}{{\normalfont\large\bfseries}}}}\makeatother
\begin{{document}}
\thispagestyle{{empty}}
\noindent{{\footnotesize Comment. Math. Montbr. 81 ({p.year}), 633--651\hfill Commentarii Mathematici Montbrunenses\\ \mbox{{}}\hfill \copyright\ Montbrun Mathematical Society\par}}
\vspace{{22mm}}
\begin{{center}}
{{\Large\bfseries {p.title}\par}}\vspace{{6mm}}
{{\large {names}\par}}
\end{{center}}
\vspace{{8mm}}
{{\small
\noindent\textbf{{Abstract.}} {p.abstract}\par\medskip
\noindent\textbf{{Mathematics Subject Classification ({p.scheme}).}} {', '.join(p.msc)}.\par\medskip
\noindent\textbf{{Keywords.}} {', '.join(p.keywords)}.\par}}
\vspace{{4mm}}
""" + body(p) + bibliography(p, "ams") + rf"""
\noindent{{\small Received {cover_date(p)}\par}}{ends}
\end{{document}}
"""


def proceedings_society(p):
    """The proceedings of a British society: how to cite at the head, "By" and the names in small capitals, when it was received; neither keywords nor codes."""
    names = listed([a.tex() for a in p.authors], " {\\normalfont\\small AND} ")
    lines = r"\\[1mm] ".join(rf"{g[0].address()}\\ {{\normalfont\footnotesize e-mail:}} {' and '.join(a.mail for a in g)}" for g in by_place(p))
    return head(p, "article", "10pt", extra=r"\usepackage[margin=42mm]{geometry}") + rf"""
\setcounter{{page}}{{45}}
\begin{{document}}
\thispagestyle{{empty}}
\noindent{{\footnotesize \textit{{Proc. Westholme Phil. Soc.}} ({p.year}), \textbf{{131}}, 45\hfill 45\\ \textit{{Printed in the United Kingdom}} \ \copyright\ {p.year} \textit{{Westholme Philosophical Society}}\par}}
\vspace{{16mm}}
\begin{{center}}
{{\Large\bfseries {p.title}\par}}\vspace{{5mm}}
{{\small B{{\footnotesize Y}} {{\normalsize\scshape {names}\par}}}}\vspace{{2mm}}
{{\small\itshape {lines}\par}}\vspace{{4mm}}
{{\small (\textit{{Received}} 4 {month_of(p).split()[0]} {p.year - 2}; \textit{{revised}} 12 May {p.year - 1})\par}}\vspace{{6mm}}
{{\small\itshape Abstract\par}}
\end{{center}}
{{\leftskip=6mm\rightskip=6mm\small {p.abstract}\par}}
\vspace{{4mm}}
""" + body(p) + bibliography(p, "siam") + "\\end{document}\n"


def preprint_header(p):
    """A preprint of today in computing: "A Preprint" and the date in the running head, the title between rules, authors in columns, keywords with dots."""
    columns = r"\hspace{10mm}".join(
        rf"\begin{{tabular}}[t]{{@{{}}c@{{}}}}\textbf{{{a.tex()}}}\\ {tex(a.department)}\\ {tex(a.body)}\\ {tex(a.town)}\\ \texttt{{{a.mail}}}\end{{tabular}}"
        + (r"\par\vspace{4mm}" if n % 2 else "") for n, a in enumerate(p.authors))
    return head(p, "article", "10pt", extra=r"\usepackage[margin=1in]{geometry}\usepackage{times}\usepackage{fancyhdr}\usepackage[hidelinks]{hyperref}") + rf"""
\pagestyle{{fancy}}\fancyhf{{}}\renewcommand\headrulewidth{{0.4pt}}
\fancyhead[L]{{\small {split_line(p)}}}\fancyhead[R]{{\small\scshape A Preprint}}\fancyfoot[C]{{\thepage}}
\fancypagestyle{{first}}{{\fancyhf{{}}\fancyhead[C]{{\small\scshape A Preprint -- {cover_date(p)}}}\fancyfoot[C]{{\thepage}}}}
\setlength\parindent{{0pt}}\setlength\parskip{{5.5pt}}
\begin{{document}}
\thispagestyle{{first}}
\vspace*{{2mm}}\hrule height 2pt\vspace{{5mm}}
\begin{{center}}{{\LARGE\scshape {p.title}\par}}\end{{center}}
\vspace{{3mm}}\hrule height 2pt\vspace{{6mm}}
\begin{{center}}\small {columns}\end{{center}}
\vspace{{4mm}}
\begin{{center}}{{\large\scshape Abstract}}\end{{center}}
\begin{{quote}}
{p.abstract}
\end{{quote}}
\vspace{{2mm}}
\textbf{{\textit{{Keywords}}}}\enspace {DOT.join(p.keywords)}
""" + body(p) + bibliography(p, "number") + "\\end{document}\n"


def bureau_series(p):
    """An American bureau of economists: cover in capitals with number, address and disclaimer, a sheet with JEL numbers, summary and addresses."""
    cover = r"\\[1mm] ".join(a.tex() for a in p.authors)
    addresses = r"\quad ".join(rf"\begin{{tabular}}[t]{{@{{}}l@{{}}}}{a.tex()}\\ {a.address(LINES)}\\ {a.mail}\end{{tabular}}" for a in p.authors)
    names = listed([a.tex() for a in p.authors], " and ")
    return head(p, "article", "12pt", extra=r"\usepackage[margin=1.1in]{geometry}\usepackage{setspace}") + rf"""
\begin{{document}}
\begin{{titlepage}}
\begin{{center}}
CBES WORKING PAPER SERIES\par\vspace{{30mm}}
\MakeUppercase{{{p.title}}}\par\vspace{{12mm}}
{cover}\par\vspace{{14mm}}
{p.series}\\ http://www.cbes.example/papers/w7421\par\vspace{{14mm}}
CARROW BUREAU OF ECONOMIC STUDIES\\ 1050 Lakeside Avenue\\ Carrow, IL 60998\\ {month_of(p)}
\end{{center}}
\vfill
{{\small\noindent We thank Prudence Oakes, Edwin Collishaw and participants of the summer meeting for comments, and Karen Lindsey for research assistance. The views expressed herein are those of the authors and are not necessarily those of the Carrow Bureau of Economic Studies.\par\medskip
\noindent \copyright\ {p.year} by {names}. All rights reserved. Short sections of text, not to exceed two paragraphs, may be quoted without explicit permission provided that full credit, including \copyright\ notice, is given to the source.\par}}
\end{{titlepage}}
\thispagestyle{{empty}}
\noindent {p.title}\\ {names}\\ CBES {p.series}\\ {month_of(p)}\\ JEL No. J31, R42, H54\par\vspace{{8mm}}
\begin{{center}}\textbf{{\underline{{ABSTRACT}}}}\end{{center}}
\begin{{doublespace}}
\noindent {p.abstract}\par
\end{{doublespace}}
\vspace{{8mm}}
{{\small\noindent\raggedright {addresses}\par}}
\newpage\setcounter{{page}}{{1}}
\onehalfspacing
""" + author_year_list(p, "apa") + "\\end{document}\n"


def magisterarbeit(p):
    """A master's thesis in the humanities: what it is for and who examines it on the title page, a declaration, contents, then the summary."""
    a = p.authors[0]
    return head(p, "scrreprt", "12pt,a4paper", extra=r"\usepackage[left=35mm,right=30mm,top=25mm,bottom=30mm]{geometry}\usepackage{setspace}") + rf"""
\begin{{document}}
\begin{{titlepage}}
\begin{{center}}
{{\large {tex(a.body)}\\ Fakult\"at f\"ur Sozial- und Kulturwissenschaften\\ {tex(a.department)}\par}}
\vspace{{35mm}}
{{\LARGE\bfseries {p.title}\par}}\vspace{{4mm}}
{{\Large {p.subtitle}\par}}\vspace{{25mm}}
{{\large Magisterarbeit\\[1mm] zur Erlangung des akademischen Grades\\ Magister Artium (M.\,A.)\par}}
\vfill
\end{{center}}
\noindent\begin{{tabular}}{{@{{}}ll@{{}}}}
vorgelegt von: & {a.tex()}\\ & {tex(a.street)}, {tex(a.town)}\\ & Matrikel-Nr. 4711806\\[3mm]
Erstgutachterin: & {p.advisor}\\ Zweitgutachter: & PD Dr. Peter Braun\\[3mm]
eingereicht am: & {cover_date(p)}
\end{{tabular}}
\end{{titlepage}}
\chapter*{{Erkl\"arung}}
Ich versichere, dass ich die vorliegende Arbeit selbst\"andig verfasst und keine anderen als die angegebenen Quellen und Hilfsmittel benutzt habe. W\"ortliche und sinngem\"a{{\ss}}e \"Ubernahmen sind kenntlich gemacht.\par\vspace{{15mm}}
\noindent {tex(a.town).split(',')[0].split(' ')[-1]}, den {cover_date(p)}\par
\tableofcontents
\chapter*{{Zusammenfassung}}
\onehalfspacing
{p.abstract}
""" + author_year_list(p).replace(r"\section", r"\chapter") + "\\end{document}\n"


def prepublication(p):
    """A French laboratory's prepublication: its cover, then the paper with summaries in both languages, "Mots clés" and "Classification AMS"."""
    first = p.authors[0]
    cover = r"\\[3mm] ".join(rf"{{\large {a.tex()}}}" for a in p.authors)
    names = r" \and ".join(rf"{{\sc {a.tex()}}}\\ {{\small {tex(a.department)}}}\\ {{\small {tex(a.body)}}}\\ {{\small {tex(a.street)}}}\\ {{\small {tex(a.town)}}}\\ {{\small {a.mail}}}" for a in p.authors)
    return head(p, "article", "11pt,a4paper") + rf"""
\begin{{document}}
\begin{{titlepage}}
\begin{{center}}
{{\large\bf {tex(first.body)}\\[2mm] {tex(first.department)}\par}}
\vspace{{50mm}}
{{\Large\bf {p.title}\par}}\vspace{{14mm}}
{cover}\par\vspace{{40mm}}
{p.series}\\[2mm] {month_of(p)}
\vfill
{{\small {tex(first.street)}, {tex(first.town)}\par}}
\end{{center}}
\end{{titlepage}}
\title{{{p.title}}}
\author{{{names}}}
\date{{}}
\maketitle
{{\small
\noindent{{\bf R\'esum\'e.}} {p.abstract}\par\bigskip
\noindent{{\bf Abstract.}} {p.other}\par\bigskip
\noindent{{\bf Mots cl\'es :}} {', '.join(p.keywords)}.\par\smallskip
\noindent{{\bf Classification AMS :}} {', '.join(p.msc)}.\par}}
""" + body(p) + bibliography(p, "ams") + "\\end{document}\n"


def revista(p):
    """A Spanish journal: its name at the head, title in two languages, "Palabras clave" under the Spanish summary, codes under the English one, addresses at the foot."""
    lines = r"\\ ".join(rf"{{\small {', '.join(a.tex() for a in g)}: {g[0].address()}. {{\itshape {', '.join(a.mail for a in g)}}}}}" for g in by_place(p))
    other = rf"{{\large\itshape {tex(p.get('title_other'))}\par}}\vspace{{6mm}}" if p.get("title_other") else ""
    return head(p, "article", "11pt,a4paper", extra=r"\usepackage[margin=34mm]{geometry}\usepackage{fancyhdr}") + rf"""
\pagestyle{{fancy}}\fancyhf{{}}\fancyhead[C]{{\small\itshape {split_line(p)}}}\fancyhead[R]{{\small\thepage}}\setcounter{{page}}{{77}}
\fancypagestyle{{primera}}{{\fancyhf{{}}\renewcommand\headrulewidth{{0pt}}\fancyhead[L]{{\small\scshape Revista Matem\'atica de Valdelmar\\ Vol. 12, n\'um. 2 ({p.year}), p\'ags. 77--95}}}}
\setlength\headheight{{28pt}}
\begin{{document}}
\thispagestyle{{primera}}
\vspace*{{12mm}}
\begin{{center}}
{{\LARGE\bfseries {p.title}\par}}\vspace{{4mm}}
{other}
{{\large\scshape {listed([a.tex() for a in p.authors], ' y ')}\par}}
\end{{center}}
\vspace{{6mm}}
\begin{{center}}\textbf{{Resumen}}\end{{center}}
{{\small\leftskip=7mm\rightskip=7mm\noindent {p.abstract}\par\medskip
\noindent\textbf{{Palabras clave:}} {', '.join(p.keywords)}.\par}}
\begin{{center}}\textbf{{Abstract}}\end{{center}}
{{\small\leftskip=7mm\rightskip=7mm\noindent {p.other}\par\medskip
\noindent\textit{{{p.scheme} Mathematics Subject Classification:}} {', '.join(p.msc)}.\par}}
{{{UNNUMBERED}\footnotetext{{\hspace*{{-1.8em}}Recibido el {cover_date(p)}.\\ {lines}}}}}
""" + body(p) + bibliography(p, "number") + "\\end{document}\n"


def carolina(p):
    """A Czech journal of the nineties: volume and pages in one line, bold title, names in small capitals, "Keywords" and "Classification" indented under the abstract, addresses at the end."""
    names = ", ".join(a.tex() for a in p.authors)
    short = ", ".join(f"{tex(a.given[0])}.~{tex(a.family)}" for a in p.authors)
    ends = "".join(rf"""
\medskip{{\small\raggedright\noindent{{\sc {g[0].address()}}}\par
\noindent{{\it E-mail:}} {', '.join(a.mail for a in g)}\par}}""" for g in by_place(p))
    return head(p, "article", "10pt,a4paper", extra=r"\usepackage[margin=40mm]{geometry}") + rf"""
\pagestyle{{myheadings}}\markboth{{}}{{\hfil {short}\hfil}}\setcounter{{page}}{{527}}
\begin{{document}}
\thispagestyle{{empty}}
\noindent{{\footnotesize Comment.Math.Univ.Lipnic. 40,3 ({p.year})527--541\hfill 527\par}}
\vspace{{18mm}}
\begin{{center}}
{{\large\bf {p.title}\par}}\vspace{{6mm}}
{{\sc {names}\par}}
\end{{center}}
\vspace{{4mm}}
{{\small\leftskip=8mm\rightskip=8mm
\noindent{{\it Abstract.}} {p.abstract}\par\medskip
\noindent{{\it Keywords:}} {', '.join(p.keywords)}\par\smallskip
\noindent{{\it Classification:}} Primary {p.msc[0]}; Secondary {', '.join(p.msc[1:])}\par}}
{{{UNNUMBERED}\footnotetext{{Research supported by the Lipnice Grant Agency under grant no. 201/97/0216.}}}}
""" + body(p) + bibliography(p, "ams") + ends + rf"""

\medskip\noindent{{\small (\textit{{Received}} {cover_date(p)})\par}}
\end{{document}}
"""


def survey_contents(p):
    """A survey of today: article with addresses as notes, codes and key words after the abstract, then the contents on the first page."""
    names = r" \and ".join(rf"{a.tex()}\thanks{{{a.address()}. \textit{{Email:}} \texttt{{{a.mail}}}}}" for a in p.authors)
    return head(p, "article", "11pt,a4paper", extra=r"\usepackage[margin=30mm]{geometry}\usepackage[colorlinks]{hyperref}") + rf"""
\title{{\bfseries {p.title}}}
\author{{{names}}}
\date{{{cover_date(p)}}}
\begin{{document}}
\maketitle
\begin{{abstract}}
\noindent {p.abstract}

\bigskip
\noindent\textit{{{p.scheme} Mathematics Subject Classification.}} {', '.join(p.msc)}.

\noindent\textit{{Key words and phrases.}} {', '.join(p.keywords)}.
\end{{abstract}}
\tableofcontents
""" + body(p) + bibliography(p, "number", alpha=True) + "\\end{document}\n"


# name: (template, style of the bibliography)
TEMPLATES = {
    "article-blocks": (article_blocks, "siam"),
    "amsart-without-keywords": (amsart_without_keywords, "ams"),
    "bericht": (bericht, "number"),
    "koma-publishers": (koma_publishers, "number"),
    "frontmatter-nineties": (frontmatter_nineties, "elsevier"),
    "society-journal": (society_journal, "ams"),
    "proceedings-society": (proceedings_society, "siam"),
    "preprint-header": (preprint_header, "number"),
    "bureau-series": (bureau_series, "apa"),
    "magisterarbeit": (magisterarbeit, "ay"),
    "prepublication": (prepublication, "ams"),
    "revista": (revista, "number"),
    "carolina": (carolina, "ams"),
    "survey-contents": (survey_contents, "number"),
}
