"""Development templates that follow a journal's or publisher's class; the others are in `templates.py`."""
from pieces import LINE, bibliography, body, cover_date, head, split_line


def amsart(p):
    return head(p, "amsart") + rf"""
\begin{{document}}
\title[{split_line(p)}]{{{p.title}}}
""" + "".join(rf"""\author{{{a.tex()}}}
\address{{{a.address()}}}
\email{{{a.mail}}}
""" for a in p.authors) + rf"""\date{{{cover_date(p)}}}
\keywords{{{', '.join(p.keywords)}}}
{ams_codes(p)}
\begin{{abstract}}
{p.abstract}
\end{{abstract}}
\maketitle
""" + body(p) + bibliography(p, "ams") + "\\end{document}\n"


def ams_codes(p):
    if p.scheme == "2020":
        return rf"\subjclass[2020]{{Primary {p.msc[0]}; Secondary {', '.join(p.msc[1:])}}}"
    if len(p.msc) > 2:
        return rf"\subjclass[{p.scheme}]{{Primary {p.msc[0]}; Secondary {', '.join(p.msc[1:])}}}"
    return rf"\subjclass[{p.scheme}]{{{', '.join(p.msc)}}}"


def amsart_addresses(p):
    thanks = [r"\thanks{The first author was supported by the Werthtal Foundation.}"] + [""] * (len(p.authors) - 1)
    return head(p, "amsart", "12pt") + rf"""
\begin{{document}}
\title{{{p.title}}}
""" + "".join(rf"""\author{{{a.tex()}}}
\address[{a.tex()}]{{{a.address(LINE)}}}
\email{{{a.mail}}}
{t}
""" for a, t in zip(p.authors, thanks)) + rf"""
\subjclass[{p.scheme}]{{{p.msc[0]} (primary), {', '.join(p.msc[1:])} (secondary)}}
\keywords{{{'; '.join(p.keywords)}}}
\dedicatory{{Dedicated to the memory of the old ferryman}}
\begin{{abstract}}{p.abstract}\end{{abstract}}
\maketitle
""" + body(p) + bibliography(p, "ams") + "\\end{document}\n"


def ieee(p):
    blocks = r" \and ".join(
        rf"\IEEEauthorblockN{{{a.tex()}}}\IEEEauthorblockA{{{a.address(LINE, street=False)}\\ {a.mail}}}" for a in p.authors)
    return head(p, "IEEEtran", "conference") + rf"""
\begin{{document}}
\title{{{p.title}}}
\author{{{blocks}}}
\maketitle
\begin{{abstract}}
{p.abstract}
\end{{abstract}}
\begin{{IEEEkeywords}}
{', '.join(p.keywords)}
\end{{IEEEkeywords}}
""" + body(p) + bibliography(p, "ieee") + "\\end{document}\n"


def revtex(p):
    authors = "".join(rf"""\author{{{a.tex()}}}
\email{{{a.mail}}}
\affiliation{{{a.address(', ', street=False)}}}
""" for a in p.authors)
    return head(p, "revtex4-2", "aps,pre,twocolumn,superscriptaddress,showkeys") + rf"""
\begin{{document}}
\title{{{p.title}}}
{authors}
\date{{{cover_date(p)}}}
\begin{{abstract}}
{p.abstract}
\end{{abstract}}
\keywords{{{', '.join(p.keywords)}}}
\maketitle
""" + body(p) + bibliography(p, "number") + "\\end{document}\n"


def elsart(p):
    places = list(dict.fromkeys(a.place for a in p.authors))
    authors = "".join(rf"\author[{a.place}]{{{a.tex()}}}" + "\n" + (rf"\ead{{{a.mail}}}" + "\n" if at == 0 else "")
                      for at, a in enumerate(p.authors))
    lines = "".join(rf"\address[{place}]{{{next(a for a in p.authors if a.place == place).address()}}}" + "\n" for place in places)
    words, codes = r" \sep ".join(p.keywords), r" \sep ".join(p.msc)
    return head(p, "elsarticle", "preprint,12pt") + rf"""
\begin{{document}}
\journal{{Annals of Small Results}}
\begin{{frontmatter}}
\title{{{p.title}}}
{authors}{lines}
\begin{{abstract}}
{p.abstract}
\end{{abstract}}
\begin{{keyword}}
{words}
\MSC[{p.scheme}] {codes}
\end{{keyword}}
\end{{frontmatter}}
""" + body(p) + bibliography(p, "elsevier") + "\\end{document}\n"


def llncs(p):
    places = list(dict.fromkeys(a.place for a in p.authors))
    names = r" \and ".join(rf"{a.tex()}\inst{{{places.index(a.place) + 1}}}" for a in p.authors)
    first = [next(a for a in p.authors if a.place == place) for place in places]
    institutes = r" \and ".join(rf"{a.address()}\\ \email{{{a.mail}}}" for a in first)
    words = r" \and ".join(p.keywords)
    return head(p, "llncs") + rf"""
\begin{{document}}
\title{{{p.title}}}
\author{{{names}}}
\institute{{{institutes}}}
\maketitle
\begin{{abstract}}
{p.abstract}
\keywords{{{words}}}
\end{{abstract}}
""" + body(p) + bibliography(p, "lncs") + "\\end{document}\n"
