//! All formats through the door, read again by parsers and validators of others where there are some.

mod conllu;
mod documents;
mod dublin_core;
mod others;
mod soif;
mod tei;
mod tei_schema;
mod tools;
