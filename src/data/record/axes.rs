//! The axes: all that is chosen about a search, each declared once with its name, its meaning, its value as text and in
//! words, and what depends on it. What names, compares, groups or shows configurations goes through this list.

mod all;

use super::cell::{Configuration, SEQUENTIAL};
use super::defined::Defined;

pub use all::*;

/// One thing that is chosen about a search: a field of [`Configuration`].
#[derive(Clone, Copy, Debug)]
pub struct Axis {
    /// Name in records.
    pub name: &'static str,
    /// Name of its column in CSV files, where that is another.
    column: Option<&'static str>,
    /// Meaning in one sentence without a full stop.
    pub meaning: &'static str,
    /// Value of a configuration as text; empty where it is not set.
    pub text: fn(&Configuration) -> String,
    /// Sets the value of a configuration to the default.
    pub clear: fn(&mut Configuration),
    /// Part of a search that it decides.
    pub decides: Decides,
    /// Form of its values.
    pub form: Form,
    /// Words around a value in labels, where `{}` stands for the value.
    label: &'static str,
    /// Words for a value in labels, where those around it are not enough.
    own_words: Option<fn(&Configuration) -> String>,
    /// Whether the time that one processor takes depends on it, as far as estimates of time distinguish searches.
    pub takes_time: bool,
    /// Whether it describes the machine, so that a real search and the virtual one that predicts it may differ in it.
    pub is_of_machine: bool,
    /// Axis without whose value this one says nothing: not all boards have sliding methods.
    pub goes_with: Option<&'static Axis>,
}

/// Part of a search that an axis decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decides {
    /// The problem: what is searched, on which machine. Times are compared within a problem only.
    Problem,
    /// How processors share the search. One processor has none of it.
    Sharing,
    /// How a processor works.
    Work,
}

/// Form of the values of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// One value: a word, a number or a switch.
    Plain,
    /// A [name](super::Named) that changes may follow. An experiment may give them names of its own.
    WithChanges,
    /// Hash of a definition, which tells a reader nothing.
    Hash,
}

/// Axis from which the others are made: one that decides nothing but how a processor works.
const PLAIN: Axis = Axis {
    name: "",
    column: None,
    meaning: "",
    text: |_| String::new(),
    clear: |_| {},
    decides: Decides::Work,
    form: Form::Plain,
    label: "{}",
    own_words: None,
    takes_time: false,
    is_of_machine: false,
    goes_with: None,
};

/// The axis with this name.
pub fn named(name: &str) -> Option<&'static Axis> {
    AXES.iter().find(|axis| axis.name == name)
}

/// Names of all axes, in the order in which tables show them.
pub fn names() -> impl Iterator<Item = &'static str> {
    AXES.iter().map(|axis| axis.name)
}

impl PartialEq for Axis {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Axis {
    /// Name of its column in CSV files.
    pub fn column(&self) -> &'static str {
        self.column.unwrap_or(self.name)
    }

    /// Value of a configuration as text; empty where it is not set.
    pub fn text(&self, configuration: &Configuration) -> String {
        (self.text)(configuration)
    }

    /// Words for the value of a configuration in a label, where a bare number says too little: `16 MiB`.
    pub fn words(&self, configuration: &Configuration) -> String {
        match (self.own_words, self.text(configuration)) {
            (Some(words), _) => words(configuration),
            (None, text) if text.is_empty() => text,
            (None, text) => self.label.replace("{}", &text),
        }
    }

    /// Copy of a configuration with the default value, so that it equals others that differ in this axis only.
    pub fn without(&self, configuration: &Configuration) -> Configuration {
        let mut rest = configuration.clone();
        (self.clear)(&mut rest);
        rest
    }

    /// Whether two configurations differ in it.
    pub fn differs(&self, ours: &Configuration, theirs: &Configuration) -> bool {
        self.text(ours) != self.text(theirs)
    }
}

impl Configuration {
    /// Value of the axis with this name as text; empty where it is not set or there is no such axis.
    pub fn field(&self, name: &str) -> String {
        named(name).map_or_else(String::new, |axis| axis.text(self))
    }

    /// Copy with the default value of the axis with this name.
    #[must_use]
    pub fn without(&self, name: &str) -> Self {
        named(name).map_or_else(|| self.clone(), |axis| axis.without(self))
    }

    /// Copy with the values of these axes, and the defaults of the others.
    fn only(&self, is_kept: impl Fn(&Axis) -> bool) -> Self {
        let mut kept = self.clone();
        AXES.iter().filter(|axis| !is_kept(axis)).for_each(|axis| (axis.clear)(&mut kept));
        kept
    }

