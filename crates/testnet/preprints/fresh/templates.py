"""Fourteen more templates: papers as departments, learned societies and publishers in several countries print them, from 1996 to 2021."""
from pieces import author_year_list, bibliography, body, cover_date, halves, head
from texts import tex

GEOMETRY = r"\usepackage[margin=28mm]{geometry}"
DOT = r" $\cdot$ "
LINES = r"\\ "


def places_of(p):
    keys = list(dict.fromkeys(a.place for a in p.authors))
    return keys, [next(a for a in p.authors if a.place == key) for key in keys]


def month_of(p):
    """The month and the year, as covers give them."""
    words = cover_date(p).split()
    return f"{words[0]} {words[-1]}" if p.lang == "en" else " ".join(words[-2:])


def short_name(author):
    return f"{tex(author.given[0])}.~{tex(author.family)}"


def amsart_contents(p):
    """amsart with a grant acknowledged, addresses at the end and the table of contents on the first page."""
    thanks = [rf"\thanks{{{short_name(p.authors[0])} was partially supported by Carrow Science Board grant M-0412.}}",
              r"\thanks{G.~Bertolazzi thanks Carrow State University for its hospitality.}", ""]
    authors = "".join(rf"""\author{{{a.tex()}}}
\address{{{a.address()}}}
\email{{{a.mail}}}
{thank}
""" for a, thank in zip(p.authors, thanks))
    return head(p, "amsart", "11pt,a4paper", extra=r"\usepackage[margin=30mm]{geometry}") + rf"""
\begin{{document}}
\title[The two-phase obstacle problem with drift]{{{p.title}}}
{authors}
\date{{{cover_date(p)}}}
\subjclass[{p.scheme}]{{Primary {p.msc[0]}; Secondary {', '.join(p.msc[1:])}}}
\keywords{{{', '.join(p.keywords)}}}
\begin{{abstract}}
{p.abstract}
\end{{abstract}}
\maketitle
\setcounter{{tocdepth}}{{1}}
\tableofcontents
""" + body(p) + bibliography(p, "ams", alpha=True) + "\\end{document}\n"


def economics_manuscript(p):
    """An American economist's manuscript: thanks at the title, two dates, JEL codes beside the keywords, a title page of its own."""
    names = r" \and ".join(rf"{a.tex()}\thanks{{{tex(a.department)}, {tex(a.body)}, {{\ttfamily {a.mail}}}.}}\\ {{\normalsize {tex(a.body)}}}" for a in p.authors)
    return head(p, "article", "12pt", extra=r"\usepackage[margin=1in]{geometry}\usepackage{setspace}") + rf"""
\title{{\textbf{{{p.title}}}\thanks{{We are grateful to Harold Finchley, Ingeborg Maas and Teresa Quiroga for helpful comments, to seminar participants at Carrow and Westholme, and to the Statistical Office of the Border Districts for access to the data. All remaining errors are ours.}}}}
\author{{{names}}}
\date{{First version: March 2017\\ This version: {cover_date(p)}}}
\begin{{document}}
\begin{{titlepage}}
\maketitle
\thispagestyle{{empty}}
\begin{{abstract}}
\noindent {p.abstract}

\bigskip
\noindent\textbf{{Keywords:}} {', '.join(p.keywords)}\\
\textbf{{JEL Codes:}} R12, R38, H25, J61
\end{{abstract}}
\end{{titlepage}}
\onehalfspacing
""" + author_year_list(p, "apa") + "\\end{document}\n"


