//! The values of a column until there are enough of them to be written.

use auslese_model::{Cell, ColumnKind};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::writer::SerializedColumnWriter;
use std::{io, mem};

/// What a value costs in memory besides its bytes: its place in the list, its levels, its allocation.
const COST: usize = 48;

/// Values, and for each cell (each member, in lists) how much of it is there.
#[derive(Debug)]
pub(super) struct ColumnBuffer {
    values: Values,
    /// 1 where there is a value, 0 where there is none.
    present: Vec<i16>,
    /// For lists: 0 where a cell begins, 1 where one goes on.
    goes_on: Option<Vec<i16>>,
    bytes: usize,
}

#[derive(Debug)]
enum Values {
    Flags(Vec<bool>),
    Numbers(Vec<i64>),
    Fractions(Vec<f64>),
    Texts(Vec<ByteArray>),
}

impl ColumnBuffer {
    pub(super) fn new(kind: ColumnKind) -> ColumnBuffer {
        let values = match kind {
            ColumnKind::Flag => Values::Flags(Vec::new()),
            ColumnKind::Number | ColumnKind::Time => Values::Numbers(Vec::new()),
            ColumnKind::Fraction | ColumnKind::Fractions => Values::Fractions(Vec::new()),
            ColumnKind::Text | ColumnKind::Texts => Values::Texts(Vec::new()),
        };
        let is_list = matches!(kind, ColumnKind::Texts | ColumnKind::Fractions);
        let goes_on = is_list.then(Vec::new);
        ColumnBuffer { values, present: Vec::new(), goes_on, bytes: 0 }
    }

    /// About how many bytes are in memory.
    pub(super) fn held(&self) -> usize {
        self.bytes
    }

    pub(super) fn push(&mut self, cell: Cell) -> io::Result<()> {
        match (&mut self.values, &self.goes_on, cell) {
            (_, _, Cell::Null) => self.nothing(),
            (Values::Flags(values), None, Cell::Flag(flag)) => {
                values.push(flag);
                self.something(0);
            }
            (Values::Numbers(values), None, Cell::Number(number)) => {
                values.push(number);
                self.something(0);
            }
            (Values::Numbers(values), None, Cell::Time(time)) => {
                values.push(time.0);
                self.something(0);
            }
            (Values::Fractions(values), None, Cell::Fraction(fraction)) => {
                values.push(fraction);
                self.something(0);
            }
            (Values::Texts(values), None, Cell::Text(text)) => {
                let length = text.len();
                values.push(text.into_bytes().into());
                self.something(length);
            }
            (Values::Texts(values), Some(_), Cell::Texts(texts)) => {
                let length = texts.iter().map(String::len).sum();
                let members = texts.len();
                values.extend(texts.into_iter().map(|text| ByteArray::from(text.into_bytes())));
                self.members(members, length);
            }
            (Values::Fractions(values), Some(_), Cell::Fractions(fractions)) => {
                let members = fractions.len();
                values.extend(fractions);
                self.members(members, 0);
            }
            (_, _, cell) => {
                let message = format!("{cell:?} is not of the kind of its column");
                return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
            }
        }
        Ok(())
    }

    fn something(&mut self, bytes: usize) {
        self.present.push(1);
        let cost =
            if matches!(self.values, Values::Texts(_)) { COST } else { mem::size_of::<i64>() };
        self.bytes += bytes + cost;
    }

    fn nothing(&mut self) {
        self.present.push(0);
        if let Some(goes_on) = &mut self.goes_on {
            goes_on.push(0);
        }
        self.bytes += mem::size_of::<i16>();
    }

    fn members(&mut self, members: usize, bytes: usize) {
        if members == 0 {
            return self.nothing();
        }
        for member in 0..members {
            self.present.push(1);
            if let Some(goes_on) = &mut self.goes_on {
                goes_on.push(i16::from(member > 0));
            }
        }
        self.bytes += bytes + members * COST;
    }

    /// Writes all, and forgets it.
    pub(super) fn write(
        &mut self,
        writer: &mut SerializedColumnWriter<'_>,
    ) -> Result<(), ParquetError> {
        let present = mem::take(&mut self.present);
        let goes_on = self.goes_on.as_mut().map(mem::take);
        self.bytes = 0;
        let levels = (present.as_slice(), goes_on.as_deref());
        match &mut self.values {
            Values::Flags(values) => write::<BoolType>(writer, mem::take(values), levels),
            Values::Numbers(values) => write::<Int64Type>(writer, mem::take(values), levels),
            Values::Fractions(values) => write::<DoubleType>(writer, mem::take(values), levels),
            Values::Texts(values) => write::<ByteArrayType>(writer, mem::take(values), levels),
        }
    }
}

fn write<T: DataType>(
    writer: &mut SerializedColumnWriter<'_>,
    values: Vec<T::T>,
    (present, goes_on): (&[i16], Option<&[i16]>),
) -> Result<(), ParquetError> {
    writer.typed::<T>().write_batch(&values, Some(present), goes_on)?;
    Ok(())
}
