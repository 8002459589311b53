//! `auslese discover DOMAIN`: the profile of the institution, and the hosts that no link leads to.

use super::FindArgs;
use super::answers::Answers;
use super::imports::read_names;
use super::listing::host_table;
use super::profile_text::profile_text;
use super::work::{Asking, asking_of, stopped};
use crate::args::Place;
use crate::commands::crawl::harvest_failure;
use crate::commands::crawl_plan::require_contact;
use crate::commands::init::{institutions_value, write_new};
use crate::config::{Overrides, write_template};
use crate::messages::{Color, Exit, Failure, Outcome, Word, say};
use crate::{organisation, output};
use anyhow::Context;
use auslese_discover::{Party, Profile};
use auslese_harvest::{FoundHosts, HarvestDir, ScanJob, Seed};
use auslese_model::Verdict;
use serde::Serialize;
use toml::Value;

/// What discovery found.
#[derive(Debug, Serialize)]
pub(crate) struct Found {
    pub(crate) profiles: Vec<Profile>,
    /// Whether the profiles were gathered now.
    pub(crate) gathered: bool,
    pub(crate) hosts: Vec<Verdict>,
}

pub(super) fn run(args: &FindArgs, place: &Place, color: Color) -> Outcome {
    let answers = Answers::of(&args.asking)?;
    let is_replay = answers.is_replay();
    if let Some(institution) = &args.domain {
        begin(args, institution, place, color)?;
    }
    let mut overrides = Overrides::default();
    overrides.set("harvest.contact", args.contact.clone(), "--contact");
    let found = find(args, place, overrides, answers, color)?;
    if args.json {
        output::print_json(&found)?;
    } else {
        let profiles: Vec<String> = found.profiles.iter().map(profile_text).collect();
        output::print(&profiles.join("\n"))?;
        if !found.hosts.is_empty() {
            output::print(&format!("\nHosts found without a link\n{}", host_table(&found.hosts)))?;
        }
        let file = organisation::file(place.dir());
        if !is_replay && file.exists() {
            let message = format!(
                "{} holds what was found; correct it where it is wrong, then `auslese run` collects",
                file.display()
            );
            say(Word::Hint, message, color);
        }
    }
    // Whoever asked about one domain wants to know that nothing came of it.
    let in_vain = found.profiles.iter().all(holds_nothing);
    Ok(if in_vain { Exit::Failures } else { Exit::Done })
}

/// Makes a harvest for a domain, unless the directory is one already.
fn begin(
    args: &FindArgs,
    institution: &crate::config::Institution,
    place: &Place,
    color: Color,
) -> Result<(), Failure> {
    let file = place.sources(Overrides::default()).config_file();
    if file.exists() {
        let config = place.sources(Overrides::default()).load()?;
        if config.harvest.institutions.iter().any(|known| known.root == institution.root) {
            return Ok(());
        }
        let message = format!("{} collects other institutions", file.display());
        return Err(Failure::usage(message)
            .hint("add the domain to `institutions` in it, or name a new directory with --dir"));
    }
    require_contact_for(args, institution, place)?;
    let dir = HarvestDir::create(place.dir()).map_err(harvest_failure)?;
    let institutions = institutions_value(std::slice::from_ref(institution));
    let mut given = vec![("harvest.institutions", institutions)];
    given.extend(args.contact.clone().map(|contact| ("harvest.contact", Value::from(contact))));
    given.extend(net_file(place)?.map(|file| ("net.file", Value::from(file))));
    write_new(&dir.config(), &write_template(&given))?;
    say(Word::Note, format!("wrote {}", dir.config().display()), color);
    Ok(())
}

/// Refuses to begin what would end at once for want of a contact: a harvest without one would be
/// left behind.
fn require_contact_for(
    args: &FindArgs,
    institution: &crate::config::Institution,
    place: &Place,
) -> Result<(), Failure> {
    let mut overrides = Overrides::default();
    overrides.set("harvest.contact", args.contact.clone(), "--contact");
    let config = place.sources(overrides).load()?;
    require_contact(&[Seed { url: institution.root.clone(), label: None }], &config)
}

/// The file with network settings that is in use, to be written down: absolute, because commands
/// may be run from anywhere.
pub(crate) fn net_file(place: &Place) -> Result<Option<String>, Failure> {
    let Some(file) = &place.net else { return Ok(None) };
    let file = std::path::absolute(file).context("cannot tell where the current directory is")?;
    Ok(Some(file.to_string_lossy().into_owned()))
}