def discussion_paper(p):
    """A research institute's series: a cover, an imprint with a disclaimer, a sheet with the summary and JEL codes."""
    cover = r"\\[2mm] ".join(a.tex() for a in p.authors)
    inner = r"\par\medskip ".join(rf"\textbf{{{a.tex()}}}\\ \textit{{{tex(a.body)}}}" for a in p.authors)
    first = p.authors[0]
    return head(p, "scrartcl", "a4paper,11pt", extra=r"\usepackage{color}" + GEOMETRY) + rf"""
\begin{{document}}
\begin{{titlepage}}\sffamily
\noindent{{\large {tex(first.body)}}}\par\vspace{{2mm}}\hrule height 2pt\vspace{{30mm}}
\noindent{{\Large {p.series}}}\par\vspace{{16mm}}
{{\noindent\raggedright\huge\bfseries {p.title}\par}}\vspace{{3mm}}
{{\noindent\raggedright\Large {p.subtitle}\par}}\vspace{{20mm}}
\noindent{{\large\begin{{tabular}}{{@{{}}l@{{}}}}{cover}\end{{tabular}}}}\par\vfill
\noindent {month_of(p)}
\end{{titlepage}}
\thispagestyle{{empty}}
\begin{{center}}
{{\LARGE\bfseries {p.title}\par}}\medskip
{{\large\bfseries {p.subtitle}\par}}\vspace{{12mm}}
{inner}\par\vspace{{10mm}}
{p.series}\\ {month_of(p)}
\end{{center}}
\vfill
\noindent {tex(first.body)}\\ {tex(first.street)}\\ {tex(first.town)}\\ Telefon: 0999 / 38 94-0\\ E-Mail: info@ifw-marwiek.example
\par\medskip
{{\footnotesize\noindent Die Diskussionspapiere geben Arbeiten wieder, die noch nicht abgeschlossen sind, und sollen zur Diskussion anregen. Die darin vertretenen Auffassungen sind die der Verfasser und nicht notwendig die des Instituts. Nachdruck, auch auszugsweise, nur mit Genehmigung.\par}}
\newpage\thispagestyle{{empty}}
\noindent {p.series}\\ {month_of(p)}\par\vspace{{15mm}}
\begin{{center}}\textbf{{ZUSAMMENFASSUNG}}\par\bigskip
{{\large\bfseries {p.title} {p.subtitle}\par}}\end{{center}}
\medskip
\noindent {p.abstract}\par\bigskip\bigskip
\noindent\begin{{tabular}}{{@{{}}ll@{{}}}}
JEL-Klassifikation: & J26, J61, R23\\[2mm]
Schlagw\"orter: & {', '.join(p.keywords)}
\end{{tabular}}\par\vspace{{20mm}}
\noindent Korrespondenzadresse:\\[2mm] {first.tex()}\\ {first.address(LINES)}\\ E-Mail: {first.mail}
\newpage\setcounter{{page}}{{1}}
""" + author_year_list(p) + "\\end{document}\n"


def sociology_journal(p):
    """A German journal of sociology: summary and keywords in German, then title, abstract and keywords in English."""
    german, english = halves(p)
    names = r"\par ".join(rf"{{\large\bfseries {a.tex()}}}\par{{\small {tex(a.body)}, {tex(a.department)}, {tex(a.street)}, {tex(a.town)} ({a.mail})\par}}\vspace{{1.5mm}}" for a in p.authors)
    return head(p, "scrartcl", "a4paper,10pt", extra=r"\usepackage[margin=33mm]{geometry}\usepackage{scrlayer-scrpage}") + rf"""
\pagestyle{{scrheadings}}\clearpairofpagestyles
\ohead{{\pagemark}}\ihead{{Vertrauen auf Distanz}}\setcounter{{page}}{{211}}
\begin{{document}}
\thispagestyle{{empty}}
\noindent{{\footnotesize {p.series} {p.year}, 28 (3): 211--233}}\par\vspace{{12mm}}
{{\noindent\raggedright\LARGE\bfseries {p.title}\par}}\vspace{{2mm}}
{{\noindent\raggedright\Large {p.subtitle}\par}}\vspace{{7mm}}
{{\noindent\raggedright {names}\par}}\vspace{{5mm}}
{{\small
\noindent\textbf{{Zusammenfassung:}} {p.abstract}\par\smallskip
\noindent\textbf{{Schlagworte:}} {'; '.join(german)}.\par\vspace{{5mm}}
{{\noindent\large\bfseries {tex(p.get('title_other'))}\par}}\smallskip
\noindent\textbf{{Abstract:}} {p.other}\par\smallskip
\noindent\textbf{{Keywords:}} {'; '.join(english)}.\par}}
\vspace{{4mm}}
""" + author_year_list(p) + "\\end{document}\n"


