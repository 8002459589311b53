//! Interfaces that a site declares: an OpenSearch description, and data sets in the words of
//! schema.org.

use super::fields::escaped;
use crate::answer::Answer;
use serde_json::json;

/// A page about a data set, with a description for programs (JSON-LD).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DatasetPage {
    pub name: String,
    pub description: String,
    pub keywords: Vec<String>,
    /// Media types and addresses of the files to be had.
    pub files: Vec<(String, String)>,
}

impl DatasetPage {
    pub fn answer(&self) -> Answer {
        let file = |(kind, url): &(String, String)| json!({ "@type": "DataDownload", "encodingFormat": kind, "contentUrl": url });
        let said = json!({
            "@context": "https://schema.org/",
            "@type": "Dataset",
            "name": self.name,
            "description": self.description,
            "keywords": self.keywords,
            "distribution": self.files.iter().map(file).collect::<Vec<_>>(),
        });
        // `</` would end the script.
        let said = said.to_string().replace("</", "<\\/");
        let (name, description) = (escaped(&self.name), escaped(&self.description));
        Answer::page(format!(
            "<!DOCTYPE html>\n<html lang=\"de\"><head><meta charset=\"utf-8\"><title>{name}</title>\n\
             <script type=\"application/ld+json\">{said}</script></head>\n\
             <body><h1>{name}</h1>\n<p>{description}</p></body></html>\n"
        ))
    }
}

/// A description with one way to search, for pages to be read by people.
pub(super) fn opensearch_description(name: &str, template: &str) -> Answer {
    let (name, template) = (escaped(name), escaped(template));
    let text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <OpenSearchDescription xmlns=\"http://a9.com/-/spec/opensearch/1.1/\">\n\
         <ShortName>{name}</ShortName>\n<Description>Suche in: {name}</Description>\n\
         <Url type=\"text/html\" template=\"{template}\" pageOffset=\"1\"/>\n</OpenSearchDescription>\n"
    );
    Answer::file("application/opensearchdescription+xml", text)
}
