//! How far a scan is, and what it found: all of it plain values that a file or a database can keep.

use super::answers::OpenPort;
use super::class::ServerClass;
use super::names::{Candidate, PointerName};
use super::plan::ScanPlan;
use super::vantage::Vantage;
use auslese_model::{Cause, CauseKind, HostName, Timestamp};
use ipnet::IpNet;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::net::IpAddr;

/// A scan under way, or finished.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScanState {
    /// What is scanned; a scan goes on only with a plan that says the same.
    pub nets: Vec<IpNet>,
    pub ports: Vec<u16>,
    /// How many addresses that are.
    pub addresses: u64,
    /// The order of the addresses follows from it.
    pub seed: u64,
    /// How many addresses of the order have been taken up.
    pub position: u64,
    /// The numbers of addresses that were taken up, but not finished.
    pub unfinished: Vec<u64>,
    /// How many addresses were left alone, because they are excluded.
    pub excluded: u64,
    pub begun: Timestamp,
    /// From where it was looked: inside a network more is to be seen than from outside.
    pub vantage: Vantage,
    pub servers: Vec<WebServer>,
}

impl ScanState {
    /// A scan that has not begun. The seed should be random.
    pub fn new(plan: &ScanPlan, vantage: Vantage, seed: u64, at: Timestamp) -> ScanState {
        ScanState {
            nets: plan.nets().to_vec(),
            ports: plan.rules().ports.clone(),
            addresses: plan.addresses(),
            seed,
            position: 0,
            unfinished: Vec::new(),
            excluded: 0,
            begun: at,
            vantage,
            servers: Vec::new(),
        }
    }

    pub fn is_finished(&self) -> bool {
        self.position >= self.addresses && self.unfinished.is_empty()
    }

    /// How many addresses were asked, to the end.
    pub fn asked(&self) -> u64 {
        self.position.saturating_sub(self.excluded).saturating_sub(self.unfinished.len() as u64)
    }

    /// The names that lead back into the ranges, with the servers they were found at.
    pub fn confirmed_hosts(&self) -> BTreeMap<HostName, Vec<IpAddr>> {
        let mut hosts: BTreeMap<HostName, Vec<IpAddr>> = BTreeMap::new();
        for server in &self.servers {
            for host in server.candidates.iter().filter_map(Candidate::confirmed) {
                hosts.entry(host).or_default().push(server.address);
            }
        }
        hosts
    }

    /// Whether a state (which may come from a file) belongs to a plan.
    pub fn fits(&self, plan: &ScanPlan) -> bool {
        self.nets == plan.nets()
            && self.ports == plan.rules().ports
            && self.addresses == plan.addresses()
            && self.position <= self.addresses
            && self.unfinished.iter().all(|number| *number < self.addresses)
    }
}

/// A web server that was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WebServer {
    pub address: IpAddr,
    pub at: Timestamp,
    pub class: ServerClass,
    /// Why it is of that class.
    pub reason: String,
    pub ports: Vec<OpenPort>,
    /// The reverse names of the address.
    pub pointers: Vec<PointerName>,
    /// Why it is not known whether there are any.
    pub pointer_fault: Option<Cause>,
    /// Names from reverse DNS, certificates and redirects.
    pub candidates: Vec<Candidate>,
}

/// One connection of a scan: the line of its log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Probe {
    pub address: IpAddr,
    pub port: u16,
    pub at: Timestamp,
    pub sent: Sent,
    pub outcome: Outcome,
}

/// What was sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sent {
    /// Nothing: the connection was closed at once.
    Nothing,
    /// The greeting of a TLS handshake.
    Handshake,
    /// `HEAD /` with this host.
    Head(HostName),
}

/// What came of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// The connection was accepted.
    Open,
    /// It was not, or the address cannot be reached.
    Closed(String),
    /// Nobody said anything in time.
    Silent,
    /// It was not made: the guard or a setting forbids it.
    Forbidden(Cause),
    /// A certificate with so many names.
    Certificate(usize),
    /// An answer with this status.
    Status(u16),
    /// It broke after it had been accepted.
    Failed(Cause),
}

impl Outcome {
    /// What a failed attempt to connect means.
    pub(crate) fn unconnected(cause: Cause) -> Outcome {
        match cause.kind {
            CauseKind::Timeout => Outcome::Silent,
            CauseKind::Guarded | CauseKind::NotMapped | CauseKind::NoContact | CauseKind::Proxy => {
                Outcome::Forbidden(cause)
            }
            _ => Outcome::Closed(cause.detail),
        }
    }
}