def journal_dots(p):
    """A publisher's journal around 2010: everything flush left, dots between names, words and codes, addresses below a rule at the foot."""
    keys, _ = places_of(p)
    groups = [[a for a in p.authors if a.place == key] for key in keys]
    notes = r"\par\smallskip\noindent ".join(
        rf"{DOT.join(short_name(a) for a in group)}\\ {group[0].address()}\\ E-mail: {group[0].mail}" for group in groups)
    return head(p, "article", "10pt,a4paper", extra=r"\usepackage[margin=36mm]{geometry}") + rf"""
\begin{{document}}
\thispagestyle{{empty}}
\noindent{{\small Journal of Invented Computation manuscript No.\\ (will be inserted by the editor)}}\par\vspace{{18mm}}
{{\noindent\raggedright\Large\bfseries {p.title}\par}}\vspace{{6mm}}
{{\noindent\raggedright\bfseries {DOT.join(a.tex() for a in p.authors)}\par}}\vspace{{12mm}}
\noindent{{\small Received: date / Accepted: date}}\par\vspace{{8mm}}
{{\renewcommand\thefootnote{{}}\footnotetext{{\hspace*{{-1.8em}}{notes}}}}}
\noindent\textbf{{Abstract}}\enspace {p.abstract}\par\medskip
\noindent\textbf{{Keywords}}\enspace {DOT.join(p.keywords)}\par\medskip
\noindent\textbf{{Mathematics Subject Classification ({p.scheme})}}\enspace {DOT.join(p.msc)}
""" + body(p) + bibliography(p, "lncs") + "\\end{document}\n"


def probability_journal(p):
    """The class of two electronic journals of probability, under an invented name."""
    names = r" \and ".join(rf"{a.tex()}\footnote{{{tex(a.body)}, {tex(a.town)}. \EMAIL{{{a.mail}}}}}" for a in p.authors)
    return r"\documentclass[EJP,NODS,nobera]{ejpecp}" + "\n" + rf"""
\newcommand\refi[1]{{\textit{{#1}}}}\newcommand\refb[1]{{\textbf{{#1}}}}\newcommand\refc[1]{{\textsc{{#1}}}}
\makeatletter
\renewcommand\@JOURNAL{{FJP}}\renewcommand\@JOURNALA{{Fjordby J. Probab.}}\renewcommand\@JOURNALL{{Fjordby Journal of Probability}}
\renewcommand\@ISSN{{9999-6489}}\renewcommand\@URL{{fjp.fjordby.example}}\renewcommand\@FULLURL{{https://fjp.fjordby.example/}}\renewcommand\@EJPLOGO{{}}
\makeatother
\SHORTTITLE{{Coalescence times on growing trees}}
\TITLE{{{p.title}\thanks{{Supported by the Lyngholm Research Council.}}}}
\AUTHORS{{{names}}}
\KEYWORDS{{{' ; '.join(p.keywords)}}}
\AMSSUBJ{{{' ; '.join(p.msc)}}}
\SUBMITTED{{June 3, 2020}}
\ACCEPTED{{{cover_date(p)}}}
\VOLUME{{26}}\YEAR{{{p.year}}}\PAPERNUM{{24}}\DOI{{10.99999/21-fjp24}}
\ABSTRACT{{{p.abstract}}}
\begin{{document}}
""" + body(p) + bibliography(p, "ams") + "\\end{document}\n"


def smf(p):
    """The class of the French mathematical society: two abstracts, the second with a translated title, codes and keywords at the foot."""
    authors = "".join(rf"""\author{{{a.tex()}}}
\address{{{a.address()}}}
\email{{{a.mail}}}
""" for a in p.authors)
    return head(p, "smfart", "a4paper,11pt,francais") + rf"""
\begin{{document}}
\title[Surfaces fibr\'ees en coniques]{{{p.title}}}
\alttitle{{{tex(p.get('title_other'))}}}
{authors}
\date{{{cover_date(p)}}}
\subjclass{{{', '.join(p.msc)}}}
\keywords{{{', '.join(p.keywords)}}}
\begin{{abstract}}
{p.abstract}
\end{{abstract}}
\begin{{altabstract}}
{p.other}
\end{{altabstract}}
\maketitle
""" + body(p) + bibliography(p, "ams") + "\\end{document}\n"


