//! Decides which addresses may be talked to.
//!
//! A crawler follows links that strangers wrote, so a link to `http://169.254.169.254/` or a name
//! that resolves to `10.0.0.1` must lead nowhere. The guard judges the address a name *resolved*
//! to (or the address in the URL, however it is spelled), never the name. IPv6 addresses that
//! carry an IPv4 address inside are judged by what is inside.
//!
//! Documentation and benchmark ranges pass: nothing routes there, and the simulated internet
//! lives in them. A `connect_to` target is not judged: a person wrote it down.
//!
//! Behind a proxy the guard sees less: the target's name is judged if it resolves here, but the
//! proxy resolves it again and dials by its own rules. Who crawls through a proxy must trust the
//! proxy to refuse its own internal addresses. The proxy's own address is not judged.

use crate::settings::NetSettings;
use auslese_model::{Cause, CauseKind};
use ipnet::{IpNet, Ipv4Net, Ipv6Net};
use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

/// Judges one address by the settings `allow` and `allow_private`.
pub fn judge(address: IpAddr, settings: &NetSettings) -> GuardVerdict {
    let (kind, embedded) = kind_of(address);
    let listed = |net: &&IpNet| {
        net.contains(&address)
            || embedded.is_some_and(|(_, inner)| net.contains(&IpAddr::V4(inner)))
    };
    let ground = if kind == AddressKind::Public {
        Some(Ground::Public)
    } else if let Some(net) = settings.allow.iter().find(listed) {
        Some(Ground::Listed(*net))
    } else if settings.allow_private && kind.is_private() {
        Some(Ground::AllowPrivate)
    } else {
        None
    };
    match ground {
        Some(ground) => GuardVerdict::Allowed { address, kind, ground },
        None => GuardVerdict::Refused { address, kind, embedded },
    }
}

/// May this address be talked to, and why or why not?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GuardVerdict {
    Allowed {
        address: IpAddr,
        kind: AddressKind,
        ground: Ground,
    },
    Refused {
        address: IpAddr,
        kind: AddressKind,
        /// The address inside, if that is what was refused.
        embedded: Option<(Embedding, Ipv4Addr)>,
    },
}

impl GuardVerdict {
    pub fn is_allowed(&self) -> bool {
        matches!(self, GuardVerdict::Allowed { .. })
    }

    pub fn address(&self) -> IpAddr {
        match self {
            GuardVerdict::Allowed { address, .. } | GuardVerdict::Refused { address, .. } => {
                *address
            }
        }
    }
}

/// `127.0.0.1 is a loopback address`
impl fmt::Display for GuardVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GuardVerdict::Allowed { address, kind, ground } => {
                write!(f, "{address} is {}", kind.words())?;
                match ground {
                    Ground::Public => Ok(()),
                    Ground::AllowPrivate => f.write_str(", allowed by allow_private"),
                    Ground::Listed(net) => write!(f, ", allowed by {net} in allow"),
                }
            }
            GuardVerdict::Refused { address, kind, embedded: None } => {
                write!(f, "{address} is {}", kind.words())
            }
            GuardVerdict::Refused { address, kind, embedded: Some((embedding, inner)) } => {
                write!(f, "{address} is {} for {inner}, {}", embedding.words(), kind.words())
            }
        }
    }
}

/// Why an address passes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ground {
    Public,
    AllowPrivate,
    Listed(IpNet),
}

/// What an address is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AddressKind {
    Public,
    Loopback,
    Private,
    LinkLocal,
    UniqueLocal,
    CarrierNat,
    ThisNetwork,
    Multicast,
    Broadcast,
    Reserved,
    /// Where cloud machines ask for their own credentials.
    MetadataService,
}

impl AddressKind {
    pub fn words(self) -> &'static str {
        match self {
            AddressKind::Public => "a public address",
            AddressKind::Loopback => "a loopback address",
            AddressKind::Private => "a private address",
            AddressKind::LinkLocal => "a link-local address",
            AddressKind::UniqueLocal => "a unique local address",
            AddressKind::CarrierNat => "an address behind a carrier's translator",
            AddressKind::ThisNetwork => "an unspecified address of this network",
            AddressKind::Multicast => "a multicast address",
            AddressKind::Broadcast => "the broadcast address",
            AddressKind::Reserved => "a reserved address",
            AddressKind::MetadataService => "the metadata service of a cloud provider",
        }
    }

    /// Whether `allow_private` opens it. What nobody runs a web site on is left to `allow`.
    fn is_private(self) -> bool {
        use AddressKind::{CarrierNat, LinkLocal, Loopback, Private, UniqueLocal};
        matches!(self, Loopback | Private | LinkLocal | UniqueLocal | CarrierNat)
    }
}

/// How an IPv6 address carries an IPv4 address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Embedding {
    Mapped,
    Compatible,
    Nat64,
    SixToFour,
    Teredo,
}

