//! Data sets that a page describes by schema.org, in JSON-LD.

use auslese_markup::Page;
use serde_json::Value;

/// Data sets of one page.
pub const MAX_DATASETS: usize = 1_000;

/// Objects within objects that are looked into.
const MAX_LEVELS: usize = 16;

/// A data set.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Dataset {
    pub name: String,
    pub description: String,
    pub url: Option<String>,
    pub identifiers: Vec<String>,
    pub keywords: Vec<String>,
    pub license: Option<String>,
    pub creators: Vec<String>,
    pub modified: Option<String>,
    pub distributions: Vec<Distribution>,
}

/// A file in which a data set can be had.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Distribution {
    pub url: String,
    pub format: Option<String>,
}

/// The data sets that a page describes.
pub fn datasets(page: &Page) -> Vec<Dataset> {
    let tree = page.tree();
    let mut found = Vec::new();
    for (id, script) in tree.elements_named("script") {
        let kind = script.attribute("type").unwrap_or_default().trim().to_ascii_lowercase();
        if kind.starts_with("application/ld+json")
            && let Ok(value) = serde_json::from_str::<Value>(&tree.string_value(id))
        {
            collect(&value, 0, &mut found);
        }
    }
    found
}

fn collect(value: &Value, level: usize, found: &mut Vec<Dataset>) {
    if level > MAX_LEVELS || found.len() >= MAX_DATASETS {
        return;
    }
    match value {
        Value::Array(members) => {
            members.iter().for_each(|member| collect(member, level + 1, found))
        }
        Value::Object(_) if is_dataset(value) => found.push(dataset(value)),
        Value::Object(object) => {
            object.values().for_each(|member| collect(member, level + 1, found));
        }
        _ => {}
    }
}

/// Types may come with or without the address of the vocabulary.
fn is_dataset(value: &Value) -> bool {
    let is = |kind: &str| kind.rsplit(['/', ':', '#']).next() == Some("Dataset");
    texts(value, "@type").iter().any(|kind| is(kind))
}

fn dataset(value: &Value) -> Dataset {
    let first = |name: &str| texts(value, name).into_iter().next();
    let keywords = texts(value, "keywords");
    let keywords = keywords.iter().flat_map(|it| it.split(',')).map(str::trim);
    let distributions = members(&value["distribution"]).iter().filter_map(|file| {
        let url = texts(file, "contentUrl").into_iter().chain(texts(file, "url")).next()?;
        Some(Distribution { url, format: texts(file, "encodingFormat").into_iter().next() })
    });
    Dataset {
        name: first("name").unwrap_or_default(),
        description: first("description").unwrap_or_default(),
        url: first("url").or_else(|| first("@id")),
        identifiers: texts(value, "identifier"),
        keywords: keywords.filter(|it| !it.is_empty()).map(str::to_owned).collect(),
        license: first("license"),
        creators: texts(value, "creator"),
        modified: first("dateModified").or_else(|| first("datePublished")),
        distributions: distributions.collect(),
    }
}

/// One value, or those of a list.
fn members(value: &Value) -> &[Value] {
    match value {
        Value::Array(members) => members,
        Value::Null => &[],
        other => std::slice::from_ref(other),
    }
}

/// The texts of a property; of an object its name, value or address.
fn texts(value: &Value, property: &str) -> Vec<String> {
    let text = |member: &Value| match member {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Object(object) => ["name", "value", "@value", "url", "@id"]
            .iter()
            .find_map(|name| object.get(*name)?.as_str().map(str::to_owned)),
        _ => None,
    };
    let texts = members(&value[property]).iter().filter_map(text);
    texts.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use auslese_markup::parse;

    #[test]
    fn data_sets_of_a_page() {
        let html = r#"<script type="application/ld+json">{"@context":"https://schema.org","@graph":[
            {"@type":"WebPage","name":"x"},
            {"@type":["Dataset"],"name":" Orte ","description":"Alle","url":"http://a/","keywords":"a, b",
             "creator":[{"@type":"Person","name":"Weber"},"Heuer"],"license":{"@id":"http://cc/"},"identifier":{"value":"doi:1"},
             "distribution":{"contentUrl":"http://a/x.csv","encodingFormat":"text/csv"},"dateModified":"2001-05-01"}]}</script>
            <script type="application/ld+json">{"@type":"http://schema.org/Dataset","name":"zwei","@id":"http://b/"}</script>
            <script type="application/ld+json">{broken</script>"#;
        let found = datasets(&parse(html.as_bytes(), Some("utf-8")));
        assert_eq!(found.len(), 2);
        assert_eq!(
            (found[0].name.as_str(), &found[0].keywords[..]),
            ("Orte", &["a".to_owned(), "b".to_owned()][..])
        );
        assert_eq!(found[0].creators, ["Weber", "Heuer"]);
        assert_eq!(found[0].license.as_deref(), Some("http://cc/"));
        assert_eq!(found[0].identifiers, ["doi:1"]);
        assert_eq!(found[0].distributions[0].format.as_deref(), Some("text/csv"));
        assert_eq!(found[1].url.as_deref(), Some("http://b/"));
    }

    #[test]
    fn deep_nesting_ends() {
        let deep = format!("{}{{\"@type\":\"Dataset\"}}{}", "[".repeat(100), "]".repeat(100));
        let html = format!("<script type='application/ld+json'>{deep}</script>");
        assert!(datasets(&parse(html.as_bytes(), None)).is_empty());
    }
}
