"""The late templates, added after the rules for papers had been frozen; see `../templates.py` for the earlier ones."""
from pieces import WORDS, author_year_list, bibliography, body, cover_date, head, plain_body, plain_macros
from texts import tex

# AMS-TeX keeps the plain character for itself.
AT = r"\@"


def amsppt(p):
    authors = r" \& ".join(a.tex() for a in p.authors)
    addresses = "".join(rf"\address {a.address()} \endaddress" + "\n" + rf"\email {a.mail.replace('@', AT)} \endemail" + "\n" for a in p.authors)
    text = plain_body(p).replace(r"\beginsection", r"\bigskip\noindent\bf").replace("\n\n", "\\rm\n\n")
    return rf"""\input amstex
\documentstyle{{amsppt}}
\def\refi#1{{{{\it #1\/}}}}\def\refb#1{{{{\bf #1}}}}\def\refc#1{{#1}}
\topmatter
\title {p.title} \endtitle
\author {authors} \endauthor
\affil {p.authors[0].address(', ', street=False)} \endaffil
{addresses}\date {cover_date(p)} \enddate
\keywords {', '.join(p.keywords)} \endkeywords
\subjclass Primary {p.msc[0]}; Secondary {', '.join(p.msc[1:])} \endsubjclass
\abstract {p.abstract} \endabstract
\endtopmatter
\document
""" + text + "\\enddocument\n"


def smf(p):
    return head(p, "smfart") + rf"""
\begin{{document}}
\title{{{p.title}}}
\alttitle{{Capacity and dimension}}
""" + "".join(rf"""\author{{{a.tex()}}}
\address{{{a.address()}}}
\email{{{a.mail}}}
""" for a in p.authors) + rf"""
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


def apa(p):
    names = ", ".join(a.tex() for a in p.authors)
    return head(p, "apa6", "doc,a4paper") + rf"""
\title{{{p.title}}}
\shorttitle{{Informal queues}}
\author{{{names}}}
\affiliation{{{p.authors[0].address(', ', street=False)}}}
\leftheader{{Tesch et al.}}
\abstract{{{p.abstract}}}
\keywords{{{', '.join(p.keywords)}}}
\begin{{document}}
\maketitle
""" + author_year_list(p, "apa") + "\\end{document}\n"


def papercls(p):
    return head(p, "paper", "11pt,a4paper") + rf"""
\begin{{document}}
\title{{{p.title}}}
\author{{{' and '.join(a.tex() for a in p.authors)}}}
\institution{{{p.authors[0].address(', ', street=False)}}}
\maketitle
\begin{{abstract}}
{p.abstract}
\end{{abstract}}
\begin{{keywords}}
{', '.join(p.keywords)}
\end{{keywords}}
\noindent\textsf{{\textbf{{AMS subject classification.}}}} {', '.join(p.msc)}
""" + body(p) + bibliography(p, "number", alpha=True) + "\\end{document}\n"


def memoir_thesis(p):
    return head(p, "memoir", "a4paper,11pt,oneside") + rf"""
\begin{{document}}
\frontmatter
\begin{{titlingpage}}
\centering
\vspace*{{2cm}}
{{\scshape\large University of Eastmere\par Department of Mathematics\par}}
\vspace{{2.5cm}}
{{\HUGE\bfseries {p.title}\par}}
\vspace{{2cm}}
by\par\medskip
{{\LARGE {p.authors[0].tex()}\par}}
\vfill
A thesis submitted in partial fulfilment of the requirements\\
for the degree of Master of Science\par\bigskip
Supervisor: {p.advisor}\par\bigskip
{cover_date(p)}
\end{{titlingpage}}
\begin{{abstract}}
{p.abstract}

\medskip
\noindent\textbf{{Keywords:}} {'; '.join(p.keywords)}

\noindent\textbf{{Mathematics Subject Classification ({p.scheme}):}} {', '.join(p.msc)}
\end{{abstract}}
\clearpage
\tableofcontents*
\mainmatter
""" + body(p, section="chapter") + bibliography(p, "apa") + "\\end{document}\n"


def kluwer(p):
    authors = "".join(rf"\author{{{tex(a.given)} \surname{{{tex(a.family)}}}\email{{{a.mail}}}}}" + "\n" for a in p.authors)
    owner = r"\makeatletter\def\@copyrightowner{Annals of Small Results}\def\@country{Fjordby}\makeatother"
    return head(p, "kluwer", "numreferences,noid", extra=owner) + rf"""