impl Embedding {
    pub fn words(self) -> &'static str {
        match self {
            Embedding::Mapped => "an IPv4-mapped address",
            Embedding::Compatible => "an IPv4-compatible address",
            Embedding::Nat64 => "a NAT64 address",
            Embedding::SixToFour => "a 6to4 address",
            Embedding::Teredo => "a Teredo address",
        }
    }
}

/// A socket that may be dialled. Only [`admit`] makes one for a target, so that nothing connects
/// past the guard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Admitted {
    /// The address the name resolved to; none for a proxy.
    pub(crate) address: Option<IpAddr>,
    socket: SocketAddr,
}

impl Admitted {
    /// The proxy of the settings, which a person wrote down.
    pub(crate) fn proxy(socket: SocketAddr) -> Admitted {
        Admitted { address: None, socket }
    }

    pub(crate) fn socket(&self) -> SocketAddr {
        self.socket
    }
}

/// Judges an address and finds the socket that stands for it.
pub(crate) fn admit(address: IpAddr, port: u16, settings: &NetSettings) -> Result<Admitted, Cause> {
    let verdict = judge(address, settings);
    if !verdict.is_allowed() {
        return Err(Cause::new(CauseKind::Guarded, verdict.to_string()));
    }
    let entry = settings.connect_to.iter().find(|entry| {
        entry.addresses.contains(&address) && entry.port.is_none_or(|wanted| wanted == port)
    });
    let socket = match entry {
        Some(entry) => entry.to,
        None if settings.only_mapped => {
            let socket = SocketAddr::new(address, port);
            return Err(Cause::new(CauseKind::NotMapped, socket.to_string()));
        }
        None => SocketAddr::new(address, port),
    };
    // Whoever runs a server elsewhere must be able to reach whoever crawls it.
    if settings.contact.is_none() && !socket.ip().is_loopback() {
        return Err(Cause::new(CauseKind::NoContact, address.to_string()));
    }
    Ok(Admitted { address: Some(address), socket })
}

fn kind_of(address: IpAddr) -> (AddressKind, Option<(Embedding, Ipv4Addr)>) {
    match address {
        IpAddr::V4(address) => (kind_of_v4(address), None),
        IpAddr::V6(address) => kind_of_v6(address),
    }
}

fn kind_of_v4(address: Ipv4Addr) -> AddressKind {
    if V4_METADATA.contains(&address) {
        return AddressKind::MetadataService;
    }
    V4_RANGES
        .iter()
        .find(|(net, _)| net.contains(&address))
        .map_or(AddressKind::Public, |(_, kind)| *kind)
}

fn kind_of_v6(address: Ipv6Addr) -> (AddressKind, Option<(Embedding, Ipv4Addr)>) {
    if V6_METADATA.contains(&address) {
        return (AddressKind::MetadataService, None);
    }
    if let Some((_, kind)) = V6_RANGES.iter().find(|(net, _)| net.contains(&address)) {
        return (*kind, None);
    }
    let inside = embedded(address);
    let refused = inside
        .into_iter()
        .flatten()
        .map(|(embedding, inner)| (kind_of_v4(inner), Some((embedding, inner))))
        .find(|(kind, _)| *kind != AddressKind::Public);
    refused.unwrap_or((AddressKind::Public, None))
}

/// The IPv4 addresses inside; Teredo has two, the server's and the client's.
fn embedded(address: Ipv6Addr) -> [Option<(Embedding, Ipv4Addr)>; 2] {
    let o = address.octets();
    let tail = Ipv4Addr::new(o[12], o[13], o[14], o[15]);
    let one = |embedding, inner| [Some((embedding, inner)), None];
    if MAPPED.contains(&address) {
        one(Embedding::Mapped, tail)
    } else if COMPATIBLE.contains(&address) {
        one(Embedding::Compatible, tail)
    } else if NAT64.contains(&address) {
        one(Embedding::Nat64, tail)
    } else if SIX_TO_FOUR.contains(&address) {
        one(Embedding::SixToFour, Ipv4Addr::new(o[2], o[3], o[4], o[5]))
    } else if TEREDO.contains(&address) {
        let client = Ipv4Addr::new(!o[12], !o[13], !o[14], !o[15]);
        let server = Ipv4Addr::new(o[4], o[5], o[6], o[7]);
        [Some((Embedding::Teredo, client)), Some((Embedding::Teredo, server))]
    } else {
        [None, None]
    }
}

const fn v4(a: u8, b: u8, c: u8, d: u8, prefix: u8) -> Ipv4Net {
    Ipv4Net::new_assert(Ipv4Addr::new(a, b, c, d), prefix)
}

