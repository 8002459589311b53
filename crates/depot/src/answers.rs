//! What stores answer in XML: lists, identities of uploads, reasons of refusals.

use quick_xml::Reader;
use quick_xml::events::Event;

/// Deeper nesting is not looked at.
const DEEPEST: usize = 16;

/// Why a store refused, as far as it says so.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Reason {
    pub(crate) code: String,
    pub(crate) message: String,
}

/// An object of a list.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Listed {
    pub key: String,
    pub length: u64,
}

/// An upload that was begun and not completed.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Unfinished {
    pub key: String,
    pub upload: String,
}

/// A page of a list, and where the next one begins.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ListPage<T> {
    pub(crate) items: Vec<T>,
    pub(crate) next: Option<(String, String)>,
}

/// The reason in an error document; empty if there is none.
pub(crate) fn reason(xml: &[u8]) -> Option<Reason> {
    let mut reason = Reason::default();
    let mut is_error = false;
    walk(xml, |path, text| match path {
        ["Error", "Code"] => reason.code = shown(text),
        ["Error", "Message"] => reason.message = shown(text),
        _ => is_error |= path.first() == Some(&"Error"),
    });
    (is_error || !reason.code.is_empty()).then_some(reason)
}

/// The identity of an upload that was begun.
pub(crate) fn upload_id(xml: &[u8]) -> Option<String> {
    let mut id = None;
    walk(xml, |path, text| {
        if let [_, "UploadId"] = path {
            id = Some(text.to_owned());
        }
    });
    id.filter(|id| !id.is_empty())
}

/// A page of objects.
pub(crate) fn objects(xml: &[u8]) -> ListPage<Listed> {
    let mut items: Vec<Listed> = Vec::new();
    // Stores tell the parts of an entry in any order.
    let mut entry = Listed::default();
    let (mut more, mut next) = (false, String::new());
    walk(xml, |path, text| match path {
        ["ListBucketResult", "Contents", "Key"] => text.clone_into(&mut entry.key),
        ["ListBucketResult", "Contents", "Size"] => entry.length = text.parse().unwrap_or(0),
        ["ListBucketResult", "Contents"] => items.push(std::mem::take(&mut entry)),
        ["ListBucketResult", "IsTruncated"] => more = text == "true",
        ["ListBucketResult", "NextContinuationToken"] => text.clone_into(&mut next),
        _ => {}
    });
    items.retain(|item| !item.key.is_empty());
    ListPage { items, next: more.then_some((next, String::new())).filter(|it| !it.0.is_empty()) }
}

/// A page of unfinished uploads.
pub(crate) fn unfinished(xml: &[u8]) -> ListPage<Unfinished> {
    let mut items: Vec<Unfinished> = Vec::new();
    let mut entry = Unfinished::default();
    let (mut more, mut key, mut upload) = (false, String::new(), String::new());
    walk(xml, |path, text| match path {
        ["ListMultipartUploadsResult", "Upload", "Key"] => text.clone_into(&mut entry.key),
        ["ListMultipartUploadsResult", "Upload", "UploadId"] => text.clone_into(&mut entry.upload),
        ["ListMultipartUploadsResult", "Upload"] => items.push(std::mem::take(&mut entry)),
        ["ListMultipartUploadsResult", "IsTruncated"] => more = text == "true",
        ["ListMultipartUploadsResult", "NextKeyMarker"] => text.clone_into(&mut key),
        ["ListMultipartUploadsResult", "NextUploadIdMarker"] => text.clone_into(&mut upload),
        _ => {}
    });
    items.retain(|item| !item.key.is_empty() && !item.upload.is_empty());
    ListPage { items, next: more.then_some((key, upload)).filter(|it| !it.0.is_empty()) }
}

/// A list of the parts of an upload, to complete it.
pub(crate) fn parts_document(tags: &[String]) -> String {
    let mut xml = String::from("<CompleteMultipartUpload>");
    for (index, tag) in tags.iter().enumerate() {
        let number = index + 1;
        let tag = quick_xml::escape::escape(tag.as_str());
        xml.push_str(&format!("<Part><PartNumber>{number}</PartNumber><ETag>{tag}</ETag></Part>"));
    }
    xml.push_str("</CompleteMultipartUpload>");
    xml
}

