//! The certificate a server shows.
//!
//! It is kept as JSON: `names`, `problem` and `der`, the certificate itself in base 64. The key's
//! question is host and port.

use super::Lookups;
use super::asked::Asked;
use super::http::too_late;
use super::told::Told;
use auslese_model::{Cause, CauseKind, HostName, LookupAnswer, LookupKey, LookupKind};
use auslese_net::{Certificate, CertificateOf};
use data_encoding::BASE64;
use serde::{Deserialize, Serialize};
use tokio::time::timeout;

#[derive(Serialize, Deserialize)]
struct WrittenCertificate {
    names: Vec<String>,
    problem: Option<String>,
    der: String,
}

impl Lookups {
    /// What a server shows to whoever asks for `host`; if that is an address, what it shows to
    /// everybody.
    pub async fn certificate(
        &self,
        host: &HostName,
        port: u16,
    ) -> Result<Told<Certificate>, Cause> {
        let key = LookupKey {
            kind: LookupKind::Tls,
            server: host.to_string(),
            question: format!("{host}:{port}"),
        };
        let source = format!("certificate of {}", key.question);
        let record =
            self.ask(key, self.certificate_asked(host, port)).await.map_err(Cause::from)?;
        let certificate = match &record.answer {
            LookupAnswer::Found(bytes) => read(bytes).ok_or_else(|| {
                let detail = format!("the record of {} cannot be read", record.key);
                Cause::new(CauseKind::Local, detail)
            }),
            LookupAnswer::Absent(detail) => Err(Cause::new(CauseKind::NoSuchName, detail.clone())),
            LookupAnswer::Failed(cause) => Err(cause.clone()),
        };
        Ok(Told::new(certificate?, source, record.at))
    }

    async fn certificate_asked(&self, host: &HostName, port: u16) -> Asked {
        let settings = &self.shared.settings;
        let address = host.address();
        let of = CertificateOf { host: Some(host).filter(|_| address.is_none()), address, port };
        let shown = timeout(settings.question, self.shared.net.certificate(of)).await;
        match shown.unwrap_or_else(|_| Err(too_late(settings.question))) {
            Ok(certificate) => Asked::found(written(&certificate), settings.keep_found),
            Err(cause) if cause.kind == CauseKind::NoSuchName => {
                Asked::absent(cause.detail.as_bytes(), settings.keep_absent)
            }
            Err(cause) => Asked::failed(cause, settings.keep_failed),
        }
    }
}

fn written(Certificate { names, der, problem }: &Certificate) -> Vec<u8> {
    let (names, problem, der) = (names.clone(), problem.clone(), BASE64.encode(der));
    let certificate = WrittenCertificate { names, problem, der };
    serde_json::to_vec(&certificate).expect("texts can be written as JSON")
}

fn read(bytes: &[u8]) -> Option<Certificate> {
    let WrittenCertificate { names, problem, der } = serde_json::from_slice(bytes).ok()?;
    Some(Certificate { names, der: BASE64.decode(der.as_bytes()).ok()?, problem })
}
