//! Captions of all charts, for papers that want words below a figure and not in it: as LaTeX and as Markdown.

use super::{Chart, Column};

/// Names and texts of the files with the captions of charts that fill a column of a paper.
pub(crate) fn captions(charts: &[Chart], column: Column) -> [(&'static str, String); 2] {
    let width = column.millimetres();
    let latex = |Chart { name, words, .. }: &Chart| {
        format!(
            "\\begin{{figure}}\n  \\centering\n  \\includegraphics[width={width}mm]{{charts/{name}.png}}\n  \
             \\caption{{{}}}\n  \\label{{fig:{name}}}\n\\end{{figure}}\n\n",
            escaped(words)
        )
    };
    let markdown = |Chart { name, title, words, .. }: &Chart| format!("![{title}]({name}.svg)\n\n{words}\n\n");
    [("captions.tex", charts.iter().map(latex).collect()), ("captions.md", charts.iter().map(markdown).collect())]
}

/// Words in which LaTeX finds no command.
fn escaped(words: &str) -> String {
    let letter = |letter: char| match letter {
        '\\' => "\\textbackslash{}".to_owned(),
        '~' => "\\textasciitilde{}".to_owned(),
        '^' => "\\textasciicircum{}".to_owned(),
        '&' | '%' | '$' | '#' | '_' | '{' | '}' => format!("\\{letter}"),
        '÷' => "$\\div$".to_owned(),
        '×' => "$\\times$".to_owned(),
        '−' => "$-$".to_owned(),
        _ => letter.to_string(),
    };
    words.chars().map(letter).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn latex_finds_no_command_in_words() {
        assert_eq!(escaped("95 % of a_b × {c}"), "95 \\% of a\\_b $\\times$ \\{c\\}");
    }
}
