//! The vocabulary of registries: what each word in a key or a heading means.
//!
//! One table for all registries and languages. A key such as `Registrant Contact E-mail` is read
//! word by word ([`super::keys`]), so a new registry needs at most a new word, never a new rule.
//! Words are written as [`super::keys`] folds them: lower case, no accents, no digits at the end.

use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// Whom a key or a heading speaks of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Role {
    /// Holder, owner, licensee …
    Registrant,
    Admin,
    Tech,
    /// A contact of no told kind.
    Contact,
    /// Billing, zone: nobody we keep, but it may share a heading with somebody we do.
    Minor,
    /// Registrar, reseller, abuse desk: whatever stands beside it is theirs.
    Foreign,
}

/// What a single word adds to a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Word {
    Role(Role),
    Name,
    Given,
    Family,
    Org,
    Street,
    City,
    State,
    Postal,
    Country,
    Code,
    Email,
    Phone,
    Handle,
    /// `admin-c`: says "handle" if nothing else is said.
    Suffix,
    /// Says "name server" on its own.
    NameServer,
    /// Says it only beside another word: `name server`, `domain server`.
    Server,
    /// `host`: a name server where name servers are listed.
    Host,
    /// `primary`, `secondary`: only ever of name servers.
    Rank,
    Ip,
    Domain,
    Whois,
    Net,
    NetName,
    Route,
    Status,
    /// A date that only an existing object has.
    Born,
    Descr,
    /// The key tells nothing that is wanted, whatever else it says.
    Not,
    /// The kind of contact stands in the value: `Contact Type: registrant`.
    Type,
    Filler,
}

/// What a folded word means, if anything.
pub(super) fn meaning(word: &str) -> Option<Word> {
    static TABLE: LazyLock<FxHashMap<&'static str, Word>> = LazyLock::new(|| {
        WORDS
            .iter()
            .flat_map(|(word, list)| list.split_ascii_whitespace().map(|text| (text, *word)))
            .collect()
    });
    TABLE.get(word).copied()
}

/// `registrantemail`, `ownerstreetaddress`: a role and a field without a border between them.
pub(super) fn glued(word: &str) -> Option<[Word; 2]> {
    GLUED.iter().find_map(|(start, role)| match meaning(word.strip_prefix(start)?)? {
        Word::Role(_) | Word::Filler | Word::Suffix => None,
        field => Some([Word::Role(*role), field]),
    })
}

/// Roles that are written together with their fields.
const GLUED: &[(&str, Role)] = &[
    ("registrant", Role::Registrant),
    ("owner", Role::Registrant),
    ("holder", Role::Registrant),
    ("admincontact", Role::Admin),
    ("admin", Role::Admin),
    ("techcontact", Role::Tech),
    ("tech", Role::Tech),
    ("billing", Role::Minor),
    ("registrar", Role::Foreign),
];

