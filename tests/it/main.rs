//! All integration tests in one binary: linking with LTO is slow.

mod additions;
mod as_printed;
#[cfg(target_os = "linux")]
mod attack;
mod baselines;
mod boards;
mod busy_threads;
mod claims_command;
mod cluster_engines;
mod command_line;
mod compare_command;
mod computers;
mod contribute_command;
mod counts;
mod documents;
mod endings;
mod epd_round_trip;
mod evaluation;
mod everybody_thinks;
mod export_command;
mod first_look;
mod games;
mod handover;
mod health;
mod judging;
mod lab_damage;
mod lab_errors;
mod lab_folder;
#[cfg(unix)]
mod lab_kills;
mod lab_precision;
mod lab_runs;
mod lab_shards;
mod lab_witness;
mod machine_command;
mod machines;
mod match_command;
mod mates;
mod minimax;
mod nodes;
mod null_reports;
mod one_measurement;
mod outside_engines;
mod parsing;
mod price_range;
mod published_curves;
mod referee;
mod schedules;
mod search_command;
mod searches;
mod searching;
mod see;
mod soak;
mod splitting;
mod stated_counts;
mod strategies;
mod techniques;
mod tournament_command;
mod toys;
mod trace;
mod tune_command;
mod uci_command;
mod validate_command;
#[cfg(target_os = "linux")]
mod writing;

pub use splitpoint::on_every_board;
