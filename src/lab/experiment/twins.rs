//! Twins: real configurations and the virtual ones that are to predict them, as a file selects them.

use std::collections::BTreeMap;

use super::document::{Document, DocumentError};
use super::section::Section;
use super::selection::{self, Selection};
use super::values::{Definitions, choice, text};
use crate::record::axes::MACHINE;
use crate::record::{MachineKind, Twins};

/// Twins, and the selections of both sides, of which the plan must have searches.
pub type Selected = (Twins, [Selection; 2]);

/// The twins that a report is asked for.
pub fn read(
    report: &Section<'_>,
    definitions: &Definitions,
    document: &Document,
) -> Result<Vec<Selected>, DocumentError> {
    let one = |section: &Section<'_>| {
        section.allow("a key of twins", "Twins")?;
        let side = |key: &str, machine: MachineKind| {
            let found = section.section(key)?.ok_or_else(|| section.wrong(key, "is missing"))?;
            let mut selection = selection::read(&found, definitions, document)?;
            selection.fields.insert(MACHINE.name, vec![machine.name().to_owned()]);
            Ok(selection)
        };
        let (real, simulated) = (side("real", MachineKind::Real)?, side("virtual", MachineKind::Virtual)?);
        let beside = selection::one_value_each(section, "beside", definitions, document)?;
        let fields = |selection: &Selection| -> BTreeMap<String, Vec<String>> {
            let fields = selection.fields.iter();
            fields.map(|(field, values)| ((*field).to_owned(), values.clone())).collect()
        };
        let first = |(field, values): (&&str, &Vec<String>)| Some(((*field).to_owned(), values.first()?.clone()));
        let twins = Twins {
            name: section.required("name", |item| text(item).map(str::to_owned))?,
            figure: section.each("figure", choice)?.and_then(|all| all.into_iter().next()).unwrap_or_default(),
            real: fields(&real),
            simulated: fields(&simulated),
            beside: beside.map(|one| one.fields.iter().filter_map(first).collect()).unwrap_or_default(),
        };
        Ok((twins, [real, simulated]))
    };
    report.sections("twins")?.iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use crate::{Experiment, Plan};

    fn experiment(twins: &str) -> Result<Experiment, String> {
        let text = format!(
            "[axes]\ndepth = 3\nstrategy = \"lazy\"\n[[plan]]\nmachine = \"real\"\nthreads = 2\n\
             [[plan]]\nmachine = \"virtual\"\nthreads = 2\n[[report.twins]]\n{twins}"
        );
        Experiment::parse(Path::new("x.toml"), &text, &[], &[]).map_err(|error| error.to_string())
    }

    #[test]
    fn twins_are_read_and_must_be_in_the_plan() {
        let good = experiment("name = \"two\"\nfigure = \"rate\"\nreal = { threads = 2 }\nvirtual = { threads = 2 }\n");
        let plan = Plan::of(&good.unwrap(), "").unwrap();
        let twins = &plan.description.twins[0];
        assert_eq!((twins.name.as_str(), twins.figure.name()), ("two", "rate"));
        assert_eq!(twins.real["threads"], ["2"]);
        assert_eq!((&twins.real["machine"][0], &twins.simulated["machine"][0]), (&"real".into(), &"virtual".into()));
        let absent = experiment("name = \"four\"\nreal = { threads = 4 }\nvirtual = { threads = 2 }\n").unwrap();
        let error = Plan::of(&absent, "").unwrap_err().to_string();
        assert!(error.contains("no search of the plan matches threads = 4"), "{error}");
    }

    #[test]
    fn what_is_wrong_is_pointed_at() {
        for (twins, message) in [
            ("name = \"a\"\nvirtual = { threads = 2 }\n", "report.twins.real': is missing"),
            ("name = \"a\"\nfigure = \"speed\"\nreal = {}\nvirtual = {}\n", "'speed' is not a figure of twins"),
            ("real = {}\nvirtual = {}\n", "report.twins.name': is missing"),
            ("name = \"a\"\nreal = {}\nvirtual = {}\nbesides = {}\n", "did you mean 'beside'"),
            ("name = \"a\"\nreal = {}\nvirtual = {}\nbeside = { hash = [1, 2] }\n", "stands for 2 values"),
        ] {
            let error = experiment(twins).unwrap_err();
            assert!(error.contains(message), "{twins}: {error}");
        }
    }
}
