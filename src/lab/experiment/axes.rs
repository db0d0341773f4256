//! The axes of a plan: what may vary, each with the values it takes. A value, a list, or a range as text; the plan is
//! the product of all. Each axis sets a field of [`Configuration`], whose meaning it has.

use super::document::{DocumentError, Item, parse_value};
use super::duration;
use super::found;
use super::section::Section;
use super::values::{
    Definitions, SearchedBy, Values, board, choice, costs, depths, disturb, names, numbers, pin, recipe, sliders,
    strategies, switch, text, whole,
};
use crate::chess::choice::{BoardChoice, SlidersChoice};
use crate::engine::usual_costs;
use crate::machine::cost::CostModel;
use crate::machine::disturb::Disturb;
use crate::machine::{MOST_PROCESSORS, Pin, Waiting};
use crate::micro;
use crate::parallel::{AnyStrategy, Copier, CopyForm, CopyMode, Copying};
use crate::record::axes::{DEPTH, named};
use crate::record::{Configuration, Depth, MICROS, MachineKind, SEQUENTIAL, Seconds};
use crate::search::features::{Preset, Recipe, TakingBack};
use crate::search::table::{MOST_MIB, Scheme};
use crate::search::{DEEPEST, Horizon};

/// Documentation of an axis.
#[derive(Clone, Debug)]
pub struct About {
    /// Key in experiment files.
    pub key: &'static str,
    /// Thing that varies.
    pub meaning: &'static str,
    /// Values that a file may give, in Markdown.
    pub values: String,
    /// Value if the file gives none.
    pub default: &'static str,
    /// Definition in the JSON schema that values must match.
    pub definition: &'static str,
}

