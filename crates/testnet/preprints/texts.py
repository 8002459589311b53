"""The two faces of every text: how it is typeset (TeX) and what a reader sees (plain Unicode).

Descriptions are written once, in Unicode with $formulas$. `tex` turns them into 7-bit TeX that any format from
plain TeX to XeLaTeX takes; `plain` says which letters stand on the page, in reading order, and so gives the right
answers. Formulas are rendered as the plain row of their glyphs ("$L^p$" is "Lp"), as a person would copy them.
"""
import re
import unicodedata

ACCENTS = {"\u0300": "`", "\u0301": "'", "\u0302": "^", "\u0303": "~", "\u0308": '"', "\u030b": "H",
           "\u030c": "v", "\u030a": "r", "\u0327": "c", "\u0307": ".", "\u0328": "k"}
LETTERS = {"ß": r"\ss{}", "ø": r"\o{}", "Ø": r"\O{}", "ł": r"\l{}", "Ł": r"\L{}", "æ": r"\ae{}", "ı": r"\i{}",
           "Å": r"\AA{}", "å": r"\aa{}", "–": "--", "—": "---", "„": ",,", "“": "``", "”": "''", "’": "'",
           "&": r"\&", "%": r"\%", "_": r"\_", "#": r"\#"}
SYMBOLS = {r"\leq": "≤", r"\geq": "≥", r"\in": "∈", r"\infty": "∞", r"\to": "→", r"\times": "×",
           r"\Omega": "Ω", r"\Delta": "Δ", r"\Gamma": "Γ", r"\alpha": "α", r"\beta": "β", r"\gamma": "γ",
           r"\delta": "δ", r"\epsilon": "ϵ", r"\varepsilon": "ε", r"\lambda": "λ", r"\mu": "μ", r"\pi": "π",
           r"\sigma": "σ", r"\theta": "θ", r"\zeta": "ζ", r"\|": "∥", r"\log": " log ", r"\cdot": "·",
           r"\mathbb": "", r"\mathcal": "", r"\mathrm": "", r"\,": " ", r"\subset": "⊂", r"\sum": "∑", r"\ell": "ℓ",
           r"\nabla": "∇"}


def tex(text):
    """Unicode text with $formulas$ as 7-bit TeX."""
    parts = re.split(r"(\$\$.*?\$\$|\$[^$]*\$)", text.strip())
    return "".join(p if p.startswith("$") else tex_words(p) for p in parts)


def tex_words(text):
    out = []
    for letter in unicodedata.normalize("NFC", text):
        if letter in LETTERS:
            out.append(LETTERS[letter])
        elif ord(letter) < 128:
            out.append(letter)
        else:
            base, accent = unicodedata.normalize("NFD", letter)
            base = r"\i" if base == "i" else base
            out.append("\\" + ACCENTS[accent] + "{" + base + "}")
    return "".join(out)


def plain(text):
    """What stands on the page."""
    parts = re.split(r"(\$[^$]*\$)", text.strip())
    seen = "".join(formula(p[1:-1]) if p.startswith("$") else p for p in parts)
    return " ".join(seen.split())


def formula(source):
    def symbol(match):
        return SYMBOLS[match.group(0)]
    seen = re.sub(r"\\(?:[A-Za-z]+|.)", symbol, source)
    return re.sub(r" +", " ", re.sub(r"[{}^_]", "", seen)).strip()