/// Gathers what is missing, and judges the hosts that no link leads to.
pub(crate) fn find(
    args: &FindArgs,
    place: &Place,
    overrides: Overrides,
    answers: Answers,
    color: Color,
) -> Result<Found, Failure> {
    let mut asking = asking_of(place, overrides, answers, color)?;
    let teller = Teller { quiet: args.json, color };
    let gathered = asking.profiles.is_empty() || args.refresh;
    if gathered {
        asking.profiles = gather(&asking, &teller)?;
        keep(&asking, &teller)?;
    }
    let hosts = unlinked_hosts(&asking, &teller)?;
    asking.record()?;
    Ok(Found { profiles: asking.profiles, gathered, hosts: hosts.verdicts })
}

/// Says what happens, unless nothing is to be said.
struct Teller {
    quiet: bool,
    color: Color,
}

impl Teller {
    fn tell(&self, message: String) {
        if !self.quiet {
            say(Word::Note, message, self.color);
        }
    }
}

/// Phase one: asks about each institution.
fn gather(asking: &Asking, teller: &Teller) -> Result<Vec<Profile>, Failure> {
    let institutions = asking.config.harvest.institutions.iter();
    let institutions: Vec<Seed> = institutions
        .map(|it| Seed { url: it.root.clone(), label: Some(it.label.clone()) })
        .collect();
    if institutions.is_empty() {
        return Err(Failure::usage("no institution is named whose hosts could be found").hint(
            "name a domain (`auslese discover uni-giessen.de`), or set `institutions` in \
             auslese.toml",
        ));
    }
    require_contact(&institutions, &asking.config)?;
    for institution in &institutions {
        teller.tell(format!("asking about {}", institution.url));
    }
    asking.run(async |work| work.until(work.opened.gather(&institutions)).await)
}

/// Writes the profiles. If nothing at all was found out, they are not kept: the name may be wrong or
/// the network down, and a file that is there would keep the next run from asking again.
fn keep(asking: &Asking, teller: &Teller) -> Result<(), Failure> {
    let empty: Vec<&Profile> = asking.profiles.iter().filter(|it| holds_nothing(it)).collect();
    for profile in &empty {
        let why = profile.open.first().map_or("nobody answered", String::as_str);
        teller.tell(format!("nothing was found out about {}: {why}", profile.root));
    }
    if asking.answers.is_replay() {
        return Ok(());
    }
    if empty.len() == asking.profiles.len() {
        teller.tell("organisation.toml is not written; the next run asks again".to_owned());
        return Ok(());
    }
    organisation::write(asking.dir.root(), &asking.profiles)?;
    Ok(())
}

/// Whether a profile has nothing that a host could be compared with, but for the domain itself.
fn holds_nothing(profile: &Profile) -> bool {
    profile.ranges.is_empty()
        && profile.refused_ranges.is_empty()
        && profile.name_servers.is_empty()
        && profile.mail_servers.is_empty()
        && profile.registrant == Party::default()
        && profile.imprint == Party::default()
}

/// Sweeps, scans and imports as the settings say, and judges what was found.
fn unlinked_hosts(asking: &Asking, teller: &Teller) -> Result<FoundHosts, Failure> {
    let settings = &asking.config.discover;
    let names = read_names(asking.dir.root(), settings)?;
    let replay = asking.answers.is_replay();
    let scan = ScanJob {
        ranges: Vec::new(),
        rules: settings.scan.rules(),
        place: settings.scan.vantage.clone(),
        anew: false,
    };
    let has_ranges =
        !scan.rules.i_own.is_empty() || asking.profiles.iter().any(|it| !it.ranges.is_empty());
    asking.run(async |work| {
        names.offer(work).await?;
        if settings.sweep
            && has_ranges
            && !replay
            && let Some(names) = work.until(work.opened.sweep()).await?
        {
            teller.tell(format!("{names} reverse names lead back to addresses of the ranges"));
        }
        if settings.scan.on && !replay {
            if has_ranges {
                let report = work.scan(&scan, teller.quiet).await?;
                let (servers, addresses) = (report.servers.len(), report.addresses);
                teller.tell(format!("{servers} web servers at {addresses} addresses scanned"));
                if !report.finished {
                    return Err(stopped());
                }
            } else {
                teller.tell("nothing is scanned: no address range is known".to_owned());
            }
        }
        work.judge_candidates(teller.quiet).await
    })
}
