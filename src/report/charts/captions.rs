//! Captions of all charts, for papers that want words below a figure and not in it: as LaTeX and as Markdown.

use super::{Chart, Column};
use crate::table::latex::escaped;

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
