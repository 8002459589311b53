//! One line of the index, under the names that other tools use.

use auslese_archive::surt;
use auslese_catalog::IndexedCapture;
use serde_json::{Map, Value};
use std::borrow::Cow;

/// What a line says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Field {
    Key,
    Timestamp,
    Url,
    MediaType,
    Status,
    Digest,
    Redirect,
    Length,
    Offset,
    File,
}

impl Field {
    /// The order in which they are written, as pywb names them.
    pub(super) const ALL: [(Field, &'static str); 10] = [
        (Field::Key, "urlkey"),
        (Field::Timestamp, "timestamp"),
        (Field::Url, "url"),
        (Field::MediaType, "mime"),
        (Field::Status, "status"),
        (Field::Digest, "digest"),
        (Field::Redirect, "redirect"),
        (Field::Length, "length"),
        (Field::Offset, "offset"),
        (Field::File, "filename"),
    ];

    pub(super) fn name(self) -> &'static str {
        Field::ALL.iter().find(|(field, _)| *field == self).map_or("", |(_, name)| name)
    }

    /// By the names of pywb, or those of the Wayback Machine.
    pub(super) fn parse(name: &str) -> Option<Field> {
        match name {
            "original" => Some(Field::Url),
            "mimetype" => Some(Field::MediaType),
            "statuscode" => Some(Field::Status),
            name => Field::ALL.iter().find(|(_, known)| *known == name).map(|(field, _)| *field),
        }
    }
}

#[derive(Debug)]
pub(super) struct Line {
    key: String,
    timestamp: String,
    capture: IndexedCapture,
}

impl Line {
    pub(super) fn of(capture: IndexedCapture) -> Line {
        let key = surt(&capture.url).replace(|c: char| c.is_whitespace(), "%20");
        Line { key, timestamp: capture.at.digits14(), capture }
    }

    /// The value of a field; a hyphen where there is none.
    pub(super) fn value(&self, field: Field) -> Cow<'_, str> {
        let capture = &self.capture;
        let or_none = |text: Option<&'_ str>| text.map_or("-".to_owned(), str::to_owned);
        match field {
            Field::Key => Cow::Borrowed(&*self.key),
            Field::Timestamp => Cow::Borrowed(&*self.timestamp),
            Field::Url => Cow::Borrowed(&*capture.url),
            Field::MediaType if capture.is_revisit => Cow::Borrowed("warc/revisit"),
            Field::MediaType => Cow::Owned(or_none(capture.media_type.as_deref())),
            Field::Status => Cow::Owned(capture.status.to_string()),
            Field::Digest => Cow::Owned(or_none(capture.digest.as_deref())),
            Field::Redirect => Cow::Owned(or_none(capture.location.as_deref())),
            Field::Length => self.of_record(|record| record.2.to_string()),
            Field::Offset => self.of_record(|record| record.1.to_string()),
            Field::File => self.of_record(|record| record.0.clone()),
        }
    }

    fn of_record(&self, value: impl Fn(&(String, u64, u64)) -> String) -> Cow<'_, str> {
        Cow::Owned(self.capture.record.as_ref().map_or("-".to_owned(), value))
    }

    /// `org,example)/ 20261115214000 {"url": …}`.
    pub(super) fn cdxj(&self) -> String {
        let inner: Vec<Field> = Field::ALL.iter().skip(2).map(|(field, _)| *field).collect();
        format!("{} {} {}\n", self.key, self.timestamp, self.object(&inner))
    }

    pub(super) fn json(&self, fields: &[Field]) -> String {
        let all = Field::ALL.map(|(field, _)| field);
        format!("{}\n", self.object(if fields.is_empty() { &all } else { fields }))
    }

    /// Values with blanks between them, and none within.
    pub(super) fn text(&self, fields: &[Field]) -> String {
        let values = fields.iter().map(|field| {
            self.value(*field).replace(|c: char| c.is_whitespace() || c.is_control(), "%20")
        });
        values.collect::<Vec<_>>().join(" ") + "\n"
    }

    fn object(&self, fields: &[Field]) -> Value {
        let known = fields.iter().filter(|field| self.value(**field) != "-");
        let pairs = known.map(|field| (field.name().to_owned(), self.value(*field).into()));
        Value::Object(pairs.collect::<Map<String, Value>>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use auslese_model::{CaptureId, RequestId, Timestamp};

    #[test]
    fn lines() {
        let capture = IndexedCapture {
            url: "http://www.a.example/x y".to_owned(),
            capture: CaptureId(1),
            request: RequestId(1),
            at: Timestamp::from_seconds(1_794_778_800),
            status: 200,
            media_type: Some("text/html".to_owned()),
            digest: Some("sha256:ab".to_owned()),
            location: None,
            is_revisit: false,
            record: Some(("a.warc.gz".to_owned(), 7, 9)),
        };
        let line = Line::of(capture.clone());
        let text = line.cdxj();
        let (head, object) = text.split_once(" {").unwrap();
        assert_eq!(head, "example,a)/x%20y 20261115214000");
        let object: Value = serde_json::from_str(&format!("{{{object}")).unwrap();
        assert_eq!(object["offset"], "7");
        assert_eq!(object["mime"], "text/html");
        assert!(object.get("redirect").is_none());
        assert_eq!(
            line.text(&[Field::Status, Field::Url, Field::Redirect]),
            "200 http://www.a.example/x%20y -\n"
        );
        let revisit = Line::of(IndexedCapture { is_revisit: true, record: None, ..capture });
        assert_eq!(revisit.text(&[Field::MediaType, Field::File]), "warc/revisit -\n");
    }
}
