//! Folders that somebody else made, changed or damaged: nothing of the user's is overwritten, whatever is left out is
//! said, and what is whole stays readable.

use std::path::Path;

use splitpoint::record::{FORMAT, sealed};

use crate::command_line::{stderr, stdout};
use crate::lab_folder::{Bench, TINY, begin, done, ends_with, without_checksums};

/// A folder with a whole run of [`TINY`].
fn tiny(name: &str) -> (Bench, String, String) {
    let bench = Bench::new(name);
    let file = bench.write("tiny.toml", TINY);
    let out = bench.at("out");
    done(&["run", &file, "--out", &out]);
    (bench, file, out)
}

#[cfg(unix)]
#[test]
fn links_of_somebody_else_lead_nowhere() {
    let (bench, file, out) = tiny("links");
    let notes = bench.write("notes", "mine");
    let link = |name: &str| {
        let _ = std::fs::remove_file(format!("{out}/{name}"));
        std::os::unix::fs::symlink(&notes, format!("{out}/{name}")).unwrap();
    };
    for name in [".lock", "journal.jsonl"] {
        let before = std::fs::read(format!("{out}/{name}")).unwrap();
        link(name);
        let refused = ends_with(2, &["run", &file, "--out", &out, "--resume"]);
        assert!(
            stderr(&refused).contains("it is a link, and a file is going to be written there"),
            "{}",
            stderr(&refused)
        );
        std::fs::remove_file(format!("{out}/{name}")).unwrap();
        std::fs::write(format!("{out}/{name}"), before).unwrap();
    }
    let journal = bench.text("out/journal.jsonl");
    bench.write("out/journal.jsonl", &journal[..journal.len() - 40]);
    let names = ["runs.csv", "summary.md", "report.html", "report.html.new", "charts/speedup.svg", "journal.half-line"];
    names.into_iter().chain(["environment.json", "environment.json.new"]).for_each(link);
    std::fs::remove_file(format!("{out}/environment.json")).unwrap();
    done(&["run", &file, "--out", &out, "--resume"]);
    // A tournament keeps each pairing in a folder of its own.
    let (games, elsewhere) = (bench.at("games"), bench.at("elsewhere"));
    let tournament = ["tournament", "presets", "--set", "games=2", "--set", "every.nodes=50", "--out", &games];
    done(&tournament);
    let pairings = bench.at("games/games");
    let pairing = std::fs::read_dir(&pairings).unwrap().map(|entry| entry.unwrap().path()).min().unwrap();
    std::fs::create_dir(&elsewhere).unwrap();
    for folder in [pairing.as_path(), Path::new(&pairings)] {
        std::fs::remove_dir_all(folder).unwrap();
        std::os::unix::fs::symlink(&elsewhere, folder).unwrap();
        assert!(stderr(&ends_with(2, &tournament)).contains("it is a link, and games are going to be written there"));
        assert_eq!(std::fs::read_dir(&elsewhere).unwrap().count(), 0);
    }
    assert_eq!(bench.text("notes"), "mine");
    assert!(bench.text("out/report.html").contains("<html"));
}

