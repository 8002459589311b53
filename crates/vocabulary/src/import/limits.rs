//! What an imported file may cost. Vocabularies of national libraries stay below; whatever exceeds
//! a limit is refused or left out with a message, never cut in silence.

/// Bytes of one file, unpacked.
pub const MAX_IMPORT: u64 = 1 << 30;

/// Concepts of one file.
pub const MAX_CONCEPTS: usize = 2_000_000;

/// Labels, notations and notes of one file.
pub const MAX_LABELS: usize = 10_000_000;

/// Labels, notations and notes of one concept; further ones are left out.
pub const MAX_LABELS_OF_CONCEPT: usize = 1_000;

/// Bytes of a label or notation; longer ones are left out.
pub const MAX_LABEL: usize = 1_000;

/// Bytes of a scope note; longer ones are cut.
pub const MAX_SCOPE_NOTE: usize = 10_000;

/// Links between the concepts of one file.
pub const MAX_LINKS: usize = 20_000_000;

/// Bytes of an address; a concept with a longer one is left out.
pub const MAX_URI: usize = 2_000;

/// Mappings of one file.
pub const MAX_MAPPINGS: usize = 5_000_000;

/// Concepts of a combination; a mapping to more is left out.
pub const MAX_COMBINATION: usize = 16;

/// Bytes of Turtle without the end of a token, and of XML without a tag.
pub const MAX_STATEMENT: usize = 1 << 20;

/// Brackets within brackets in Turtle, elements within elements in RDF/XML.
pub const MAX_NESTING: usize = 256;

/// Bytes of an entity that a DOCTYPE declares; they abbreviate name spaces.
pub const MAX_ENTITY: usize = 256;

/// Bytes of one line of SSSOM, of one object of JSKOS.
pub const MAX_RECORD: usize = 4 << 20;

/// Blank nodes of labels and lists that wait for their other half.
pub const MAX_BLANK_NODES: usize = 4_000_000;