#[rustfmt::skip]
const WORDS: &[(Word, &str)] = &[
    (Word::Role(Role::Registrant),
        "registrant registrants holder holders owner owners titular titulaire titolare licensee \
         subscriber registrante inhaber domaininhaber domeninhaber eigentuemer eigentumer proprietaire \
         proprietario proprietar intestatario propietario propietaria propietar titolari domainholder domainowner ownerc holderc registrantc \
         domenenhaver innehavare haltija abonent abonnent drzitel drzitelj nositel nosilac vlasnik \
         tulajdonos wlasciciel kundens registree assignatario ownername holdername registrantname \
         корисник владелец регистрант 등록인 登録者名 登録者 注册者 註冊人 注册人 \
         houder domeinhouder korisnik nosilec nositelj pemilik turetojas turetajs κατοχος 注册人姓名 \
         域名所有者 所有者 註冊者 domaineholder domainregistrant licencee savininkas omanik"),
    (Word::Role(Role::Admin),
        "admin admins administrative administrator administrators adm administrativo administratif \
         administrativer adminc administrativ amministrativo 책임자 관리자 登録担当者 ac administrativa \
         administracyjny administradora администратор 管理连络人 管理聯絡人 admi"),
    (Word::Role(Role::Tech),
        "tech technical technic technician tec tecnico technique technischer technisch techc tecnica \
         techniczny 기술담당자 技術連絡担当者 技术连络人 tecnici techinal"),
    (Word::Role(Role::Contact),
        "contact contacts contacto contato kontakt contatto kontaktperson ansprechpartner \
         연락처 联系人 聯絡人 kontakty contactos"),
    (Word::Role(Role::Minor),
        "billing bil bill cobranza cobranca facturacion zone payment invoice invoicing accounting \
         financial pago agent agents facturation fakturierung finance billingc zonec"),
    (Word::Role(Role::Foreign),
        "registrar registrars registrador reseller resellers sponsoring sponsor agency \
         maintainer mnt provider abuse noc trustee distributor registrator provided through \
         maintained accredited manager managers operator onsite onsites rnoc rabuse isp member \
         등록대행자 регистратор 注册商 註冊商 rsp bureau registrarname irt dealer partner channel nominee escrow"),
    (Word::Name,
        "name names nombre nombres noms nom nome naam nimi nazwa imie person persona personname fullname nume \
         contactname 이름 名前 role responsible individual responsable navn namn vardas jmeno meno \
         ime responsavel имя фио 姓名"),
    (Word::Given, "first firstname fname given givenname forename prenom"),
    (Word::Family, "last lastname lname family familyname surname sname"),
    (Word::Org,
        "organization organizations organisation organisations org orgname company companyname \
         organizacion organizacao organizzazione organisationsname firm firma societe organisme business \
         institution organizationname organisationname 組織名 기관명 custname cust customer corporation \
         companies employer entity organizace organizacija organizacia unternehmen organizationloc \
         単位 組織 organ организация организација 公司 单位 组织 公司名称 ネットワークサービス名"),
    (Word::Street,
        "address addresses addr addresse street adresse adress direccion domicilio endereco indirizzo morada \
         pobox 住所 주소 adres adresa streetaddress postaladdress strasse rue calle rua via addressloc \
         адрес адреса adr alamat ulica postadress postadresse 地址 suite building house streetname addressline lane aadress adresas osoite cim"),
    (Word::City,
        "city town locality ciudad cidade citta ville ort stadt localidad localidade suburb place \
         город plaats woonplaats kota 城市 municipality location miasto mesto linn miestas loca"),
    (Word::State,
        "state province prov stateprov provincia estado region county prefecture sp stateprovince district \
         bundesland departement oblast"),
    (Word::Postal,
        "postal zip zipcode postcode postalcode pcode plz cap cep postleitzahl 郵便番号 우편번호 post pc \
         zippostal postnummer postinumero 邮编 邮政编码 郵遞區號 codepostal zipcodes psc"),
    (Word::Country,
        "страна 国家 國家 negara maa country cc ccode countrycode pais pays paese land economy nation kraj countryname"),
    (Word::Code, "code codigo"),
    (Word::Email,
        "почта 电子邮件 电子邮箱 邮箱 電子郵件 メールアドレス email mail emails mailbox correo 전자우편 emailaddress mails mailaddr courriel elektronicka"),
    (Word::Phone,
        "phone phones tel telephone telefon telefono telefone fax facsimile mobile voice telefax tlf \
         電話番号 fax番号 전화번호 phoneno faxno phonenumber faxnumber cellphone teleph telex hotline \
         tfno telf телефон факс 电话 传真 電話 傳真 telefonnummer telefoon"),
    (Word::Handle,
        "id handle hdl nic nichdl ids nicid nichandle contactid roid cid registrantid \
         kennitala"),
    (Word::Suffix, "c"),
    (Word::NameServer,
        "nserver nservers nameserver nameservers ns dns dnsserver nsname servername ネームサーバ 네임서버 \
         domainserver domainservers hostnames nsrv nameserve dnsservers namensserver \
         nsentry nsset nshost dnsname 域名服务器 dns服务器 名稱伺服器 primnsfqdn secns"),
    (Word::Server, "server servers servidor servidores serveur serveurs serwery serwer"),
    (Word::Host, "host hostname hosts 호스트이름"),
    (Word::Rank, "primary secondary tertiary primario secundario primaire secondaire secondario"),
    (Word::Ip, "ip ipv ips ipaddress ipaddr glue"),
    (Word::Domain,
        "domain domains domainname dominio domaine domena domeniu domen domene domeen \
         ドメイン名 도메인이름 domainnames fqdn домен 域名 網域名稱 domenas domeniul domeinnaam"),
    (Word::Whois, "whois refer referral rwhois whoisserver referralserver"),
    (Word::Net,
        "inetnum inet netrange cidr netblock inetrev networknumber ipnetwork iprange netnum \
         ネットワーク番号 ipネットワークアドレス"),
    (Word::NetName, "netname networkname ネットワーク名"),
    (Word::Route, "route"),
    (Word::Status, "status estatus statut stato 状態 estadodominio"),
    (Word::Born,
        "created creation registered registration expire expires expiry expiration expiring paid renewal \
         renew activated delegated commencement 登録年月日 有効期限 등록일 creado vencimiento creacion \
         criacao validity registrado crdate exdate regdate born entered granted recordcreated \
         anniversary assigned 接続年月日 注册时间 注册日期 过期时间 到期时间"),
    (Word::Descr, "descr description"),
    (Word::Not,
        "number no net ref url web www website language dnssec ds key keys page pages tag flag flags source remark \
         remarks comment comments note notes updated update modified changed change date dates time \
         notify auth authenticated verified verification eligibility ext extension purpose nexus vat \
         tax taxpayer legal form purposes reason policy category legalform \
         version hold lock parent asn origin originas digest signing algorithm \
         idn ace script variants variant obsoleted eppstatus reachable reachmedia reachdate eligdate \
         eligstatus eligsource anonymous trouble service services list nsl login password database limit dsrecord \
         registryid complaint inaccuracy icann secure security signed delegation sig 署名鍵 \
         最終更新 modification validation trademark up hardware nettype \
         level trading birth gender occupation keyset pgp qualification"),
    (Word::Type, "type kind"),
    (Word::Filler,
        "of the for de del du des la le do da s e information info details detail data and a o y in \
         listed order using electronico electronica electronic english local international intl loc int is are current \
         registry public as section object query record native chinese korean romanized main es et und te \
         full complete line free alias us r my this its to \
         entidad электронная addressee zur zum der die das gestor gestora entidade \
         utilizing used user by on with party parties profile \
         card set entry entries fields br uri tcp authorized authorised designated"),
];

