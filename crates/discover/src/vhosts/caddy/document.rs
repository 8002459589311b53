//! Caddy's JSON: hosts stand in the matchers of routes, which may hold further routes.

use super::super::report::{Endpoint, Findings, Place, WhyReported};
use super::addresses::listen_port;
use serde_json::Value;

pub(crate) fn read_json(text: &str, file: &str, findings: &mut Findings) {
    let place = Place::file(file);
    let Ok(config) = serde_json::from_str::<Value>(text) else {
        findings.report(text, &place, "JSON", WhyReported::UnreadableFile);
        return;
    };
    let Some(servers) = config.pointer("/apps/http/servers").and_then(Value::as_object) else {
        return;
    };
    for server in servers.values() {
        let listens: Vec<_> = strings(server.get("listen"))
            .map(|address| Endpoint { address: None, port: listen_port(address) })
            .collect();
        tell_hosts(server, &place, &listens, findings);
    }
}

/// Looks for matchers everywhere below; the parser has bounded the depth.
fn tell_hosts(value: &Value, place: &Place, listens: &[Endpoint], findings: &mut Findings) {
    match value {
        Value::Array(items) => {
            items.iter().for_each(|item| tell_hosts(item, place, listens, findings));
        }
        Value::Object(fields) => {
            if let Some(sets) = fields.get("match") {
                tell_matchers(sets, place, listens, findings);
            }
            for (_, field) in fields.iter().filter(|(key, _)| *key != "match") {
                tell_hosts(field, place, listens, findings);
            }
        }
        _ => {}
    }
}

fn tell_matchers(sets: &Value, place: &Place, listens: &[Endpoint], findings: &mut Findings) {
    for set in sets.as_array().into_iter().flatten() {
        for host in strings(set.get("host")) {
            findings.host(host, place, "host", listens);
        }
    }
}

fn strings(value: Option<&Value>) -> impl Iterator<Item = &str> {
    value.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}
