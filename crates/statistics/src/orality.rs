//! The orality index by server: how near to speech documents are, within this corpus.

use crate::table::{Cell, Table};
use auslese_catalog::{Catalog, CatalogError};
use auslese_corpus::orality_index;
use auslese_model::RequestId;
use std::collections::BTreeMap;

/// Documents asked for at a time.
const PAGE: usize = 1_000;
/// Documents an index is computed over; of more, the first.
pub const MAX_ORALITY_DOCUMENTS: usize = 1_000_000;

/// Means, least and greatest index of the documents of each server.
pub(crate) async fn orality_table(catalog: &Catalog) -> Result<Table, CatalogError> {
    let (mut hosts, mut features) = (Vec::new(), Vec::new());
    let mut after = RequestId(0);
    loop {
        let page = catalog.document_features("de", "orality.", after, PAGE).await?;
        let Some(last) = page.last() else { break };
        after = last.request;
        for document in page {
            hosts.push(document.server);
            features.push(document.features);
        }
        if features.len() >= MAX_ORALITY_DOCUMENTS {
            break;
        }
    }
    let group: Vec<&BTreeMap<String, f64>> = features.iter().collect();
    let mut servers: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    for (host, score) in hosts.into_iter().zip(orality_index(&group)) {
        if let Some(score) = score {
            servers.entry(host).or_default().push(score.score);
        }
    }
    let rows = servers.into_iter().map(|(host, scores)| {
        let mean = scores.iter().sum::<f64>() / scores.len() as f64;
        let least = scores.iter().copied().fold(f64::INFINITY, f64::min);
        let greatest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        vec![
            Cell::Text(host),
            Cell::Count(scores.len() as u64),
            Cell::Number(mean),
            Cell::Number(least),
            Cell::Number(greatest),
        ]
    });
    Ok(Table {
        name: "orality",
        title: "Conceptual orality (an index; compare within this corpus only)",
        head: vec!["server", "documents", "mean", "least", "greatest"],
        rows: rows.collect(),
    })
}