#[test]
fn a_damaged_line_is_set_aside_by_everybody_who_reads() {
    let (bench, file, out) = tiny("damaged-lines");
    let whole = bench.text("out/journal.jsonl");
    done(&["run", &file, "--out", &bench.at("other")]);
    let tables = |folder: &str| ["summary.csv", "positions.csv"].map(|name| bench.read(&format!("{folder}/{name}")));
    // A key that is damaged, and, where there are checksums, a number.
    let damaged = whole.replacen("\"position\":", "\"qosition\":", 1);
    for (journal, why) in [
        (
            damaged.replacen("\"nodes\":", "\"nodes\":1", 2),
            "line 1 of journal.jsonl is damaged and set aside: its checksum is wrong",
        ),
        (
            without_checksums(whole.lines().next().unwrap()) + whole.split_once('\n').unwrap().1,
            "line 1 of journal.jsonl is damaged and set aside: it has no checksum",
        ),
        (
            damaged.lines().map(sealed).collect(),
            "line 1 of journal.jsonl contradicts itself and is set aside: it names no position",
        ),
    ] {
        bench.write("out/journal.jsonl", journal);
        let other = bench.at("other");
        // One place says it, whichever command reads.
        let reading: [&[&str]; 9] = [
            &["report", &out],
            &["report", &out, "--tables"],
            &["compare", &out, &other],
            &["compare", &other, &out, "--json", "--page", &bench.at("compared.html")],
            &["export", "extra-p", &out],
            &["export", "ro-crate", &out],
            &["run", &file, "--dry-run", "--pilot", &out],
            &["merge", &out, "--out", &bench.at("merged"), "--incomplete"],
            &["run", &file, "--out", &bench.at("again"), "--reuse", &out],
        ];
        let said = |arguments: &[&str]| {
            let text = stderr(&done(arguments));
            assert_eq!(text.matches(&format!("warning: {out}: {why}")).count(), 1, "{arguments:?}: {text}");
        };
        reading.into_iter().for_each(said);
        // What is cited or archived says it too; what came of a merge, by its description.
        let files =
            ["summary.md", "report.html", "charts/captions.md", "charts/captions.tex", "ro-crate-metadata.json"];
        let files = files.map(|name| format!("out/{name}"));
        let files = files.iter().map(String::as_str).chain(["compared.html", "merged/experiment.json"]);
        for name in files {
            let text = bench.text(name).to_lowercase().replace("\\_", "_");
            assert!(text.contains(why), "{name} does not say: {why}");
        }
        said(&["run", &file, "--out", &out, "--resume"]);
        std::fs::remove_dir_all(bench.at("merged")).unwrap();
        assert!(tables("out") == tables("other"), "measured again");
        std::fs::remove_dir_all(bench.at("again")).unwrap();
    }
}

/// One changed bit in ten of a description would change what is printed; a checksum tells, and cannot be taken off.
#[test]
fn a_damaged_description_is_refused_by_everybody_who_reads() {
    let (bench, file, out) = tiny("damaged-description");
    let reading: [&[&str]; 5] = [
        &["report", &out],
        &["compare", &out, &out],
        &["merge", &out, "--out", &bench.at("merged")],
        &["export", "ro-crate", &out],
        &["run", &file, "--out", &out, "--resume"],
    ];
    let tables = bench.read("out/summary.csv");
    for (name, from, to) in [("experiment.json", "\"best\"", "\"bezt\""), ("environment.json", "\"host\"", "\"hose\"")]
    {
        let name = format!("out/{name}");
        let whole = bench.text(&name);
        let changed = whole.replacen(from, to, 1);
        assert_ne!(changed, whole);
        for (text, why) in [
            (changed.clone(), "its checksum is wrong"),
            (without_checksums(whole.trim_end().replace('\n', " ").as_str()), "it has no checksum"),
            (sealed(&changed), "it has the key positions[0].bezt, which is unknown in format"),
        ] {
            // What the environment says of a computer is free.
            if name.contains("environment") && why.contains("unknown") {
                continue;
            }
            bench.write(&name, text);
            for arguments in reading {
                let said = stderr(&ends_with(2, arguments)).split_whitespace().collect::<Vec<_>>().join(" ");
                assert!(said.contains(&name[4..]) && said.contains(why), "{arguments:?}: {said}");
            }
        }
        bench.write(&name, whole);
    }
    done(&["run", &file, "--out", &out, "--resume"]);
    assert!(bench.read("out/summary.csv") == tables);
    // An older folder needs none, and gets them when it is resumed.
    bench.make_format_3("out");
    done(&["report", &out]);
    assert!(bench.read("out/summary.csv") == tables);
    let lines = bench.text("out/journal.jsonl");
    bench.write("out/journal.jsonl", lines.lines().skip(1).map(sealed).collect::<String>());
    done(&["run", &file, "--out", &out, "--resume"]);
    assert!(bench.text("out/experiment.json").contains(&format!("\"format\": {FORMAT}")));
    assert!(bench.text("out/environment.json").contains("\"crc\":") && bench.read("out/summary.csv") == tables);
}

