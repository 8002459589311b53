//! What others say about a document, put beside what it says itself.

use auslese_model::{Description, Field, Statement};

/// Adds what another description says. Of each field, the values that are surer are said aloud, and the
/// others stay candidates.
pub(super) fn add_beside(own: &mut Description, others: &Description) {
    let weight_of = |weights: &[(Field, f64)], field: Field| {
        weights.iter().find(|(it, _)| *it == field).map(|(_, weight)| *weight)
    };
    for (field, theirs) in others.field_weights.iter().copied() {
        let ours = weight_of(&own.field_weights, field);
        let wins = ours.is_none_or(|ours| theirs > ours);
        if wins {
            own.statements.iter_mut().filter(|it| it.field == field).for_each(withdraw);
            own.field_weights.retain(|(it, _)| *it != field);
            own.field_weights.push((field, theirs));
        }
        let said = others.statements.iter().filter(|it| it.field == field);
        own.statements.extend(said.map(|it| Statement { chosen: wins && it.chosen, ..it.clone() }));
    }
    own.field_weights.sort_by_key(|(field, _)| *field);
    // Stable, so that statements of one rule keep their order.
    own.statements.sort_by(|a, b| {
        a.field.cmp(&b.field).then(b.chosen.cmp(&a.chosen)).then(b.weight.total_cmp(&a.weight))
    });
    if own.class.is_empty() {
        own.class.clone_from(&others.class);
    }
}

fn withdraw(statement: &mut Statement) {
    statement.chosen = false;
}
