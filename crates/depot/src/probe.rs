//! Tries a store out with an object of its own: does it answer, may we do what we need, does it keep conditions?

use crate::address::StoreAddress;
use crate::client::Depot;
use crate::error::DepotError;
use crate::objects::Writing;
use data_encoding::HEXLOWER;

/// What was found out about a store that can be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Probed {
    /// Whether it refuses to overwrite an object where it is asked to.
    pub keeps_conditions: bool,
}

impl Depot {
    /// Writes, reads, lists and deletes a small object below an address.
    pub fn probe(&self, below: &StoreAddress) -> Result<Probed, DepotError> {
        let mut random = [0; 8];
        getrandom::fill(&mut random)
            .map_err(|error| DepotError::Settings { why: error.to_string() })?;
        let key = below.below(&format!("auslese-probe-{}", HEXLOWER.encode(&random))).key;
        let found = self.try_out(&key);
        // Whatever happened, the object goes; the first failure is the one that counts.
        let deleted = self.delete(&key);
        let found = found?;
        deleted?;
        Ok(found)
    }

    fn try_out(&self, key: &str) -> Result<Probed, DepotError> {
        self.write(key, b"one", Writing::New)?;
        if self.read(key, 1, 2)? != b"ne" {
            let why = "it gives other bytes than were stored".to_owned();
            return Err(DepotError::Changed { address: self.address(key), why });
        }
        self.list(key)?;
        self.unfinished(key)?;
        let keeps_conditions = match self.write(key, b"two", Writing::New) {
            Err(DepotError::Taken { .. }) => true,
            Ok(()) => false,
            Err(error) => return Err(error),
        };
        Ok(Probed { keeps_conditions })
    }
}