/// Games have descriptions too.
#[test]
fn a_damaged_description_of_games_is_refused() {
    let bench = Bench::new("damaged-games");
    let out = bench.at("out");
    let play = ["match", "modern", "modern", "--games", "2", "--nodes", "50", "--out", &out];
    done(&play);
    for name in ["match.json", "tournament.json"] {
        let file = format!("out/{name}");
        let whole = bench.text(&file);
        bench.write(
            &file,
            whole.replacen("\"nodes\": ", "\"nodes\": 1", 1).replacen("\"title\": \"", "\"title\": \"x", 1),
        );
        let refused = stderr(&ends_with(2, &play));
        assert!(refused.contains(name) && refused.contains("its checksum is wrong"), "{refused}");
        bench.write(&file, whole);
    }
    let games = bench.text("out/games.jsonl");
    bench.write("out/games.jsonl", without_checksums(&games));
    let said = stderr(&done(&["report", &out, "--tables"]));
    assert!(said.contains("line 1 of games.jsonl is damaged and set aside: it has no checksum"), "{said}");
    // From before formats of games had numbers.
    for name in ["match.json", "tournament.json"] {
        let file = format!("out/{name}");
        let mut old: serde_json::Value = serde_json::from_str(&bench.text(&file)).unwrap();
        ["crc", "format"].iter().for_each(|key| drop(old.as_object_mut().unwrap().remove(*key)));
        bench.write(&file, old.to_string());
    }
    let environment = bench.text("out/environment.json");
    bench.write("out/environment.json", without_checksums(environment.replace('\n', " ").as_str()));
    assert!(!stderr(&done(&["report", &out, "--tables"])).contains("damaged"));
    bench.write("out/games.jsonl", games.clone());
    done(&play);
    assert_eq!(bench.text("out/games.jsonl"), games);
    assert!(bench.text("out/environment.json").contains("\"crc\":"));
}

/// Nothing is read but regular files of the folder, and lines end.
#[cfg(target_os = "linux")]
#[test]
fn what_never_ends_and_what_is_elsewhere_is_not_read() {
    let (bench, file, out) = tiny("unbounded");
    let secret = bench.write("secret", "mine");
    let place = |name: &str| format!("{out}/{name}");
    for name in ["journal.jsonl", "experiment.json", "environment.json"] {
        let kept = bench.read(&format!("out/{name}"));
        let become_pipe = || assert!(std::process::Command::new("mkfifo").arg(place(name)).status().unwrap().success());
        let become_device = || std::os::unix::fs::symlink("/dev/zero", place(name)).unwrap();
        for (become_it, kind) in [(&become_pipe as &dyn Fn(), "no regular file"), (&become_device, "a link")] {
            std::fs::remove_file(place(name)).unwrap();
            become_it();
            for arguments in [
                &["report", &out][..],
                &["compare", &out, &out],
                &["merge", &out, "--out", &bench.at("merged")],
                &["export", "extra-p", &out],
                &["run", &file, "--out", &bench.at("again"), "--reuse", &out],
            ] {
                let refused = stderr(&ends_with(2, arguments));
                assert!(refused.contains(name) && refused.contains(kind), "{arguments:?}: {refused}");
                let _ = std::fs::remove_dir_all(bench.at("again"));
            }
        }
        std::fs::remove_file(place(name)).unwrap();
        bench.write(&format!("out/{name}"), kept);
    }
    // The file of an experiment that somebody else made is not a way to what is outside of its folder.
    for name in ["experiment.toml", "positions.epd"] {
        let kept = std::fs::read(place(name)).ok();
        let _ = std::fs::remove_file(place(name));
        std::os::unix::fs::symlink(&secret, place(name)).unwrap();
        let refused = stderr(&ends_with(2, &["merge", &out, "--out", &bench.at("merged")]));
        assert!(refused.contains(name) && refused.contains("a link, which is not read"), "{refused}");
        assert!(!Path::new(&bench.at("merged")).exists());
        ends_with(2, &["export", "ro-crate", &out]);
        std::fs::remove_file(place(name)).unwrap();
        kept.map(|kept| bench.write(&format!("out/{name}"), kept));
    }
    // A sparse file of 80 MiB without an end of line.
    let whole = bench.read("out/journal.jsonl");
    std::fs::OpenOptions::new().write(true).open(place("journal.jsonl")).unwrap().set_len(80 << 20).unwrap();
    let refused = stderr(&ends_with(2, &["report", &out]));
    assert!(refused.contains("line 21 is longer than 64 MiB"), "{refused}");
    // A journal with another name elsewhere: a snapshot, or one from an archive.
    bench.write("out/journal.jsonl", &whole[..whole.len() / 2]);
    std::fs::hard_link(place("journal.jsonl"), bench.at("snapshot")).unwrap();
    let refused = stderr(&ends_with(2, &["run", &file, "--out", &out, "--resume"]));
    assert!(refused.contains("it has other names (hard links)"), "{refused}");
    assert!(bench.read("snapshot") == whole[..whole.len() / 2]);
    std::fs::remove_file(bench.at("snapshot")).unwrap();
    done(&["run", &file, "--out", &out, "--resume"]);
    assert_eq!(bench.text("secret"), "mine");
}

