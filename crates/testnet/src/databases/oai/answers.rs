//! Answers of the protocol as XML.

use super::super::fields::{Fields, escaped};
use super::{OaiGranularity, OaiRepository, Refusal, RepositoryRecord, check_prefix};

/// An answer around its content. `fields` are those of the request, if they were understood.
pub(super) fn envelope(clock: &str, base: &str, fields: Option<&Fields>, content: &str) -> String {
    let attributes: String = fields
        .into_iter()
        .flat_map(|fields| fields.names().map(|name| (name, fields.get(name))))
        .map(|(name, value)| format!(" {name}=\"{}\"", escaped(value)))
        .collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <OAI-PMH xmlns=\"http://www.openarchives.org/OAI/2.0/\" \
         xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xsi:schemaLocation=\"\
         http://www.openarchives.org/OAI/2.0/ http://www.openarchives.org/OAI/2.0/OAI-PMH.xsd\">\n\
         <responseDate>{clock}</responseDate>\n<request{attributes}>{}</request>\n{content}</OAI-PMH>\n",
        escaped(base)
    )
}

pub(super) fn error(code: &str, words: &str) -> String {
    format!("<error code=\"{code}\">{}</error>\n", escaped(words))
}

impl OaiRepository {
    pub(super) fn identity(&self, base: &str) -> String {
        let dates = self.records.iter().map(|record| self.granularity.date(&record.datestamp));
        let earliest = dates.min().unwrap_or(self.granularity.date(&self.clock));
        let deleted = match self.records.iter().any(|record| record.deleted) {
            true => "persistent",
            false => "no",
        };
        let granularity = match self.granularity {
            OaiGranularity::Day => "YYYY-MM-DD",
            OaiGranularity::Second => "YYYY-MM-DDThh:mm:ssZ",
        };
        format!(
            "<Identify>\n<repositoryName>{}</repositoryName>\n<baseURL>{}</baseURL>\n\
             <protocolVersion>2.0</protocolVersion>\n<adminEmail>oai@repositorium.example</adminEmail>\n\
             <earliestDatestamp>{earliest}</earliestDatestamp>\n<deletedRecord>{deleted}</deletedRecord>\n\
             <granularity>{granularity}</granularity>\n</Identify>\n",
            escaped(&self.name),
            escaped(base),
        )
    }

    pub(super) fn formats(&self, identifier: &str) -> Result<String, Refusal> {
        if !identifier.is_empty() {
            self.named(identifier)?;
        }
        Ok("<ListMetadataFormats>\n<metadataFormat>\n<metadataPrefix>oai_dc</metadataPrefix>\n\
            <schema>http://www.openarchives.org/OAI/2.0/oai_dc.xsd</schema>\n\
            <metadataNamespace>http://www.openarchives.org/OAI/2.0/oai_dc/</metadataNamespace>\n\
            </metadataFormat>\n</ListMetadataFormats>\n"
            .to_owned())
    }

    /// All sets at once: no token for them was ever given out.
    pub(super) fn list_sets(&self, token: &str) -> Result<String, Refusal> {
        if !token.is_empty() {
            return Err(("badResumptionToken", "lists of sets have one page".to_owned()));
        }
        if self.sets.is_empty() {
            return Err(("noSetHierarchy", "there are no sets".to_owned()));
        }
        let set = |(set, name): &(String, String)| {
            let (set, name) = (escaped(set), escaped(name));
            format!("<set><setSpec>{set}</setSpec><setName>{name}</setName></set>\n")
        };
        Ok(format!("<ListSets>\n{}</ListSets>\n", self.sets.iter().map(set).collect::<String>()))
    }

    pub(super) fn record(&self, fields: &Fields) -> Result<String, Refusal> {
        check_prefix(fields.get("metadataPrefix"))?;
        let record = self.named(fields.get("identifier"))?;
        Ok(format!("<GetRecord>\n{}</GetRecord>\n", record.whole(self.granularity)))
    }
}

impl OaiGranularity {
    fn date(self, datestamp: &str) -> &str {
        match self {
            OaiGranularity::Day => datestamp.get(..10).unwrap_or(datestamp),
            OaiGranularity::Second => datestamp,
        }
    }
}

impl RepositoryRecord {
    pub(super) fn header(&self, granularity: OaiGranularity) -> String {
        let status = if self.deleted { " status=\"deleted\"" } else { "" };
        let sets: String =
            self.sets.iter().map(|set| format!("<setSpec>{}</setSpec>", escaped(set))).collect();
        format!(
            "<header{status}><identifier>{}</identifier><datestamp>{}</datestamp>{sets}</header>\n",
            escaped(&self.identifier),
            granularity.date(&self.datestamp)
        )
    }

    pub(super) fn whole(&self, granularity: OaiGranularity) -> String {
        let header = self.header(granularity);
        if self.deleted {
            return format!("<record>{header}</record>\n");
        }
        let fields: String = self
            .fields
            .iter()
            .map(|(name, value)| format!("<dc:{name}>{}</dc:{name}>\n", escaped(value)))
            .collect();
        format!(
            "<record>{header}<metadata><oai_dc:dc xmlns:oai_dc=\"http://www.openarchives.org/OAI/2.0/oai_dc/\" \
             xmlns:dc=\"http://purl.org/dc/elements/1.1/\">\n{fields}</oai_dc:dc></metadata></record>\n"
        )
    }
}