\begin{{document}}
\begin{{article}}
\begin{{opening}}
\title{{{p.title}}}
{authors}\institute{{{p.authors[0].address()}}}
\runningtitle{{Minimal surfaces}}
\runningauthor{{S\o rensen and Aagaard}}
\begin{{abstract}}
{p.abstract}
\end{{abstract}}
\keywords{{{', '.join(p.keywords)}}}
\classification{{Mathematics Subject Classification ({p.scheme})}}{{{', '.join(p.msc)}}}
\end{{opening}}
""" + body(p) + bibliography(p, "number") + "\\end{article}\n\\end{document}\n"


def jmlr(p):
    authors = r" \\ ".join(rf"\Name{{{tex(a.name)}}} \Email{{{a.mail}}}\\ \addr {a.address(', ', street=False)}" for a in p.authors)
    return head(p, "jmlr", "wcp", extra=r"\jmlrvolume{3}\jmlryear{2016}\jmlrworkshop{Workshop on Small Results}\jmlrproceedings{ASR}{Annals of Small Results}") + rf"""
\title[Stubborn Teachers]{{{p.title}}}
\author{{{authors}}}
\begin{{document}}
\maketitle
\begin{{abstract}}
{p.abstract}
\end{{abstract}}
\begin{{keywords}}
{', '.join(p.keywords)}
\end{{keywords}}
""" + body(p) + natbib_items(p, "apa") + "\\end{document}\n"


def aastex(p):
    authors = "".join(rf"\author{{{a.tex()}}}" + "\n" + rf"\affiliation{{{a.address()}}}" + "\n" for a in p.authors)
    return head(p, "aastex631", "twocolumn") + rf"""
\begin{{document}}
\title{{{p.title}}}
{authors}
\begin{{abstract}}
{p.abstract}
\end{{abstract}}
\keywords{{{' --- '.join(p.keywords)}}}
""" + body(p) + natbib_items(p, "number") + "\\end{document}\n"


def natbib_items(p, style):
    items = "".join(rf"\bibitem[{tex(w.authors[0][1])}({w.year})]{{{w.key}}} {typeset}" + "\n" for w, typeset, _ in p.bibliography(style))
    return r"\begin{thebibliography}{}" + "\n" + items + "\\end{thebibliography}\n"


def proceedings(p):
    """A German volume of proceedings: the marks are in English although the text is not."""
    names = ", ".join(rf"{a.tex()}\footnote{{{a.address()}, {a.mail}}}" for a in p.authors)
    return head(p, "article", "10pt,a5paper", extra=r"\usepackage[margin=18mm]{geometry}") + rf"""
\begin{{document}}
\begin{{center}}
{{\large\bfseries\sffamily {p.title}\par}}\vspace{{4mm}}
{names}
\end{{center}}\vspace{{2mm}}
\noindent{{\small\textbf{{Abstract:}} {p.abstract}\par\smallskip
\noindent\textbf{{Keywords:}} {', '.join(p.keywords)}\par}}
""" + body(p) + bibliography(p, "lncs", alpha=True) + "\\end{document}\n"


def springerlike(p):
    names = r" $\cdot$ ".join(rf"\textbf{{{a.tex()}}}" for a in p.authors)
    notes = r"\\ ".join(rf"{a.tex()}\\ {a.address()}\\ E-mail: {a.mail}" for a in p.authors)
    words, codes = r" $\cdot$ ".join(p.keywords), r" $\cdot$ ".join(p.msc)
    return head(p, "article", "10pt") + rf"""
\begin{{document}}
\noindent{{\small Annals of Small Results manuscript No.\\ (will be inserted by the editor)}}\par\vspace{{12mm}}
{{\raggedright\noindent\Large\bfseries {p.title}\par}}\vspace{{6mm}}
\noindent {names}\par\vspace{{8mm}}
\noindent{{\small Received: {cover_date(p)} / Accepted: date}}\par\vspace{{8mm}}
{{\renewcommand\thefootnote{{}}\footnotetext{{\noindent {notes}}}}}
\noindent\textbf{{Abstract}}\enspace {p.abstract}\par\smallskip
\noindent\textbf{{Keywords}}\enspace {words}\par\smallskip
\noindent\textbf{{Mathematics Subject Classification ({p.scheme})}}\enspace {codes}
""" + body(p) + bibliography(p, "lncs") + "\\end{document}\n"


def report_table(p):
    """A report whose first page is a form: what each line holds is said at its left."""
    return head(p, "article", "11pt,a4paper") + rf"""
