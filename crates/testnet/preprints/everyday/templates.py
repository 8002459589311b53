"""Sixteen templates of every day: what universities put on the web between 1995 and 2022, mostly in standard classes."""
from papers import INTRODUCTION
from pieces import bibliography, cover_date, head, split_line
from texts import tex

LINES = r"\\ "
TYPED = r"\\ \tt "
DASH = r" -- "
UNNUMBERED = r"\renewcommand\thefootnote{}"
# The introductions, with a place for one or more works in each sentence; what is left over goes to the last.
OPENINGS = {
    "en": ["The subject has a long history; for a general account we refer to @.", "Closer to what we have in mind are @, where a special case is treated.",
           "There it was left open whether the assumptions are necessary, a question that has been taken up again in @.",
           "Different approaches can be found in @ and in the literature quoted there. The purpose of this paper is to show that the assumptions can be weakened "
           "considerably. The plan is as follows. In the next section we fix the terms and recall what is needed. After that come the main results, and we close with "
           "some remarks on what remains to be done."],
    "de": ["Zum Thema gibt es eine umfangreiche Literatur; für einen Überblick sei auf @ verwiesen.", "Unserer Fragestellung näher stehen @, wo ein Sonderfall behandelt wird.",
           "Offen blieb dort, ob die Voraussetzungen notwendig sind. Diese Frage wurde in @ wieder aufgegriffen.",
           "Andere Wege werden in @ und der dort genannten Literatur beschritten. Ziel der vorliegenden Arbeit ist es, die Voraussetzungen abzuschwächen. Wir gehen folgendermaßen "
           "vor: Zunächst werden die Begriffe geklärt und Bekanntes zusammengestellt. Danach folgen die Ergebnisse, und am Ende wird gefragt, was zu tun bleibt."],
}


def month_of(p):
    """The month and the year, as covers give them."""
    words = cover_date(p).split()
    return f"{words[0]} {words[-1]}" if p.lang == "en" else " ".join(words[-2:])


def by_place(p):
    """The authors in groups of the same address, in the order of the names."""
    keys = list(dict.fromkeys(a.place for a in p.authors))
    return [[a for a in p.authors if a.place == key] for key in keys]


def number_of(p, author):
    return 1 + [group[0].place for group in by_place(p)].index(author.place)


def listed(names, last):
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + last + names[-1]


def town_of(author):
    """The town without its number: "99440 Thalbruck" is "Thalbruck"."""
    return tex(" ".join(word for word in author.town.split(",")[0].split() if not word[0].isdigit()))


def initialed(author):
    return tex(" ".join(part[0] + "." for part in author.given.split())) + "~" + tex(author.family)


def running_names(p):
    """The names for a running head, cut where there are many."""
    return listed([initialed(a) for a in p.authors], " and ") if len(p.authors) < 4 else initialed(p.authors[0]) + " et al."


