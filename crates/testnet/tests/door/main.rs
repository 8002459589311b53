//! The simulated internet, used through its door.

#![allow(clippy::unwrap_used, reason = "a failed step fails the test")]

mod client;
mod databases;
mod demo;
mod dns;
mod golden;
mod misbehaviours;
mod oai;
mod rdap;
mod tls;
mod web;
mod whois;
