//! Secures a connection, and says what is wrong with the certificate.
//!
//! By default a bad certificate is noted, not refused: an archive wants the page, and says under
//! which circumstances it got it. The usual checks (chain, names, dates, signatures) are run in any
//! case; only their outcome is treated differently. Sessions are not resumed, because a resumed
//! session skips the checks and its note would be empty.

use crate::certificate::{self, Certificate};
use crate::error::NetError;
use crate::settings::{Certificates, NetSettings};
use auslese_model::{Cause, CauseKind, HostName, TlsNote};
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::{Resumption, WebPkiServerVerifier};
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{
    CertificateError, ClientConfig, DigitallySignedStruct, ProtocolVersion, RootCertStore,
    SignatureScheme,
};
use std::io;
use std::net::IpAddr;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

pub(crate) struct Tls {
    config: ClientConfig,
    checks: Arc<WebPkiServerVerifier>,
    certificates: Certificates,
}

impl Tls {
    pub(crate) fn new(settings: &NetSettings) -> Result<Tls, NetError> {
        let mut roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
        for file in &settings.ca_files {
            add_authorities(&mut roots, file)?;
        }
        let provider = Arc::new(ring::default_provider());
        let roots = Arc::new(roots);
        let checks = WebPkiServerVerifier::builder_with_provider(roots.clone(), provider.clone())
            .build()
            .expect("the built-in authorities are never empty, and no revocation lists are given");
        let mut config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(NetError::Tls)?
            .with_root_certificates(roots)
            .with_no_client_auth();
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        config.resumption = Resumption::disabled();
        Ok(Tls { config, checks, certificates: settings.certificates })
    }

    pub(crate) async fn secure(
        &self,
        stream: TcpStream,
        host: &HostName,
    ) -> Result<(TlsStream<TcpStream>, TlsNote), Cause> {
        let witness = Arc::new(Witness::new(&self.checks, self.certificates));
        let stream = self.shake_hands(stream, server_name(host)?, &witness).await?;
        let session = stream.get_ref().1;
        let note = TlsNote {
            protocol: session.protocol_version().map_or_else(String::new, protocol_words),
            cipher: session
                .negotiated_cipher_suite()
                .map_or_else(String::new, |suite| format!("{:?}", suite.suite())),
            problem: witness.problem(),
        };
        Ok((stream, note))
    }

    /// Asks for the certificate and goes away. It is read even if it cannot be trusted, and even if
    /// the handshake fails after it was shown, as with servers that want one from the client too.
    pub(crate) async fn certificate(
        &self,
        stream: TcpStream,
        host: Option<&HostName>,
        address: IpAddr,
    ) -> Result<Certificate, Cause> {
        let name = host.map_or_else(|| Ok(ServerName::from(address)), server_name)?;
        let mut witness = Witness::new(&self.checks, Certificates::Note);
        witness.any_name = host.is_none();
        let witness = Arc::new(witness);
        let ended = self.shake_hands(stream, name, &witness).await;
        match (witness.shown(), ended) {
            (Some(der), ended) => {
                let problem = witness.problem().or(ended.err().map(|cause| cause.to_string()));
                Ok(Certificate { names: certificate::names(&der), der, problem })
            }
            (None, Ok(_)) => Err(Cause::new(CauseKind::Tls, "the server showed no certificate")),
            (None, Err(cause)) => Err(cause),
        }
    }

    async fn shake_hands(
        &self,
        stream: TcpStream,
        name: ServerName<'static>,
        witness: &Arc<Witness>,
    ) -> Result<TlsStream<TcpStream>, Cause> {
        let mut config = self.config.clone();
        config.dangerous().set_certificate_verifier(witness.clone());
        let connecting = TlsConnector::from(Arc::new(config)).connect(name, stream);
        connecting.await.map_err(|error| handshake_cause(&error))
    }
}

fn add_authorities(roots: &mut RootCertStore, file: &Path) -> Result<(), NetError> {
    let unreadable = |cause| NetError::CaFile { file: file.to_owned(), cause };
    let mut count = 0;
    for certificate in CertificateDer::pem_file_iter(file).map_err(unreadable)? {
        if roots.add(certificate.map_err(unreadable)?).is_ok() {
            count += 1;
        }
    }
    match count {
        0 => Err(NetError::NoCertificate { file: file.to_owned() }),
        _ => Ok(()),
    }
}