/// Declares the values of all axes and what is made of them. A line reads
///
/// ```text
/// axis KEY: TYPE WHILE A PLAN IS MADE => FIELD; file DEFINITION IN THE SCHEMA;
/// rank PLACE IN THE PRODUCT, 0 VARIES SLOWEST;
/// values WHAT A FILE MAY SAY; default "text" [is VALUE, if the text is none that a file may say];
/// read VALUES OF AN ITEM; write THE FIELD; [only WHEN IT HAS A MEANING;]
/// ```
macro_rules! axes {
    ($(
        axis $key:ident: $Type:ty => $field:ident; file $File:ident; rank $rank:literal;
        values $values:expr; default $default:literal $(is $value:expr)?;
        read $read:expr; write $write:expr; $( only $only:expr; )?
    )*) => {
        /// Values of all axes in a block of a plan.
        #[derive(Clone, Debug)]
        pub struct Axes {
            $( #[doc = concat!("Values of `", stringify!($field), "`.")] pub $key: Vec<$Type>, )*
            /// Seeds of cells: the first, or all.
            pub seed: Vec<u64>,
        }

        /// A value of each axis, from which a configuration is made.
        #[derive(Clone, Debug)]
        pub struct Combination {
            $( #[doc = concat!("Value of `", stringify!($field), "`.")] pub $key: $Type, )*
        }

        /// Ranks of the axes in the product.
        const RANKS: &[usize] = &[$( $rank, )*];

        impl Axes {
            fn read_values(sections: &[&Section<'_>; 2], definitions: &Definitions) -> Result<Self, DocumentError> {
                let of = |key: &'static str| (key, with(sections, key));
                Ok(Self {
                    $(
                        $key: values(of(stringify!($key)), definitions, $read, $default, None $( .or(Some($value)) )?)?,
                    )*
                    seed: values(of("seed"), definitions, |item, _| numbers(item, 0..=i64::MAX as u64), "0", None)?,
                })
            }

            /// Number of values of each axis, by its key.
            pub fn lengths(&self) -> Vec<(&'static str, usize)> {
                vec![$( (stringify!($key), self.$key.len()), )*]
            }

            /// The values at these places.
            fn combination(&self, places: &[usize]) -> Combination {
                let mut places = places.iter();
                let mut next = || places.next().copied().unwrap_or_default();
                Combination { $( $key: self.$key[next()].clone(), )* }
            }
        }

        impl Combination {
            /// The fields that axes set; those without a meaning for this search are left out.
            fn fields(&self) -> Configuration {
                Configuration {
                    $( $field: {
                        $( let has_meaning: fn(&Self) -> bool = $only;
                        if !has_meaning(self) { Default::default() } else )?
                        { written_as(&self.$key, $write) }
                    }, )*
                    ..Configuration::default()
                }
            }
        }

        /// The configuration's field that an axis sets, and a value of the axis as that field has it in records.
        pub fn written(axis: &str, item: &Item, definitions: &Definitions) -> Values<(&'static str, String)> {
            match axis {
                $( stringify!($key) => {
                    let read: fn(&Item, &Definitions) -> Values<$Type> = $read;
                    let text = |value: &$Type| {
                        let field = written_as(value, $write);
                        Configuration { $field: field, ..Configuration::default() }.field(stringify!($field))
                    };
                    Ok(read(item, definitions)?.iter().map(|value| (stringify!($field), text(value))).collect())
                } )*
                "size" => Ok(vec![(DEPTH.name, Depth::Size(found::size(item)?).to_string())]),
                other => Err(format!("{other} is no part of a configuration")),
            }
        }

        /// Documentation of all axes.
        pub fn about() -> Vec<About> {
            let meaning = |name| named(name).map_or("", |axis| axis.meaning);
            vec![
                $( About {
                    key: stringify!($key),
                    meaning: meaning(stringify!($field)),
                    values: String::from($values),
                    default: $default,
                    definition: stringify!($File),
                }, )*
                About {
                    key: "size",
                    meaning: "size of the searches instead of a depth, as time of one processor: each position is \
                              searched to the depth for which a pilot on one processor takes nearest to it",
                    values: String::from("durations from 1 ms to 1 h, such as `\"0.5s\"` or `\"2s\"`"),
                    default: "none",
                    definition: "Durations",
                },
                About {
                    key: "seed",
                    meaning: "seed of keys, order of equal moves and, on the virtual machine, jitter",
                    values: String::from("the first seed, from which repetitions count up, or a list of all seeds"),
                    default: "0",
                    definition: "Numbers",
                },
            ]
        }
    };
}

axes! {
    axis machine: MachineKind => machine; file Texts; rank 0;
    values names(MachineKind::NAMES); default "real";
    read |item, _| choice(item); write |machine| *machine;

    axis strategy: SearchedBy => strategy; file Texts; rank 10;
    values names(AnyStrategy::NAMES)
        + ", with changes to their parameters, or an engine from outside that the file defines";
    default "ybwc";
    read |item, definitions| strategies(text(item)?, definitions); write ToString::to_string;

    axis threads: u32 => threads; file Numbers; rank 20;
    values format!("1 to {MOST_PROCESSORS}; 1 is the baseline"); default "1..=cores";
    read |item, _| numbers(item, 1..=MOST_PROCESSORS as u32); write |threads| *threads;

    axis board: BoardChoice => board; file Texts; rank 3;
    values names(BoardChoice::NAMES); default "bitboards";
    read |item, _| board(item); write |board| board.name().to_owned();
    only |of| of.strategy.ours().is_some();

    axis sliders: SlidersChoice => sliders; file Texts; rank 4;
    values names(SlidersChoice::NAMES) + ", or `available`: all that this processor can run";
    default "magic"; read |item, _| sliders(item);
    write |sliders| Some(sliders.name().to_owned());
    only |of| of.strategy.ours().is_some() && of.board.sliders().is_some();

    axis features: Recipe => features; file Texts; rank 2;
    values names(Preset::NAMES) + ", with changes"; default "modern";
    read |item, definitions| Ok(vec![recipe(text(item)?, definitions)?]); write ToString::to_string;
    only |of| of.strategy.ours().is_some();

    axis depth: Depth => depth; file Numbers; rank 7;
    values format!(
        "plies, 1 to {DEEPEST}, or `\"own\"`: each position to its own depth. The default is `\"own\"` \
if positions have depths, and unlimited if nodes or time are limited"
    );
    default "11"; read depths; write |depth| *depth;

    axis horizon: Horizon => horizon; file Texts; rank 19;
    values names(Horizon::NAMES); default "open";
    read |item, _| choice(item);
    write |horizon| Some(horizon.name().to_owned()); only |of| of.has_horizon();

    axis nodes: Option<u64> => nodes; file WholeNumbers; rank 8;
    values "number of nodes per position"; default "none" is None;
    read |item, _| whole(item, 1..=i64::MAX).map(|nodes| vec![Some(nodes as u64)]);
    write |nodes| *nodes;

    axis time: Option<Seconds> => time_s; file Durations; rank 9;
    values "time per position, such as `\"500ms\"` or `\"2s\"`"; default "none" is None;
    read |item, _| Ok(vec![Some(duration::read(item)?)]); write |time| *time;

    axis hash: Option<u32> => hash_mib; file Numbers; rank 5;
    values format!("1 to {MOST_MIB}"); default "the preset's" is None;
    read |item, _| Ok(numbers(item, 1..=MOST_MIB)?.into_iter().map(Some).collect());
    // 0: of the preset, which the features name.
    write |mib| mib.unwrap_or(0);

    axis scheme: Scheme => scheme; file Texts; rank 6;
    values names(Scheme::NAMES); default "lockless";
    read |item, _| choice(item);
    write |scheme| scheme.name().to_owned(); only |of| of.strategy.ours().is_some();

    axis waiting: Waiting => waiting; file Texts; rank 11;
    values names(Waiting::NAMES); default "park";
    read |item, _| choice(item);
    write |waiting| Some(waiting.name().to_owned()); only |of| !of.is_alone() && of.strategy.ours().is_some();

    axis copy: Option<CopyForm> => copy; file Texts; rank 12;
    values names(CopyMode::NAMES)
        + "; `partial:K` with K derived parts, and `FORM+N` or `padded:N` with N bytes more";
    default "the strategy's" is None;
    read |item, _| Ok(choice(item)?.into_iter().map(Some).collect());
    write |form| form.as_ref().map(ToString::to_string); only |of| of.hands_over();

    axis copier: Option<Copier> => copier; file Texts; rank 13;
    values names(Copier::NAMES); default "the strategy's" is None;
    read |item, _| Ok(choice(item)?.into_iter().map(Some).collect());
    write |copier| copier.map(|copier| copier.name().to_owned()); only |of| of.hands_over();

    axis make: Option<TakingBack> => make; file Texts; rank 14;
    values names(TakingBack::NAMES); default "the features'" is None;
    read |item, _| Ok(choice(item)?.into_iter().map(Some).collect());
    write |make| make.map(|make| make.name().to_owned()); only |of| of.strategy.ours().is_some();

    axis pin: Pin => pin; file Texts; rank 15;
    values "`none`, `cores`, `threads`, or a list of CPUs such as `0,2-5`"; default "cores";
    read |item, _| Ok(vec![pin(text(item)?)?]);
    write |pin| Some(pin.to_string()); only |of| of.machine == MachineKind::Real;

    axis disturb: Disturb => disturb; file Numbers; rank 16;
    values "`none`, a number of threads such as `2`, or `2 of 24`: two threads on the first 24 CPUs in \
the order of pinning. With `memory` after that, they stream through memory; with `period=60s share=0.5` at the end, \
they work in the first half of each minute only";
    default "none"; read |item, _| Ok(vec![disturb(item)?]);
    write |disturb| disturb.to_string().into(); only |of| of.machine == MachineKind::Real;

    axis costs: Option<CostModel> => costs; file Texts; rank 1;
    values names(&CostModel::NAMES)
        + ", or one of the file, with changes; a final `,each` halves and doubles each cost in turn, \
           `,each*90%` changes each in turn";
    default "the preset's" is None;
    read |item, definitions| Ok(costs(text(item)?, definitions)?.into_iter().map(Some).collect());
    // Without one, it is that of the preset, which the features name.
    write |model| model.as_ref().map(|model| model.name.clone()); only |of| of.machine == MachineKind::Virtual;

    axis micro: Option<&'static str> => micro; file Texts; rank 21;
    values names(&MICROS); default "none" is None;
    read |item, _| Ok(vec![Some(micro::named(text(item)?).map_err(|error| error.to_string())?)]);
    write |micro| micro.map(str::to_owned);

    axis audit: bool => audit; file Switches; rank 17;
    values "true or false"; default "false";
    read |item, _| Ok(vec![switch(item)?]); write |audit| *audit; only |of| of.strategy.ours().is_some();

    axis losses: bool => losses; file Switches; rank 18;
    values "true or false"; default "false";
    read |item, _| Ok(vec![switch(item)?]); write |losses| *losses; only |of| of.strategy.ours().is_some();
}

/// Value of an axis as a field has it; the types follow from how it is written.
fn written_as<T, F>(value: &T, write: impl Fn(&T) -> F) -> F {
    write(value)
}

/// The section that has a key: the first, else the second.
fn with<'a, 'b>(sections: &[&'b Section<'a>; 2], key: &str) -> Option<&'b Section<'a>> {
    sections.iter().copied().find(|section| section.table.get(key).is_some())
}

/// The values of an axis: what the section says, or the usual value, or what the default is read as.
fn values<T>(
    (key, section): (&str, Option<&Section<'_>>),
    definitions: &Definitions,
    read: fn(&Item, &Definitions) -> Values<T>,
    default: &str,
    usual: Option<T>,
) -> Result<Vec<T>, DocumentError> {
    if let Some(values) =
        section.map(|section| section.each(key, |item| read(item, definitions))).transpose()?.flatten()
    {
        return Ok(values);
    }
    let of_default = || read(&parse_value(default), definitions);
    let values = usual.map_or_else(of_default, |value| Ok(vec![value]));
    values.map_err(|message| DocumentError::new(key, &None, message))
}

impl Axes {
    /// The axes of a block; a key that its own table does not have is looked for in the common one.
    pub fn read(sections: &[&Section<'_>; 2], definitions: &Definitions) -> Result<Self, DocumentError> {
        let mut axes = Self::read_values(sections, definitions)?;
        let has = |key: &str| with(sections, key).is_some();
        // The table that says how deep says it alone: a block's own depth replaces a common size.
        let deep = sections.iter().find(|section| ["depth", "size"].iter().any(|key| section.table.get(key).is_some()));
        let sizes = match deep {
            Some(section) => section.each("size", |item| Ok(vec![Depth::Size(found::size(item)?)]))?,
            None => None,
        };
        if let (Some(section), Some(sizes)) = (deep, sizes) {
            if section.table.get("depth").is_some() {
                return Err(section.wrong("size", "give a depth or a size, not both"));
            }
            if has("nodes") || has("time") {
                return Err(section.wrong("size", "give a size or a limit of nodes or time, not both"));
            }
            axes.depth = sizes;
        } else if !has("depth") && definitions.has_depths {
            axes.depth = vec![Depth::Own];
        } else if !has("depth") && (has("nodes") || has("time")) {
            axes.depth = vec![Depth::Unlimited];
        }
        Ok(axes)
    }

    /// Every combination of values, in the order of the axes' ranks.
    pub fn product(&self) -> impl Iterator<Item = Combination> {
        let lengths: Vec<usize> = self.lengths().into_iter().map(|(_, length)| length).collect();
        let mut fastest_first: Vec<usize> = (0..lengths.len()).collect();
        fastest_first.sort_by_key(|&axis| std::cmp::Reverse(RANKS[axis]));
        let count = lengths.iter().fold(1, |count: usize, length| count.saturating_mul(*length));
        (0..count).map(move |mut number| {
            let mut places = vec![0; lengths.len()];
            for &axis in &fastest_first {
                places[axis] = number % lengths[axis];
                number /= lengths[axis];
            }
            self.combination(&places)
        })
    }
}

impl Combination {
    /// Whether one processor searches alone.
    fn is_alone(&self) -> bool {
        self.threads == 1 || self.strategy.ours().is_some_and(|strategy| strategy.name() == SEQUENTIAL)
    }

    /// Way in which helpers of our engine get positions, if they do.
    fn copying(&self) -> Option<Copying> {
        self.strategy.ours().and_then(AnyStrategy::copying)
    }

    /// Whether positions are handed over from one processor to another.
    fn hands_over(&self) -> bool {
        !self.is_alone() && self.copying().is_some()
    }

    /// Whether the depth asked for may change what workers search before it is reached.
    fn has_horizon(&self) -> bool {
        self.strategy.ours().is_some_and(AnyStrategy::has_horizon) && !self.is_alone() && self.depth != Depth::Unlimited
    }

    /// The board, with its sliding method if it has several.
    pub fn board_with_sliders(&self) -> BoardChoice {
        if self.board.sliders().is_some() { BoardChoice::Bitboards(self.sliders) } else { self.board }
    }

    /// Cost model of the virtual machine: that of the axis, or of the preset.
    pub fn model(&self) -> Option<CostModel> {
        let of_preset = || usual_costs(self.features.preset);
        (self.machine == MachineKind::Virtual).then(|| self.costs.clone().unwrap_or_else(of_preset))
    }

    /// Name of an axis whose value the text of the strategy or the features sets too, which is an error.
    pub fn said_twice(&self) -> Option<String> {
        let (own, usual) = (self.copying().unwrap_or_default(), Copying::default());
        let copy_axes = [
            self.copy.filter(|_| own.form != usual.form).map(|_| "copy"),
            self.copier.filter(|_| own.copier != usual.copier).map(|_| "copier"),
        ];
        let copy_axis = copy_axes.into_iter().flatten().next();
        let make_axis = self.make.map(|_| "make").filter(|_| self.features.features.copy_make);
        let message = |axis, text: String| format!("axis '{axis}' and '{text}' both say how positions are copied");
        copy_axis
            .map(|axis| message(axis, self.strategy.to_string()))
            .or_else(|| make_axis.map(|axis| message(axis, self.features.to_string())))
    }

    /// The configuration with these values.
    pub fn configuration(&self) -> Configuration {
        if let Some(micro) = self.micro {
            return micro::configuration(micro);
        }
        let mut configuration = self.fields();
        if configuration.hash_mib == 0 {
            configuration.hash_mib = self.features.preset.table_mib();
        }
        if let Some(model) = self.model() {
            (configuration.costs, configuration.costs_hash) = (Some(model.name.clone()), Some(model.hash()));
        }
        if let Some(engine) = self.strategy.engine() {
            configuration.engine = Some(engine.name.clone());
            configuration.engine_hash = Some(engine.hash());
        }
        if self.is_alone() { configuration.baseline() } else { configuration }
    }
}

#[cfg(test)]
mod tests {
    use super::super::document::{Document, NOTHING};
    use super::super::values::cores;
    use super::*;
    use std::path::Path;

    use crate::record::axes::{AXES, COSTS_HASH, ENGINE, ENGINE_HASH};
    use crate::single::default_configuration;

    fn range(text: &str) -> Values<i64> {
        numbers(&Item::Text(text.to_owned()), 1..=1024)
    }

    #[test]
    fn ranges() {
        for (text, expected) in [
            ("1..=4", vec![1, 2, 3, 4]),
            ("1..4", vec![1, 2, 3]),
            ("1..=64*2", vec![1, 2, 4, 8, 16, 32, 64]),
            ("3..=30*3", vec![3, 9, 27]),
            ("7", vec![7]),
        ] {
            assert_eq!(range(text), Ok(expected), "{text}");
        }
        assert_eq!(range("cores").unwrap(), [i64::from(cores())]);
        for (text, message) in [
            ("0..4", "0 is out of range: must be from 1 to 1024"),
            ("1..=2000", "2000 is out of range: must be from 1 to 1024"),
            ("5..=4", "is an empty range"),
            ("a..=4", "is not a range"),
            ("1..=8*1", "is not a range"),
            ("", "is not a range"),
        ] {
            assert!(range(text).unwrap_err().contains(message), "{text}: {:?}", range(text));
        }
        let endless = numbers(&Item::Text("0..=9223372036854775807".to_owned()), 0..=i64::MAX);
        assert!(endless.unwrap_err().contains("more than 10000 numbers"));
    }

    #[test]
    fn every_axis_has_its_default_and_its_row() {
        let nothing = Section::root(NOTHING);
        let axes = Axes::read(&[&nothing, &nothing], &Definitions::default()).unwrap();
        assert_eq!((axes.hash.as_slice(), axes.seed.as_slice()), (&[None][..], &[0][..]));
        assert_eq!((axes.waiting.as_slice(), axes.costs.as_slice()), (&[Waiting::default()][..], &[None][..]));
        // The texts of the declarations say what the engine's defaults are, which a single search has.
        let of_one = axes.product().next().unwrap().configuration();
        assert!(of_one.is_baseline());
        assert_eq!(of_one.features, "modern");
        let (pin, features) = (Some("none".into()), "thesis".into());
        let hash_mib = Preset::Thesis.table_mib();
        assert_eq!(Configuration { pin, features, hash_mib, ..of_one }, default_configuration());
        let without_axis = [ENGINE, COSTS_HASH, ENGINE_HASH];
        let meanings: Vec<&str> = about().iter().map(|axis| axis.meaning).collect();
        for axis in AXES {
            assert_eq!(meanings.contains(&axis.meaning), !without_axis.contains(axis), "{}", axis.name);
        }
        let strategy = about().into_iter().find(|axis| axis.key == "strategy").unwrap();
        assert_eq!(strategy.default, AnyStrategy::usual(2, &Preset::Thesis.features()).name());
        let waiting = about().into_iter().find(|axis| axis.key == "waiting").unwrap();
        assert_eq!(
            (waiting.values.as_str(), waiting.default),
            ("`spin`, `yield`, `park`, `spin-park`, `ticket`, `queue`", "park")
        );
    }

    #[test]
    fn prices_are_those_of_the_preset_unless_they_are_named() {
        let models = |text: &str| -> Vec<String> {
            let document = Document::parse(Path::new("x.toml"), text.to_owned()).unwrap();
            let (section, nothing) = (Section::root(&document.root), Section::root(NOTHING));
            let axes = Axes::read(&[&section, &nothing], &Definitions::default()).unwrap();
            let words = |one: Configuration| format!("{} {}", one.features, one.costs.unwrap_or_default());
            axes.product().map(|one| words(one.configuration())).collect()
        };
        let features = "machine = \"virtual\"\nthreads = 2\nfeatures = [\"thesis\", \"modern\"]\n";
        assert_eq!(models(features), ["thesis reference", "modern reference-modern"]);
        let named = format!("{features}costs = \"e15k\"\n");
        assert_eq!(models(&named), ["thesis e15k", "modern e15k"]);
        let nothing = "machine = \"virtual\"\nthreads = 2\n";
        assert_eq!(models(nothing), ["modern reference-modern"]);
    }

    #[test]
    fn a_file_sets_parameters_for_a_strategy() {
        let parameters = vec![("ybwc".to_owned(), vec![",minimum-draft=2".to_owned(), ",minimum-draft=4".to_owned()])];
        let definitions = Definitions { parameters, ..Definitions::default() };
        let words = |text: &str| -> Vec<String> {
            strategies(text, &definitions).unwrap().iter().map(ToString::to_string).collect()
        };
        assert_eq!(words("ybwc"), ["ybwc,+minimum-draft=2", "ybwc,+minimum-draft=4"]);
        assert_eq!(words("lazy"), ["lazy"]);
        assert_eq!(words("ybwc,minimum-draft=5"), ["ybwc,+minimum-draft=5", "ybwc,+minimum-draft=5"]);
        assert!(strategies("ybwz", &definitions).unwrap_err().contains("did you mean 'ybwc'"));
    }

    #[test]
    fn models_of_the_file_come_first() {
        let own = CostModel { name: "mine".into(), wake_park: 7, ..CostModel::reference() };
        let definitions = Definitions { models: vec![own.clone()], ..Definitions::default() };
        assert_eq!(costs("mine", &definitions), Ok(vec![own]));
        assert_eq!(costs("mine,wake_park*2", &definitions).unwrap()[0].wake_park, 14);
        assert!(costs("reference,each", &definitions).unwrap().len() > 40);
        let cheaper = costs("reference,each*0%", &definitions).unwrap();
        assert!(cheaper.len() > 20 && cheaper.iter().any(|model| model.name == "reference,lock_handoff*0%"));
        assert!(costs("reference,each*x%", &definitions).unwrap_err().contains("is not a change of a cost"));
        assert!(costs("mime", &definitions).unwrap_err().contains("did you mean 'mine'"));
    }
}
