//! What the tests share: a client that reaches a simulated internet by its ordinary settings.

#![allow(dead_code, reason = "each test file uses a part")]

use auslese_model::{Fetched, Headers, Oddity, Request, Response};
use auslese_net::{ConnectTo, Limits, Net, NetSettings, Wanted};
use auslese_testnet::Running;
use std::future::Future;
use std::time::Duration;

/// Settings that lead to this internet and nowhere else, with limits a test can wait for.
pub(crate) fn settings(internet: &Running) -> NetSettings {
    let connect_to = internet.doors().iter().flat_map(|door| {
        let ranges = match door.address {
            Some(address) => vec![address.into()],
            None => vec!["0.0.0.0/0".parse().unwrap(), "::/0".parse().unwrap()],
        };
        let entry = |addresses| ConnectTo { addresses, port: Some(door.port), to: door.socket };
        ranges.into_iter().map(entry).collect::<Vec<_>>()
    });
    NetSettings {
        dns: vec![internet.dns()],
        connect_to: connect_to.collect(),
        only_mapped: true,
        ca_files: vec![internet.ca_file().to_owned()],
        user_agent: "test/1 (mailto:test@uni.example)".to_owned(),
        limits: limits(),
        ..NetSettings::default()
    }
}

pub(crate) fn limits() -> Limits {
    Limits {
        resolve: Duration::from_secs(5),
        connect: Duration::from_secs(10),
        tls: Duration::from_secs(10),
        header: Duration::from_secs(4),
        idle: Duration::from_secs(2),
        total: Duration::from_secs(8),
        ..Limits::default()
    }
}

pub(crate) fn net(internet: &Running) -> Net {
    Net::new(settings(internet)).unwrap()
}

pub(crate) fn net_with(internet: &Running, change: impl FnOnce(&mut NetSettings)) -> Net {
    let mut settings = settings(internet);
    change(&mut settings);
    Net::new(settings).unwrap()
}

pub(crate) fn run<T>(work: impl Future<Output = T>) -> T {
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    builder.worker_threads(2).enable_all().build().unwrap().block_on(work)
}

pub(crate) fn get(url: &str) -> Request {
    Request::get(url.parse().unwrap())
}

pub(crate) async fn fetch(net: &Net, url: &str) -> Fetched {
    net.fetch(&get(url), &Headers::default(), &|_| Wanted::Body).await
}

pub(crate) fn payload(response: &Response) -> Vec<u8> {
    response.payload().prefix(usize::MAX).unwrap()
}

pub(crate) fn kinds(oddities: &[Oddity]) -> Vec<&str> {
    oddities.iter().map(|oddity| oddity.kind.as_str()).collect()
}