fn server_name(host: &HostName) -> Result<ServerName<'static>, Cause> {
    if let Some(address) = host.address() {
        return Ok(ServerName::from(address));
    }
    ServerName::try_from(host.as_str().to_owned())
        .map_err(|_| Cause::new(CauseKind::Tls, format!("{host} cannot stand in a handshake")))
}

fn handshake_cause(error: &io::Error) -> Cause {
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>());
    match inner {
        Some(rustls::Error::InvalidCertificate(fault)) => {
            Cause::new(CauseKind::Certificate, certificate_words(fault))
        }
        Some(error) => Cause::new(CauseKind::Tls, error.to_string()),
        None => Cause::new(CauseKind::Tls, error.to_string()),
    }
}

fn protocol_words(version: ProtocolVersion) -> String {
    match version {
        ProtocolVersion::TLSv1_2 => "TLSv1.2".to_owned(),
        ProtocolVersion::TLSv1_3 => "TLSv1.3".to_owned(),
        other => format!("{other:?}"),
    }
}

fn certificate_words(fault: &CertificateError) -> String {
    use CertificateError::{
        BadEncoding, BadSignature, Expired, ExpiredContext, NotValidForName,
        NotValidForNameContext, NotValidYet, NotValidYetContext, UnknownIssuer,
    };
    match fault {
        Expired | ExpiredContext { .. } => "expired".to_owned(),
        NotValidYet | NotValidYetContext { .. } => "not yet valid".to_owned(),
        UnknownIssuer => "unknown issuer".to_owned(),
        BadEncoding => "unreadable".to_owned(),
        BadSignature => "bad signature".to_owned(),
        NotValidForName => "for another name".to_owned(),
        NotValidForNameContext { presented, .. } => {
            let names: Vec<&str> = presented.iter().take(5).map(String::as_str).collect();
            format!("for another name: {}", names.join(", "))
        }
        other => other.to_string(),
    }
}

fn is_other_name(error: &rustls::Error) -> bool {
    use CertificateError::{NotValidForName, NotValidForNameContext};
    matches!(
        error,
        rustls::Error::InvalidCertificate(NotValidForName | NotValidForNameContext { .. })
    )
}

/// Runs the usual checks for one connection and remembers the first that failed.
#[derive(Debug)]
struct Witness {
    checks: Arc<WebPkiServerVerifier>,
    certificates: Certificates,
    /// No name was asked for, so none can be the wrong one.
    any_name: bool,
    problem: Mutex<Option<String>>,
    shown: Mutex<Option<Vec<u8>>>,
}

impl Witness {
    fn new(checks: &Arc<WebPkiServerVerifier>, certificates: Certificates) -> Witness {
        let (problem, shown) = (Mutex::new(None), Mutex::new(None));
        Witness { checks: checks.clone(), certificates, any_name: false, problem, shown }
    }

    /// The certificate the server showed.
    fn shown(&self) -> Option<Vec<u8>> {
        self.shown.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn problem(&self) -> Option<String> {
        self.problem.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Lets a failed check pass as `instead`, if faults are only to be noted.
    fn noted<T>(&self, checked: Result<T, rustls::Error>, instead: T) -> Result<T, rustls::Error> {
        match checked {
            Err(rustls::Error::InvalidCertificate(fault))
                if self.certificates == Certificates::Note =>
            {
                let mut problem = self.problem.lock().unwrap_or_else(PoisonError::into_inner);
                problem.get_or_insert_with(|| certificate_words(&fault));
                Ok(instead)
            }
            checked => checked,
        }
    }
}

impl ServerCertVerifier for Witness {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        *shown = Some(end_entity.to_vec());
        drop(shown);
        let checked = self.checks.verify_server_cert(
            end_entity,
            intermediates,
            server_name,
            ocsp_response,
            now,
        );
        // The name is compared last, so everything else is in order then.
        if self.any_name && matches!(&checked, Err(error) if is_other_name(error)) {
            return Ok(ServerCertVerified::assertion());
        }
        self.noted(checked, ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let checked = self.checks.verify_tls12_signature(message, certificate, signature);
        self.noted(checked, HandshakeSignatureValid::assertion())
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let checked = self.checks.verify_tls13_signature(message, certificate, signature);
        self.noted(checked, HandshakeSignatureValid::assertion())
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.checks.supported_verify_schemes()
    }
}
