//! `auslese bench latency`: does the crawl make the requests that politeness allows?
//!
//! Many hosts at the end of a long line, each with a pause of its own. What politeness allows a host is one request
//! per pause and answer; a scheduler that loses a moment here and there, or has too few connections, makes fewer. The
//! servers' own log is the judge: of how many requests came, and of whether any came too early.

use super::bench::cpu_time;
use super::crawl::{carry_out, harvest_failure};
use super::crawl_plan::CrawlArgs;
use super::init::write_new;
use super::simulated_net::write_net_file;
use crate::args::Place;
use crate::config::write_template;
use crate::messages::{Color, Exit, Failure, Outcome};
use crate::output;
use anyhow::Context;
use auslese_crawl::{duration_text, parse_duration};
use auslese_harvest::HarvestDir;
use auslese_testnet::{Internet, Latency, LogDetail, Logged, generated_site, shortest_pause};
use clap::Args;
use serde::Serialize;
use std::collections::HashMap;
use std::time::{Duration, Instant};
use toml::Value;

/// Measure how many of the requests that politeness allows are made, on many hosts far away
///
/// The hosts are served on loopback by the program itself, and every answer takes as long as on a long line. Counted is
/// from the moment at which every host has been asked once.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct BenchLatencyArgs {
    /// Hosts, each with an address of its own
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=50_000))]
    hosts: u32,

    /// The pause at each host
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = parse_duration)]
    delay: Duration,

    /// What a round trip takes
    #[arg(long, value_name = "TIME", default_value = "100ms", value_parser = parse_duration)]
    latency: Duration,

    /// How much longer a round trip may take
    #[arg(long, value_name = "TIME", default_value = "0", value_parser = parse_duration)]
    jitter: Duration,

    /// The share of exchanges that lose a packet, such as 0.01
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    loss: f64,

    /// How long to crawl
    #[arg(long = "for", value_name = "TIME", default_value = "60s", value_parser = parse_duration)]
    time: Duration,

    /// Connections at a time [default: as configured by default]
    #[arg(long, value_name = "N")]
    connections: Option<u32>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  auslese bench latency
  auslese bench latency --hosts 200 --latency 50ms --jitter 150ms --loss 0.01
  auslese bench latency --for 20s --json | jq .share";

/// What was measured.
#[derive(Debug, Serialize)]
struct Measured {
    hosts: u32,
    requests: u64,
    /// Until every host had been asked once, in seconds.
    until_all_asked: f64,
    /// From then on.
    seconds: f64,
    made: u64,
    allowed: f64,
    share: f64,
    /// Between the end of an answer and the next request at the same host.
    shortest_pause_ms: f64,
    cpu_ms_per_request: f64,
}

pub(super) fn run(args: &BenchLatencyArgs, place: &Place, color: Color) -> Outcome {
    if !(0.0..=1.0).contains(&args.loss) {
        return Err(Failure::usage("a share of exchanges is a number from 0 to 1"));
    }
    let measured = measure(args, place, color)?;
    match args.json {
        true => output::print_json(&measured)?,
        false => output::print(&as_text(&measured))?,
    }
    let is_polite = measured.shortest_pause_ms >= args.delay.as_secs_f64() * 1e3;
    Ok(if is_polite { Exit::Done } else { Exit::Failures })
}

fn measure(args: &BenchLatencyArgs, place: &Place, color: Color) -> Result<Measured, Failure> {
    let temporary = tempfile::tempdir().context("cannot make a temporary directory")?;
    let root = place.dir.clone().unwrap_or_else(|| temporary.path().join("harvest"));
    let dir = HarvestDir::create(&root).map_err(harvest_failure)?;
    // More pages than a host can be asked for in the time.
    let pages = args.time.as_secs_f64() / args.delay.as_secs_f64().max(0.001);
    let pages = (pages as usize).clamp(8, 10_000) + 2;
    let latency = Latency { round_trip: args.latency, jitter: args.jitter, loss: args.loss };
    let internet = (0..args.hosts).fold(Internet::new(), |internet, host| {
        internet.site(generated_site(&name(host), pages, u64::from(host)))
    });
    let internet = internet.latency(latency).log_detail(LogDetail::Brief);
    let net = internet.start().context("cannot serve the hosts")?;
    let net_file = temporary.path().join("net.toml");
    write_net_file(&net_file, &net)?;
    write_new(&dir.config(), &configuration(args))?;
    let place = Place { dir: Some(root), also: Vec::new(), net: Some(net_file) };
    let plan = CrawlArgs::quiet().plan(&place)?;
    let (begun, cpu_before) = (Instant::now(), cpu_time());
    carry_out(&plan, &dir, color)?;
    let cpu = cpu_time().saturating_sub(cpu_before);
    let requests = net.requests();
    evaluate(args, &requests, begun, cpu)
}

