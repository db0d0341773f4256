//! Placeholders in the command of an engine: `{nodes}` and `{threads}` stand for the numbers with which it is started,
//! so that `mpirun -n {nodes} stockfish` is one engine on any number of nodes. `{{nodes}}` stands for the text itself.
//! Braces of the shell, as in `${HOME}`, `{1..3}` and `{ list; }`, are no placeholders.

use super::Processors;
use crate::choices::choices;
use crate::suggestion::WordError;

choices! {
    /// Number that the command of an engine asks for.
    pub enum Placeholder, "placeholder";
    /// Number of nodes.
    Nodes "nodes",
    /// Number of threads of each node.
    Threads "threads",
}

impl Placeholder {
    fn value(self, processors: Processors) -> u32 {
        match self {
            Self::Nodes => processors.nodes,
            Self::Threads => processors.threads,
        }
    }
}

/// Part of a word of a command.
#[derive(Debug, PartialEq, Eq)]
enum Part<'a> {
    Text(&'a str),
    Number(Placeholder),
}

/// Length of the name that a text begins with and `}` ends, if it does.
fn name(text: &str) -> Option<usize> {
    let length = text.find('}')?;
    let is_name = |name: &str| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    is_name(&text[..length]).then_some(length)
}

/// Parts of a word, an error if it has a placeholder that there is not.
fn parts(word: &str) -> Result<Vec<Part<'_>>, WordError> {
    let (mut parts, mut rest) = (Vec::new(), word);
    while let Some(at) = rest.find('{') {
        parts.push(Part::Text(&rest[..at]));
        let is_of_shell = rest[..at].ends_with('$');
        let inner = &rest[at + 1..];
        let literal = inner.strip_prefix('{').and_then(name).filter(|length| inner[length + 2..].starts_with('}'));
        rest = match (literal, name(inner)) {
            (Some(length), _) => {
                parts.push(Part::Text(&inner[..length + 2]));
                &inner[length + 3..]
            }
            (None, Some(length)) if !is_of_shell => {
                parts.push(Part::Number(inner[..length].parse()?));
                &inner[length + 1..]
            }
            _ => {
                parts.push(Part::Text("{"));
                inner
            }
        };
    }
    parts.push(Part::Text(rest));
    Ok(parts)
}

/// Whether a command has a placeholder. One that is not well-formed has none.
pub(super) fn has(command: &[String], placeholder: Placeholder) -> bool {
    let has = |word: &String| parts(word).is_ok_and(|parts| parts.contains(&Part::Number(placeholder)));
    command.iter().any(has)
}

/// The command with numbers in place of its placeholders.
///
/// # Errors
/// If it has a placeholder that there is not.
pub(super) fn filled(command: &[String], processors: Processors) -> Result<Vec<String>, WordError> {
    let text = |part: Part<'_>| match part {
        Part::Text(text) => text.to_owned(),
        Part::Number(placeholder) => placeholder.value(processors).to_string(),
    };
    command.iter().map(|word| Ok(parts(word)?.into_iter().map(text).collect())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_take_the_place_of_placeholders_alone() {
        let fill =
            |word: &str| filled(&[word.to_owned()], Processors { nodes: 4, threads: 8 }).map(|words| words[0].clone());
        for (word, expected) in [
            ("stockfish", "stockfish"),
            ("{nodes}", "4"),
            ("--np={nodes}x{threads},{nodes}", "--np=4x8,4"),
            ("{{nodes}}{nodes}", "{nodes}4"),
            ("${HOME}/${nodes}/{1..3}/{a,b}/{}/{ echo; }", "${HOME}/${nodes}/{1..3}/{a,b}/{}/{ echo; }"),
            ("{{nodes}", "{4"),
            ("ü{threads}}", "ü8}"),
            ("{nodes", "{nodes"),
            ("$ {nodes}", "$ 4"),
        ] {
            assert_eq!(fill(word).as_deref(), Ok(expected), "{word}");
        }
        let wrong = fill("mpirun -n {node}").unwrap_err().to_string();
        assert!(wrong.contains("'node' is not a placeholder") && wrong.contains("did you mean 'nodes'"), "{wrong}");
        let command = ["sh".to_owned(), "-n{nodes}".to_owned()];
        assert!(has(&command, Placeholder::Nodes) && !has(&command, Placeholder::Threads));
    }
}
