//! The rules that say in which language a text is, as functions of the numbers they compare.
//!
//! The rule of the corpus paper knows the word list only: a text is German if both shares reach
//! 40 %. The default rule asks a general detector as well, because a lower share is enough where two
//! independent signals agree, and a high one is enough alone. What lies between is for a person to
//! look at. For short texts what others say about the document is asked too.

use super::settings::{LanguageSettings, Profile};
use super::tally::Tally;
use auslese_model::Confidence;
use auslese_words::{Care, Detected};

/// What can be said about a text without knowing where it stands.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Signals<'a> {
    pub(crate) tally: Tally,
    /// Best first.
    pub(crate) detected: &'a [Detected],
}

/// What others say about a document. A hint only: of German pages that carry `lang`, one in
/// twenty-five carries a wrong one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hints<'a> {
    /// The `lang` attribute of the document.
    pub html_lang: Option<&'a str>,
    /// The `Content-Language` header.
    pub content_language: Option<&'a str>,
    /// The texts of links that lead to the document.
    pub anchor_texts: &'a [&'a str],
    /// The language of most documents of the site.
    pub site_language: Option<&'a str>,
}

/// A language and what it rests on.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Decision {
    pub(crate) language: String,
    pub(crate) confidence: Confidence,
    pub(crate) reason: String,
}

/// The tag for "nothing can be said".
pub(crate) const UNDETERMINED: &str = "und";

/// From this probability on a detector's second choice is worth naming.
const SECOND_CHOICE: f64 = 0.1;

/// How carefully the detector has to look: between the shares its word decides.
pub(crate) fn care(tally: &Tally, settings: &LanguageSettings) -> Care {
    let decides = settings.share_with_detector..settings.share_alone;
    if decides.contains(&tally.share()) { Care::Thorough } else { Care::Quick }
}

/// What the paper's rule says.
pub(crate) fn by_paper(tally: &Tally, settings: &LanguageSettings) -> bool {
    tally.words > 0 && tally.share() >= settings.paper_share
}

/// Whether the default rule says that it is the wanted language.
pub(crate) fn by_default(signals: Signals<'_>, settings: &LanguageSettings) -> bool {
    decide_with_detector(signals, settings).language == settings.language
}

/// The rule in force, for a text that is long enough.
pub(crate) fn decide(signals: Signals<'_>, settings: &LanguageSettings) -> Decision {
    match settings.profile {
        Profile::Default => decide_with_detector(signals, settings),
        Profile::Paper => decide_by_paper(signals, settings),
    }
}

fn decide_with_detector(signals: Signals<'_>, settings: &LanguageSettings) -> Decision {
    let wanted = settings.language.as_str();
    let share = signals.tally.share();
    let shares = shares_text(&signals.tally);
    let (with, alone) = (settings.share_with_detector, settings.share_alone);
    let heard = detector_text(signals.detected);
    let agrees = signals.says(wanted);
    if share >= alone {
        let reason = format!("{shares}: at least {}", percent(alone));
        return Decision { language: wanted.to_owned(), confidence: Confidence::Sure, reason };
    }
    let (language, confidence, reason) = match (share >= with, agrees) {
        (true, true) => {
            let reason = format!("{shares}: at least {}, and {heard}", percent(with));
            (wanted.to_owned(), Confidence::Sure, reason)
        }
        (true, false) => {
            let bounds = format!("between {} and {}", percent(with), percent(alone));
            (
                signals.other_than(wanted),
                Confidence::Review,
                format!("{shares}: {bounds}, but {heard}"),
            )
        }
        (false, true) => {
            let reason = format!("{shares}: below {}, although {heard}", percent(with));
            (signals.other_than(wanted), Confidence::Review, reason)
        }
        (false, false) => {
            let reason = format!("{shares}: below {}; {heard}", percent(with));
            (signals.other_than(wanted), Confidence::Sure, reason)
        }
    };
    Decision { language, confidence, reason }
}