fn name(host: u32) -> String {
    format!("far{host}.example")
}

fn configuration(args: &BenchLatencyArgs) -> String {
    let seeds =
        (0..args.hosts).map(|host| Value::from(format!("http://{}/", name(host)))).collect();
    let mut settings = vec![
        ("harvest.name", Value::from("auslese bench latency")),
        ("crawl.seeds", Value::Array(seeds)),
        ("crawl.politeness.delay", Value::from(duration_text(args.delay))),
        ("crawl.politeness.factor", Value::from(0.0)),
        ("crawl.budget.max_time", Value::from(duration_text(args.time))),
    ];
    if let Some(connections) = args.connections {
        settings.push(("crawl.politeness.connections", Value::from(i64::from(connections))));
    }
    write_template(&settings)
}

/// Compares what the servers saw with what politeness would have allowed.
fn evaluate(
    args: &BenchLatencyArgs,
    requests: &[Logged],
    begun: Instant,
    cpu: Duration,
) -> Result<Measured, Failure> {
    let mut hosts: HashMap<&str, Vec<&Logged>> = HashMap::new();
    for request in requests {
        hosts.entry(&request.host).or_default().push(request);
    }
    let first = |asked: &Vec<&Logged>| asked.iter().map(|it| it.arrived.instant).min();
    let all_asked = hosts.values().filter_map(first).max();
    let end = requests.iter().map(|it| it.arrived.instant).max();
    let (Some(all_asked), Some(end)) = (all_asked, end) else {
        return Err(anyhow::anyhow!("nothing was asked").into());
    };
    if hosts.len() < args.hosts as usize {
        let asked = hosts.len();
        let message = format!("only {asked} of {} hosts were asked", args.hosts);
        return Err(Failure::from(anyhow::anyhow!(message)).hint("crawl longer (--for)"));
    }
    let window = end.saturating_duration_since(all_asked);
    let (mut made, mut allowed) = (0, 0.0);
    for asked in hosts.values() {
        let within: Vec<&&Logged> =
            asked.iter().filter(|it| it.arrived.instant > all_asked).collect();
        made += within.len() as u64;
        let answering: Vec<Duration> = asked
            .iter()
            .filter_map(|it| Some(it.ended?.instant.saturating_duration_since(it.arrived.instant)))
            .collect();
        let mean = answering.iter().sum::<Duration>().as_secs_f64() / answering.len().max(1) as f64;
        allowed += window.as_secs_f64() / (args.delay.as_secs_f64() + mean);
    }
    let pause = shortest_pause(requests, |logged| logged.host.clone());
    Ok(Measured {
        hosts: args.hosts,
        requests: requests.len() as u64,
        until_all_asked: all_asked.saturating_duration_since(begun).as_secs_f64(),
        seconds: window.as_secs_f64(),
        made,
        allowed,
        share: made as f64 / allowed.max(1.0),
        shortest_pause_ms: pause.unwrap_or(args.delay).as_secs_f64() * 1e3,
        cpu_ms_per_request: cpu.as_secs_f64() * 1e3 / requests.len().max(1) as f64,
    })
}

fn as_text(measured: &Measured) -> String {
    let row = |name: &str, value: String| [name.to_owned(), value];
    output::columns(&[
        row("hosts", measured.hosts.to_string()),
        row("requests", measured.requests.to_string()),
        row("until all hosts were asked", format!("{:.1} s", measured.until_all_asked)),
        row("requests since", format!("{} in {:.1} s", measured.made, measured.seconds)),
        row("politeness allowed", format!("{:.0}", measured.allowed)),
        row("share", format!("{:.1} %", 100.0 * measured.share)),
        row("shortest pause at a host", format!("{:.1} ms", measured.shortest_pause_ms)),
        row("CPU per request, servers included", format!("{:.3} ms", measured.cpu_ms_per_request)),
    ])
}