const fn v6(a: u16, b: u16, c: u16, d: u16, g: u16, prefix: u8) -> Ipv6Net {
    Ipv6Net::new_assert(Ipv6Addr::new(a, b, c, d, 0, g, 0, 0), prefix)
}

const MAPPED: Ipv6Net = v6(0, 0, 0, 0, 0xffff, 96);
const COMPATIBLE: Ipv6Net = v6(0, 0, 0, 0, 0, 96);
const NAT64: Ipv6Net = v6(0x64, 0xff9b, 0, 0, 0, 96);
const SIX_TO_FOUR: Ipv6Net = v6(0x2002, 0, 0, 0, 0, 16);
const TEREDO: Ipv6Net = v6(0x2001, 0, 0, 0, 0, 32);

/// AWS, Google, Azure and most others; AWS containers; Azure's wire server (a public address);
/// Oracle; Alibaba.
const V4_METADATA: &[Ipv4Addr] = &[
    Ipv4Addr::new(169, 254, 169, 254),
    Ipv4Addr::new(169, 254, 170, 2),
    Ipv4Addr::new(169, 254, 170, 23),
    Ipv4Addr::new(168, 63, 129, 16),
    Ipv4Addr::new(192, 0, 0, 192),
    Ipv4Addr::new(100, 100, 100, 200),
];

/// AWS, AWS containers, Google.
const V6_METADATA: &[Ipv6Addr] = &[
    Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254),
    Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x23),
    Ipv6Addr::new(0xfd20, 0xce, 0, 0, 0, 0, 0, 0x254),
];

/// After the IANA registry of special-purpose IPv4 addresses; the first that fits counts.
const V4_RANGES: &[(Ipv4Net, AddressKind)] = &[
    (v4(0, 0, 0, 0, 8), AddressKind::ThisNetwork),
    (v4(10, 0, 0, 0, 8), AddressKind::Private),
    (v4(100, 64, 0, 0, 10), AddressKind::CarrierNat),
    (v4(127, 0, 0, 0, 8), AddressKind::Loopback),
    (v4(169, 254, 0, 0, 16), AddressKind::LinkLocal),
    (v4(172, 16, 0, 0, 12), AddressKind::Private),
    (v4(192, 0, 0, 0, 24), AddressKind::Reserved),
    (v4(192, 168, 0, 0, 16), AddressKind::Private),
    (v4(224, 0, 0, 0, 4), AddressKind::Multicast),
    (v4(255, 255, 255, 255, 32), AddressKind::Broadcast),
    (v4(240, 0, 0, 0, 4), AddressKind::Reserved),
];