fn decide_by_paper(signals: Signals<'_>, settings: &LanguageSettings) -> Decision {
    let threshold = percent(settings.paper_share);
    let shares = shares_text(&signals.tally);
    let (language, reason) = if by_paper(&signals.tally, settings) {
        (settings.language.clone(), format!("{shares}: at least {threshold}"))
    } else {
        let heard = detector_text(signals.detected);
        (signals.other_than(&settings.language), format!("{shares}: below {threshold}; {heard}"))
    };
    Decision { language, confidence: Confidence::Sure, reason }
}

/// The rule for short texts: the text with the links that lead to it, if that is clear; otherwise
/// what the document, its server and its site say; otherwise the guess.
pub(crate) fn decide_short(
    with_anchors: Signals<'_>,
    hints: &Hints<'_>,
    settings: &LanguageSettings,
) -> Decision {
    let mut guess = decide(with_anchors, settings);
    if !hints.anchor_texts.is_empty() {
        guess.reason = format!("with the words of links to it, {}", guess.reason);
    }
    let few = format!("fewer than {} words", settings.short_words);
    let low = |language: String, reason: String| Decision {
        language,
        confidence: Confidence::Low,
        reason: format!("{few}; {reason}"),
    };
    if with_anchors.tally.words > 0 && with_anchors.is_clear(&guess, settings) {
        return low(guess.language, guess.reason);
    }
    let told = [
        ("the lang attribute says", hints.html_lang),
        ("the Content-Language header says", hints.content_language),
        ("most of the site is", hints.site_language),
    ];
    let told = told.into_iter().find_map(|(who, tag)| Some((who, primary(tag?)?)));
    match told {
        Some((who, language)) => low(language.clone(), format!("{who} {language}")),
        None if with_anchors.tally.words == 0 => {
            low(UNDETERMINED.to_owned(), "no words, no hint".to_owned())
        }
        None => low(guess.language, guess.reason),
    }
}

/// The language of a tag: `de` of `de-AT`; none if it is not one.
fn primary(tag: &str) -> Option<String> {
    let language = tag.split([',', ';', '-', '_']).next()?.trim().to_ascii_lowercase();
    let is_tag =
        (2..=3).contains(&language.len()) && language.bytes().all(|byte| byte.is_ascii_lowercase());
    is_tag.then_some(language)
}

impl Signals<'_> {
    /// Whether the detector's first choice is this language.
    pub(crate) fn says(&self, language: &str) -> bool {
        self.detected.first().is_some_and(|first| first.language == language)
    }

    /// What the detector says if the wanted language is out of the question.
    fn other_than(&self, wanted: &str) -> String {
        let other = match self.detected {
            [first, ..] if first.language != wanted => Some(first),
            [_, second, ..] if second.probability >= SECOND_CHOICE => Some(second),
            _ => None,
        };
        other.map_or_else(|| UNDETERMINED.to_owned(), |detected| detected.language.clone())
    }

    /// Whether a short text speaks for itself.
    fn is_clear(&self, guess: &Decision, settings: &LanguageSettings) -> bool {
        /// Below this a detector's word about a handful of words is a guess.
        const SURE: f64 = 0.5;
        let sure = self.detected.first().is_some_and(|first| first.probability >= SURE);
        guess.confidence == Confidence::Sure && (guess.language == settings.language || sure)
    }
}

fn shares_text(tally: &Tally) -> String {
    let (words, chars) = (percent(tally.share_words()), percent(tally.share_chars()));
    format!("{words} of the words and {chars} of their characters are in the list")
}

fn detector_text(detected: &[Detected]) -> String {
    match detected.first() {
        Some(first) => {
            format!("the detector says {} ({})", first.language, percent(first.probability))
        }
        None => "the detector says nothing".to_owned(),
    }
}

