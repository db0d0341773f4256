//! `splitpoint report`: makes tables, charts and page again from what a folder holds.

use std::io::{self, Write, stdout};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::error::CliError;
use super::output;
use crate::record::Column;
use crate::report::{self, Made, Wishes, charts};
use crate::table::foreign::word;

/// Regenerate tables, charts and page of the folder of a run, a match or a tournament from its journal
#[derive(Args)]
#[command(after_help = "\
Examples:
  splitpoint report results/quick
  splitpoint report results/quick --tables
  splitpoint report results/quick --open
  splitpoint report results/quick --chart search-speed --chart hash
  splitpoint report results/quick --column single --bare
  splitpoint report explained --beside results/reference/thesis-explained")]
pub struct Report {
    /// Folder of a run, a match or a tournament
    #[arg(value_name = "DIR")]
    folder: PathBuf,

    /// Run folder whose results the charts show as well, in grey; only its summary.csv is needed. Or folder of a
    /// tournament with odds, whose strength speedups stand beside time speedups where its moves are about as long
    #[arg(long, value_name = "DIR")]
    beside: Option<PathBuf>,

    /// Print the whole answer and all tables, instead of the verdict and its table
    #[arg(long)]
    tables: bool,

    /// Width of the chart files, as a column of a paper: single (85 mm) or double (175 mm) [default: as the experiment
    /// says]
    #[arg(long, value_name = "C",
          value_parser = PossibleValuesParser::new(Column::NAMES).try_map(|name| name.parse::<Column>()))]
    column: Option<Column>,

    /// Leave title, subtitle and notes out of the chart files, for papers that want them in a caption;
    /// charts/captions.tex and captions.md have them
    #[arg(long)]
    bare: bool,

    /// Draw this chart too, if the folder has figures for it (repeatable; 'splitpoint list charts' has their names)
    #[arg(long = "chart", value_name = "NAME", value_parser = PossibleValuesParser::new(charts::names()),
          hide_possible_values = true)]
    charts: Vec<String>,

    /// Open the page in a browser
    #[arg(long)]
    open: bool,
}

impl Report {
    pub fn run(&self) -> Result<(), CliError> {
        let wishes =
            Wishes { beside: self.beside.as_deref(), charts: &self.charts, column: self.column, are_bare: self.bare };
        if self.folder.is_file() {
            let path = self.folder.display();
            return Err(CliError::BadInput(format!(
                "{path} is a file: expected the folder of a run, match or tournament"
            )));
        }
        let (made, written) = report::try_to_make(&self.folder, wishes)?;
        let page = self.folder.join("report.html");
        print(&mut stdout().lock(), &made, &self.folder, self.tables)?;
        match written {
            // Somebody who asked for text has it.
            Err(error) if self.tables => output::tell(format_args!("warning: {error}")),
            written => written?,
        }
        if self.open { open(&page) } else { Ok(()) }
    }
}

/// Prints the verdict of a report with the table that it stands on and notes on the run, or the whole answer with all
/// tables, and where the rest is.
pub fn print(out: &mut impl Write, made: &Made, folder: &Path, with_all: bool) -> io::Result<()> {
    match with_all {
        true => writeln!(out, "{}", made.details)?,
        false => {
            let blank = if made.notes.is_empty() { "" } else { "\n" };
            writeln!(out, "{}\n{}{blank}{}", made.verdict, made.table, made.notes)?;
        }
    }
    writeln!(out, "report  {}", folder.join("report.html").display())?;
    if !with_all {
        writeln!(out, "more    splitpoint report {} --tables", word(&folder.to_string_lossy()))?;
    }
    out.flush()
}

/// Shows a page with whatever the system shows pages with.
fn open(page: &Path) -> Result<(), CliError> {
    let openers: &[&str] = if cfg!(target_os = "macos") { &["open"] } else { &["xdg-open", "wslview", "gio"] };
    let begin = |opener: &&str| {
        let mut command = Command::new(opener);
        if *opener == "gio" {
            command.arg("open");
        }
        command.arg(page).stdout(Stdio::null()).stderr(Stdio::null()).spawn().is_ok()
    };
    if openers.iter().any(begin) {
        return Ok(());
    }
    Err(CliError::Failed(format!("no program was found that opens a page: open {} yourself", page.display())))
}