/// Whole keys that mean something else than their words together.
pub(super) fn phrase(key: &str) -> Option<&'static [Word]> {
    PHRASES.iter().find(|(text, _)| *text == key).map(|(_, words)| *words)
}

#[rustfmt::skip]
const PHRASES: &[(&str, &[Word])] = &[
    ("organization using domain name",  &[Word::Role(Role::Registrant)]),
    ("organisation using domain name",  &[Word::Role(Role::Registrant)]),
    ("registered by",                   &[Word::Role(Role::Foreign)]),
    ("registered to",                   &[Word::Role(Role::Registrant)]),
    ("domain registered to",            &[Word::Role(Role::Registrant)]),
    ("registered for",                  &[Word::Role(Role::Registrant)]),
    ("used for",                        &[Word::Not]),
    ("registration service",            &[Word::Role(Role::Foreign)]),
    ("серверы имен",                    &[Word::NameServer]),
    ("назив домена",                    &[Word::Domain]),
    ("network service name",            &[Word::Org]),
    ("postal area",                     &[Word::City]),
    ("post office",                     &[Word::City]),
    ("network number",                  &[Word::Net]),
    ("network name",                    &[Word::NetName]),
    ("net name",                        &[Word::NetName]),
    ("net range",                       &[Word::Net]),
    ("network range",                   &[Word::Net]),
    ("network block",                   &[Word::Net]),
    ("net block",                       &[Word::Net]),
    ("ip network",                      &[Word::Net]),
    ("ip network block",                &[Word::Net]),
    ("ip range",                        &[Word::Net]),
    ("ip address range",                &[Word::Net]),
    ("ip address block",                &[Word::Net]),
    ("address range",                   &[Word::Net]),
    ("ipv address",                     &[Word::Net]),
    ("ipv 주소",                        &[Word::Net]),
    ("inet num",                        &[Word::Net]),
    ("ownerid",                         &[Word::Org, Word::Handle]),
    ("dom public",                      &[Word::Not]),
    ("country of residence",            &[Word::Country]),
    ("sponsoring org",                  &[Word::Not]),
    ("referral url",                    &[Word::Not]),
    ("name of registrant",              &[Word::Role(Role::Registrant)]),
    ("p o box",                         &[Word::Street]),
    ("po box",                          &[Word::Street]),
];
