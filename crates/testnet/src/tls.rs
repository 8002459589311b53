//! The test authority and the certificates of https sites, right and wrong.

use crate::answer::Step;
use crate::error::TestnetError;
use crate::site::{Site, by_name};
use crate::zone::Table;
use auslese_model::Scheme;
use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair, KeyUsagePurpose,
    date_time_ymd,
};
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;
use tokio_rustls::rustls::crypto::ring::default_provider;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use tokio_rustls::rustls::server::ResolvesServerCertUsingSni;
use tokio_rustls::rustls::{self, ServerConfig};

/// What an https site shows when it is asked who it is.
#[derive(Debug, Clone, Default)]
pub enum Identity {
    /// A certificate of the test authority.
    #[default]
    Valid,
    /// One that ran out in 2020.
    Expired,
    /// One that begins in 2090.
    NotYetValid,
    /// One that no authority signed.
    SelfSigned,
    /// One by an authority that nobody knows.
    UnknownAuthority,
    /// One for these other names.
    Named(Vec<String>),
    /// None: the handshake ends with an alert.
    Missing,
    /// No handshake at all: once the client has greeted, these steps are played.
    Script(Vec<Step>),
}

/// How a handshake goes on after the client's greeting.
#[derive(Debug, Clone)]
pub(crate) enum Handshake {
    With(Arc<ServerConfig>),
    Script(Arc<[Step]>),
}

/// All identities by port and host, what each address shows to whoever names no host, and the authority that vouches for them.
#[derive(Debug)]
pub(crate) struct Identities {
    by_port: HashMap<u16, HashMap<String, Handshake>>,
    by_address: HashMap<(IpAddr, u16), Handshake>,
    nobody: Handshake,
    authority_pem: String,
}

impl Identities {
    pub(crate) fn new(sites: &[Site], table: &Table) -> Result<Identities, TestnetError> {
        let forge = Forge::new()?;
        let mut by_address: HashMap<(IpAddr, u16), Handshake> = HashMap::new();
        let mut by_port: HashMap<u16, HashMap<String, Handshake>> = HashMap::new();
        for site in sites {
            let origin = site.origin()?;
            if origin.scheme == Scheme::Https {
                let host = origin.host.as_str();
                let handshake = forge.handshake(host, &site.identity)?;
                // As with real servers, the first site of an address is its face, unless the
                // address has a site of its own.
                for address in table.addresses(host) {
                    by_address.entry((address, origin.port)).or_insert(handshake.clone());
                }
                if let Some(address) = origin.host.address() {
                    by_address.insert((address, origin.port), handshake.clone());
                }
                by_port.entry(origin.port).or_default().insert(host.to_owned(), handshake);
            }
        }
        let nobody = Handshake::With(forge.no_certificate()?);
        Ok(Identities { by_port, by_address, nobody, authority_pem: forge.known.pem() })
    }

    /// How to answer a client that asks for this name. A client that asks for none, because it
    /// was given an address, gets what stands at the address; if all addresses share a socket,
    /// the only site of the port if there is just one.
    pub(crate) fn handshake(
        &self,
        sni: Option<&str>,
        port: u16,
        address: Option<IpAddr>,
    ) -> Handshake {
        if let (None, Some(address)) = (sni, address) {
            return self.by_address.get(&(address, port)).unwrap_or(&self.nobody).clone();
        }
        let hosts = self.by_port.get(&port);
        let found = hosts.and_then(|hosts| match sni {
            Some(name) => by_name(hosts, &name.to_ascii_lowercase()),
            None if hosts.len() == 1 => hosts.values().next(),
            None => None,
        });
        found.unwrap_or(&self.nobody).clone()
    }

    pub(crate) fn authority_pem(&self) -> &str {
        &self.authority_pem
    }
}

type Authority = CertifiedIssuer<'static, KeyPair>;

/// Makes certificates. One key serves all sites: only the names and dates matter here.
struct Forge {
    known: Authority,
    unknown: Authority,
    key: KeyPair,
}