/// `43.2 %`, without a nought behind the point.
pub(crate) fn percent(share: f64) -> String {
    let text = format!("{:.1}", share * 100.0);
    format!("{} %", text.strip_suffix(".0").unwrap_or(&text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use Confidence::{Low, Review, Sure};

    type Choices = &'static [(&'static str, f64)];

    fn tally(recognised: u32, words: u32) -> Tally {
        let (chars, recognised_chars) = (u64::from(words) * 5, u64::from(recognised) * 5);
        Tally { words, recognised, chars, recognised_chars }
    }

    fn detected(choices: Choices) -> Vec<Detected> {
        let one = |(language, probability): &(&str, f64)| Detected {
            language: (*language).to_owned(),
            probability: *probability,
        };
        choices.iter().map(one).collect()
    }

    #[test]
    fn the_default_rule() {
        #[rustfmt::skip]
        let cases: &[(u32, Choices, &str, Confidence)] = &[
            // of 100  detector                      language   confidence
            (60,       &[("en", 0.9)],               "de",      Sure),
            (59,       &[("en", 0.9)],               "en",      Review),
            (59,       &[("de", 0.3)],               "de",      Sure),
            (20,       &[("de", 0.3)],               "de",      Sure),
            (20,       &[("nl", 0.9)],               "nl",      Review),
            (19,       &[("de", 0.6), ("lb", 0.3)],  "lb",      Review),
            (19,       &[("de", 0.9), ("lb", 0.01)], "und",     Review),
            (19,       &[("nl", 0.9)],               "nl",      Sure),
            (0,        &[],                          "und",     Sure),
        ];
        for (recognised, choices, language, confidence) in cases {
            let detected = detected(choices);
            let signals = Signals { tally: tally(*recognised, 100), detected: &detected };
            let decision = decide(signals, &LanguageSettings::default());
            let found = (decision.language.as_str(), decision.confidence);
            assert_eq!(found, (*language, *confidence), "{recognised} {choices:?}");
        }
    }

    #[test]
    fn the_rule_of_the_paper_wants_both_shares() {
        let settings = LanguageSettings { profile: Profile::Paper, ..LanguageSettings::default() };
        let detected = detected(&[("en", 0.9), ("de", 0.1)]);
        #[rustfmt::skip]
        let cases = [
            // words  chars  language
            (40,      40,    "de"),
            (39,      60,    "en"),
            (60,      39,    "en"),
        ];
        for (recognised, recognised_chars, language) in cases {
            let tally = Tally { words: 100, recognised, chars: 100, recognised_chars };
            let signals = Signals { tally, detected: &detected };
            assert_eq!(decide(signals, &settings).language, language, "{recognised}");
        }
    }

    #[test]
    fn short_texts() {
        let german = Hints { html_lang: Some("de-AT"), ..Hints::default() };
        let header = Hints { content_language: Some("fr, en"), ..Hints::default() };
        let site = Hints { site_language: Some("de"), html_lang: Some("x"), ..Hints::default() };
        #[rustfmt::skip]
        let cases: &[(u32, u32, Choices, &Hints, &str)] = &[
            (2, 2, &[("en", 0.9)], &header,           "de"),
            (0, 2, &[("en", 0.9)], &german,           "en"),
            (0, 2, &[("en", 0.3)], &german,           "de"),
            (1, 3, &[("nl", 0.9)], &site,             "de"),
            (1, 3, &[("nl", 0.9)], &Hints::default(), "nl"),
            (0, 0, &[],            &header,           "fr"),
            (0, 0, &[],            &Hints::default(), "und"),
        ];
        for (recognised, words, choices, hints, language) in cases {
            let detected = detected(choices);
            let signals = Signals { tally: tally(*recognised, *words), detected: &detected };
            let decision = decide_short(signals, hints, &LanguageSettings::default());
            let found = (decision.language.as_str(), decision.confidence);
            assert_eq!(found, (*language, Low), "{recognised}/{words} {choices:?} {hints:?}");
        }
    }
}
