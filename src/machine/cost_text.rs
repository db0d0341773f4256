//! Cost models in words: `reference`, or with changes `reference,lock_handoff=900,wake_spin*2,probe_memory/2`.

use std::str::FromStr;

use serde_json::{Map, Value};

use super::cost::CostModel;

/// Why a text names no cost model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CostError {
    /// The text begins with something else than a model.
    #[error("'{0}' is not a cost model; those that ship are {names}", names = CostModel::NAMES.join(", "))]
    NoModel(String),
    /// There is no such cost.
    #[error("'{0}' is not a cost")]
    NoCost(String),
    /// The change is none.
    #[error("'{0}' changes no cost: write lock_handoff=900, lock_handoff*2 or lock_handoff/2")]
    NoChange(String),
}

/// What is in a model and is not the price of something.
const NO_PRICES: [&str; 5] =
    ["name", "near_cache_bytes", "shared_cache_bytes", "processors_per_board", "jitter_permille"];

impl CostError {
    /// The word at fault and the names it might have been, for a suggestion.
    pub fn misspelt(&self) -> Option<(&str, Vec<String>)> {
        match self {
            Self::NoModel(name) => Some((name, CostModel::NAMES.map(str::to_owned).into())),
            Self::NoCost(name) => Some((name, CostModel::reference().map().keys().cloned().collect())),
            Self::NoChange(_) => None,
        }
    }
}

impl FromStr for CostModel {
    type Err = CostError;

    fn from_str(text: &str) -> Result<Self, CostError> {
        let (name, changes) = text.split_once(',').map_or((text, None), |(name, changes)| (name, Some(changes)));
        let base = Self::named(name.trim()).ok_or_else(|| CostError::NoModel(name.trim().to_owned()))?;
        changes.map_or(Ok(base.clone()), |changes| base.changed(changes))
    }
}

impl CostModel {
    /// The model with changes, each after a comma; its name says them.
    pub fn changed(&self, changes: &str) -> Result<Self, CostError> {
        let mut map = self.map();
        let mut name = self.name.clone();
        for change in changes.split(',').map(str::trim) {
            let none = || CostError::NoChange(change.to_owned());
            let at = change.find(['=', '*', '/']).ok_or_else(none)?;
            let (cost, rest) = (change[..at].trim().replace('-', "_"), change[at + 1..].trim());
            let amount: u64 = rest.parse().map_err(|_| none())?;
            let known = map.get(&cost).and_then(Value::as_u64).ok_or_else(|| CostError::NoCost(cost.clone()))?;
            let operator = &change[at..=at];
            let changed = match operator {
                "=" => Some(amount),
                "*" => known.checked_mul(amount),
                _ => known.checked_div(amount),
            };
            map.insert(cost.clone(), changed.ok_or_else(none)?.into());
            name += &format!(",{cost}{operator}{amount}");
        }
        map.insert("name".to_owned(), name.into());
        serde_json::from_value(Value::Object(map)).map_err(|_| CostError::NoChange(changes.to_owned()))
    }

    /// The model once with each price halved and once with it doubled; what costs nothing stays.
    pub fn each_halved_and_doubled(&self) -> Vec<Self> {
        let is_price =
            |(name, price): &(String, Value)| !NO_PRICES.contains(&name.as_str()) && price.as_u64() != Some(0);
        let prices = self.map().into_iter().filter(is_price);
        let both = |(name, _): (String, Value)| [format!("{name}/2"), format!("{name}*2")];
        prices.flat_map(both).filter_map(|change| self.changed(&change).ok()).collect()
    }

    /// Every cost by its name.
    fn map(&self) -> Map<String, Value> {
        match serde_json::to_value(self) {
            Ok(Value::Object(map)) => map,
            _ => Map::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_made_in_turn_and_named() {
        let model: CostModel = "reference,lock-handoff=900, wake_spin*2,probe_memory/2".parse().unwrap();
        let expected = CostModel {
            name: "reference,lock_handoff=900,wake_spin*2,probe_memory/2".into(),
            lock_handoff: 900,
            wake_spin: 200,
            probe_memory: 45,
            ..CostModel::reference()
        };
        assert_eq!(model, expected);
        assert_eq!(model.name.parse::<CostModel>().unwrap(), model);
        assert_eq!("smp-2004".parse(), Ok(CostModel::smp_2004()));
        for (text, message) in [
            ("refrence", "'refrence' is not a cost model"),
            ("reference,lock_handof*2", "'lock_handof' is not a cost"),
            ("reference,lock_handoff", "changes no cost"),
            ("reference,lock_handoff/0", "changes no cost"),
            ("reference,lock_handoff=-1", "changes no cost"),
            ("reference,name=1", "'name' is not a cost"),
        ] {
            let error = text.parse::<CostModel>().unwrap_err().to_string();
            assert!(error.contains(message), "{text}: {error}");
        }
    }

    #[test]
    fn every_price_is_halved_and_doubled() {
        let models = CostModel::reference().each_halved_and_doubled();
        assert!(models.iter().all(|model| model.hash() != CostModel::reference().hash()));
        assert_eq!(models.len() % 2, 0);
        assert!(models.iter().any(|model| model.wake_park == 10_000));
        assert!(models.iter().all(|model| model.bus_line == 0 && model.jitter_permille == 50));
    }
}