/// Tells the text of every element with the names that lead to it. What is broken ends the walk.
fn walk(xml: &[u8], mut seen: impl FnMut(&[&str], &str)) {
    let Ok(text) = std::str::from_utf8(xml) else { return };
    let mut reader = Reader::from_str(text);
    let mut path: Vec<String> = Vec::new();
    let mut content = String::new();
    loop {
        match reader.read_event() {
            Ok(Event::Start(element)) => {
                if path.len() >= DEEPEST {
                    return;
                }
                let name = element.local_name();
                path.push(AsRef::<str>::as_ref(&name).to_owned());
                content.clear();
            }
            Ok(Event::Text(piece)) => content.push_str(&piece),
            Ok(Event::CData(piece)) => content.push_str(&piece),
            Ok(Event::GeneralRef(name)) => {
                let reference = format!("&{};", &*name);
                if let Ok(text) = quick_xml::escape::unescape(&reference) {
                    content.push_str(&text);
                }
            }
            Ok(Event::End(_)) => {
                let names: Vec<&str> = path.iter().map(String::as_str).collect();
                seen(&names, content.trim());
                path.pop();
                content.clear();
            }
            Ok(Event::Eof) | Err(_) => return,
            Ok(_) => {}
        }
    }
}

/// A stranger's words for a message: one line of bounded length.
fn shown(text: &str) -> String {
    let plain = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    plain.take(300).collect::<String>().trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_and_reasons() {
        let list = b"<?xml version=\"1.0\"?><ListBucketResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">\
            <IsTruncated>true</IsTruncated><NextContinuationToken>t&amp;1</NextContinuationToken>\
            <Contents><Key>a/b &amp; c.warc.gz</Key><Size>12</Size></Contents>\
            <Contents><Key>d</Key></Contents></ListBucketResult>";
        let found = objects(list);
        assert_eq!(found.items[0], Listed { key: "a/b & c.warc.gz".into(), length: 12 });
        assert_eq!(found.items[1], Listed { key: "d".into(), length: 0 });
        assert_eq!(found.next.unwrap().0, "t&1");

        let uploads = b"<ListMultipartUploadsResult><IsTruncated>false</IsTruncated>\
            <Upload><Key>a</Key><UploadId>u1</UploadId></Upload><Upload><Key>b</Key></Upload>\
            <Upload><UploadId>u2</UploadId><Owner><ID>me</ID></Owner><Key>a</Key></Upload>\
            </ListMultipartUploadsResult>";
        let found = unfinished(uploads);
        let expected = ["u1", "u2"].map(|id| Unfinished { key: "a".into(), upload: id.into() });
        assert_eq!(found.items, expected);
        assert_eq!(found.next, None);

        let begun = b"<InitiateMultipartUploadResult><UploadId>xyz</UploadId></InitiateMultipartUploadResult>";
        assert_eq!(upload_id(begun).as_deref(), Some("xyz"));
        let error = b"<Error><Code>NoSuchBucket</Code><Message>none\nthere</Message></Error>";
        let expected = Reason { code: "NoSuchBucket".into(), message: "none there".into() };
        assert_eq!(reason(error), Some(expected));
        assert_eq!(reason(b"<html>gateway"), None);
        assert_eq!(reason(begun), None);
        assert_eq!(
            parts_document(&["\"a&b\"".to_owned()]),
            "<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>&quot;a&amp;b&quot;</ETag></Part>\
             </CompleteMultipartUpload>"
        );
    }

    proptest::proptest! {
        #[test]
        fn any_bytes(bytes in proptest::collection::vec(0u8..=255, 0..200), text in "[<>a-zA-Z/&;\" ]{0,200}") {
            for xml in [bytes.as_slice(), text.as_bytes()] {
                let _ = (reason(xml), upload_id(xml), objects(xml), unfinished(xml));
            }
        }
    }
}
