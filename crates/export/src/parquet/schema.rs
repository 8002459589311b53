//! Columns as types of Parquet.

use auslese_model::{Column, ColumnKind};
use parquet::basic::{LogicalType, Repetition, TimeUnit, Type as Physical};
use parquet::errors::ParquetError;
use parquet::schema::types::{Type, TypePtr};
use std::sync::Arc;

pub(super) fn schema(columns: &[Column]) -> Result<TypePtr, ParquetError> {
    let fields = columns.iter().map(field).collect::<Result<Vec<TypePtr>, ParquetError>>()?;
    Ok(Arc::new(Type::group_type_builder("row").with_fields(fields).build()?))
}

fn field(column: &Column) -> Result<TypePtr, ParquetError> {
    let Column { name, kind } = *column;
    match kind {
        ColumnKind::Texts => list(name, ColumnKind::Text),
        ColumnKind::Fractions => list(name, ColumnKind::Fraction),
        kind => value(name, kind, Repetition::OPTIONAL),
    }
}

fn value(name: &str, kind: ColumnKind, repetition: Repetition) -> Result<TypePtr, ParquetError> {
    let (physical, logical) = match kind {
        ColumnKind::Flag => (Physical::BOOLEAN, None),
        ColumnKind::Number => (Physical::INT64, None),
        ColumnKind::Fraction | ColumnKind::Fractions => (Physical::DOUBLE, None),
        ColumnKind::Time => (Physical::INT64, Some(LogicalType::timestamp(true, TimeUnit::MICROS))),
        ColumnKind::Text | ColumnKind::Texts => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
    };
    let builder = Type::primitive_type_builder(name, physical).with_repetition(repetition);
    Ok(Arc::new(builder.with_logical_type(logical).build()?))
}

/// A list that is always there and holds no nulls.
fn list(name: &str, kind: ColumnKind) -> Result<TypePtr, ParquetError> {
    let element = value("element", kind, Repetition::REQUIRED)?;
    let list = Type::group_type_builder("list")
        .with_repetition(Repetition::REPEATED)
        .with_fields(vec![element])
        .build()?;
    let outer = Type::group_type_builder(name)
        .with_repetition(Repetition::REQUIRED)
        .with_logical_type(Some(LogicalType::List))
        .with_fields(vec![Arc::new(list)])
        .build()?;
    Ok(Arc::new(outer))
}
