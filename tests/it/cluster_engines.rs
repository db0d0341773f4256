//! Engines from outside that are spread over several nodes, through the real binary: a small program as each rank,
//! started by a launcher of a few lines, and by `mpirun` where there is one.

use std::collections::BTreeSet;
use std::path::Path;

use super::command_line::{stderr, stdout};
use super::lab_folder::{Bench, done, ends_with};

/// A rank of an engine: the first talks, and the others wait for its end.
const RANK: &str = r#"#!/bin/sh
rank=${RANK:-${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-0}}}
if [ "$rank" != 0 ]; then
    while kill -0 $PPID 2> /dev/null; do sleep 0.1; done
    exit
fi
while read -r word rest; do case $word in
uci) echo "id name Cluster"; echo "id author nobody"; echo "option name Hash type spin"; echo uciok;;
isready) echo readyok;;
go) echo info depth 2 nodes 70 score cp 20 pv d6d1; echo bestmove d6d1;;
quit) exit;;
esac; done
"#;

/// A launcher that keeps a list of what it was told, and starts the ranks: `launcher -n 2 PROGRAM`.
fn launcher(told: &str) -> String {
    format!(
        "#!/bin/sh\necho \"$2 $4\" >> {told}\ncount=$2; shift 2\nrank=1\n\
         while [ $rank -lt $count ]; do RANK=$rank \"$@\" < /dev/null > /dev/null & rank=$((rank+1)); done\n\
         RANK=0 exec \"$@\"\n"
    )
}

/// An experiment on the ranks, with these values of its axes.
fn experiment(command: &str, axes: &str) -> String {
    format!(
        "title = \"Nodes\"\nbaseline = \"one\"\nwarm_up = false\norder = \"plan\"\n[positions]\nids = [\"BK01\"]\n\
         [engines.cluster]\ncommand = \"{command}\"\n[axes]\nstrategy = \"cluster\"\ndepth = 2\n{axes}\n"
    )
}

/// The launcher and the rank in a bench, as the words of a command.
fn words(bench: &Bench) -> String {
    let (launcher, rank) = (bench.write("launcher", launcher(&bench.at("told"))), bench.write("rank", RANK));
    #[cfg(unix)]
    for program in [&launcher, &rank] {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(program, PermissionsExt::from_mode(0o755)).unwrap();
    }
    format!("{launcher} -n {{nodes}} {rank}")
}