def article_info(p):
    """A publisher's two columns of today: between rules, the dates, keywords and codes at the left, the abstract at the right."""
    keys, bodies = places_of(p)
    names = ", ".join(rf"{a.tex()}\textsuperscript{{{'abcd'[keys.index(a.place)]}{',*' if n == 0 else ''}}}" for n, a in enumerate(p.authors))
    lines = r"\\ ".join(rf"\textsuperscript{{{'abcd'[n]}}}{a.address()}" for n, a in enumerate(bodies))
    return head(p, "article", "10pt,a4paper,twocolumn", extra=r"\usepackage[margin=19mm]{geometry}") + rf"""
\begin{{document}}
\twocolumn[{{
\begin{{center}}\small Annals of Small Results 347 ({p.year}) 101--117\par\vspace{{2mm}}\hrule\vspace{{3mm}}
{{\footnotesize Contents lists available at SmallScience}}\par\vspace{{2mm}}
{{\Large Annals of Small Results}}\par\vspace{{2mm}}
{{\footnotesize journal homepage: www.annals-of-small-results.example}}\par\vspace{{3mm}}\hrule height 1.5pt\end{{center}}
\vspace{{4mm}}
{{\raggedright\LARGE {p.title}\par}}\vspace{{4mm}}
{{\raggedright\large {names}\par}}\vspace{{3mm}}
{{\raggedright\footnotesize\itshape {lines}\par}}\vspace{{4mm}}
\hrule\vspace{{3mm}}
\noindent\begin{{minipage}}[t]{{0.27\textwidth}}\footnotesize\raggedright
A\,R\,T\,I\,C\,L\,E\quad I\,N\,F\,O\par\vspace{{1mm}}\hrule\vspace{{2mm}}
\textit{{Article history:}}\\ Received 12 July 2018\\ Received in revised form 21 January {p.year}\\ Accepted 2 April {p.year}\\ Available online {cover_date(p)}\par\vspace{{2mm}}\hrule\vspace{{2mm}}
\textit{{MSC:}}\\ {LINES.join(p.msc)}\par\vspace{{2mm}}\hrule\vspace{{2mm}}
\textit{{Keywords:}}\\ {LINES.join(p.keywords)}
\end{{minipage}}\hfill
\begin{{minipage}}[t]{{0.67\textwidth}}\footnotesize
A\,B\,S\,T\,R\,A\,C\,T\par\vspace{{1mm}}\hrule\vspace{{2mm}}
{p.abstract}\par\vspace{{2mm}}
\hfill \copyright\ {p.year} Small Results Press. All rights reserved.
\end{{minipage}}\par\vspace{{3mm}}\hrule\vspace{{8mm}}}}]
{{\renewcommand\thefootnote{{*}}\footnotetext{{Corresponding author.\\ \textit{{E-mail address:}} {p.authors[0].mail} ({short_name(p.authors[0])}).}}}}
""" + body(p) + bibliography(p, "elsevier") + "\\end{document}\n"


def transactions(p):
    """IEEEtran as journals use it: grades of membership behind the names, who is where in the note about the manuscript."""
    grades = [r"~\IEEEmembership{Student Member,~IEEE,}", r"~\IEEEmembership{Member,~IEEE,}", ""]
    names = [a.tex() + ("," if grade else "") + grade for a, grade in zip(p.authors, grades)]
    notes = [rf"\thanks{{Manuscript received March 4, {p.year}; revised {cover_date(p)}.}}",
             rf"\thanks{{{short_name(p.authors[0])} and {short_name(p.authors[1])} are with the {p.authors[0].address()} (e-mail: {p.authors[0].mail}; {p.authors[1].mail}).}}",
             rf"\thanks{{{short_name(p.authors[2])} is with the {p.authors[2].address()} (e-mail: {p.authors[2].mail}).}}"]
    return head(p, "IEEEtran", "journal") + rf"""
\begin{{document}}
\title{{{p.title}}}
\author{{{names[0]} {names[1]} and~{names[2]}{''.join(notes)}}}
\markboth{{Transactions on Imaginary Networks, Vol.~6, No.~3, September~{p.year}}}{{Grzybek \MakeLowercase{{\textit{{et al.}}}}: Online Scheduling of Sensor Wake-Ups under Clock Drift}}
\maketitle
\begin{{abstract}}
{p.abstract}
\end{{abstract}}
\begin{{IEEEkeywords}}
{', '.join(p.keywords)}.
\end{{IEEEkeywords}}
""" + body(p) + bibliography(p, "ieee") + "\\end{document}\n"


