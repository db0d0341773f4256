//! `splitpoint export`: a run folder for other programs.

use std::io::{Write, stdout};
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::error::CliError;
use super::output;
use crate::report::export::{self, Author, RO_CRATE};

/// Write a run folder for other programs: measurements for Extra-P, or a description for archives
#[derive(Args)]
#[command(after_help = "\
Examples:
  splitpoint export extra-p results/quick
  splitpoint export extra-p results/quick --out quick.jsonl
  splitpoint export ro-crate results/quick --license https://spdx.org/licenses/CC-BY-4.0
  splitpoint export ro-crate results/quick --author 'Ada Lovelace, https://orcid.org/0000-0002-1825-0097'

extra-p prints lines of JSON that Extra-P reads (extrap --json quick.jsonl): time, nodes and the processors' time by \
activity, by number of processors. ro-crate writes ro-crate-metadata.json into the folder, which makes it an RO-Crate \
that archives take.")]
pub struct Export {
    /// Form in which the run folder is written
    #[arg(value_name = "FORM", value_enum)]
    form: Form,

    /// Run folder
    #[arg(value_name = "DIR")]
    folder: PathBuf,

    /// Address of the license under which an RO-Crate may be used [default: that of the folder's crate, if it is one]
    #[arg(long, value_name = "URL")]
    license: Option<String>,

    /// Somebody who has made the run, for an RO-Crate: a name, and after a comma an address that stands for the person;
    /// may be given several times [default: those of the folder's crate]
    #[arg(long = "author", value_name = "NAME[, URL]")]
    authors: Vec<Author>,

    /// File to write, instead of standard output or the folder's own
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Form {
    /// Lines of JSON for Extra-P
    ExtraP,
    /// RO-Crate 1.2
    RoCrate,
}

/// Number of values of a parameter from which on Extra-P makes models.
const FEWEST_FOR_MODELS: usize = 5;

impl Export {
    pub fn run(&self) -> Result<(), CliError> {
        let (text, usual) = match self.form {
            Form::ExtraP => {
                let (text, processors) = export::extra_p(&self.folder)?;
                if processors.len() < FEWEST_FOR_MODELS {
                    output::tell(format_args!(
                        "warning: Extra-P wants measurements at {FEWEST_FOR_MODELS} numbers of processors or more, and \
                         these are at {}",
                        processors.len()
                    ));
                }
                (text, None)
            }
            Form::RoCrate => (
                export::ro_crate(&self.folder, self.license.as_deref(), &self.authors)?,
                Some(self.folder.join(RO_CRATE)),
            ),
        };
        let mut out = stdout().lock();
        match (&self.out, usual) {
            (Some(path), _) => output::file(path, &text),
            (None, Some(path)) => {
                output::file_of_folder(&path, &text)?;
                Ok(writeln!(out, "crate  {}", path.display())?)
            }
            (None, None) => Ok(out.write_all(text.as_bytes())?),
        }
    }
}
