//! "Did you mean ...?": the nearest valid name to one that is not.

/// Least likeness of a name that may be meant.
const NEAR_ENOUGH: f64 = 0.75;

/// `, did you mean 'X'?` if a valid name is near, else nothing.
pub fn did_you_mean<S: AsRef<str>>(wrong: &str, names: impl IntoIterator<Item = S>) -> String {
    let wrong = wrong.to_lowercase();
    let nearness = |name: &S| strsim::jaro_winkler(&wrong, &name.as_ref().to_lowercase());
    let nearest = names.into_iter().map(|name| (nearness(&name), name)).max_by(|a, b| a.0.total_cmp(&b.0));
    match nearest {
        Some((nearness, name)) if nearness > NEAR_ENOUGH => format!("; did you mean '{}'?", name.as_ref()),
        _ => String::new(),
    }
}

/// Error in one word of a text such as `thesis,-null-move`. It suggests the nearest valid name where there is one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}{}", did_you_mean(word, names))]
pub struct WordError {
    message: String,
    word: String,
    /// Names that the word might have been; none where another spelling would not help.
    names: Vec<String>,
}

impl WordError {
    /// An error that another spelling would not mend.
    pub fn new(message: String) -> Self {
        Self { message, word: String::new(), names: Vec::new() }
    }

    /// An error about a word that is none of these names.
    pub fn unknown<S: AsRef<str>>(word: &str, names: impl IntoIterator<Item = S>, message: String) -> Self {
        let names = names.into_iter().map(|name| name.as_ref().to_owned()).collect();
        Self { message, word: word.to_owned(), names }
    }

    /// Error that suggests these names too, where the word is misspelt.
    #[must_use]
    pub fn or<'a>(mut self, more: impl IntoIterator<Item = &'a String>) -> Self {
        if !self.names.is_empty() {
            self.names.extend(more.into_iter().cloned());
        }
        self
    }
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
