//! Interfaces that sites declare themselves: search by OpenSearch, data sets by schema.org.

mod dataset;
mod opensearch;

pub use dataset::{Dataset, Distribution, MAX_DATASETS, datasets};
pub use opensearch::{OpenSearch, SearchTemplate, opensearch_links, read_opensearch};
