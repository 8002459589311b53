//! Columns of a segment. A segment in which no document has a value has no column.

use tantivy::SegmentReader;
use tantivy::columnar::{Column, StrColumn};

pub(crate) fn optional_u64(
    segment: &SegmentReader,
    name: &str,
) -> tantivy::Result<Option<Column<u64>>> {
    segment.fast_fields().column_opt::<u64>(name)
}

pub(crate) fn optional_strings(
    segment: &SegmentReader,
    name: &str,
) -> tantivy::Result<Option<StrColumn>> {
    segment.fast_fields().str(name)
}