\begin{{document}}
\noindent\textbf{{{p.authors[0].address(', ', street=False)}}}\hfill {p.series}\\[1mm]
\rule{{\textwidth}}{{0.6pt}}\par\vspace{{8mm}}
{{\noindent\LARGE\sffamily {p.title}\par}}\vspace{{6mm}}
\noindent\begin{{tabular}}{{@{{}}lp{{10cm}}@{{}}}}
Verfasser: & {', '.join(a.tex() for a in p.authors)}\\
Datum: & {cover_date(p)}\\
Schlagworte: & {', '.join(p.keywords)}\\
MSC {p.scheme}: & {', '.join(p.msc)}\\
\end{{tabular}}\par\vspace{{6mm}}
\noindent\textsf{{Kurzfassung}}\par\noindent {p.abstract}\par
\noindent\rule{{\textwidth}}{{0.6pt}}
""" + body(p) + bibliography(p, "din") + "\\end{document}\n"


def plain_german(p):
    """Plain TeX; the marks stand before the abstract, the authors below it."""
    text = plain_body(p).replace("References", "Literatur")
    names = r"\hfil\break ".join(rf"{a.tex()}, {a.address()}" for a in p.authors)
    return plain_macros() + rf"""
\hsize=13.5cm\overfullrule=0pt
\headline={{\ifnum\pageno>1 \hfil\sl Kettenbr\"uche\hfil\else\hfil\fi}}
\centerline{{\bigbf {p.title}}}
\bigskip
\centerline{{von}}
\medskip
\centerline{{{' und '.join(a.tex() for a in p.authors)} (Hohenwerth)}}
\bigskip
{{\noindent\it Schlagw\"orter:\/\rm\ {', '.join(p.keywords)}\par
\noindent\it Mathematics Subject Classification ({p.scheme}):\/\rm\ {', '.join(p.msc)}\par}}
\medskip
{{\leftskip=1cm\rightskip=1cm\noindent\it Zusammenfassung.\/\rm\ {p.abstract}\par}}
""" + text + rf"""
\bigskip{{\parindent=0pt {names}\par}}
\bye
"""


def left_sans(p):
    names = r" $\bullet$ ".join(a.tex() for a in p.authors)
    return head(p, "scrartcl", "a4paper,10pt", extra=r"\usepackage[left=40mm,right=25mm]{geometry}") + rf"""
\pdfvariable suppressoptionalinfo 512 % LuaTeX makes a new file identifier every time
\renewcommand\familydefault{{\sfdefault}}
\begin{{document}}
\thispagestyle{{empty}}
\noindent\textcolor{{black}}{{\small HOHENWERTHER BEITR\"AGE \hfill {cover_date(p)}}}\par\vspace{{15mm}}
{{\raggedright\noindent\Huge\bfseries {p.title}\par\medskip\noindent\Large\mdseries {p.subtitle}\par}}\vspace{{8mm}}
\noindent {names}\par\vspace{{6mm}}
\noindent\textbf{{Zusammenfassung}}\par\noindent\textit{{{p.abstract}}}\par\medskip
\noindent\textbf{{Schl\"usselbegriffe}}\par\noindent {' --- '.join(p.keywords)}\par
""".replace(r"\textcolor{black}", "") + author_year_list(p) + "\\end{document}\n"


def spanish(p):
    names = r" \and ".join(rf"{a.tex()}\thanks{{{a.mail}}}" for a in p.authors)
    return head(p, "article", "11pt,a4paper") + rf"""
\begin{{document}}
\title{{{p.title}}}
\author{{{names}\\ {p.authors[0].address(', ', street=False)}}}
\date{{{cover_date(p)}}}
\maketitle
\begin{{abstract}}
{p.abstract}
\end{{abstract}}
\noindent\textbf{{Palabras clave:}} {', '.join(p.keywords)}.\par
\noindent\textbf{{Clasificaci\'on AMS (Mathematics Subject Classification {p.scheme}):}} {', '.join(p.msc)}.
""" + body(p) + bibliography(p, "number") + "\\end{document}\n"


def habilitation(p):
    return head(p, "scrbook", "a4paper,11pt,oneside") + rf"""
\begin{{document}}
\begin{{titlepage}}
\raggedright
{{\large Aus der Fakult\"at f\"ur Mathematik der Universit\"at Hohenwerth\par}}
\vspace{{4cm}}
{{\huge {p.title}\par}}
\vspace{{3cm}}
{{\large Habilitationsschrift\par zur Erlangung der Lehrbefugnis f\"ur das Fach Mathematik\par}}
\vspace{{1cm}}
{{\large dem Fakult\"atsrat vorgelegt von\par\medskip \textbf{{Dr.\ {p.authors[0].tex()}}}\par}}
\vfill
Hohenwerth, im Januar {p.year}
\end{{titlepage}}
\addchap{{Zusammenfassung}}
{p.abstract}
\par\bigskip
\noindent\emph{{Schlagw\"orter}}: {', '.join(p.keywords)}\\
\emph{{Klassifikation}} (MSC {p.scheme}, Mathematics Subject Classification): {', '.join(p.msc)}
""" + body(p, section="chapter") + bibliography(p, "din", alpha=True) + "\\end{document}\n"


def letter_note(p):
    """A note typed like a letter: address at the right, title as a heading of the text."""
    a = p.authors[0]
    lines = r"\\ ".join(tex(line) for line in (a.name, a.department, a.body, a.town))
    return head(p, "article", "12pt") + rf"""
\begin{{document}}
\begin{{flushright}}
{lines}\\ {cover_date(p)}
\end{{flushright}}
\vspace{{1cm}}
\begin{{center}}\Large\bf {p.title}\end{{center}}
\vspace{{5mm}}
\noindent{{\sc Abstract.}} {p.abstract}

\vspace{{3mm}}
\noindent{{\sc Key words.}} {', '.join(p.keywords)}.

\noindent{{\sc AMS (MOS) subject classifications.}} {', '.join(p.msc)}.
""" + body(p) + bibliography(p, "siam") + "\\end{document}\n"


def tufte(p):
    return head(p, "tufte-handout", "a4paper") + rf"""
\begin{{document}}
\title{{{p.title}}}
\author{{{' and '.join(a.tex() for a in p.authors)}}}
\date{{{cover_date(p)}}}
\maketitle
\begin{{abstract}}
\noindent\textsc{{Abstract.}} {p.abstract}
\end{{abstract}}
\noindent\emph{{Keywords:}} {', '.join(p.keywords)}\\
\emph{{MSC {p.scheme} classification:}} {', '.join(p.msc)}
""" + author_year_list(p, "apa") + "\\end{document}\n"


def amsproc(p):
    authors = "".join(rf"\author{{{a.tex()}}}" + "\n" + rf"\address{{{a.address()}}}" + "\n" + rf"\email{{{a.mail}}}" + "\n" for a in p.authors)
    return head(p, "amsproc") + rf"""
\begin{{document}}
\title{{{p.title}}}
{authors}
\subjclass[{p.scheme}]{{Primary {p.msc[0]}, {p.msc[1]}; Secondary {', '.join(p.msc[2:])}}}
\keywords{{{', '.join(p.keywords)}}}
\begin{{abstract}}
{p.abstract}
\end{{abstract}}
\maketitle
""" + body(p) + bibliography(p, "ams") + "\\end{document}\n"


# name: (template, style of the bibliography)
TEMPLATES = {
    "amsppt": (amsppt, "number"),
    "smf": (smf, "ams"),
    "apa": (apa, "apa"),
    "papercls": (papercls, "number"),
    "memoir-thesis": (memoir_thesis, "apa"),
    "kluwer": (kluwer, "number"),
    "jmlr": (jmlr, "apa"),
    "aastex": (aastex, "number"),
    "proceedings": (proceedings, "lncs"),
    "springerlike": (springerlike, "lncs"),
    "report-table": (report_table, "din"),
    "plain-german": (plain_german, "number"),
    "left-sans": (left_sans, "ay"),
    "spanish": (spanish, "number"),
    "habilitation": (habilitation, "din"),
    "letter-note": (letter_note, "siam"),
    "tufte": (tufte, "apa"),
    "amsproc": (amsproc, "ams"),
}
