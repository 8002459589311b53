//! What `explain` tells about the description of a document: what is said of it, how surely and by
//! which rule, which home page it belongs to, and which full text it announces.

use super::catalog_access::catalog_failure;
use crate::messages::Failure;
use crate::output;
use auslese_catalog::Catalog;
use auslese_model::RequestId;
use serde::Serialize;

#[derive(Debug, Serialize)]
pub(crate) struct DescriptionStory {
    run: i64,
    said: Vec<Said>,
    home_page: Option<String>,
    full_texts: Vec<String>,
    landing_pages: Vec<String>,
    trouble: Option<String>,
}

#[derive(Debug, Serialize)]
struct Said {
    field: &'static str,
    value: String,
    weight: f64,
    rule: Option<String>,
}

/// What the current run says about a document; none if it does not speak of it.
pub(crate) async fn description_story(
    request: RequestId,
    catalog: &Catalog,
) -> Result<Option<DescriptionStory>, Failure> {
    let listed = catalog.description_of(request, None).await.map_err(catalog_failure)?;
    let Some(listed) = listed else { return Ok(None) };
    let home = catalog.home_page_of(request).await.map_err(catalog_failure)?;
    let full_texts = catalog.full_texts_of(request).await.map_err(catalog_failure)?;
    let landing_pages = catalog.landing_pages_of(request).await.map_err(catalog_failure)?;
    let description = listed.described.description;
    let chosen = description.statements.into_iter().filter(|statement| statement.chosen);
    Ok(Some(DescriptionStory {
        run: listed.run.0,
        said: chosen
            .map(|statement| Said {
                field: statement.field.as_str(),
                weight: statement.weight,
                rule: statement.rules.first().map(ToString::to_string),
                value: statement.value,
            })
            .collect(),
        home_page: urls(catalog, home.iter().map(|it| it.home)).await?.pop(),
        full_texts: urls(catalog, full_texts.iter().map(|it| it.target)).await?,
        landing_pages: urls(catalog, landing_pages.iter().map(|it| it.page)).await?,
        trouble: description.trouble,
    }))
}

async fn urls(
    catalog: &Catalog,
    requests: impl Iterator<Item = RequestId>,
) -> Result<Vec<String>, Failure> {
    let mut urls = Vec::new();
    for request in requests {
        let known = catalog.request(request).await.map_err(catalog_failure)?;
        urls.extend(known.map(|known| known.url));
    }
    Ok(urls)
}

/// Longer values are shown in part.
const SHOWN: usize = 90;

impl DescriptionStory {
    pub(crate) fn push_text(&self, text: &mut String) {
        text.push_str(&format!("\ndescription: by run {}\n", self.run));
        let rows: Vec<[String; 4]> = self
            .said
            .iter()
            .map(|Said { field, value, weight, rule }| {
                let rule = rule.clone().unwrap_or_default();
                [format!("  {field}"), format!("{weight:.2}"), shortened(value), rule]
            })
            .collect();
        text.push_str(&output::columns(&rows));
        if self.said.is_empty() {
            text.push_str("  nothing is said\n");
        }
        let others = [("full text", &self.full_texts), ("announced by", &self.landing_pages)];
        for (what, urls) in others {
            urls.iter().for_each(|url| text.push_str(&format!("  {what} {url}\n")));
        }
        if let Some(home) = &self.home_page {
            text.push_str(&format!("  home page {home}\n"));
        }
        if let Some(trouble) = &self.trouble {
            text.push_str(&format!("  but {trouble}\n"));
        }
    }
}

fn shortened(value: &str) -> String {
    match value.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", value[..end].trim_end()),
        None => value.to_owned(),
    }
}
