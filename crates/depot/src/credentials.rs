//! Who we are to the store: from the environment, or from a file as the tools of Amazon write it. Never from
//! `auslese.toml`, and never in a message.

use crate::error::DepotError;
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

/// Longer files are taken for something else.
const LARGEST_FILE: u64 = 1 << 20;

/// An access key with its secret.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Credentials {
    pub(crate) access_key: String,
    pub(crate) secret: String,
    /// Of credentials that hold for some hours only.
    pub(crate) token: Option<String>,
}

/// Secrets are not for logs.
impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Credentials(hidden)")
    }
}

impl Credentials {
    /// The file that was named, or what the environment says.
    pub(crate) fn find(
        file: Option<&Path>,
        environment: impl Fn(&str) -> Option<String>,
    ) -> Result<Credentials, DepotError> {
        let environment = |name: &str| environment(name).filter(|value| !value.is_empty());
        let profile = environment("AWS_PROFILE").unwrap_or_else(|| "default".to_owned());
        if let Some(file) = file {
            return read_file(file, &profile);
        }
        if let Some(access_key) = environment("AWS_ACCESS_KEY_ID") {
            let secret = environment("AWS_SECRET_ACCESS_KEY").ok_or_else(|| {
                let why = "AWS_ACCESS_KEY_ID is set, but AWS_SECRET_ACCESS_KEY is not".to_owned();
                DepotError::NoCredentials { why }
            })?;
            return Ok(Credentials { access_key, secret, token: environment("AWS_SESSION_TOKEN") });
        }
        if let Some(file) = environment("AWS_SHARED_CREDENTIALS_FILE") {
            return read_file(&PathBuf::from(file), &profile);
        }
        let why = "neither AWS_ACCESS_KEY_ID nor a file with credentials is set".to_owned();
        Err(DepotError::NoCredentials { why })
    }
}

fn read_file(path: &Path, profile: &str) -> Result<Credentials, DepotError> {
    let cannot = |cause| DepotError::File { file: path.to_owned(), cause };
    let length = std::fs::metadata(path).map_err(cannot)?.len();
    if length > LARGEST_FILE {
        let why = format!("{} is too large for a file with credentials", path.display());
        return Err(DepotError::NoCredentials { why });
    }
    let text = std::fs::read_to_string(path).map_err(cannot)?;
    of_text(&text, profile).ok_or_else(|| DepotError::NoCredentials {
        why: format!(
            "{} has no aws_access_key_id and aws_secret_access_key in [{profile}]",
            path.display()
        ),
    })
}

/// Lines `name = value` under `[profile]`.
fn of_text(text: &str, profile: &str) -> Option<Credentials> {
    let mut values: BTreeMap<String, String> = BTreeMap::new();
    let mut is_meant = false;
    for line in text.lines().map(str::trim) {
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            is_meant = name.trim().trim_start_matches("profile ").trim() == profile;
        } else if is_meant
            && !line.starts_with(['#', ';'])
            && let Some((name, value)) = line.split_once('=')
        {
            values.insert(name.trim().to_ascii_lowercase(), value.trim().to_owned());
        }
    }
    let mut take = |name: &str| values.remove(name).filter(|value| !value.is_empty());
    Some(Credentials {
        access_key: take("aws_access_key_id")?,
        secret: take("aws_secret_access_key")?,
        token: take("aws_session_token"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "# ours\n[default]\naws_access_key_id = A\naws_secret_access_key=S=1\n\n\
                        [profile other]\nAWS_ACCESS_KEY_ID = B\naws_secret_access_key = T\n\
                        aws_session_token = U\n[broken]\naws_access_key_id =\n";

    fn shown(found: &Credentials) -> String {
        format!("{} {} {}", found.access_key, found.secret, found.token.as_deref().unwrap_or("-"))
    }

    #[test]
    fn files() {
        #[rustfmt::skip]
        let cases = [
            ("default", Some("A S=1 -")),
            ("other",   Some("B T U")),
            ("broken",  None),
            ("missing", None),
        ];
        for (profile, expected) in cases {
            assert_eq!(
                of_text(FILE, profile).as_ref().map(shown).as_deref(),
                expected,
                "{profile}"
            );
        }
    }

    #[test]
    fn the_named_file_goes_before_the_environment() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("credentials");
        std::fs::write(&file, FILE).unwrap();
        let environment = |name: &str| match name {
            "AWS_ACCESS_KEY_ID" => Some("E".to_owned()),
            "AWS_SECRET_ACCESS_KEY" => Some("F".to_owned()),
            _ => None,
        };
        let found = Credentials::find(Some(&file), environment).unwrap();
        assert_eq!(shown(&found), "A S=1 -");
        assert_eq!(format!("{found:?}"), "Credentials(hidden)");
        assert_eq!(shown(&Credentials::find(None, environment).unwrap()), "E F -");
        let shared = file.to_str().unwrap().to_owned();
        let elsewhere =
            |name: &str| (name == "AWS_SHARED_CREDENTIALS_FILE").then(|| shared.clone());
        assert_eq!(shown(&Credentials::find(None, elsewhere).unwrap()), "A S=1 -");
        let half = |name: &str| (name == "AWS_ACCESS_KEY_ID").then(|| "E".to_owned());
        let error = Credentials::find(None, half).unwrap_err();
        assert!(error.to_string().contains("AWS_SECRET_ACCESS_KEY"), "{error}");
        assert!(Credentials::find(None, |_| None).is_err());
    }
}
