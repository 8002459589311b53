//! The simulated internet, used through its door.

#![allow(clippy::unwrap_used, reason = "a failed step fails the test")]

mod client;
mod demo;
mod dns;
mod golden;
mod misbehaviours;
mod rdap;
mod tls;
mod web;
mod whois;
