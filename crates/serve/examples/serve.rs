//! Serves one harvest, as small as can be: `cargo run --release -p auslese-serve --example serve -- DIR`.

use auslese_catalog::{Catalog, CatalogSettings, Location};
use auslese_corpus::language::{LanguageSettings, Recogniser};
use auslese_crawl::CanonicalRules;
use auslese_harvest::HarvestDir;
use auslese_reader::{HelperPrograms, Limits, Readers, Start};
use auslese_serve::{Harvest, Server, Settings, Site, TransferSetup};
use std::error::Error;
use std::path::PathBuf;
use std::sync::Arc;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args_os().skip(1);
    let first = arguments.next().ok_or("which harvest?")?;
    // Documents made of pages are read by this program, started again.
    if first == "reader" {
        auslese_reader::serve(arguments, auslese_harvest::read_document);
        return Ok(());
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(serve(PathBuf::from(first)))
}

async fn serve(dir: PathBuf) -> Result<(), Box<dyn Error>> {
    let dir = HarvestDir::open(dir)?;
    let catalog =
        Catalog::open(&Location::from(dir.catalog().as_path()), &CatalogSettings::default())
            .await?;
    let harvest = Harvest {
        name: "harvest".into(),
        title: "Harvest".into(),
        dir,
        catalog,
        canonical: CanonicalRules::default(),
        recogniser: Recogniser::german(LanguageSettings::default()),
        transfer: TransferSetup::default(),
        sql_url: None,
        configuration: None,
    };
    let start = Start::this_program(["reader"]);
    let readers = Readers::new(start, Limits::default(), HelperPrograms::installed());
    let mut site = Site::new(Settings::default(), vec![harvest], Arc::new(readers));
    let server = Server::bind(&mut site).await?;
    println!("http://{}/", server.pages_address()?);
    server.run(Arc::new(site), std::future::pending()).await;
    Ok(())
}
