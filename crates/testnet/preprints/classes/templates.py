"""Papers in classes of journals and publishers as TeX Live has them: nobody here designed how they look."""
from pieces import LINE, bibliography, body, cover_date, head
from texts import tex


def natbib_items(p, style):
    items = "".join(rf"\bibitem[{tex(w.authors[0][1])}({w.year})]{{{w.key}}} {typeset}" + "\n" for w, typeset, _ in p.bibliography(style))
    return r"\begin{thebibliography}{}" + "\n" + items + "\\end{thebibliography}\n"


def ams_like(p, cls, options="", items=bibliography):
    authors = "".join(rf"\author{{{a.tex()}}}" + "\n" + rf"\address{{{a.address()}}}" + "\n" + rf"\email{{{a.mail}}}" + "\n" for a in p.authors)
    return head(p, cls, options) + rf"""
\title{{{p.title}}}
{authors}
\begin{{document}}
\begin{{abstract}}
{p.abstract}
\end{{abstract}}
\maketitle
""" + body(p) + items(p, "ams") + "\\end{document}\n"


def ijmart(p):
    return ams_like(p, "ijmart")


def resphilosophica(p):
    return ams_like(p, "resphilosophica", "manuscript", items=natbib_items)


def aomart(p):
    words = "".join(rf"\keyword{{{word}}}" for word in p.keywords)
    authors = "".join(rf"\author{{{a.tex()}}}" + "\n" + rf"\address{{{a.address()}}}" + "\n" + rf"\email{{{a.mail}}}" + "\n" for a in p.authors)
    return head(p, "aomart") + rf"""
\title{{{p.title}}}
{authors}
{words}
\subject{{primary}}{{msc{p.scheme}}}{{{p.msc[0]}}}
\subject{{secondary}}{{msc{p.scheme}}}{{{p.msc[1]}}}
\begin{{document}}
\begin{{abstract}}
{p.abstract}
\end{{abstract}}
\maketitle
""" + body(p) + bibliography(p, "ams") + "\\end{document}\n"


def ejpecp(p):
    authors = r"\and ".join(rf"{a.tex()}\footnote{{{a.address()}. \EMAIL{{{a.mail}}}}}" for a in p.authors)
    return head(p, "ejpecp", "EJP") + rf"""
\SHORTTITLE{{{' '.join(p.title.split()[:4])}}}
\TITLE{{{p.title}}}
\AUTHORS{{{authors}}}
\KEYWORDS{{{' ; '.join(p.keywords)}}}
\AMSSUBJ{{{' ; '.join(p.msc)}}}
\SUBMITTED{{{cover_date(p)}}}
\ACCEPTED{{{cover_date(p)}}}
\VOLUME{{0}}\YEAR{{{p.year}}}\PAPERNUM{{0}}\DOI{{vVOL-PID}}
\ABSTRACT{{{p.abstract}}}
\begin{{document}}
""" + body(p) + bibliography(p, "ams") + "\\end{document}\n"


def lni(p):
    words = r" \and ".join(p.keywords)
    names = r" \and ".join(rf"{a.tex()}\footnote{{{a.address()} \email{{{a.mail}}}}}" for a in p.authors)
    return head(p, "lni", "utf8") + rf"""
\begin{{document}}
\title[{' '.join(p.title.split()[:4])}]{{{p.title}}}
\author{{{names}}}
\startpage{{11}}
\booktitle{{Tagungsband der Hohenwerther Informatiktage}}
\yearofpublication{{{p.year}}}
\maketitle
\begin{{abstract}}
{p.abstract}
\end{{abstract}}
\begin{{keywords}}
{words}
\end{{keywords}}
""" + body(p) + bibliography(p, "lncs") + "\\end{document}\n"


def quantum(p):
    authors = "".join(rf"\author{{{a.tex()}}}" + "\n" + rf"\affiliation{{{a.address()}}}" + "\n" + rf"\email{{{a.mail}}}" + "\n" for a in p.authors)
    return head(p, "quantumarticle", "a4paper,onecolumn,nopdfoutputerror", extra=r"\usepackage[numbers]{natbib}\usepackage{hyperref}") + rf"""
\begin{{document}}
\title{{{p.title}}}
{authors}\date{{{cover_date(p)}}}
\maketitle
\begin{{abstract}}
{p.abstract}
\end{{abstract}}
""" + body(p) + natbib_items(p, "number") + "\\end{document}\n"


def mnras(p):
    places = list(dict.fromkeys(a.place for a in p.authors))
    names = " and ".join(rf"{a.tex()}$^{{{places.index(a.place) + 1}}}$" for a in p.authors)
    lines = r"\\".join(rf"$^{{{n}}}${next(a for a in p.authors if a.place == place).address()}" for n, place in enumerate(places, 1))
    return head(p, "mnras", "a4paper,fleqn") + rf"""
\title[{' '.join(p.title.split()[:4])}]{{{p.title}}}
\author[{tex(p.authors[0].family)} et al.]{{{names}\\ {lines}}}
\date{{Accepted XXX. Received {cover_date(p)}}}
\pubyear{{{p.year}}}
\begin{{document}}
\label{{firstpage}}
\pagerange{{\pageref{{firstpage}}--\pageref{{lastpage}}}}
\maketitle
\begin{{abstract}}
{p.abstract}
\end{{abstract}}
\begin{{keywords}}
{' -- '.join(p.keywords)}
\end{{keywords}}
""" + body(p) + natbib_items(p, "number") + "\\label{lastpage}\n\\end{document}\n"