/// Titles, ids and names are shown as text in terminals, captions, tables and pages.
#[test]
fn text_of_somebody_else_is_shown_as_text() {
    let bench = Bench::new("foreign-text");
    let suite = "2q1rr1k/3bbnnp/p2p1pp1/2pPp3/PpP1P1P1/1P2BNNP/2BQ1PRK/7R b - - bm f5; id \"=HYPERLINK(1)\";\n";
    bench.write("foreign.epd", suite);
    let text = TINY.replace("ids = [\"BK03\", \"BK09\"]", "epd = \"foreign.epd\"");
    let title = "title = \"\\u001b]0;owned\\u0007<script>alert(1)</script>\\u202ereversed\"";
    let file = bench.write("foreign.toml", text.replace("title = \"Tiny\"", title));
    let out = bench.at("out");
    let ran = done(&["run", &file, "--out", &out]);
    let dry = done(&["run", &file, "--dry-run"]);
    let tables = done(&["report", &out, "--tables"]);
    let outputs = [&ran, &dry, &tables].map(|output| stdout(output) + &stderr(output));
    let names = ["summary.md", "charts/captions.md", "charts/captions.tex", "positions.csv", "charts/speedup.svg"];
    let files = names.map(|name| bench.text(&format!("out/{name}")));
    for text in outputs.iter().chain(&files) {
        let is_command = |c: char| c.is_control() && c != '\n' && c != '\t' || c == '\u{202e}';
        assert!(!text.contains(is_command), "{text}");
    }
    assert!(!files[1].contains("<script>") || files[1].contains("\\<script>"), "{}", files[1]);
    assert!(files[3].lines().skip(1).all(|line| !line.contains(",=") && !line.starts_with('=')), "{}", files[3]);
    assert!(files[3].contains("'=HYPERLINK(1)"), "{}", files[3]);
    // The page runs its one script, and no other.
    let page = bench.text("out/report.html");
    assert!(page.contains("script-src &#39;sha256-") || page.contains("script-src 'sha256-"), "{}", &page[..600]);
    assert!(!page.contains("script-src 'unsafe-inline'") && !page.contains("<script>alert"));
}

