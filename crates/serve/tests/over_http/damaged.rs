//! A record whose bytes were overwritten on the disk: what needs it says so, and everything else is as before.

use super::support::{Answer, Front, Port, Warc};
use std::fs::File;
use std::os::unix::fs::FileExt;

const HURT: &str = "http://a.example/hurt";
const SOUND: &str = "http://a.example/sound";

fn archive() -> Warc {
    Warc::default()
        .page(2, HURT, "<title>Hurt</title><p>Der Inhalt, den es bald nicht mehr gibt.")
        .page(2, SOUND, "<title>Sound</title><p>Der Inhalt, der bleibt.")
}

/// The document of an address, and the record of its capture.
async fn document(front: &Front, url: &str) -> (String, serde_json::Value) {
    for number in 1..10 {
        let page = format!("/doc/h/{number}");
        let record = front.get(Port::Pages, &format!("{page}/record?format=json"), &[]).await;
        if record.status != 200 {
            continue;
        }
        let record: serde_json::Value = serde_json::from_slice(&record.body).unwrap();
        if record["url"] == url {
            return (page, record["shown"].clone());
        }
    }
    panic!("there is no document {url}");
}

fn check_told(answer: &Answer, front: &Front, what: &str) {
    assert_eq!(answer.status, 500, "{what}: {}", answer.text());
    let text = answer.text();
    assert!(text.contains("The archive cannot be read at this place"), "{what}: {text}");
    let inside = front.dir.display().to_string();
    for secret in [inside.as_str(), ".rs:", "gzip", ".warc", "Damaged"] {
        assert!(!text.contains(secret), "{what} tells {secret}: {text}");
    }
}

#[tokio::test]
async fn a_damaged_record_is_told_and_costs_nothing_else() {
    let front = Front::of(archive()).await;
    let (hurt, record) = document(&front, HURT).await;
    let (sound, _) = document(&front, SOUND).await;
    for page in [&hurt, &sound] {
        assert_eq!(front.get(Port::Pages, &format!("{page}/source"), &[]).await.status, 200);
    }
    let file = front.dir.join("archive").join(record["warc_file"].as_str().unwrap());
    let file = File::options().write(true).open(file).unwrap();
    let (offset, length) =
        (record["warc_offset"].as_u64().unwrap(), record["warc_length"].as_u64().unwrap());
    file.write_all_at(&vec![0xee; length as usize - 20], offset + 12).unwrap();

    for tab in ["source", "text"] {
        let page = front.get(Port::Pages, &format!("{hurt}/{tab}"), &[]).await;
        check_told(&page, &front, tab);
        let twin = front.get(Port::Pages, &format!("{hurt}/{tab}?format=json"), &[]).await;
        check_told(&twin, &front, tab);
    }
    for modifier in ["mp_", "id_"] {
        let page = front.replay(&format!("/h/2026{modifier}/{HURT}")).await;
        check_told(&page, &front, modifier);
        super::check_headers(&page, &front);
    }
    // What is known without the record is still shown.
    for tab in ["", "/page", "/record", "/links", "/versions", "/related"] {
        let page = front.get(Port::Pages, &format!("{hurt}{tab}"), &[]).await;
        assert_eq!(page.status, 200, "{tab}: {}", page.text());
    }
    for tab in ["", "/page", "/source", "/text", "/record", "/links", "/versions", "/related"] {
        let page = front.get(Port::Pages, &format!("{sound}{tab}"), &[]).await;
        assert_eq!(page.status, 200, "{tab}: {}", page.text());
    }
    let page = front.replay(&format!("/h/2026mp_/{SOUND}")).await;
    assert!(page.status == 200 && page.text().contains("der bleibt"), "{page:?}");
}

#[tokio::test]
async fn a_file_that_is_missing_or_cut_is_told_too() {
    let front = Front::of(archive()).await;
    let (sound, record) = document(&front, SOUND).await;
    let path = front.dir.join("archive").join(record["warc_file"].as_str().unwrap());
    let cut = record["warc_offset"].as_u64().unwrap() + 8;
    File::options().write(true).open(&path).unwrap().set_len(cut).unwrap();
    check_told(&front.get(Port::Pages, &format!("{sound}/source"), &[]).await, &front, "cut");
    let raw = format!("/warc/h/{}", record["capture"]);
    check_told(&front.get(Port::Pages, &raw, &[]).await, &front, "the raw record");
    std::fs::remove_file(&path).unwrap();
    check_told(&front.get(Port::Pages, &format!("{sound}/source"), &[]).await, &front, "missing");
    check_told(&front.replay(&format!("/h/2026mp_/{SOUND}")).await, &front, "missing");
}
