//! Cost models as text: `reference`, or with changes `reference,lock_handoff=900,wake_spin*2,probe_memory/2,split*90%`.
//! `reference,network=10gbe` sets the prices of a network that has a name. `reference,cheap` and `reference,dear`
//! change together all costs that two cores cannot measure.

use std::str::FromStr;

use super::cost::{Cost, CostModel, Dearer, NETWORKS, Role};
use crate::suggestion::WordError;

impl FromStr for CostModel {
    type Err = WordError;

    fn from_str(text: &str) -> Result<Self, WordError> {
        let (name, changes) = text.split_once(',').map_or((text, None), |(name, changes)| (name, Some(changes)));
        let name = name.trim();
        let base = Self::named(name).ok_or_else(|| {
            let message = format!("'{name}' is not a cost model: expected {}", Self::NAMES.join(", "));
            WordError::unknown(name, Self::NAMES, message)
        })?;
        changes.map_or(Ok(base.clone()), |changes| base.changed(changes))
    }
}

/// Change of all costs together that two cores cannot measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unmeasured {
    /// All of them at half their price.
    Cheap,
    /// All of them at twice their price.
    Dear,
}

impl Unmeasured {
    /// Both changes, the cheaper one first.
    pub const ALL: [Self; 2] = [Self::Cheap, Self::Dear];

    /// Word for the change after the name of a model.
    pub fn name(self) -> &'static str {
        match self {
            Self::Cheap => "cheap",
            Self::Dear => "dear",
        }
    }

    /// Amount of a cost that becomes dearer in this way.
    fn of(self, cost: &Cost, way: Dearer, amount: u64) -> u64 {
        let changed = match (self, way) {
            (Self::Dear, Dearer::Limited) => (2 * amount).max(1),
            (Self::Dear, Dearer::Doubled) | (Self::Cheap, Dearer::Halved) => 2 * amount,
            (Self::Cheap, Dearer::Doubled | Dearer::Limited) | (Self::Dear, Dearer::Halved) => amount / 2,
        };
        changed.clamp(*cost.range.start(), *cost.range.end())
    }
}

impl CostModel {
    /// Copy of the model with all costs changed that two cores cannot measure, rounded down to whole numbers; the name
    /// says so.
    pub fn with_unmeasured(&self, change: Unmeasured) -> Self {
        let mut model = Self { name: format!("{},{}", self.name, change.name()), ..self.clone() };
        for cost in Self::COSTS {
            if let Some(way) = cost.dearer {
                (cost.set)(&mut model, change.of(cost, way, (cost.get)(self)));
            }
        }
        model
    }

    /// Changed copy of the model: each change stands after a comma, and the name says them.
    pub fn changed(&self, changes: &str) -> Result<Self, WordError> {
        let mut model = self.clone();
        for change in changes.split(',').map(str::trim) {
            if let Some(unmeasured) = Unmeasured::ALL.into_iter().find(|one| one.name() == change) {
                model = model.with_unmeasured(unmeasured);
                continue;
            }
            if let Some(name) = change.strip_prefix("network=").map(str::trim) {
                let network = NETWORKS.iter().find(|network| network.name == name);
                let network = network.ok_or_else(|| {
                    let names = NETWORKS.iter().map(|network| network.name);
                    let all = names.clone().collect::<Vec<_>>().join(", ");
                    WordError::unknown(name, names, format!("'{name}' is not a network: expected {all}"))
                })?;
                model.set_network(network);
                model.name += &format!(",network={name}");
                continue;
            }
            let none = || {
                let example = "lock_handoff=900, lock_handoff*2, lock_handoff/2, lock_handoff*90%, cheap or dear";
                WordError::new(format!("'{change}' is not a change of a cost: expected, for example, {example}"))
            };
            let at = change.find(['=', '*', '/']).ok_or_else(none)?;
            let (name, rest) = (change[..at].trim().replace('-', "_"), change[at + 1..].trim());
            let operator = &change[at..=at];
            let (rest, hundredths) = match rest.strip_suffix('%').filter(|_| operator == "*") {
                Some(rest) => (rest, true),
                None => (rest, false),
            };
            let amount: u64 = rest.parse().map_err(|_| none())?;
            let cost = Self::COSTS.iter().find(|cost| cost.name == name);
            let cost = cost.ok_or_else(|| {
                let names = Self::COSTS.iter().map(|cost| cost.name);
                WordError::unknown(&name, names, format!("'{name}' is not a cost"))
            })?;
            let changed = match operator {
                "=" => Some(amount),
                "*" if hundredths => (cost.get)(&model).checked_mul(amount).map(|product| (product + 50) / 100),
                "*" => (cost.get)(&model).checked_mul(amount),
                _ => (cost.get)(&model).checked_div(amount),
            };
            let changed = changed.ok_or_else(none)?;
            if !cost.range.contains(&changed) {
                let (least, most) = cost.range.clone().into_inner();
                return Err(WordError::new(format!("'{change}' makes {name} {changed}: expected {least} to {most}")));
            }
            (cost.set)(&mut model, changed);
            model.name += &format!(",{name}{operator}{amount}{}", if hundredths { "%" } else { "" });
        }
        Ok(model)
    }

