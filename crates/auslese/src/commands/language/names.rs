//! The names of a harvest, one per line, as the setting `corpus.language.names` takes them.

use crate::args::Place;
use crate::commands::catalog_access::{block_on, open_catalog};
use crate::commands::crawl::harvest_failure;
use crate::config::Config;
use crate::messages::{Exit, Outcome};
use crate::output;
use auslese_corpus::language::Recogniser;
use auslese_harvest::collect_names;
use serde_json::{Value, json};

pub(super) fn run(config: &Config, recogniser: &Recogniser, place: &Place, json: bool) -> Outcome {
    let dir = config.harvest_dir(place.dir())?;
    let names = block_on(async {
        let catalog = open_catalog(config, place.dir()).await?;
        let names = collect_names(&dir, &catalog, recogniser).await.map_err(harvest_failure);
        catalog.close().await;
        names
    })?;
    if json {
        let names: Vec<Value> = names
            .into_iter()
            .map(|found| json!({ "name": found.name, "count": found.count }))
            .collect();
        output::print_json(&names)?;
    } else {
        let lines: String = names.into_iter().map(|found| found.name + "\n").collect();
        output::print(&lines)?;
    }
    Ok(Exit::Done)
}
