//! "Did you mean ...?": the nearest valid name to one that is not.

use std::fmt::Display;

/// Least likeness of a name that may be meant.
const NEAR_ENOUGH: f64 = 0.75;

/// `, did you mean 'X'?` if a valid name is near, else nothing.
pub fn did_you_mean<S: AsRef<str>>(wrong: &str, names: impl IntoIterator<Item = S>) -> String {
    let wrong = wrong.to_lowercase();
    let nearness = |name: &S| strsim::jaro_winkler(&wrong, &name.as_ref().to_lowercase());
    let nearest = names.into_iter().map(|name| (nearness(&name), name)).max_by(|a, b| a.0.total_cmp(&b.0));
    match nearest {
        Some((nearness, name)) if nearness > NEAR_ENOUGH => format!(", did you mean '{}'?", name.as_ref()),
        _ => String::new(),
    }
}

/// An error with a suggestion for the word at fault, if it names one: one of the names it might have been, or of more.
pub fn explained<S: AsRef<str>>(error: &impl Display, misspelt: Option<(&str, Vec<S>)>, more: &[&str]) -> String {
    let near =
        misspelt.map(|(word, names)| did_you_mean(word, names.iter().map(S::as_ref).chain(more.iter().copied())));
    format!("{error}{}", near.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::did_you_mean;

    #[test]
    fn near_names_only() {
        let names = ["threads", "depth", "strategy"];
        for (wrong, expected) in [("treads", "threads"), ("DEPHT", "depth"), ("strategies", "strategy"), ("xyz", "")] {
            assert_eq!(did_you_mean(wrong, names).contains(&format!("'{expected}'")), !expected.is_empty(), "{wrong}");
        }
    }
}
