//! Compiles the few functions of C that write letters by MPI, where the feature `mpi` asks for it. Without it there is
//! nothing to do, and no MPI is needed.

use std::env;
use std::path::Path;
use std::process::{Command, exit};

const SOURCE: &str = "machine/mpi.c";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if env::var_os("CARGO_FEATURE_MPI").is_none() {
        return;
    }
    println!("cargo::rerun-if-changed={SOURCE}");
    println!("cargo::rerun-if-env-changed=MPICC");
    let compiler = env::var("MPICC").unwrap_or_else(|_| "mpicc".to_owned());
    let out = env::var("OUT_DIR").expect("Cargo names the folder");
    let object = Path::new(&out).join("mpi.o");
    let library = Path::new(&out).join("libsplitpoint_mpi.a");
    let (object, library) = (object.to_string_lossy(), library.to_string_lossy());
    run(&compiler, &["-O2", "-Wall", "-fPIC", "-c", SOURCE, "-o", &object]);
    run("ar", &["crs", &library, &object]);
    println!("cargo::rustc-link-search=native={out}");
    println!("cargo::rustc-link-lib=static=splitpoint_mpi");
    // Open MPI and MPICH alike print the command that they would run.
    let shown = run(&compiler, &["-show"]);
    for word in shown.split_whitespace() {
        if let Some(folder) = word.strip_prefix("-L") {
            println!("cargo::rustc-link-search=native={folder}");
        } else if let Some(library) = word.strip_prefix("-l") {
            println!("cargo::rustc-link-lib={library}");
        }
    }
}

/// Output of a command; ends with a message if it fails.
fn run(program: &str, arguments: &[&str]) -> String {
    match Command::new(program).args(arguments).output() {
        Ok(output) if output.status.success() => String::from_utf8_lossy(&output.stdout).into_owned(),
        Ok(output) => fail(&format!("'{program}' failed: {}", String::from_utf8_lossy(&output.stderr))),
        Err(error) => fail(&format!(
            "the feature 'mpi' needs the compiler of an MPI library, and '{program}' does not start: {error}\n  On \
             Debian: apt install libopenmpi-dev openmpi-bin. Or name it: MPICC=/path/to/mpicc"
        )),
    }
}

fn fail(message: &str) -> ! {
    eprintln!("error: {message}");
    exit(1)
}
