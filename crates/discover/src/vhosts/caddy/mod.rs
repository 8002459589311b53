//! Caddy: the Caddyfile, and the JSON that `caddy adapt` makes of it.

mod addresses;
mod document;
mod sites;
mod tokens;

pub(super) use document::read_json;
pub(super) use sites::read_caddyfile;

#[cfg(test)]
mod tests;