    /// Variants of this model with one price halved or doubled.
    pub fn each_halved_and_doubled(&self) -> Vec<Self> {
        self.each_changed(&["/2", "*2"])
    }

    /// Variants of this model with one price changed in each of these ways, by the names of the prices; what costs
    /// nothing is left out.
    pub fn each_changed(&self, changes: &[&str]) -> Vec<Self> {
        let prices = Self::COSTS.iter().filter(|cost| cost.role != Role::Size && (cost.get)(self) > 0);
        let mut names: Vec<&str> = prices.map(|price| price.name).collect();
        names.sort_unstable();
        let all = |name| changes.iter().map(move |change| format!("{name}{change}"));
        names.into_iter().flat_map(all).filter_map(|change| self.changed(&change).ok()).collect()
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
            probe_memory: 6,
            ..CostModel::reference()
        };
        assert_eq!(model, expected);
        assert_eq!(model.name.parse::<CostModel>().unwrap(), model);
        let part: CostModel = "reference,lock-handoff=900,lock_handoff*25%,wake_spin*0%".parse().unwrap();
        assert_eq!((part.lock_handoff, part.wake_spin), (225, 0));
        assert_eq!(part.name.parse::<CostModel>().unwrap(), part);
        assert_eq!("smp-2004".parse(), Ok(CostModel::smp_2004()));
        for (text, message) in [
            ("refrence", "'refrence' is not a cost model"),
            ("reference,lock_handof*2", "'lock_handof' is not a cost"),
            ("reference,lock_handoff", "is not a change of a cost"),
            ("reference,lock_handoff/0", "is not a change of a cost"),
            ("reference,lock_handoff/5%", "is not a change of a cost"),
            ("reference,lock_handoff=-1", "is not a change of a cost"),
            ("reference,name=1", "'name' is not a cost"),
            ("reference,main_node=1000000001", "makes main_node 1000000001: expected 0 to 1000000000"),
            ("reference,wake_park*300000", "makes wake_park 1500000000: expected 0 to 1000000000"),
            ("reference,jitter_permille=1001", "expected 0 to 1000"),
            ("reference,away_time=1", "expected 1000 to 1000000000000"),
            ("reference,processors_per_board=0", "expected 1 to 1024"),
        ] {
            let error = text.parse::<CostModel>().unwrap_err().to_string();
            assert!(error.contains(message), "{text}: {error}");
        }
    }

    #[test]
    fn cheap_and_dear_change_what_two_cores_cannot_measure() {
        let expected = |unmeasured: [u64; 6], model: &CostModel| {
            let [lock_waiter, transfer_far, probe, memory, processors_per_board, bus_line] = unmeasured;
            let (probe_sharer_permille, memory_sharer_permille) = (probe, memory);
            CostModel {
                lock_waiter,
                transfer_far,
                probe_sharer_permille,
                memory_sharer_permille,
                processors_per_board,
                bus_line,
                ..model.clone()
            }
        };
        for (text, amounts) in [
            ("reference-modern,cheap", [20, 70, 2, 0, 64, 0]),
            ("reference-modern,dear", [80, 280, 8, 2, 16, 1]),
            ("e4500,cheap", [200, 190, 1, 1, 4, 12]),
            ("e4500,dear", [800, 760, 4, 6, 1, 48]),
            ("e4500,dear,processors-per-board=1,dear", [1600, 1520, 8, 12, 1, 96]),
        ] {
            let model: CostModel = text.parse().unwrap();
            assert_eq!(model, expected(amounts, &model), "{text}");
            let plain = CostModel::named(text.split(',').next().unwrap()).unwrap();
            let others = |model: &CostModel| CostModel { name: String::new(), ..expected([1; 6], model) };
            assert_eq!(others(&model), others(&plain), "{text}");
            assert_ne!(model.hash(), plain.hash(), "{text}");
            assert_eq!(model.name.parse(), Ok(model), "{text}");
        }
        let nodes: CostModel = "ideal,network=10gbe,processors_per_node=8".parse().unwrap();
        assert_eq!((nodes.net_overhead, nodes.net_latency, nodes.net_kib), (4_000, 30_000, 819));
        assert_eq!(nodes.name.parse(), Ok(nodes.clone()));
        let on_one_node: CostModel = "ideal,network=10gbe".parse().unwrap();
        assert_eq!(on_one_node.hash(), CostModel::ideal().hash(), "there is no network within a node");
        assert_ne!(nodes.hash(), CostModel { net_latency: 1, ..nodes.clone() }.hash());
        let error = "reference,network=10gb".parse::<CostModel>().unwrap_err().to_string();
        assert!(error.contains("'10gb' is not a network") && error.contains("10gbe"), "{error}");
        let text = "reference,dear,lock_waiter=40,cheap,wake_spin*2";
        assert_eq!(text.parse::<CostModel>().unwrap().name, text);
        let error = "reference,deer".parse::<CostModel>().unwrap_err().to_string();
        assert!(error.contains("'deer' is not a change of a cost") && error.ends_with("cheap or dear"), "{error}");
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
