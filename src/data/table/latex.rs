//! Tables in LaTeX, with the rules of the package `booktabs` and no other package.

use super::foreign::plain;
use super::{Cell, Table};

/// The table as a float over all columns of the text, with its caption, under the label `tab:NAME`; title and caption
/// end up in one paragraph. Whatever is long stands in lines below each other, so that a page is wide enough: words of
/// headings, and the interval below its estimate.
pub fn write(table: &Table, name: &str) -> String {
    let line = |cells: Vec<String>| format!("    {} \\\\\n", cells.join(" & "));
    let side = |at: usize| if table.is_number(at) { 'r' } else { 'l' };
    let heading = |(at, heading): (usize, &str)| {
        let words: Vec<String> = heading.split(' ').map(escaped).collect();
        stacked(&words, side(at), 'b')
    };
    let headings = line(table.columns.iter().map(|column| column.heading.as_str()).enumerate().map(heading).collect());
    let cell = |(at, cell): (usize, &Cell)| {
        let shown = cell.shown();
        match (cell, shown.split_once(" (")) {
            (Cell::Interval(_), Some((estimate, interval))) => {
                let interval = format!("{{\\footnotesize({}}}", escaped(interval));
                stacked(&[escaped(estimate), interval], side(at), 't')
            }
            _ => escaped(&shown),
        }
    };
    let cells = |row: &Vec<Cell>| line(row.iter().enumerate().map(cell).collect());
    let sides: String = (0..table.columns.len()).map(side).collect();
    let rows: String = table.rows.iter().map(cells).collect();
    let title = match table.title.as_str() {
        title if title.is_empty() || title.ends_with(['.', '?', '!']) => title.to_owned(),
        title => format!("{title}."),
    };
    let caption = escaped(format!("{title} {}", table.caption).trim());
    format!(
        "\\begin{{table*}}\n  \\centering\n  \\caption{{{caption}}}\n  \\label{{tab:{name}}}\n  \
         \\medskip\n  \\small\n  \\setlength{{\\tabcolsep}}{{3pt}}\n  \\begin{{tabular}}{{{sides}}}\n    \
         \\toprule\n{headings}    \
         \\midrule\n{rows}    \\bottomrule\n  \
         \\end{{tabular}}\n\\end{{table*}}\n"
    )
}

/// Lines below each other in a cell, whose first (`t`) or last (`b`) line is that of the row.
fn stacked(lines: &[String], side: char, at: char) -> String {
    match lines {
        [line] => line.clone(),
        lines => format!("\\begin{{tabular}}[{at}]{{@{{}}{side}@{{}}}}{}\\end{{tabular}}", lines.join("\\\\")),
    }
}

/// Words in which LaTeX finds no command.
pub fn escaped(words: &str) -> String {
    let letter = |letter: char| match letter {
        '\\' => "\\textbackslash{}".to_owned(),
        '~' => "\\textasciitilde{}".to_owned(),
        '^' => "\\textasciicircum{}".to_owned(),
        '&' | '%' | '$' | '#' | '_' | '{' | '}' => format!("\\{letter}"),
        // The usual fonts have other letters in these places.
        '<' | '>' | '|' => format!("${letter}$"),
        '÷' => "$\\div$".to_owned(),
        '×' => "$\\times$".to_owned(),
        '±' => "$\\pm$".to_owned(),
        '−' => "$-$".to_owned(),
        '\u{202f}' => "\\,".to_owned(),
        '\n' => " ".to_owned(),
        _ => letter.to_string(),
    };
    plain(words).chars().map(letter).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Columns;

    #[test]
    fn latex_finds_no_command_in_words() {
        assert_eq!(escaped("95 % of a_b × {c}"), "95 \\% of a\\_b $\\times$ \\{c\\}");
        assert_eq!(escaped("p < 0.001\n−1\u{202f}000"), "p $<$ 0.001 $-$1\\,000");
    }

    #[test]
    fn numbers_stand_at_the_right_and_words_cannot_end_a_cell() {
        let columns = Columns::new().with("a & b", "", |row: &(&str, f64)| row.0).with("share, %", "", |row| row.1);
        let table = columns.table("Title", "Caption.", [("x & y \\\\", 1.0), ("z", f64::NAN)]);
        let text = write(&table, "summary");
        for part in [
            "\\caption{Title. Caption.}\n  \\label{tab:summary}\n  \\medskip\n  \\small\n",
            "\\begin{tabular}[b]{@{}l@{}}a\\\\\\&\\\\b\\end{tabular} & \
             \\begin{tabular}[b]{@{}r@{}}share,\\\\\\%\\end{tabular} \\\\\n",
            "    \\midrule\n    x \\& y \\textbackslash{}\\textbackslash{} & 1.00 \\\\\n    z & – \
             \\\\\n    \\bottomrule\n",
        ] {
            assert!(text.contains(part), "{part} in {text}");
        }
    }
}
