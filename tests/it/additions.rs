//! What the tour of extending promises: each patch in `tests/additions` touches no more files than it says, and changes
//! code that is there. `scripts/additions.sh` compiles them and runs their tests.

use std::path::Path;

/// Whether these lines stand in a text, one after the other, in a single place.
fn stands_once(text: &str, lines: &[&str]) -> bool {
    let all: Vec<&str> = text.lines().collect();
    all.windows(lines.len()).filter(|window| *window == lines).count() == 1
}

#[test]
fn additions_touch_as_few_files_as_they_say_and_fit() {
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    let tour = std::fs::read_to_string(top.join("docs/tour-extending.md")).unwrap();
    let mut patches = 0;
    for entry in std::fs::read_dir(top.join("tests/additions")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let patch = std::fs::read_to_string(&path).unwrap();
        let (head, body) = patch.split_once("\ndiff --git ").unwrap();
        let files: Vec<&str> = body.split("\ndiff --git ").collect();
        let aim: usize = head.lines().find_map(|line| line.strip_prefix("Files: ")).unwrap().parse().unwrap();
        assert!(files.len() <= aim, "{name}: {} files, not {aim}", files.len());
        assert!(tour.contains(&format!("| {name} | {aim} |")), "docs/tour-extending.md says nothing of {name}: {aim}");
        for file in files {
            let to = file.lines().find_map(|line| line.strip_prefix("+++ b/")).unwrap();
            if file.contains("new file mode") {
                assert!(!top.join(to).exists(), "{name}: {to} is there already");
                continue;
            }
            let text = std::fs::read_to_string(top.join(to)).unwrap();
            for hunk in file.split("\n@@ ").skip(1) {
                // What is cut off after the last line is a blank one.
                let lines = hunk.lines().skip(1).filter(|line| !line.starts_with('+') && !line.starts_with('\\'));
                let lines: Vec<&str> = lines.map(|line| line.get(1..).unwrap_or_default()).collect();
                assert!(
                    stands_once(&text, &lines),
                    "{name}: {to} has changed: patch --merge -p1 < tests/additions/{name}.patch, mend it, and write it \
                     anew: {lines:?}"
                );
            }
        }
        patches += 1;
    }
    assert!(patches >= 7, "{patches}");
}