impl Forge {
    fn new() -> Result<Forge, TestnetError> {
        let failed = |cause| certificate_error("the test authority", cause);
        Ok(Forge {
            known: authority("Testnet Root").map_err(failed)?,
            unknown: authority("Nobody's Root").map_err(failed)?,
            key: KeyPair::generate().map_err(failed)?,
        })
    }

    fn handshake(&self, host: &str, identity: &Identity) -> Result<Handshake, TestnetError> {
        let own = || vec![host.trim_start_matches('[').trim_end_matches(']').to_owned()];
        let (names, (from, to), authority) = match identity {
            Identity::Valid => (own(), (2020, 2089), Some(&self.known)),
            Identity::Expired => (own(), (2019, 2020), Some(&self.known)),
            Identity::NotYetValid => (own(), (2090, 2091), Some(&self.known)),
            Identity::SelfSigned => (own(), (2020, 2089), None),
            Identity::UnknownAuthority => (own(), (2020, 2089), Some(&self.unknown)),
            Identity::Named(names) => (names.clone(), (2020, 2089), Some(&self.known)),
            Identity::Missing => return Ok(Handshake::With(self.no_certificate()?)),
            Identity::Script(steps) => return Ok(Handshake::Script(steps.as_slice().into())),
        };
        let certificate = self
            .certificate(names, (from, to), authority)
            .map_err(|cause| certificate_error(host, cause))?;
        let config = server_config()
            .and_then(|builder| {
                let key = PrivatePkcs8KeyDer::from(self.key.serialize_der());
                builder
                    .with_no_client_auth()
                    .with_single_cert(vec![certificate], PrivateKeyDer::Pkcs8(key))
            })
            .map_err(|cause| TestnetError::Tls { host: host.to_owned(), cause })?;
        Ok(Handshake::With(speaking_http1(config)))
    }

    fn certificate(
        &self,
        names: Vec<String>,
        (from, to): (i32, i32),
        authority: Option<&Authority>,
    ) -> Result<CertificateDer<'static>, rcgen::Error> {
        let common_name = names.first().cloned().unwrap_or_default();
        let mut params = CertificateParams::new(names)?;
        params.distinguished_name.push(DnType::CommonName, common_name);
        params.not_before = date_time_ymd(from, 1, 1);
        params.not_after = date_time_ymd(to, 12, 31);
        let certificate = match authority {
            Some(authority) => params.signed_by(&self.key, authority)?,
            None => params.self_signed(&self.key)?,
        };
        Ok(certificate.der().clone())
    }

    fn no_certificate(&self) -> Result<Arc<ServerConfig>, TestnetError> {
        let config = server_config()
            .map(|builder| {
                let nothing = Arc::new(ResolvesServerCertUsingSni::new());
                builder.with_no_client_auth().with_cert_resolver(nothing)
            })
            .map_err(|cause| TestnetError::Tls { host: "nobody".to_owned(), cause })?;
        Ok(speaking_http1(config))
    }
}

fn authority(name: &str) -> Result<Authority, rcgen::Error> {
    let mut params = CertificateParams::default();
    params.distinguished_name.push(DnType::CommonName, name);
    params.distinguished_name.push(DnType::OrganizationName, "auslese testnet");
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
    params.not_before = date_time_ymd(2000, 1, 1);
    params.not_after = date_time_ymd(2099, 12, 31);
    CertifiedIssuer::self_signed(params, KeyPair::generate()?)
}

fn server_config()
-> Result<rustls::ConfigBuilder<ServerConfig, rustls::WantsVerifier>, rustls::Error> {
    ServerConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()
}

fn speaking_http1(mut config: ServerConfig) -> Arc<ServerConfig> {
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Arc::new(config)
}

fn certificate_error(host: &str, cause: rcgen::Error) -> TestnetError {
    TestnetError::Certificate { host: host.to_owned(), cause }
}