    /// The problem: the configuration without all that changes only how the answer is found. Times to the same
    /// depth may be compared within a problem, and speedups nowhere else.
    #[must_use]
    pub fn problem(&self) -> Self {
        self.only(|axis| axis.decides == Decides::Problem)
    }

    /// The configuration reduced to what decides how long one processor takes for a position to a depth: estimates take
    /// searches to last equally long that are equal in this. Changes of a cost model are left out.
    #[must_use]
    pub fn duration(&self) -> Self {
        let kept = self.only(|axis| axis.takes_time);
        Self { costs: kept.costs_name().map(|costs| Defined::from(costs.name())), ..kept }
    }

    /// The configuration that this one is divided by: the same search by one processor, which shares it with nobody.
    #[must_use]
    pub fn baseline(&self) -> Self {
        let alone = self.only(|axis| axis.decides != Decides::Sharing);
        Self { strategy: SEQUENTIAL.into(), threads: 1, ..alone }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::json;

    use super::super::cell::MachineKind;
    use super::*;

    #[test]
    fn every_field_of_a_configuration_is_an_axis() {
        // What only some engines from outside have is not written for others.
        let all = Configuration { cluster_nodes: Some(2), ..Configuration::default() };
        let fields = serde_json::to_value(all).unwrap();
        let fields: BTreeSet<&str> = fields.as_object().unwrap().keys().map(String::as_str).collect();
        let names: BTreeSet<&str> = AXES.iter().map(|axis| axis.name).collect();
        assert_eq!((fields, AXES.len()), (names.clone(), names.len()));
    }

    /// Each axis reads and clears its own field, and no other.
    #[test]
    fn an_axis_has_the_value_of_its_own_field() {
        let set = |axis: &Axis, rest: &Configuration| {
            let values = [json!(true), json!(7), json!({ "plies": 7 }), json!(MachineKind::Virtual.name())];
            let read = |value| {
                let mut fields = json!(rest);
                fields[axis.name] = value;
                serde_json::from_value::<Configuration>(fields)
            };
            values.into_iter().find_map(|value| read(value).ok()).unwrap()
        };
        for axis in AXES {
            // A hash stands beside a name.
            let named = axis.goes_with.filter(|_| axis.form == Form::Hash);
            let usual = Configuration::default();
            let usual = named.map_or(usual.clone(), |named| set(named, &usual));
            let changed = set(axis, &usual);
            let differing: Vec<&str> =
                AXES.iter().filter(|other| other.differs(&changed, &usual)).map(|axis| axis.name).collect();
            assert_eq!((differing, axis.without(&changed)), (vec![axis.name], usual));
            assert!(!axis.words(&changed).is_empty() && !axis.meaning.is_empty(), "{}", axis.name);
        }
    }

    /// Whoever leaves a name aside leaves its definition aside, and not the other way round.
    #[test]
    fn a_name_is_cleared_with_its_hash() {
        use super::super::Defined;

        let both = Configuration {
            engine: Some(Defined::new("an engine", "1")),
            costs: Some(Defined::new("ideal", "2")),
            ..Configuration::default()
        };
        for name in ["engine", "costs"] {
            let hash = format!("{name}_hash");
            assert_eq!([both.without(name).field(name), both.without(name).field(&hash)], ["", ""]);
            assert_eq!(
                (both.without(&hash).field(name), both.without(&hash).field(&hash)),
                (both.field(name), "".into())
            );
        }
    }

    #[test]
    fn one_processor_shares_with_nobody_and_solves_the_same_problem() {
        let by_two = Configuration {
            waiting: Some("park".into()),
            horizon: Some("open".into()),
            costs: Some("reference,split*2".into()),
            ..Configuration::sample(MachineKind::Virtual, "lazy", 2)
        };
        let on_nodes = Configuration { cluster_nodes: Some(2), ..by_two.clone() };
        assert_eq!((on_nodes.baseline(), on_nodes.threads_of_node()), (by_two.baseline(), 1));
        let alone = by_two.baseline();
        assert!(alone.is_baseline() && alone.waiting.is_none() && alone.horizon.is_none());
        assert_eq!((alone.problem(), alone.duration()), (by_two.problem(), by_two.duration()));
        let plain = Configuration { costs: Some("reference".into()), ..by_two.clone() };
        assert_eq!(plain.duration(), by_two.duration());
        assert_ne!(plain.problem(), by_two.problem());
    }
}
