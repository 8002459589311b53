//! Bodies through the door: hostile ones in bounded time, and a page as it is stored.

use auslese_corpus::{Conformity, READER, Reading, block_hashes, examine, orality_index};
use auslese_model::{CaptureId, Format, Relation, Timestamp};
use std::time::{Duration, Instant};
use url::Url;

/// Enough for a slow machine without optimisation; quadratic time would be hours.
const PATIENCE: Duration = Duration::from_secs(120);

fn read(body: &[u8], media_type: &str) -> Reading {
    let url = Url::parse("http://uni.example/institut/seite.html").expect("a valid URL");
    Reading::of(body, Some(media_type), None, &url)
}

#[test]
fn hostile_bodies_take_bounded_time() {
    #[rustfmt::skip]
    let pieces = [
        "a", "a ", "a. ", "z. B. ", "3. ", "\n", "a\n\n", "\t", "-a", "a\u{AD}", "(", "„", "...", "!? ", ":-) ", "der ist ", ", als ", "ö", "\u{FFFD}",
        "<p>a", "<br>a", "<a href=x>a</a>", "<td>a", "<div class=c>", "<p lang=de>a", "<nav>a", "<!-- -->", "<frame src=x>", "<a rel=next href=y>",
        "<meta name=generator content=x>", "<![CDATA[", "&amp;", "&", "<x>",
    ];
    for piece in pieces {
        for media_type in ["text/html", "text/plain", "text/xml"] {
            let body = piece.repeat(100_000 / piece.len());
            let start = Instant::now();
            let reading = read(body.as_bytes(), media_type);
            assert!(start.elapsed() < PATIENCE, "{piece} as {media_type}: {:?}", start.elapsed());
            assert!(reading.blocks.len() <= body.len(), "{piece}");
        }
    }
}

#[test]
fn what_is_stored() {
    let html = "<!DOCTYPE html><html lang=de><head><title>Seite 2</title><link rel=next href=drei.html></head>\
                <body><div id=a><div id=b>Kopf</div><div id=c><p>Ich habe das gewusst.</div></div></body></html>";
    let reading = read(html.as_bytes(), "text/html");
    let hashes = block_hashes(&reading.blocks);
    assert_eq!(hashes.len(), 2);
    let at = Timestamp::from_seconds(1_000_000_000);
    let content = examine(reading, None, vec![7], CaptureId(3), at);
    assert_eq!(
        (content.capture, content.reader, content.format),
        (CaptureId(3), READER, Format::Html)
    );
    assert_eq!(content.title.as_deref(), Some("Seite 2"));
    assert_eq!((content.counts.words, content.counts.sentences), (5, 2));
    assert_eq!(content.signature, [7]);
    assert_eq!(content.parts[0].relation, Relation::Next);
    assert_eq!(content.parts[0].url, "http://uni.example/institut/drei.html");
    assert!(content.structure.is_some());
    assert!(Conformity::of(&content.conformance.expect("of a page")).conforms());
    assert_eq!(content.features["orality.first_person"], 0.2);
}

/// Two texts written for the purpose: a chat and an official notice.
#[test]
fn speech_is_nearer_to_speech_than_writing() {
    let chat = "Hallo, ich bin wieder da. Ach, das war vielleicht ein Tag! Ich hab dir ja gesagt, dass wir uns \
                nicht mehr sehen, aber na ja, das macht mir nichts. Kommst du mit uns ins Kino? Wir gehen heute \
                hin, ich freue mich. Oh, und das hab ich vergessen: ich bring dir was mit. Ja, genau, das kennst du.";
    let notice = "Die Prüfungsordnung regelt die Durchführung der studienbegleitenden Prüfungen im Fachbereich \
                  Sprachwissenschaft. Voraussetzung für die Zulassung zur Abschlussprüfung ist der Nachweis der \
                  erforderlichen Leistungen, sofern die Fakultät keine Ausnahme genehmigt. Anträge auf Anerkennung \
                  auswärtiger Studienleistungen sind schriftlich beim Vorsitzenden des Prüfungsausschusses einzureichen. \
                  Über die Anerkennung entscheidet der Ausschuss innerhalb einer Frist von sechs Wochen nach Eingang.";
    let [chat, notice] = [chat, notice].map(|text| read(text.as_bytes(), "text/plain").features);
    let scores = orality_index(&[&chat, &notice]);
    let score = |at: usize| scores[at].as_ref().expect("long enough").score;
    assert!(score(0) > 1.0 && score(1) < 0.0, "{} {}", score(0), score(1));
}