def spie(p):
    places = list(dict.fromkeys(a.place for a in p.authors))
    letters = "abcdef"
    names = "".join(rf"\author[{letters[places.index(a.place)]}]{{{a.tex()}}}" + "\n" for a in p.authors)
    lines = "".join(rf"\affil[{letters[n]}]{{{next(a for a in p.authors if a.place == place).address()}}}" + "\n" for n, place in enumerate(places))
    return head(p, "spie", "a4paper", extra=r"\usepackage{authblk}") + rf"""
\title{{{p.title}}}
{names}{lines}
\authorinfo{{Further author information: {p.authors[0].tex()}: E-mail: {p.authors[0].mail}}}
\begin{{document}}
\maketitle
\begin{{abstract}}
{p.abstract}
\end{{abstract}}
\keywords{{{', '.join(p.keywords)}}}
""" + body(p) + bibliography(p, "number") + "\\end{document}\n"


def tugboat(p):
    authors = "".join(rf"\author{{{a.tex()}}}" + "\n" + rf"\address{{{a.address(LINE)}}}" + "\n" + rf"\netaddress{{{a.mail.replace('@', ' (at) ')}}}" + "\n" for a in p.authors)
    return head(p, "ltugboat") + rf"""
\begin{{document}}
\title{{{p.title}}}
{authors}
\maketitle
\begin{{abstract}}
{p.abstract}
\end{{abstract}}
""" + body(p) + bibliography(p, "number") + "\\end{document}\n"


def acm(p):
    authors = "".join(rf"\author{{{a.tex()}}}" + "\n" + rf"\email{{{a.mail}}}" + "\n"
                      + rf"\affiliation{{\institution{{{tex(a.body)}}}\city{{{tex(a.town)}}}\country{{Nowhere}}}}" + "\n" for a in p.authors)
    return head(p, "acmart", "sigconf,nonacm") + rf"""
\begin{{document}}
\title{{{p.title}}}
{authors}
\begin{{abstract}}
{p.abstract}
\end{{abstract}}
\keywords{{{', '.join(p.keywords)}}}
\maketitle
""" + body(p) + natbib_items(p, "number") + "\\end{document}\n"


def cas(p):
    words = r" \sep ".join(p.keywords)
    places = list(dict.fromkeys(a.place for a in p.authors))
    authors = "".join(rf"\author[{places.index(a.place) + 1}]{{{a.tex()}}}" + "\n" for a in p.authors)
    lines = "".join(rf"\affiliation[{n}]{{organization={{{tex(a.body)}}}, addressline={{{tex(a.street)}}}, city={{{tex(a.town)}}}}}" + "\n"
                    for n, a in enumerate((next(a for a in p.authors if a.place == place) for place in places), 1))
    return head(p, "cas-sc", "a4paper,fleqn", extra=r"\usepackage[numbers]{natbib}") + rf"""
\begin{{document}}
\shorttitle{{{' '.join(p.title.split()[:4])}}}
\shortauthors{{{tex(p.authors[0].family)} et al.}}
\title[mode=title]{{{p.title}}}
{authors}{lines}
\begin{{abstract}}
{p.abstract}
\end{{abstract}}
\begin{{keywords}}
{words}
\end{{keywords}}
\maketitle
""" + body(p) + natbib_items(p, "elsevier") + "\\end{document}\n"


def aiaa(p):
    names = r"\ and ".join(rf"{a.tex()}\thanks{{{a.address()}}}" for a in p.authors)
    return head(p, "aiaa-tc") + rf"""
\title{{{p.title}}}
\author{{{names}\\ {{\normalsize\itshape {p.authors[0].address(', ', street=False)}}}}}
\begin{{document}}
\maketitle
\begin{{abstract}}
{p.abstract}
\end{{abstract}}
""" + body(p) + bibliography(p, "number") + "\\end{document}\n"


# name: (template, style of the bibliography)
TEMPLATES = {
    "ijmart": (ijmart, "ams"),
    "resphilosophica": (resphilosophica, "ams"),
    "aomart": (aomart, "ams"),
    "ejpecp": (ejpecp, "ams"),
    "lni": (lni, "lncs"),
    "quantum": (quantum, "number"),
    "mnras": (mnras, "number"),
    "spie": (spie, "number"),
    "tugboat": (tugboat, "number"),
    "acm": (acm, "number"),
    "cas": (cas, "elsevier"),
    "aiaa": (aiaa, "number"),
}