#[cfg(unix)]
#[test]
fn processors_are_those_of_all_nodes() {
    let bench = Bench::new("cluster-nodes");
    let command = format!("{} {{threads}}", words(&bench));
    let axes = "threads = [1, 2]\ncluster_nodes = [1, 2, 4]";
    let file = bench.write("nodes.toml", experiment(&command, axes));
    let plan = stdout(&done(&["run", &file, "--dry-run"]));
    assert!(plan.contains("cluster_nodes") && plan.contains("6 configurations"), "{plan}");
    done(&["run", &file, "--out", &bench.at("out")]);
    let of = |record: &splitpoint::record::Record| {
        let configuration = &record.cell.configuration;
        (configuration.threads, configuration.cluster_nodes, configuration.is_baseline())
    };
    let found: BTreeSet<_> = bench.records("out").iter().map(of).collect();
    let expected = [(1, None, true), (2, Some(1), false), (2, Some(2), false)];
    let larger = [(4, Some(2), false), (4, Some(4), false), (8, Some(4), false)];
    assert_eq!(found, expected.into_iter().chain(larger).collect());
    let told: BTreeSet<String> = bench.text("told").lines().map(str::to_owned).collect();
    assert_eq!(told, ["1 1", "1 2", "2 1", "2 2", "4 1", "4 2"].map(str::to_owned).into());
    let (processors, nodes) = (bench.column("out", "threads"), bench.column("out", "cluster_nodes"));
    assert!(processors.iter().zip(&nodes).any(|both| (both.0.as_str(), both.1.as_str()) == ("8", "4")));
    let labels = bench.column_of("out/summary.csv", "label");
    for label in ["one thread", "Cluster, one node", "Cluster, nodes of 1 thread", "Cluster, nodes of 2 threads"] {
        assert!(labels.iter().any(|one| one == label), "{label}: {labels:?}");
    }
    // More processors than this computer can have.
    let many = ["--set", "axes.threads=1024", "--set", "axes.cluster_nodes=4", "--dry-run"];
    let told = |more: &[&str]| {
        let text = stdout(&done(&[&["run", &file][..], &many, more].concat())).replace('\u{202f}', "");
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    assert!(told(&[]).contains("up to 4096 threads"));
    // Unless the other nodes are other computers.
    assert!(told(&["--set", "engines.cluster.one_node_per_host=true"]).contains("up to 1024 threads"));
    // A folder goes on, and its nodes can be selected.
    done(&["run", &file, "--out", &bench.at("out"), "--resume"]);
    let without = ["--set", "exclude=[{cluster_nodes = 4}]", "--dry-run"];
    assert!(stdout(&done(&[&["run", &file][..], &without].concat())).contains("4 configurations"));
}

/// What knows nothing of nodes is written as before there were any.
#[cfg(unix)]
#[test]
fn an_engine_on_one_node_is_told_of_none() {
    let bench = Bench::new("cluster-none");
    words(&bench);
    let file = bench.write("one.toml", experiment(&bench.at("rank"), "threads = 1"));
    done(&["run", &file, "--out", &bench.at("out")]);
    for (name, bytes) in bench.files("out") {
        let text = String::from_utf8_lossy(&bytes);
        assert!(name.ends_with("columns.md") || !text.contains("cluster_nodes"), "{name}");
    }
}

#[test]
fn what_cannot_be_spread_is_told_at_once() {
    let bench = Bench::new("cluster-bad");
    let on = "threads = 1\ncluster_nodes = 2";
    for (command, axes, expected) in [
        ("x", on, "write {nodes} in engines.cluster.command"),
        ("x {node}", on, "key 'engines.cluster.command': 'node' is not a placeholder"),
        ("x {node}", "threads = 1", "did you mean 'nodes'?"),
        ("x {nodes}", "cluster_nodes = 0", "0 is out of range"),
        ("x {nodes}", "threads = 1024\ncluster_nodes = 1024", "more than 65536"),
    ] {
        let file = bench.write("bad.toml", experiment(command, axes));
        let output = ends_with(2, &["run", &file, "--out", &bench.at("bad")]);
        assert!(stderr(&output).contains(expected), "{command}: {}", stderr(&output));
    }
    let file = bench.write("ours.toml", experiment("x {nodes}", on).replace("\"cluster\"\ndepth", "\"lazy\"\ndepth"));
    let bad = bench.at("bad");
    let ours = |set: &[&str]| stderr(&ends_with(2, &[&["run", &file, "--out", &bad][..], set].concat()));
    let told = ours(&[]);
    assert!(
        told.contains("2 nodes are asked for, and this process runs alone") && told.contains("mpirun -n 2"),
        "{told}"
    );
    let told = ours(&["--set", "axes.strategy=\"ybwc\""]);
    assert!(told.contains("'ybwc' does not search on 2 nodes"), "{told}");
    let told = ours(&["--set", "axes.machine=\"virtual\""]);
    assert!(told.contains("processors_per_node=1\" in place of cluster_nodes = 2, and threads = 2"), "{told}");
    assert!(!Path::new(&bad).exists(), "nothing was begun");
    for command in ["doctor", "uci-check"] {
        let output = ends_with(2, &[command, &format!("{} uci", env!("CARGO_BIN_EXE_splitpoint")), "--nodes", "1,2"]);
        assert!(stderr(&output).contains("{nodes}"), "{command}: {}", stderr(&output));
    }
}

/// Our own engine as every rank: the first hears what it is asked, and the others nothing.
#[cfg(unix)]
#[test]
fn one_command_measures_an_engine_on_nodes() {
    let bench = Bench::new("cluster-doctor");
    let launcher = words(&bench).rsplit_once(' ').expect("a rank").0.to_owned();
    let ours = format!("{launcher} {} uci", env!("CARGO_BIN_EXE_splitpoint"));
    let out = bench.at("out");
    let small = ["doctor", &ours, "--nodes", "1,2", "--positions", "2", "--depth", "4", "--out", &out];
    let told = stdout(&done(&small));
    assert!(told.contains("the second processor does not search") && told.contains("ranks"), "{told}");
    let on: BTreeSet<_> = bench.records("out").iter().map(|one| one.cell.configuration.cluster_nodes).collect();
    assert_eq!(on, [None, Some(2)].into());
    // The rank of a few lines fails some checks, and has passed the first on both.
    let checked = ends_with(1, &["uci-check", &words(&bench), "--nodes", "1,2", "--json"]);
    let checks: serde_json::Value = serde_json::from_str(&stdout(&checked)).unwrap();
    let checks = checks["checks"].as_array().unwrap();
    for nodes in [1, 2] {
        let first = checks.iter().find(|check| check["nodes"] == nodes).unwrap();
        assert_eq!((first["what"].as_str(), first["outcome"].as_str()), (Some("says 'uciok'"), Some("passed")));
    }
}

/// Two ranks under the real `mpirun`, where there is one.
#[cfg(unix)]
#[test]
fn ranks_run_under_mpirun() {
    if splitpoint::lab::outside::programs::program("mpirun").is_none() {
        eprintln!("no mpirun here: ranks under it are not tested");
        return;
    }
    let bench = Bench::new("cluster-mpirun");
    words(&bench);
    // It refuses root, and more ranks than processors, unless it is told; a launcher without these options has no need.
    let allowed = "env OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1";
    let command = format!("{allowed} mpirun -n {{nodes}} {}", bench.at("rank"));
    let file = bench.write("mpirun.toml", experiment(&command, "threads = 1\ncluster_nodes = [1, 2]"));
    done(&["run", &file, "--out", &bench.at("out"), "--set", "engines.cluster.patience=60s"]);
    let records = bench.records("out");
    let on: BTreeSet<_> =
        records.iter().map(|one| (one.cell.configuration.threads, one.measured().is_some())).collect();
    assert_eq!(on, [(1, true), (2, true)].into());
}