/// Whoever copies a figure or the table into a paper copies what undermines it, too.
#[test]
fn captions_and_the_table_for_papers_say_that_searches_are_missing() {
    let (bench, _, out) = tiny("limits");
    let says = |is_whole: bool| {
        for name in ["summary.tex", "charts/captions.tex", "charts/captions.md"] {
            let text = bench.text(&format!("out/{name}"));
            assert_eq!(text.contains("Preliminary: of "), !is_whole, "{name}: {text}");
        }
    };
    says(true);
    let journal = bench.text("out/journal.jsonl");
    let all_but_one = journal.trim_end().rsplit_once('\n').unwrap().0;
    bench.write("out/journal.jsonl", format!("{all_but_one}\n"));
    done(&["report", &out]);
    says(false);
    // And who names the folder above is told which run was meant.
    let above = bench.at("").trim_end_matches('/').to_owned();
    let told = stderr(&ends_with(2, &["report", &above]));
    assert!(told.contains("; the newest in it is ") && told.contains("out"), "{told}");
}

/// What is cited is the plan, the records and the computers together.
#[test]
fn one_digest_ties_a_folder_together() {
    let (bench, _, out) = tiny("digest");
    let whole = stdout(&done(&["digest", &out]));
    let digest = whole.lines().last().unwrap().to_owned();
    assert!(digest.starts_with("sha256:") && digest.len() == 71, "{whole}");
    for name in ["experiment.json", "journal.jsonl", "environment.json", "experiment.toml"] {
        assert!(whole.contains(&format!("  {name}\n")), "{whole}");
    }
    assert!(bench.text("out/report.html").contains(&digest), "the page of the run has it");
    done(&["export", "ro-crate", &out]);
    assert!(bench.text("out/ro-crate-metadata.json").contains(&format!("\"identifier\": \"{digest}\"")));
    done(&["report", &out]);
    done(&["digest", &out, "--check", &digest]);
    for name in ["experiment.json", "journal.jsonl", "environment.json"] {
        let file = format!("out/{name}");
        let kept = bench.read(&file);
        // Also a change by somebody who renews the checksums.
        let changed =
            bench.text(&file).replacen(env!("CARGO_PKG_VERSION"), "9.9.9", 1).replacen("\"nodes\":1", "\"nodes\":2", 1);
        bench.write_sealed(&file, &changed);
        assert!(bench.read(&file) != kept, "{name}");
        assert!(stderr(&ends_with(1, &["digest", &out, "--check", &digest])).contains("something was changed"));
        bench.write(&file, kept);
    }
    done(&["digest", &out, "--check", &digest]);
    std::fs::create_dir(bench.at("empty")).unwrap();
    ends_with(2, &["digest", &bench.at("empty")]);

    // Somebody else's run is another folder with the same simulated searches.
    let simulated = whole.lines().find_map(|line| line.strip_prefix("simulated ")).unwrap();
    let again = bench.at("again");
    done(&["run", &bench.at("out/experiment.toml"), "--out", &again]);
    let of_again = stdout(&done(&["digest", &again, "--check", simulated]));
    assert!(!of_again.contains(&digest) && simulated != digest, "{of_again}");
    done(&["run", &bench.at("out/experiment.toml"), "--set", "axes.depth=4", "--out", &bench.at("deeper")]);
    ends_with(1, &["digest", &bench.at("deeper"), "--check", simulated]);
    let sentence = stdout(&done(&["cite", &out, "--author", "Bo & Co", "--format", "text"]));
    assert!(
        sentence.starts_with("Bo & Co (") && sentence.contains("Tiny: results of Splitpoint (version "),
        "{sentence}"
    );
    let entry = stdout(&done(&["cite", &out, "--author", "Ada Lovelace", "--author", "Bo & Co"]));
    for part in
        ["@misc{splitpoint-out,", "{Tiny: results of Splitpoint}", "Ada Lovelace and Bo \\& Co", &digest, simulated]
    {
        assert!(entry.contains(part), "{part}: {entry}");
    }
}