def department_preprint(p):
    """An Austrian department's preprint of the nineties: a cover with the number, then the paper with footnotes for addresses and marks below the abstract."""
    cover = r"\\[3mm] ".join(a.tex() for a in p.authors)
    names = r" \and ".join(rf"{a.tex()}\thanks{{{a.address()}, e-mail: {a.mail}}}" for a in p.authors)
    return head(p, "article", "12pt,a4paper") + rf"""
\begin{{document}}
\begin{{titlepage}}
\begin{{center}}
{{\large\scshape Universit\"at Rothenau\\[2mm] Institut f\"ur Mathematik\par}}
\vspace{{40mm}}
{{\Large\bfseries {p.title}\par}}
\vspace{{18mm}}
{{\large {cover}\par}}
\vfill
{{\large {p.series}\par}}\vspace{{4mm}}
{month_of(p)}
\end{{center}}
\end{{titlepage}}
\setcounter{{page}}{{1}}
\title{{{p.title}}}
\author{{{names}}}
\date{{}}
\maketitle
\begin{{abstract}}
{p.abstract}
\end{{abstract}}
\noindent{{\small {{\bf Schl\"usselw\"orter:}} {', '.join(p.keywords)}.\par\smallskip
\noindent{{\bf AMS-Klassifikation:}} {', '.join(p.msc)}.\par}}
""" + body(p) + bibliography(p, "siam") + "\\end{document}\n"


def british_thesis(p):
    """A doctoral thesis: title page, declaration, acknowledgements, and an abstract on a page of its own; neither keywords nor codes."""
    a = p.authors[0]
    return head(p, "report", "12pt,a4paper", extra=r"\usepackage[left=40mm,right=25mm,top=25mm,bottom=25mm]{geometry}") + rf"""
\linespread{{1.25}}
\begin{{document}}
\begin{{titlepage}}
\begin{{center}}
\vspace*{{20mm}}
{{\Huge {p.title}\par}}
\vspace{{25mm}}
{{\Large {a.tex()}\par}}
\vspace{{35mm}}
A thesis submitted to the {tex(a.body)}\\ for the degree of Doctor of Philosophy\par
\vspace{{20mm}}
{tex(a.department)}\\ {tex(a.body)}\par
\vspace{{15mm}}
{month_of(p)}
\end{{center}}
\end{{titlepage}}
\pagenumbering{{roman}}\setcounter{{page}}{{2}}
\chapter*{{Abstract}}
{p.abstract}
\chapter*{{Declaration}}
No part of this thesis has been submitted elsewhere for any other degree or qualification, and it is all my own work unless referenced to the contrary in the text.\par\bigskip
\noindent Copyright \copyright\ {p.year} by {a.tex()}.
\chapter*{{Acknowledgements}}
I am grateful to my supervisor, {p.advisor}, for patience of every distribution, and to Gwen Prycewell, whose lectures I should have attended earlier.
\tableofcontents
\newpage\pagenumbering{{arabic}}
""" + body(p, section="chapter") + bibliography(p, "siam") + "\\end{document}\n"


def koma_affiliations(p):
    """A preprint of today: KOMA-Script and authblk with figures at the names, codes and keywords below the abstract."""
    keys, bodies = places_of(p)
    authors = "".join(rf"\author[{keys.index(a.place) + 1}]{{{a.tex()}}}" + "\n" for a in p.authors)
    lines = "".join(rf"\affil[{n}]{{{a.address()}; {{\ttfamily {a.mail}}}}}" + "\n" for n, a in enumerate(bodies, 1))
    return head(p, "scrartcl", "11pt,a4paper,abstract=on", extra=r"\usepackage{authblk}\renewcommand\Affilfont{\small}\usepackage[hidelinks]{hyperref}") + rf"""
\title{{{p.title}}}
{authors}{lines}\date{{{cover_date(p)}}}
\begin{{document}}
\maketitle
\begin{{abstract}}
\noindent {p.abstract}

\medskip\noindent\textbf{{MSC{p.scheme}:}} {'; '.join(p.msc)}

\smallskip\noindent\textbf{{Keywords:}} {', '.join(p.keywords)}
\end{{abstract}}
""" + body(p) + bibliography(p, "number") + "\\end{document}\n"


