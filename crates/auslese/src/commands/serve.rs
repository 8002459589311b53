//! `auslese serve`: shows one harvest or several in browsers.

use super::accounts::accounts_failure;
use super::catalog_access::open_catalog;
use super::crawl::harvest_failure;
use super::describe::paper_readers;
use super::language::recogniser;
use super::search::collections;
use super::serve_configuration::PlaceConfiguration;
use crate::args::Place;
use crate::config::{Config, Overrides};
use crate::interrupt::until_interrupted;
use crate::messages::{Color, Exit, Failure, Outcome, Word, say};
use crate::output;
use auslese_harvest::HarvestDir;
use auslese_reader::Limits;
use auslese_serve::{Accounts, Configuration, Harvest, Server, Settings, Site, TransferSetup};
use auslese_vocabulary::Measure;
use clap::Args;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;

/// Show harvests in a browser: search, documents, organisation, statistics, words
///
/// Pages are served on 127.0.0.1:8470, archived pages on the next port, so that they can never act as
/// pages of auslese. Whoever reaches the pages can read them; who wants to change something logs in with an
/// account (`auslese accounts`). Several --dir show several harvests together. A harvest may be crawled while
/// it is read.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ServeArgs {
    /// Where pages are served [default: the setting `serve.listen`]
    #[arg(long, value_name = "ADDRESS:PORT")]
    listen: Option<SocketAddr>,

    /// Where archived pages are shown [default: the setting `serve.replay_listen`]
    #[arg(long, value_name = "ADDRESS:PORT")]
    replay_listen: Option<SocketAddr>,

    /// No page for questions in SQL
    #[arg(long)]
    no_sql: bool,

    /// Everybody on this machine may change everything, without an account
    #[arg(long)]
    admin: bool,
}

const EXAMPLES: &str = "\
Examples:
  auslese serve --dir giessen
  auslese serve --dir giessen --dir marburg
  auslese serve --dir giessen --admin
  auslese serve --listen 127.0.0.1:9000 --replay-listen 127.0.0.1:9001 --dir giessen";

pub(crate) fn run(args: &ServeArgs, places: &[Place], color: Color) -> Outcome {
    let mut opened = Vec::new();
    for place in places {
        place.require_dir()?;
        HarvestDir::open(place.dir()).map_err(harvest_failure)?;
        let config = place.sources(Overrides::default()).load()?;
        opened.push((place.clone(), config.harvest_dir(place.dir())?, config));
    }
    let Some((_, _, first)) = opened.first() else { return Ok(Exit::Done) };
    let mut settings = first.serve.settings();
    settings.listen = args.listen.unwrap_or(settings.listen);
    settings.replay_listen = args.replay_listen.unwrap_or(settings.replay_listen);
    settings.sql_page &= !args.no_sql;
    settings.admin = args.admin;
    settings.accounts = opened.first().map(|(_, dir, config)| config.serve.accounts(dir.root()));
    if args.admin {
        refuse_open_admin(&settings)?;
    }
    if let Some(file) = &settings.accounts {
        Accounts::load(file).map_err(accounts_failure)?;
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(serve(settings, opened, color))
}

/// Who can reach the port is an admin then, so nobody else may reach it.
fn refuse_open_admin(settings: &Settings) -> Result<(), Failure> {
    if !settings.listen.ip().is_loopback() {
        let message = format!(
            "--admin would let everybody who reaches {} change everything",
            settings.listen
        );
        return Err(Failure::usage(message).hint(
            "listen on 127.0.0.1, or make accounts: `auslese accounts add NAME --role admin`",
        ));
    }
    if settings.public_origin.is_some() {
        return Err(Failure::usage("--admin does not go together with serve.public_origin")
            .hint("whoever comes through the proxy would be an admin; make accounts instead"));
    }
    Ok(())
}

async fn serve(
    settings: Settings,
    opened: Vec<(Place, HarvestDir, Config)>,
    color: Color,
) -> Outcome {
    let mut harvests: Vec<Harvest> = Vec::new();
    for (place, dir, config) in opened {
        let catalog = open_catalog(&config, dir.root()).await?;
        let title = config.harvest.name.clone().unwrap_or_else(|| folder_name(dir.root()));
        let name = free_name(&short_name(&folder_name(dir.root())), &harvests);
        let transfer = TransferSetup {
            choice: config.search.transfer.into(),
            measure: Measure::parse(&config.search.measure),
            collections: collections(&config)?,
        };
        let canonical = config.crawl.canonical.clone();
        let configuration = Some(Arc::new(PlaceConfiguration(place)) as Arc<dyn Configuration>);
        let recogniser = recogniser(&config.corpus.language, dir.root())?;
        let sql_url = config.serve.sql_login(dir.root())?.map(String::from);
        harvests.push(Harvest {
            name,
            title,
            dir,
            catalog,
            canonical,
            recogniser,
            transfer,
            sql_url,
            configuration,
        });
    }
    let is_public = !settings.listen.ip().is_loopback();
    let is_admin = settings.admin;
    let (wished, replay) = (settings.listen, settings.replay_listen);
    let readers = Arc::new(paper_readers(Limits::default()));
    let mut site = Site::new(settings, harvests, readers);
    let server = Server::bind(&mut site).await.map_err(|cause| {
        Failure::usage(format!("cannot listen on {wished} and {replay}: {cause}"))
            .hint("another program may use the port; --listen and --replay-listen name others")
    })?;
    output::print(&format!("http://{}/\n", server.pages_address()?))?;
    if is_public {
        say(Word::Note, "others on the network can read the harvest", color);
    }
    if is_admin {
        say(Word::Note, "everybody on this machine can change everything", color);
    }
    say(Word::Hint, "Ctrl-C ends it", color);
    let until = async {
        // Without signals there is no other end than the process's.
        if until_interrupted().await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    server.run(Arc::new(site), until).await;
    Ok(Exit::Done)
}

/// What the folder of a harvest is called.
fn folder_name(dir: &Path) -> String {
    let whole = dir.canonicalize().unwrap_or_else(|_| dir.to_owned());
    whole.file_name().map_or("harvest".to_owned(), |name| name.to_string_lossy().into_owned())
}

/// Small letters, digits and hyphens.
fn short_name(text: &str) -> String {
    let kept = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    let name: String = text.chars().map(kept).collect();
    match name.trim_matches('-') {
        "" => "harvest".to_owned(),
        name => name.to_owned(),
    }
}

/// A name that no harvest before has.
fn free_name(name: &str, harvests: &[Harvest]) -> String {
    let is_free = |name: &str| harvests.iter().all(|harvest| harvest.name != name);
    let numbered = (2..).map(|number| format!("{name}-{number}"));
    std::iter::once(name.to_owned())
        .chain(numbered)
        .find(|name| is_free(name))
        .expect("numbers do not end")
}

/// Shows the harvest of the demo.
pub(crate) fn run_for_demo(place: &Place, color: Color) -> Outcome {
    let args = ServeArgs { listen: None, replay_listen: None, no_sql: false, admin: false };
    run(&args, std::slice::from_ref(place), color)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_fit_into_addresses() {
        for (folder, name) in
            [("giessen", "giessen"), ("Uni Gießen 2", "uni-gie-en-2"), ("…", "harvest")]
        {
            assert_eq!(short_name(folder), name);
        }
    }
}
