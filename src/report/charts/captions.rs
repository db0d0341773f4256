//! Captions of all charts, for papers that want words below a figure and not in it: as LaTeX and as Markdown.

use super::{Chart, Column};
use crate::table::latex::escaped;
use crate::table::markdown::harmless;

/// Names and texts of the files with the captions of charts that fill a column of a paper. Each ends with the limits of
/// what is shown: a caption is copied without its neighbours.
pub(crate) fn captions(charts: &[Chart], limits: &[String], column: Column) -> [(&'static str, String); 2] {
    let width = column.millimetres();
    let whole =
        |words: &str| [words].into_iter().chain(limits.iter().map(String::as_str)).collect::<Vec<_>>().join(" ");
    let latex = |Chart { name, words, .. }: &Chart| {
        format!(
            "\\begin{{figure}}\n  \\centering\n  \\includegraphics[width=\\ifdim\\linewidth<{width}mm \\linewidth\
             \\else {width}mm\\fi]{{{name}.pdf}}\n  \\caption{{{}}}\n  \\label{{fig:{name}}}\n\\end{{figure}}\n\n",
            escaped(&whole(words))
        )
    };
    let markdown =
        |Chart { name, title, words, .. }: &Chart| harmless(&format!("![{title}]({name}.svg)\n\n{}\n\n", whole(words)));
    [("captions.tex", charts.iter().map(latex).collect()), ("captions.md", charts.iter().map(markdown).collect())]
}
