//! The web front end: what archivists, linguists and information specialists look at all day.
//!
//! Pages are made on the server, in German and English, and each has a twin for programs (`?format=json`) whose fields
//! are those of the value it shows. The state of a page is its address. Whoever reaches the
//! pages can read them; who wants to change something logs in, and every change is logged.
//!
//! Archived pages are strangers' work. They are shown from a port of their own, hence from another origin, in a sandbox
//! without scripts and forms, with every address in them led back into the archive.
//!
//! A [`Site`] is what is shown, a [`Server`] shows it:
//!
//! ```no_run
//! # async fn example(harvest: auslese_serve::Harvest, readers: std::sync::Arc<auslese_reader::Readers>) -> std::io::Result<()> {
//! use auslese_serve::{Server, Settings, Site};
//!
//! let mut site = Site::new(Settings::default(), vec![harvest], readers);
//! let server = Server::bind(&mut site).await?;
//! println!("http://{}/", server.pages_address()?);
//! server.run(site.into(), std::future::pending()).await;
//! # Ok(())
//! # }
//! ```

mod access;
mod bench;
mod desk;
mod guard;
mod judging;
mod ledger;
mod look;
mod pages;
mod parted;
mod problem;
mod reasons;
mod replay;
mod routes;
mod server;
mod settings;
mod site;
mod steering;
mod tongue;
mod view;
mod watch;

pub use access::{
    Account, Accounts, AccountsError, MIN_PASSWORD, PasswordError, Role, hash_password,
    is_account_name,
};
pub use server::Server;
pub use settings::Settings;
pub use site::{Harvest, Site, TransferSetup};
pub use steering::{Configuration, CorpusSetup, DescribeSets};
