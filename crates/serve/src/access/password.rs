//! Passwords: kept as Argon2id hashes in the PHC form, with the parameters that OWASP recommends (the crate's defaults).

use argon2::{Argon2, PasswordHasher, PasswordVerifier, password_hash::phc::PasswordHash};
use std::sync::OnceLock;

/// The shortest password, in characters: long enough that a list of frequent ones is of little use.
pub const MIN_PASSWORD: usize = 10;
/// The longest, in bytes.
const MAX_PASSWORD: usize = 1_000;

#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum PasswordError {
    #[error("a password has at least {MIN_PASSWORD} characters")]
    Short,
    #[error("a password has at most {MAX_PASSWORD} bytes")]
    Long,
    #[error("the password cannot be hashed: {0}")]
    Failed(String),
}

/// The hash of a password, as it is kept.
pub fn hash_password(password: &str) -> Result<String, PasswordError> {
    if password.chars().count() < MIN_PASSWORD {
        return Err(PasswordError::Short);
    }
    if password.len() > MAX_PASSWORD {
        return Err(PasswordError::Long);
    }
    let hash = Argon2::default().hash_password(password.as_bytes());
    hash.map(|hash| hash.to_string()).map_err(|error| PasswordError::Failed(error.to_string()))
}

/// Whether this is the password. Without a hash it never is, but finding out takes as long.
pub(super) fn is_password(hash: Option<&str>, password: &str) -> bool {
    if password.len() > MAX_PASSWORD {
        return false;
    }
    let Ok(parsed) = PasswordHash::new(hash.unwrap_or_else(|| nobodys_hash())) else {
        return false;
    };
    let is_right = Argon2::default().verify_password(password.as_bytes(), &parsed).is_ok();
    is_right && hash.is_some()
}

fn nobodys_hash() -> &'static str {
    static HASH: OnceLock<String> = OnceLock::new();
    HASH.get_or_init(|| hash_password(&super::sessions::random_token()).unwrap_or_default())
}

/// Whether a text is a hash that can be checked against.
pub(super) fn is_hash(text: &str) -> bool {
    text.starts_with("$argon2id$") && PasswordHash::new(text).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_known_again() {
        let hash = hash_password("Grüße aus Gießen").unwrap();
        assert!(hash.starts_with("$argon2id$"), "{hash}");
        assert!(is_hash(&hash));
        assert!(is_password(Some(&hash), "Grüße aus Gießen"));
        assert!(!is_password(Some(&hash), "Grüße aus Giessen"));
        assert!(!is_password(Some("nonsense"), "Grüße aus Gießen"));
        assert!(!is_password(None, "Grüße aus Gießen"));
        assert_ne!(hash, hash_password("Grüße aus Gießen").unwrap());
        assert_eq!(hash_password("zu kurz"), Err(PasswordError::Short));
        assert_eq!(hash_password(&"x".repeat(2_000)), Err(PasswordError::Long));
        assert!(!is_hash("$argon2id$v=19$garbage"));
    }
}