def introduction(p, cite):
    """The first section's text: every work is cited, several of them together; `cite` names a list of works."""
    sentences, works = OPENINGS[p.lang], p.works
    share = max(1, len(works) // len(sentences))
    groups = [works[share * at:share * (at + 1)] for at in range(len(sentences) - 1)] + [works[share * (len(sentences) - 1):]]
    return " ".join(tex(sentence).replace("@", cite(group), 1) for sentence, group in zip(sentences, groups) if group)


def sections(p, cite, section="section"):
    first = rf"\{section}{{{tex(INTRODUCTION[p.lang])}}}" + "\n" + introduction(p, cite) + "\n"
    return first + "".join(rf"\{section}{{{heading}}}" + "\n" + text.strip() + "\n" for heading, text in p.sections)


def body(p, section="section"):
    return sections(p, lambda works: rf"\cite{{{','.join(work.key for work in works)}}}", section)


def author_year_list(p, style, heading=None, section="section"):
    """Sections and a bibliography without labels, cited by author and year."""
    last = {"de": " und ", "en": " and "}[p.lang]
    def cite(work):
        families = [tex(family) for _, family in work.authors]
        return f"{families[0] + (last + families[1] if len(families) == 2 else ' et al.' if len(families) > 2 else '')} ({work.year})"
    items = "".join(r"\hangindent=1.5em\hangafter=1\noindent " + typeset + r"\par\smallskip" + "\n" for _, typeset, _ in p.bibliography(style))
    heading = heading or {"de": "Literatur", "en": "References"}[p.lang]
    return sections(p, lambda works: listed([cite(work) for work in works], last), section) + rf"\{section.rstrip('*')}*{{{heading}}}" + "\n" + items


def article_notes(p):
    """Plain article in twelve points: a grant at the title, addresses as notes at the names, key words and codes as paragraphs of the abstract."""
    names = r" \and ".join(rf"{a.tex()}\thanks{{{a.address()}. E-mail: {{\tt {a.mail}}}}}" for a in p.authors)
    return head(p, "article", "12pt") + rf"""
\title{{{p.title}\thanks{{Research partially supported by a grant of the Canadian Council for Small Results.}}}}
\author{{{names}}}
\date{{{month_of(p)}}}
\begin{{document}}
\maketitle
\begin{{abstract}}
{p.abstract}

\medskip
\noindent {{\em Keywords:}} {', '.join(p.keywords)}.

\noindent {{\em AMS Subject Classification ({p.scheme}):}} {', '.join(p.msc)}.
\end{{abstract}}
""" + body(p) + r"""
\section*{Acknowledgement}
We are grateful to two anonymous readers of an earlier version, who found a mistake in the proof of the theorem.
""" + bibliography(p, "number") + "\\end{document}\n"


def artikel_schlicht(p):
    """A German mathematician's article of the nineties: names and towns under the title, codes but no keywords below the summary, addresses at the end."""
    names = r" \and ".join(rf"{a.tex()}\\ {{\normalsize {town_of(a)}}}" for a in p.authors)
    ends = "".join(rf"\bigskip\noindent\begin{{tabular}}{{@{{}}l@{{}}}}{', '.join(a.tex() for a in g)}\\ {g[0].address(LINES)}\\ \tt {TYPED.join(a.mail for a in g)}\end{{tabular}}\par"
                   for g in by_place(p))
    return head(p, "article", "11pt,a4paper") + rf"""
\title{{\bf {p.title}}}
\author{{{names}}}
\date{{}}
\begin{{document}}
\maketitle
\begin{{abstract}}
{p.abstract}
\end{{abstract}}
\noindent{{\small AMS-Klassifikation: {', '.join(p.msc)}}}
""" + body(p) + bibliography(p, "ams") + rf"""
{{\small {ends}}}
\end{{document}}
"""


def amsart_today(p):
    """amsart of today: four authors, colours for links, codes of 2020 and key words at the foot, an acknowledgement before the references."""
    authors = "".join(rf"""\author{{{a.tex()}}}
\address{{{a.address()}}}
\email{{{a.mail}}}
""" for a in p.authors)
    return head(p, "amsart", "11pt,a4paper", extra=r"\usepackage[margin=1.1in]{geometry}\usepackage[colorlinks]{hyperref}") + rf"""
\title[{split_line(p)}]{{{p.title}}}
{authors}
\date{{\today}}
\subjclass[{p.scheme}]{{{p.msc[0]} (primary), {', '.join(p.msc[1:])} (secondary)}}
\keywords{{{', '.join(p.keywords)}}}
\begin{{document}}
\begin{{abstract}}
{p.abstract}
\end{{abstract}}
\maketitle
""" + body(p) + r"""
\subsection*{Acknowledgements}
Part of this work was done while the authors met in Serravento. We thank the Politecnico for its hospitality and the referee for a careful reading.
""" + bibliography(p, "ams") + "\\end{document}\n"


def amsart_deutsch(p):
    """amsart in German: a dedication, German words for abstract and references, English ones for codes and key words at the foot."""
    authors = "".join(rf"""\author{{{a.tex()}}}
\address{{{a.address(LINES)}}}
\email{{{a.mail}}}
""" for a in p.authors)
    return head(p, "amsart", "a4paper") + rf"""
\begin{{document}}
\title[{split_line(p)}]{{{p.title}}}
{authors}
\dedicatory{{Herrn Professor Albrecht Sonnleitner zum siebzigsten Geburtstag}}
\date{{{cover_date(p)}}}
\subjclass[{p.scheme}]{{{', '.join(p.msc)}}}
\keywords{{{', '.join(p.keywords)}}}
\begin{{abstract}}
{p.abstract}
\end{{abstract}}
\maketitle
""" + body(p) + bibliography(p, "number") + "\\end{document}\n"


def koma_untertitel(p):
    """A sociologists' manuscript: KOMA-Script with a subtitle, names with notes that say who they are, summary and "Schlagwörter", author and year."""
    what = ["wissenschaftliche Mitarbeiterin", "Privatdozent", "Doktorand", "Doktorandin"]
    names = r" \and ".join(rf"{a.tex()}\thanks{{{what[n % 4]}, {tex(a.department)}, {tex(a.body)}; {a.mail}}}" for n, a in enumerate(p.authors))
    return head(p, "scrartcl", "11pt,a4paper,abstract=true,parskip=half", extra=r"\usepackage{setspace}") + rf"""
\title{{{p.title}}}
\subtitle{{{p.subtitle}}}
\author{{{names}}}
\date{{{month_of(p)}}}
\begin{{document}}
\maketitle
\begin{{abstract}}
\noindent {p.abstract}

\medskip
\noindent\textbf{{Schlagw\"orter:}} {', '.join(p.keywords)}
\end{{abstract}}
\onehalfspacing
""" + author_year_list(p, "ay") + "\\end{document}\n"


def bachelorarbeit(p):
    """A bachelor's thesis in mathematics: scrreprt, a title page with examiners, summary and contents before the first chapter, the declaration at the end."""
    a = p.authors[0]
    return head(p, "scrreprt", "12pt,a4paper,parskip=half,bibliography=totoc", extra=r"\usepackage[scaled]{helvet}") + rf"""
\begin{{document}}
\begin{{titlepage}}
\centering
{{\Large {tex(a.body)}\par}}\vspace{{2mm}}
{{\large {tex(a.department)}\par}}
\vspace{{30mm}}
{{\Large Bachelorarbeit\par}}
\vspace{{2mm}}
zur Erlangung des akademischen Grades\\ Bachelor of Science (B.\,Sc.)\\ im Studiengang Mathematik\par
\vspace{{22mm}}
{{\huge\bfseries\sffamily {p.title}\par}}
\vspace{{22mm}}
vorgelegt von\par\vspace{{2mm}}
{{\Large {a.tex()}\par}}\vspace{{2mm}}
Matrikelnummer 210 3347\par
\vfill
\begin{{tabular}}{{ll}}
Erstgutachter: & {p.advisor}\\
Zweitgutachterin: & Dr. Astrid Rieger-Holm\\
Abgabe: & {cover_date(p)}
\end{{tabular}}
\end{{titlepage}}
\chapter*{{Zusammenfassung}}
{p.abstract}
\tableofcontents
""" + body(p, section="chapter") + bibliography(p, "din") + rf"""
\chapter*{{Eigenst\"andigkeitserkl\"arung}}
Hiermit erkl\"are ich, dass ich die vorliegende Arbeit selbstst\"andig und nur mit den angegebenen Hilfsmitteln angefertigt habe.

\vspace{{15mm}}
{town_of(a)}, den {cover_date(p)}\hfill \rule{{50mm}}{{0.4pt}}
\end{{document}}
"""


def american_thesis(p):
    """A doctoral dissertation in America: title page in capitals with the formula of submission, copyright, abstract with the title repeated, dedication, contents."""
    a = p.authors[0]
    return head(p, "report", "12pt", extra=r"\usepackage[left=1.5in,right=1in,top=1in,bottom=1in]{geometry}\usepackage{setspace}") + rf"""
\begin{{document}}
\begin{{titlepage}}
\begin{{center}}
\vspace*{{12mm}}
\begin{{doublespace}}
\MakeUppercase{{{p.title}}}
\end{{doublespace}}
\vspace{{15mm}}
BY\par\vspace{{5mm}}
\MakeUppercase{{{a.tex()}}}\par\vspace{{4mm}}
B.S., University of Eastmere, 1996\\ M.S., {tex(a.body)}, 1998\par
\vspace{{25mm}}
DISSERTATION\par\vspace{{5mm}}
Submitted in partial fulfillment of the requirements\\ for the degree of Doctor of Philosophy in Mathematics\\ in the Graduate College of\\ {tex(a.body)}, {p.year}
\vfill
{tex(a.town).split(',')[0]}, Illinois
\end{{center}}
\end{{titlepage}}
\thispagestyle{{empty}}\vspace*{{70mm}}
\begin{{center}}\copyright\ Copyright by {a.tex()}, {p.year}\end{{center}}
\newpage\pagenumbering{{roman}}\setcounter{{page}}{{3}}
\begin{{center}}
{{\large\bfseries Abstract}}\par\vspace{{6mm}}
\MakeUppercase{{{p.title}}}\par\vspace{{4mm}}
{a.tex()}, Ph.D.\\ Department of Mathematics\\ {tex(a.body)}, {p.year}\\ {p.advisor}, Advisor
\end{{center}}
\vspace{{6mm}}
\begin{{doublespace}}
{p.abstract}
\end{{doublespace}}
\newpage\vspace*{{60mm}}
\begin{{center}}\textit{{To my grandmother, who never missed a bus.}}\end{{center}}
\newpage
\chapter*{{Acknowledgments}}
I would like to thank my advisor for his patience and for many hours of conversation. Thanks are also due to the members of my committee, to the staff of the library, and to my office mates in Prairie Hall.
\tableofcontents
\newpage\pagenumbering{{arabic}}
\onehalfspacing
""" + body(p, section="chapter") + bibliography(p, "number", alpha=True) + rf"""
\chapter*{{Vita}}
{a.tex()} was born in Eastmere. After the bachelor's degree {p.year - 1996} years were spent at {tex(a.body)}, the last two of them with a fellowship of the Graduate College.
\end{{document}}
"""


def llncs_deutsch(p):
    """The class of a publisher's lecture notes, in German, as small conferences use it: two institutes with marks, summary, no keywords."""
    names = r" \and ".join(rf"{a.tex()}\inst{{{number_of(p, a)}}}" for a in p.authors)
    institutes = r" \and ".join(rf"{g[0].address(', ', street=False)}" for g in by_place(p))
    return head(p, "llncs") + rf"""
\renewcommand\abstractname{{Zusammenfassung.}}\renewcommand\refname{{Literaturverzeichnis}}
\begin{{document}}
\title{{{p.title}}}
\author{{{names}}}
\institute{{{institutes}\\ \email{{{p.authors[0].mail}}}}}
\maketitle
\begin{{abstract}}
{p.abstract}
\end{{abstract}}
""" + body(p) + bibliography(p, "lncs") + "\\end{document}\n"


def numerical_manuscript(p):
    """A manuscript in the class of a German publisher's journal around 1999: raised figures, institutes, dates, "Key words" with dashes, all flush left."""
    names = listed([rf"{a.tex()}$^{{{number_of(p, a)}}}$" for a in p.authors], ", ")
    lines = r"\\ ".join(rf"$^{{{n}}}$ {g[0].address()}" for n, g in enumerate(by_place(p), 1))
    return head(p, "article", "11pt", extra=r"\usepackage[margin=35mm]{geometry}") + rf"""
\pagestyle{{myheadings}}\markboth{{{running_names(p)}}}{{{split_line(p)}}}
\makeatletter\renewcommand\section{{\@startsection{{section}}{{1}}{{\z@}}{{-4ex}}{{2ex}}{{\normalfont\large\bfseries}}}}\renewcommand\@biblabel[1]{{#1.}}\makeatother
\begin{{document}}
\thispagestyle{{empty}}
\noindent{{\small Zahlen und Verfahren manuscript No.\\ (will be inserted by the editor)\par}}
\vspace{{18mm}}
{{\raggedright\noindent
{{\LARGE\bfseries {p.title}\par}}\vspace{{5mm}}
\noindent{{\large\bfseries {names}\par}}\vspace{{4mm}}
\noindent{{\small {lines}\par}}}}
\vspace{{5mm}}
\noindent{{\small Received {cover_date(p)} / Revised version received: date\par}}
\vspace{{8mm}}
\noindent{{\small\textbf{{Summary.}}\ {p.abstract}\par\medskip
\noindent\textbf{{Key words}}\ {DASH.join(p.keywords)}\par\medskip
\noindent\textit{{Mathematics Subject Classification ({p.scheme}):}} {', '.join(p.msc)}\par}}
{{{UNNUMBERED}\footnotetext{{\hspace*{{-1.8em}}\textit{{Correspondence to}}: {p.authors[0].tex()}, e-mail: {p.authors[0].mail}}}}}
\vspace{{4mm}}
""" + body(p) + bibliography(p, "yearcolon") + "\\end{document}\n"


def elsarticle_columns(p):
    """elsarticle in two columns: letters at the names, a corresponding author, keywords and codes under the abstract, identifiers in the references."""
    authors = "".join(rf"\author[{a.place}]{{{a.tex()}{mark}}}" + "\n" + rf"\ead{{{a.mail}}}" + "\n"
                      for a, mark in zip(p.authors, [r"\corref{cor}"] + [""] * len(p.authors)))
    words, codes = r" \sep ".join(p.keywords), r" \sep ".join(p.msc)
    lines = "".join(rf"\address[{g[0].place}]{{{g[0].address()}}}" + "\n" for g in by_place(p))
    return head(p, "elsarticle", "final,5p,times,twocolumn") + rf"""
\journal{{Annals of Small Results}}
\begin{{document}}
\begin{{frontmatter}}
\title{{{p.title}}}
{authors}{lines}
\cortext[cor]{{Corresponding author}}
\begin{{abstract}}
{p.abstract}
\end{{abstract}}
\begin{{keyword}}
{words}
\MSC[{p.scheme}] {codes}
\end{{keyword}}
\end{{frontmatter}}
""" + body(p) + r"""
\section*{Acknowledgements}
The first author was supported by the Nordic Fund for Analysis. All authors thank the organizers of the meeting on hysteresis at Lyngholm.
""" + bibliography(p, "doi") + "\\end{document}\n"


def ieee_computer_society(p):
    """IEEEtran in the style of the computer society: everything across both columns, "Index Terms" under the abstract, who is where in the note below."""
    names = listed([a.tex() for a in p.authors], ",~and~")
    items = "\n".join(rf"\IEEEcompsocthanksitem {listed([initialed(a) for a in g], ' and ')} {'is' if len(g) == 1 else 'are'} with the {tex(g[0].department)}, {tex(g[0].body)}, {tex(g[0].town)}.\protect\\ E-mail: {', '.join(a.mail for a in g)}"
                      for g in by_place(p))
    return head(p, "IEEEtran", "10pt,journal,compsoc") + rf"""
\begin{{document}}
\title{{{p.title}}}
\author{{{names}%
\IEEEcompsocitemizethanks{{{items}}}%
\thanks{{Manuscript received {cover_date(p)}.}}}}
\markboth{{Transactions on Imaginary Networks,~Vol.~8, No.~4, {month_of(p)}}}{{{split_line(p)}}}
\IEEEtitleabstractindextext{{%
\begin{{abstract}}
{p.abstract}
\end{{abstract}}
\begin{{IEEEkeywords}}
{', '.join(p.keywords)}.
\end{{IEEEkeywords}}}}
\maketitle
\IEEEdisplaynontitleabstractindextext
\IEEEpeerreviewmaketitle
""" + body(p) + bibliography(p, "ieee") + "\\end{document}\n"


def preprint_reihe(p):
    """A German department's series: its cover with number and ISSN, then article with numbered institutes, summary, "Schlüsselwörter" and codes."""
    first = p.authors[0]
    cover = r"\\[2mm] ".join(a.tex() for a in p.authors)
    names = listed([rf"{a.tex()}$\,^{{{number_of(p, a)}}}$" for a in p.authors], " und ")
    lines = r"\\ ".join(rf"$^{{{n}}}$ {g[0].address()}" for n, g in enumerate(by_place(p), 1))
    return head(p, "article", "12pt,a4paper") + rf"""
\begin{{document}}
\begin{{titlepage}}
\begin{{flushleft}}
{{\Large\sf {tex(first.body)}\\[1mm] {tex(first.department)}\par}}
\end{{flushleft}}
\hrule
\vspace{{45mm}}
\begin{{center}}
{{\large {cover}\par}}
\vspace{{12mm}}
{{\LARGE\bf {p.title}\par}}
\end{{center}}
\vfill
\hrule\vspace{{2mm}}
\noindent{{\sf {p.series}\hfill ISSN 9999-0714}}
\end{{titlepage}}
\setcounter{{page}}{{1}}
\begin{{center}}
{{\Large\bf {p.title}\par}}\vspace{{5mm}}
{names}\par\vspace{{3mm}}
{{\small {lines}\par}}\vspace{{3mm}}
{month_of(p)}
\end{{center}}
\begin{{quote}}\small
{{\bf Zusammenfassung.}} {p.abstract}

\medskip\noindent{{\bf Schl\"usselw\"orter:}} {', '.join(p.keywords)}

\medskip\noindent{{\bf AMS Subject Classification:}} {', '.join(p.msc)}
\end{{quote}}
""" + body(p) + bibliography(p, "number", alpha=True) + "\\end{document}\n"


def diskussionsbeitrag(p):
    """German economists: a cover with department, title, names and number; on the next page title, summary, "Stichworte" and JEL, who the authors are below."""
    first = p.authors[0]
    cover = r"\\ ".join(a.tex() for a in p.authors)
    grades = ["Prof. Dr.", "Dr.", "Dipl.-Volksw.", "Dipl.-Volksw."]
    below = r"\\ ".join(rf"{grades[n % 4]} {a.tex()}, {a.address()}, {a.mail}" for n, a in enumerate(p.authors))
    return head(p, "article", "12pt,a4paper", extra=r"\usepackage[margin=30mm]{geometry}\usepackage{setspace}") + rf"""
\begin{{document}}
\begin{{titlepage}}
\begin{{center}}
{{\Large\bfseries Diskussionsbeitr\"age\\ des Fachbereichs Wirtschaftswissenschaft\\ der {tex(first.body)}\par}}
\vspace{{50mm}}
{{\Large {p.title}\par}}
\vspace{{12mm}}
{{\large {cover}\par}}
\vspace{{12mm}}
{p.series}\\ {month_of(p)}
\vfill
{{\footnotesize Diskussionsbeitr\"age dienen der raschen Verbreitung neuer Ergebnisse. Die Verantwortung f\"ur den Inhalt liegt allein bei den Verfassern.\par}}
\end{{center}}
\end{{titlepage}}
\thispagestyle{{empty}}
\begin{{center}}{{\large\bfseries {p.title}\par}}\end{{center}}
\vspace{{6mm}}
\noindent\textbf{{Zusammenfassung:}} {p.abstract}\par\vspace{{6mm}}
\noindent\textbf{{Stichworte:}} {', '.join(p.keywords)}\par\vspace{{3mm}}
\noindent\textbf{{JEL-Klassifikation:}} H71, H77, R52\par
\vfill
\noindent{{\small {below}\par}}
\newpage\setcounter{{page}}{{1}}
\onehalfspacing
""" + author_year_list(p, "econ", heading="Literaturverzeichnis") + "\\end{document}\n"


def meeting_paper(p):
    """A paper read at a meeting, as from a word processor: a title page with names, addresses and the occasion, the abstract on the second page, no keywords."""
    names = "".join(rf"""{a.tex()}\\ {tex(a.department)}\\ {tex(a.body)}\\ {a.mail}\par\vspace{{6mm}}
""" for a in p.authors)
    return head(p, "article", "12pt", extra=r"\usepackage{fontspec}\usepackage[margin=1in]{geometry}\usepackage{setspace}") + rf"""
\begin{{document}}
\begin{{titlepage}}
\begin{{center}}
\vspace*{{30mm}}
{{\large\bfseries {p.title}\par}}
\vspace{{18mm}}
{names}
\vspace{{12mm}}
Paper presented at the annual meeting of the\\ Association for the Sociology of Small Places, Eastmere,\\ {cover_date(p)}\par
\vfill
Work in progress. Please do not quote without permission of the authors.
\end{{center}}
\end{{titlepage}}
\begin{{doublespace}}
\begin{{center}}\textbf{{Abstract}}\end{{center}}
\noindent {p.abstract}
\newpage
""" + author_year_list(p, "asa", section="section*") + "\\end{doublespace}\n\\end{document}\n"


def projektbericht(p):
    """The final report of a project: scrreprt in sans serif type, authors under title and subtitle, on the back of the cover an imprint, then contents and summary."""
    names = r"\\ ".join(a.tex() for a in p.authors)
    first = p.authors[0]
    return head(p, "scrreprt", "11pt,a4paper,parskip=half", extra=r"\usepackage{fontspec}\setmainfont{Latin Modern Sans}") + rf"""
\begin{{document}}
\begin{{titlepage}}
\raggedright
{{\large {tex(first.body)}\\ {tex(first.department)}\par}}
\vspace{{55mm}}
{{\Huge\bfseries {p.title}\par}}\vspace{{6mm}}
{{\Large {p.subtitle}\par}}\vspace{{18mm}}
{{\large {names}\par}}
\vfill
{town_of(first)}, {month_of(p)}
\end{{titlepage}}
\thispagestyle{{empty}}\vspace*{{\fill}}
{{\small
\textbf{{Auftraggeber}}\\ Landkreis Br\"uckstedt, Amt f\"ur Soziales

\textbf{{Herausgeber}}\\ {first.address(LINES)}

\textbf{{Kontakt}}\\ {first.mail}

\copyright\ {p.year}. Nachdruck, auch auszugsweise, nur mit Angabe der Quelle.\par}}
\newpage
\tableofcontents
\chapter*{{Zusammenfassung}}
{p.abstract}
""" + author_year_list(p, "apa", section="chapter") + "\\end{document}\n"


def workshop_columns(p):
    """A workshop on the web around 2000: two columns in Times, names in one line with raised figures, addresses of mail in braces, neither keywords nor codes."""
    names = r"\quad ".join(rf"{a.tex()}$^{{{number_of(p, a)}}}$" for a in p.authors)
    def mails(group):
        locals_ = [a.mail.split("@")[0] for a in group]
        return (rf"\{{{','.join(locals_)}\}}" if len(group) > 1 else locals_[0]) + "@" + group[0].mail.split("@")[1]
    lines = r"\\[1mm] ".join(rf"\normalsize $^{{{n}}}${g[0].address(', ', street=False)}\\ \normalsize\tt {mails(g)}" for n, g in enumerate(by_place(p), 1))
    return head(p, "article", "10pt,twocolumn", extra=r"\usepackage[letterpaper,margin=1in,columnsep=0.33in]{geometry}\pagestyle{empty}") + rf"""
\title{{\Large\bf {p.title}}}
\author{{{names}\\[2mm] {lines}}}
\date{{}}
\begin{{document}}
\maketitle
\thispagestyle{{empty}}
\begin{{abstract}}
{{\it {p.abstract}}}
\end{{abstract}}
""" + body(p) + r"""
\section*{Availability}
Source and documentation of the broker are available on request. A demonstration runs on our server: {\tt http://broker.cs.ormsby.example/}.
""" + bibliography(p, "full") + "\\end{document}\n"


# name: (template, style of the bibliography)
TEMPLATES = {
    "article-notes": (article_notes, "number"),
    "artikel-schlicht": (artikel_schlicht, "ams"),
    "amsart-today": (amsart_today, "ams"),
    "amsart-deutsch": (amsart_deutsch, "number"),
    "koma-untertitel": (koma_untertitel, "ay"),
    "bachelorarbeit": (bachelorarbeit, "din"),
    "american-thesis": (american_thesis, "number"),
    "llncs-deutsch": (llncs_deutsch, "lncs"),
    "numerical-manuscript": (numerical_manuscript, "yearcolon"),
    "elsarticle-columns": (elsarticle_columns, "doi"),
    "ieee-computer-society": (ieee_computer_society, "ieee"),
    "preprint-reihe": (preprint_reihe, "number"),
    "diskussionsbeitrag": (diskussionsbeitrag, "econ"),
    "meeting-paper": (meeting_paper, "asa"),
    "projektbericht": (projektbericht, "apa"),
    "workshop-columns": (workshop_columns, "full"),
}
