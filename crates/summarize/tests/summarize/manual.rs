//! What the manual shows holds.

use auslese_summarize::{Settings, Summarizer};
use std::fs;
use std::os::unix::fs::PermissionsExt;

const PAGE: &str = include_str!("../../../../docs/summarizing.md");

/// The block of code that begins with this fence.
fn block(fence: &str) -> &'static str {
    let after = PAGE.split_once(&format!("\n{fence}\n")).unwrap().1;
    after.split_once("\n```").unwrap().0
}

#[test]
fn the_walk_through_leads_to_sound_settings_and_a_sound_document() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    };
    fs::create_dir(folder.path().join("documents")).unwrap();
    write("city.dsn", "sqlite:///nowhere/city.sqlite");
    write("rostock.token", &"0123456789abcdef".repeat(4));
    write("summarizer.toml", block("```toml"));
    write("documents/cityworld.DBContent", block("```text"));
    let settings = Settings::read(&folder.path().join("summarizer.toml")).unwrap();
    let summarizer = Summarizer::new(settings);
    for config in ["cityworld.DBContent", "db/cityworld.DBContent"] {
        let refusal = super::provider::block_on(summarizer.summarize(config)).unwrap_err();
        assert_eq!(refusal.code(), "E_CONNECTION", "all but the database is there: {refusal}");
    }
}

#[test]
fn every_setting_of_limits_has_its_default() {
    #[rustfmt::skip]
    let defaults = [
        ("values", "100000"), ("value_characters", "1000"), ("attribute_bytes", "8388608"),
        ("fragment_bytes", "67108864"), ("statement_seconds", "30"), ("interval_seconds", "3600"),
    ];
    for (name, default) in defaults {
        assert!(PAGE.contains(&format!("| `limits.{name}` | `{default}` |")), "{name}");
    }
}