/// The same for IPv6; `64:ff9b:1::/48` is translation inside one site, so private.
const V6_RANGES: &[(Ipv6Net, AddressKind)] = &[
    (Ipv6Net::new_assert(Ipv6Addr::UNSPECIFIED, 128), AddressKind::ThisNetwork),
    (Ipv6Net::new_assert(Ipv6Addr::LOCALHOST, 128), AddressKind::Loopback),
    (v6(0x64, 0xff9b, 1, 0, 0, 48), AddressKind::Private),
    (v6(0x100, 0, 0, 0, 0, 64), AddressKind::Reserved),
    (v6(0xfc00, 0, 0, 0, 0, 7), AddressKind::UniqueLocal),
    (v6(0xfe80, 0, 0, 0, 0, 10), AddressKind::LinkLocal),
    (v6(0xfec0, 0, 0, 0, 0, 10), AddressKind::Private),
    (v6(0xff00, 0, 0, 0, 0, 8), AddressKind::Multicast),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::ConnectTo;
    use AddressKind::*;

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn kinds() {
        #[rustfmt::skip]
        let cases = [
            ("8.8.8.8",               Public),
            ("134.34.240.80",         Public),
            ("2a00:1450:4001::1",     Public),
            ("192.0.2.1",             Public),
            ("198.18.0.1",            Public),
            ("198.19.255.255",        Public),
            ("198.51.100.7",          Public),
            ("203.0.113.7",           Public),
            ("2001:db8::1",           Public),
            ("127.0.0.1",             Loopback),
            ("127.255.0.3",           Loopback),
            ("::1",                   Loopback),
            ("10.0.0.1",              Private),
            ("172.16.0.1",            Private),
            ("172.31.255.255",        Private),
            ("172.32.0.1",            Public),
            ("192.168.1.1",           Private),
            ("fec0::1",               Private),
            ("169.254.1.1",           LinkLocal),
            ("fe80::1",               LinkLocal),
            ("fc00::1",               UniqueLocal),
            ("fd12:3456::1",          UniqueLocal),
            ("100.64.0.1",            CarrierNat),
            ("100.127.255.255",       CarrierNat),
            ("100.128.0.1",           Public),
            ("0.0.0.0",               ThisNetwork),
            ("0.1.2.3",               ThisNetwork),
            ("::",                    ThisNetwork),
            ("224.0.0.1",             Multicast),
            ("239.255.255.250",       Multicast),
            ("ff02::1",               Multicast),
            ("255.255.255.255",       Broadcast),
            ("240.0.0.1",             Reserved),
            ("192.0.0.8",             Reserved),
            ("100::1",                Reserved),
            ("169.254.169.254",       MetadataService),
            ("100.100.100.200",       MetadataService),
            ("168.63.129.16",         MetadataService),
            ("fd00:ec2::254",         MetadataService),
            ("::ffff:127.0.0.1",      Loopback),
            ("::ffff:169.254.169.254", MetadataService),
            ("::ffff:8.8.8.8",        Public),
            ("::10.0.0.1",            Private),
            ("64:ff9b::a00:1",        Private),
            ("64:ff9b::808:808",      Public),
            ("64:ff9b:1::1",          Private),
            ("2002:7f00:1::",         Loopback),
            ("2002:808:808::1",       Public),
            // Teredo: client address inverted in the last four bytes, server in the second four.
            ("2001:0:808:808:0:0:80ff:fffe", Loopback),
            ("2001:0:a00:1:0:0:f7f7:f7f7",   Private),
            ("2001:0:808:808:0:0:f7f7:f7f7", Public),
        ];
        for (text, expected) in cases {
            assert_eq!(kind_of(address(text)).0, expected, "{text}");
            let verdict = judge(address(text), &NetSettings::default());
            assert_eq!(verdict.is_allowed(), expected == Public, "{text}");
        }
    }

    #[test]
    fn settings_open_the_guard() {
        let private = NetSettings { allow_private: true, ..NetSettings::default() };
        let listed = NetSettings {
            allow: vec!["10.1.0.0/16".parse().unwrap(), "169.254.169.254/32".parse().unwrap()],
            ..NetSettings::default()
        };
        #[rustfmt::skip]
        let cases = [
            // address          allow_private  listed
            ("127.0.0.1",       true,          false),
            ("10.1.2.3",        true,          true),
            ("::ffff:10.1.2.3", true,          true),
            ("10.2.2.3",        true,          false),
            ("169.254.169.254", false,         true),
            ("255.255.255.255", false,         false),
            ("0.0.0.0",         false,         false),
        ];
        for (text, by_private, by_list) in cases {
            assert_eq!(judge(address(text), &private).is_allowed(), by_private, "{text}");
            assert_eq!(judge(address(text), &listed).is_allowed(), by_list, "{text}");
        }
    }

    #[test]
    fn words() {
        let words = |text: &str| judge(address(text), &NetSettings::default()).to_string();
        assert_eq!(words("8.8.8.8"), "8.8.8.8 is a public address");
        assert_eq!(
            words("169.254.169.254"),
            "169.254.169.254 is the metadata service of a cloud provider"
        );
        assert_eq!(
            words("2002:a00:1::"),
            "2002:a00:1:: is a 6to4 address for 10.0.0.1, a private address"
        );
    }

    #[test]
    fn mapping() {
        let entry = |net: &str, port, to: &str| ConnectTo {
            addresses: net.parse().unwrap(),
            port,
            to: to.parse().unwrap(),
        };
        let settings = NetSettings {
            connect_to: vec![
                entry("198.18.0.0/15", Some(443), "127.0.0.1:4433"),
                entry("198.18.0.0/15", Some(80), "127.0.0.1:8080"),
                entry("2001:db8::/32", None, "[::1]:8080"),
            ],
            only_mapped: true,
            ..NetSettings::default()
        };
        #[rustfmt::skip]
        let cases = [
            ("198.18.3.4",  443, Ok("127.0.0.1:4433")),
            ("198.19.3.4",  80,  Ok("127.0.0.1:8080")),
            ("2001:db8::7", 81,  Ok("[::1]:8080")),
            ("198.18.3.4",  81,  Err(CauseKind::NotMapped)),
            ("8.8.8.8",     80,  Err(CauseKind::NotMapped)),
            ("127.0.0.1",   80,  Err(CauseKind::Guarded)),
        ];
        for (text, port, expected) in cases {
            let found = admit(address(text), port, &settings)
                .map(|admitted| admitted.socket().to_string())
                .map_err(|cause| cause.kind);
            assert_eq!(found, expected.map(str::to_owned), "{text}:{port}");
        }
        let nobody = NetSettings { only_mapped: false, ..settings };
        let cause = admit(address("8.8.8.8"), 80, &nobody).unwrap_err();
        assert_eq!(cause.kind, CauseKind::NoContact);
        let open = NetSettings { contact: Some("a@b.example".to_owned()), ..nobody };
        let direct = admit(address("8.8.8.8"), 80, &open).unwrap();
        assert_eq!(direct.socket().to_string(), "8.8.8.8:80");
    }
}