def proceedings_columns(p):
    """Proceedings of a computing society around 2004: authors side by side, headings in capitals, categories and terms before the keywords."""
    columns = r"@{\quad}".join("c" * len(p.authors))
    blocks = "&".join(rf"\begin{{tabular}}[t]{{@{{}}c@{{}}}}{{\large {a.tex()}}}\\[1mm] {tex(a.department)}\\ {tex(a.body)}\\ {tex(a.town)}\\ {{\sffamily {a.mail}}}\end{{tabular}}" for a in p.authors)
    return head(p, "article", "10pt,twocolumn", extra=r"\usepackage[letterpaper,margin=19mm]{geometry}\usepackage[scaled=0.92]{helvet}\pagestyle{empty}\makeatletter\renewcommand\section{\@startsection{section}{1}{\z@}{-3ex}{1ex}{\normalfont\large\bfseries}}\renewcommand\subsection{\@startsection{subsection}{2}{\z@}{-2ex}{0.6ex}{\normalfont\large\bfseries}}\makeatother") + rf"""
\begin{{document}}
\twocolumn[{{
\begin{{center}}
{{\sffamily\bfseries\LARGE {p.title}\par}}\vspace{{8mm}}
\begin{{tabular}}{{{columns}}}{blocks}\end{{tabular}}
\end{{center}}\vspace{{6mm}}}}]
\thispagestyle{{empty}}
{{\renewcommand\thefootnote{{}}\footnotetext{{Copyright is held by the authors.\\ \textit{{IMAGINE 2004}}, May 17--22, {p.year}, Niederau, Germany.}}}}
\section*{{ABSTRACT}}
{p.abstract}
\subsection*{{Categories and Subject Descriptors}}
H.3.1 [\textbf{{Information Storage and Retrieval}}]: Content Analysis and Indexing---\textit{{indexing methods}}
\subsection*{{General Terms}}
Algorithms, Experimentation, Performance
\subsection*{{Keywords}}
{', '.join(p.keywords)}
""" + body(p) + bibliography(p, "number") + "\\end{document}\n"


def research_report(p):
    """A Swedish department's report: head of the department with its address on the web, the month, an abstract, addresses as starred notes."""
    marks = [r"$^{*}$", r"$^{\dagger}$", r"$^{\ddagger}$", r"$^{\S}$"]
    names = " and ".join(a.tex() + mark for a, mark in zip(p.authors, marks))
    notes = r"\par\noindent ".join(rf"{mark}{a.address()}. E-mail: {a.mail}." for a, mark in zip(p.authors, marks))
    return head(p, "article", "12pt,a4paper", extra=GEOMETRY) + rf"""
\begin{{document}}
\thispagestyle{{empty}}
\noindent Mathematical Statistics\\ Lyngholm University\\ {p.series}\\ {{\ttfamily http://www.math.lyngholm.example/matstat}}\par\vspace{{25mm}}
\begin{{center}}
{{\LARGE {p.title}\par}}\vspace{{8mm}}
{{\large {names}\par}}\vspace{{6mm}}
{month_of(p)}\par\vspace{{8mm}}
\textbf{{Abstract}}
\end{{center}}
{{\leftskip=8mm\rightskip=8mm\noindent {p.abstract}\par}}
\vspace{{6mm}}
\noindent\textsc{{Key words}}: {', '.join(p.keywords)}.\par\smallskip
\noindent\textsc{{AMS {p.scheme} subject classification}}: Primary {p.msc[0]}, secondary {', '.join(p.msc[1:])}.\par
{{\renewcommand\thefootnote{{}}\footnotetext{{\noindent {notes}}}}}
\newpage
""" + body(p) + bibliography(p, "number") + "\\end{document}\n"


# name: (template, style of the bibliography)
TEMPLATES = {
    "amsart-contents": (amsart_contents, "ams"),
    "economics-manuscript": (economics_manuscript, "apa"),
    "discussion-paper": (discussion_paper, "ay"),
    "sociology-journal": (sociology_journal, "ay"),
    "journal-dots": (journal_dots, "lncs"),
    "probability-journal": (probability_journal, "ams"),
    "smf": (smf, "ams"),
    "article-info": (article_info, "elsevier"),
    "transactions": (transactions, "ieee"),
    "department-preprint": (department_preprint, "siam"),
    "british-thesis": (british_thesis, "siam"),
    "koma-affiliations": (koma_affiliations, "number"),
    "proceedings-columns": (proceedings_columns, "number"),
    "research-report": (research_report, "number"),
}