/// What cannot be written leaves what was there, and nothing half.
#[cfg(target_os = "linux")]
#[test]
fn a_comparison_is_written_whole_or_not_at_all() {
    let (bench, _, out) = tiny("whole");
    let page = bench.write("compared.html", "mine");
    // Files of at most one block: the page is far larger.
    let command = format!(
        "trap '' XFSZ; ulimit -f 8; exec {} compare {out} {out} --page {page}",
        env!("CARGO_BIN_EXE_splitpoint")
    );
    let output = std::process::Command::new("sh").args(["-c", &command]).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(stderr(&output).contains("cannot write") && bench.text("compared.html") == "mine", "{}", stderr(&output));
    assert!(!Path::new(&bench.at("compared.html.new")).exists(), "nothing half is left");
}

#[test]
fn a_folder_holds_one_kind_of_results() {
    let (bench, file, out) = tiny("kinds");
    let page = bench.read("out/report.html");
    let games = ["match", "modern", "modern", "--games", "2", "--nodes", "50", "--out"];
    let refused = ends_with(2, &[&games[..], &[&out]].concat());
    assert!(stderr(&refused).contains("it holds an experiment (experiment.json): choose another folder"));
    let tournament = ["tournament", "presets", "--set", "games=2", "--set", "every.nodes=50", "--out"];
    ends_with(2, &[&tournament[..], &[&out]].concat());
    assert!(bench.read("out/report.html") == page && !Path::new(&format!("{out}/games.jsonl")).exists());
    let played = bench.at("played");
    done(&[&games[..], &[&played]].concat());
    for arguments in [&["run", &file, "--out", &played][..], &["run", &file, "--out", &played, "--resume"]] {
        let refused = ends_with(2, arguments);
        assert!(stderr(&refused).contains("it holds a match (match.json)"), "{}", stderr(&refused));
    }
    ends_with(2, &[&tournament[..], &[&played]].concat());
}

#[test]
fn a_folder_of_a_newer_format_is_refused() {
    let (bench, file, out) = tiny("newer");
    let format = format!("\"format\": {FORMAT}");
    let description = bench.text("out/experiment.json").replacen(&format, "\"format\": 99", 1);
    bench.write_sealed("out/experiment.json", &description);
    for arguments in [
        &["report", &out][..],
        &["compare", &out, &out],
        &["run", &file, "--out", &out, "--resume"],
        &["run", &file, "--out", &bench.at("again"), "--reuse", &out],
        &["merge", &out, "--out", &bench.at("merged")],
    ] {
        let refused = ends_with(2, arguments);
        let words = stderr(&refused).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(
            words.contains(&format!(
                "in format 99, and this version reads formats up to {FORMAT}: use the newer version"
            )),
            "{words}"
        );
    }
}

/// Nobody can write a file where a folder stands.
#[test]
fn a_folder_that_cannot_be_written_can_be_read() {
    let (bench, _, out) = tiny("no-place");
    std::fs::remove_file(format!("{out}/runs.csv")).unwrap();
    std::fs::create_dir(format!("{out}/runs.csv")).unwrap();
    let tables = done(&["report", &out, "--tables"]);
    assert!(stderr(&tables).contains("warning: ") && stdout(&tables).len() > 1_000, "{}", stderr(&tables));
    assert!(stdout(&ends_with(1, &["report", &out])).contains("speedup"), "it says what it can");
    drop(bench);
}

#[cfg(unix)]
#[test]
fn a_run_whose_folder_is_deleted_ends() {
    let bench = Bench::new("deleted");
    let file = bench.write("long.toml", TINY.replace("depth = 3", "depth = 12"));
    let mut child = begin(&["run", &file, "--out", &bench.at("out")]);
    bench.wait_for_lines("out", 1, &mut child);
    std::fs::remove_dir_all(bench.at("out")).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(stderr(&output).contains("was deleted while it was being written"), "{}", stderr(&output));
}
