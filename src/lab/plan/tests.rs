use std::path::Path;

use super::super::experiment::shipped;
use super::*;

fn plan(text: &str) -> Result<Plan, String> {
    let experiment = Experiment::parse(Path::new("x.toml"), text, &[], &["speedup"]).map_err(|e| e.to_string())?;
    Plan::of(&experiment, "splitpoint run x.toml").map_err(|error| error.to_string())
}

/// Strategy, threads, position, seed and repetition of each cell.
fn cells(text: &str) -> Vec<String> {
    let words = |cell: &Cell| {
        let Configuration { strategy, threads, .. } = &*cell.configuration;
        format!("{strategy} {threads} {} {}.{}", cell.position, cell.seed, cell.repetition)
    };
    plan(text).unwrap().cells.iter().map(words).collect()
}

const TWO: &str = "positions.ids = [\"BK03\", \"BK09\"]\naxes.depth = 3\n";

#[test]
fn baselines_are_added_and_one_processor_is_one() {
    let text =
        format!("{TWO}baseline = 2\nschedules = 1\naxes.strategy = [\"ybwc\", \"lazy\"]\naxes.threads = [1, 2]\n");
    let expected = [
        "sequential 1 BK03 0.0",
        "sequential 1 BK03 1.0",
        "sequential 1 BK09 0.0",
        "sequential 1 BK09 1.0",
        "ybwc 2 BK03 0.0",
        "ybwc 2 BK09 0.0",
        "lazy 2 BK03 0.0",
        "lazy 2 BK09 0.0",
    ];
    assert_eq!(cells(&text), expected);
    let none = format!("{TWO}baseline = \"none\"\naxes.threads = [2, 2]\n");
    assert_eq!(cells(&none), ["ybwc 2 BK03 0.0", "ybwc 2 BK09 0.0"]);
}

#[test]
fn repetitions_are_seeds_but_for_the_baseline_of_the_thesis() {
    let one = "positions.ids = \"BK03\"\naxes.depth = 3\naxes.threads = 2\nrepetitions = 2\n";
    let of = |more: &str| cells(&format!("{one}{more}"));
    let runs = |more: &str| -> Vec<String> { of(more).into_iter().filter(|cell| cell.starts_with("ybwc")).collect() };
    assert_eq!(runs(""), ["ybwc 2 BK03 0.0", "ybwc 2 BK03 1.0"]);
    assert_eq!(runs("baseline = \"one\""), ["ybwc 2 BK03 0.0", "ybwc 2 BK03 0.1"]);
    assert_eq!(runs("axes.machine = \"virtual\"\nbaseline = \"one\""), ["ybwc 2 BK03 0.0", "ybwc 2 BK03 1.0"]);
    assert_eq!(runs("axes.seed = 7"), ["ybwc 2 BK03 7.0", "ybwc 2 BK03 8.0"]);
    assert_eq!(runs("axes.seed = [3, 5]\naxes.machine = \"virtual\""), ["ybwc 2 BK03 3.0", "ybwc 2 BK03 5.0"]);
    assert_eq!(
        of("axes.seed = [3, 5]\nbaseline = 3\naxes.machine = \"virtual\"")[..3],
        ["sequential 1 BK03 3.0", "sequential 1 BK03 5.0", "sequential 1 BK03 4.0"]
    );
}

#[test]
fn what_has_no_meaning_is_dropped() {
    let text = format!(
        "{TWO}baseline = 1\naxes.strategy = \"sequential\"\naxes.machine = [\"real\", \"virtual\"]\n\
         axes.costs = [\"reference\", \"ideal\"]\naxes.board = [\"bitboards\", \"mailbox\"]\n\
         axes.pin = [\"cores\", \"none\"]\n\
         axes.sliders = [\"magic\", \"ray\"]\naxes.waiting = [\"spin\", \"park\"]\naxes.threads = [1, 2]\n"
    );
    let plan = plan(&text).unwrap();
    // Real: three boards, pinned or not; virtual: three boards with two models.
    assert_eq!(plan.cells.len(), 2 * (3 * 2 + 3 * 2));
    assert_eq!(plan.description.axes, ["machine", "board", "sliders", "pin", "costs"]);
    assert_eq!(plan.models.keys().collect::<Vec<_>>(), ["ideal", "reference"]);
}

#[test]
fn a_disturbance_is_of_real_machines_and_of_their_baselines() {
    let text = format!(
        "{TWO}baseline = 1\naxes.machine = [\"real\", \"virtual\"]\naxes.threads = 2\n\
         axes.disturb = [\"none\", 1]\nplan = [{{}}, {{ machine = \"virtual\", disturb = \"9 of 1024\" }}]\n"
    );
    let plan = plan(&text).unwrap();
    assert_eq!(plan.description.axes, ["machine", "threads", "disturb"]);
    let count = |machine, strategy: &str, disturb: &str| {
        let fits = |cell: &&Cell| {
            let one = &cell.configuration;
            one.machine == machine && one.strategy == strategy && one.field("disturb") == disturb
        };
        plan.cells.iter().filter(fits).count()
    };
    for (machine, disturb) in [(MachineKind::Real, "none"), (MachineKind::Real, "1"), (MachineKind::Virtual, "none")] {
        assert_eq!((count(machine, "sequential", disturb), count(machine, "ybwc", disturb)), (2, 2), "{disturb}");
    }
    assert_eq!(plan.cells.len(), 12);
    let undisturbed = format!("{text}exclude = [{{ disturb = 1 }}]\n");
    assert!(cells(&undisturbed).len() < 12);
}

/// Whoever has a folder of before can complete it.
#[test]
fn an_axis_that_came_later_changes_no_line_in_which_it_is_not_set() {
    let of = |disturb: &str| {
        let text = format!(
            "{TWO}baseline = \"none\"\naxes.threads = 2\naxes.hash = 1\naxes.features = \"thesis\"\naxes.disturb = \
             {disturb}"
        );
        let cell = plan(&text).unwrap().cells[0].clone();
        canonical(&cell).replace(&*cell.fen, "FEN")
    };
    let [without, with] = ["\"none\"", "1"].map(of);
    assert!(!without.contains("disturb"), "{without}");
    assert_eq!(with.replace("disturb=1|", ""), without);
    assert!(without.starts_with("strategy=ybwc|") && without.ends_with("|BK03|FEN|3|0|0\n"), "{without}");
}

#[test]
fn combinations_are_left_out_and_depths_are_positions_own() {
    let text = "baseline = \"none\"\naxes.threads = [2, 3]\naxes.hash = [1, 2]\n[positions]\n\
                ids = [\"BK03\", \"BK09\"]\n\
                depths = { BK03 = 4, BK09 = 5 }\n[[exclude]]\nthreads = 3\nhash = [2, 4]\n";
    let plan = plan(text).unwrap();
    let depths: Vec<Option<u32>> = plan.cells.iter().map(|cell| cell.depth).collect();
    assert_eq!(depths, [Some(4), Some(5)].repeat(3));
    assert!(plan.cells.iter().all(|cell| cell.configuration.threads == 2 || cell.configuration.hash_mib == 1));
}

#[test]
fn shards_are_disjoint_and_complete_and_keep_a_position_together() {
    let text = "baseline = 2\naxes.threads = [1, 2, 3]\naxes.depth = 3\naxes.hash = [1, 2]";
    let plan = plan(text).unwrap();
    let parts: Vec<Vec<(u64, &Cell)>> = (1..=3).map(|number| plan.part(Some(Shard { number, of: 3 }))).collect();
    let indexed: Vec<(u64, &Cell)> = (0..).zip(&plan.cells).collect();
    for (i, cell) in plan.cells.iter().enumerate() {
        assert_eq!(parts.iter().filter(|part| part.contains(&indexed[i])).count(), 1);
        let twin = |other: &Cell| {
            other.position == cell.position && other.configuration.hash_mib == cell.configuration.hash_mib
        };
        let with = plan.cells.iter().position(twin).unwrap();
        assert!(parts.iter().all(|part| part.contains(&indexed[i]) == part.contains(&indexed[with])));
    }
    assert!(parts.iter().all(|part| !part.is_empty()));
}

#[test]
fn plans_that_cannot_be() {
    for (text, message) in [
        ("axes.treads = 1", "did you mean 'threads'"),
        ("titel = \"x\"", "did you mean 'title'"),
        ("axes.threads = \"0..=4\"", "0 is out of range: must be from 1 to 1024"),
        ("positions.suite = \"thesis-11\"", "did you mean 'thesis-10'"),
        ("positions.ids = [\"BK3\"]", "there is no position 'BK3'"),
        ("positions.epd = \"/nowhere.epd\"", "/nowhere.epd"),
        ("axes.strategy = \"ybwc,minimum-dratf=3\"", "did you mean 'minimum-draft'"),
        ("axes.depth = \"own\"", "'own' needs a depth for each position"),
        ("axes.depth = []", "this list is empty"),
        ("axes.depth = 61", "61 is out of range: must be from 1 to 60"),
        ("[strategy.ybwc]\nminimum-draft = 0", "takes a whole number"),
        ("[strategy.ybwx]\nminimum-draft = 3", "did you mean 'ybwc'"),
        ("[costs.mine]\nlock_handof = 3", "did you mean 'lock_handoff'"),
        ("[costs.reference]\nlock_handoff = 3", "cannot be the name"),
        ("report.charts = [\"speedups\"]", "did you mean 'speedup'"),
        ("report.interval = \"these\"", "is not an interval"),
        ("baseline = 0", "expected a number of seeds"),
        ("disturbed = \"drop\"", "expected \"flag\""),
        ("axes.disturb = \"3 of 2\"", "more busy threads than CPUs"),
        ("axes.disturb = \"x of 4\"", "'x of 4' is not a disturbance"),
        ("axes.disturb = [0.5]", "expected a number of threads"),
        ("axes.disturb = \"1 of 1024\"", "disturb: '1 of 1024' needs 1024 CPUs"),
        ("fill = \"memroy\"", "did you mean 'memory'"),
        ("order = \"fast\"", "is not an order"),
        ("limit = \"soon\"", "is not a duration"),
        ("most_cells = 0", "expected a whole number from 1"),
        ("plan = 3", "write [[plan]]"),
        ("repetitions = \"three\"", "a whole number from 1"),
        ("[positions]\nids = \"BK03\"\ndepths = { BK09 = 3 }", "'BK03' has no depth"),
        ("[[exclude]]\nmachine = \"real\"", "the plan is empty"),
        ("axes.threads = 2\n[[exclude]]\nthreads = 3", "no search of the plan matches"),
        ("report.reference = { hash = 7 }", "no search of the plan matches"),
        ("[names]\nlazy = \"ybwc\"", "cannot be a new name"),
        ("[names]\nmine = \"ybwz\"", "neither a strategy nor features nor a cost model"),
    ] {
        let error = plan(text).unwrap_err();
        assert!(error.contains(message), "{text}: {error}");
    }
}

/// A slip of the finger is told at once, before a cell is made.
#[test]
fn plans_that_are_too_large_are_refused_with_the_product() {
    // Their cells would not fit into any memory: that the test ends shows that they are never made.
    let virtually = "axes.machine = \"virtual\"\naxes.depth = 3\naxes.threads = [2, 4]\n";
    for (text, expected) in [
        (
            format!("repetitions = 10000\n{virtually}axes.costs = [\"reference\", \"ideal\", \"e15k\"]"),
            "10 000 repetitions x 10 positions x 3 costs x 2 threads",
        ),
        (
            format!("{virtually}axes.hash = \"1..=10000\"\naxes.seed = \"0..=9999\"\nbaseline = 10000"),
            "10 000 hash x 10 000 seed x 10 positions x 2 threads",
        ),
        (
            format!("{virtually}axes.hash = \"1..=10000\"\naxes.nodes = [1, 2, 3, 4, 5, 6]"),
            "10 000 hash x 10 positions x 6 nodes x 2 threads",
        ),
        (
            "plan = [{ hash = 1 }, { hash = 2 }]\nbaseline = 8\nrepetitions = 5000\naxes = { threads = 2, depth = 3 }\n\
          most_cells = 60000"
                .to_owned(),
            "searches of each of 10 positions, in 2 blocks",
        ),
    ] {
        let error = plan(&text).unwrap_err().replace('\u{202f}', " ");
        let advice = ["most_cells = ", "No plan has more than 100 000 000"];
        assert!(error.contains(expected) && advice.iter().any(|words| error.contains(words)), "{error}");
    }
    // What is allowed by the advice is enough, though not all axes are multiplied out.
    let wide = format!(
        "{virtually}axes.hash = \"1..=10000\"\naxes.nodes = [1, 2, 3, 4, 5, 6]\nbaseline = 8\nrepetitions = 3\n"
    );
    let error = plan(&wide).unwrap_err().replace('\u{202f}', " ");
    let bound = 2 * 10_000 * 6 * (3 + 8) * 10;
    assert!(error.contains("up to 13 200 000 searches, more than 100 000"), "{error}");
    assert!(error.ends_with(&format!("most_cells = {bound}")), "{error}");
    let allowed = plan(&format!("{virtually}baseline = 8\nrepetitions = 6000\nmost_cells = 1000000")).unwrap();
    assert_eq!(allowed.cells.len(), 2 * 10 * 6000 + 10 * 8);
}

/// Two switches and two changes of costs in eight runs: each run is a strategy with its own costs, and beside them
/// there is a baseline for each of the four models.
#[test]
fn a_design_in_two_fields_has_its_runs_and_no_others() {
    let text = r#"
        baseline = 1
        [positions]
        suite = "thesis-10"
        every = 10
        [axes]
        machine = "virtual"
        costs = "e15k"
        threads = 8
        depth = 3
        [[plan]]
        [plan.factorial]
        base = "ybwc-as-printed"
        factors = ["defect-stop-polling", "defect-false-sharing"]
        costs = ["bus_line=9", "away_permille=50"]
        runs = 8
    "#;
    let plan = plan(text).unwrap();
    let shared: Vec<_> = plan.cells.iter().filter(|cell| cell.configuration.threads == 8).collect();
    let design = &plan.description.factorials[0];
    assert_eq!((shared.len(), plan.cells.len(), design.factors.len()), (8, 12, 4));
    for cell in shared {
        let value = design.value(&cell.configuration);
        let (_, levels) = design.runs.iter().find(|(run, _)| *run == value).unwrap();
        assert_eq!(levels[2], value.contains("bus_line=9"), "{value}");
        assert_eq!(levels[0], !value.contains("-defect-stop-polling"), "{value}");
        assert_eq!(design.rest(&cell.configuration).costs, None);
    }
}

#[test]
fn copies_are_varied_where_positions_are_handed_over() {
    let of = |more: &str| -> Vec<[String; 4]> {
        let fields = |cell: &Cell| {
            let field = |name| cell.configuration.field(name);
            [field("strategy"), field("copy"), field("copier"), field("make")]
        };
        let plan =
            plan(&format!("positions.ids = \"BK03\"\naxes.depth = 3\nbaseline = 1\nschedules = 1\n{more}")).unwrap();
        plan.cells.iter().map(fields).collect()
    };
    let rows = |rows: &[[&str; 4]]| rows.iter().map(|row| row.map(str::to_owned)).collect::<Vec<_>>();
    let copies = "axes.threads = 2\naxes.strategy = [\"ybwc\", \"lazy\"]\n\
                  axes.copy = [\"trimmed\", \"partial:2\", \"padded:50\"]\naxes.copier = \"both-locked\"";
    let expected = rows(&[
        ["sequential", "", "", ""],
        ["ybwc", "trimmed", "both-locked", ""],
        ["ybwc", "partial:2", "both-locked", ""],
        ["ybwc", "trimmed+50", "both-locked", ""],
        ["lazy", "", "", ""],
    ]);
    assert_eq!(of(copies), expected);
    let makes = of("axes.threads = [1, 2]\naxes.make = [\"undo\", \"copy\"]");
    let expected = rows(&[
        ["sequential", "", "", "undo"],
        ["ybwc", "", "", "undo"],
        ["sequential", "", "", "copy"],
        ["ybwc", "", "", "copy"],
    ]);
    let sorted = |mut rows: Vec<[String; 4]>| {
        rows.sort();
        rows
    };
    assert_eq!(sorted(makes), sorted(expected));
    for (text, message) in [
        ("axes.copy = \"zip\"", "'zip' is not a copy mode"),
        ("axes.copy = \"partial:4\"", "'4' is not a number of parts: expected 0 to 3"),
        ("axes.copy = \"whole:1\"", "'whole' has no number of parts"),
        ("axes.copy = \"compact\"\naxes.strategy = \"ybwc,copy=replay\"\naxes.threads = 2", "axis 'copy' and"),
        ("axes.make = \"copy\"\naxes.features = \"thesis,+copy-make\"", "axis 'make' and"),
    ] {
        let error = plan(&format!("positions.ids = \"BK03\"\naxes.depth = 3\n{text}")).unwrap_err();
        assert!(error.contains(message), "{text}: {error}");
    }
}

/// A search has a horizon only where its strategy would let the depth asked for change the way to it.
#[test]
fn only_shared_lazy_searches_to_a_depth_have_a_horizon() {
    let of = |more: &str| {
        let text = "positions.ids = \"BK03\"\nbaseline = 1\nschedules = 1\naxes.threads = [1, 2]\naxes.strategy = ";
        plan(&format!("{text}{more}")).unwrap()
    };
    let horizons = |more: &str| -> Vec<String> {
        let cells = of(more).cells;
        cells
            .iter()
            .map(|cell| ["strategy", "horizon"].map(|field| cell.configuration.field(field)).join(" "))
            .collect()
    };
    let all = "[\"ybwc\", \"lazy\", \"abdada\"]\naxes.depth = 3\n";
    assert_eq!(horizons(all), ["sequential ", "ybwc ", "lazy open", "abdada "]);
    let both = format!("{all}axes.horizon = [\"open\", \"closed\"]\n");
    assert_eq!(horizons(&both), ["sequential ", "ybwc ", "lazy open", "lazy closed", "abdada "]);
    assert_eq!(horizons("\"lazy\"\naxes.nodes = 100\n"), ["sequential ", "lazy "]);
    let axes = |more: &str| of(more).description.axes;
    assert_eq!(axes(all), ["strategy", "threads"]);
    assert_eq!(axes(&both), ["strategy", "threads", "horizon"]);
    // Plans without such a search are those of before.
    let fingerprint = |more: &str| of(more).description.plan;
    let others = "[\"ybwc\", \"abdada\"]\naxes.depth = 3\n";
    assert_eq!(fingerprint(others), fingerprint(&format!("{others}axes.horizon = \"closed\"\n")));
    assert_ne!(fingerprint(all), fingerprint(&format!("{all}axes.horizon = \"closed\"\n")));
}

#[test]
fn a_micro_measurement_is_one_cell_a_repetition() {
    let text = "positions.ids = \"BK03\"\naxes.depth = 3\nbaseline = 1\naxes.threads = 1\n\
                [[plan]]\nmicro = [\"bits\", \"copy\"]\nrepetitions = 2\n[[plan]]\nboard = \"mailbox\"\n";
    let plan = plan(text).unwrap();
    let words = |cell: &Cell| {
        let Configuration { micro, board, .. } = &*cell.configuration;
        format!("{} {board} {} {}", micro.clone().unwrap_or_default(), cell.position, cell.seed)
    };
    assert_eq!(
        plan.cells.iter().map(words).collect::<Vec<_>>(),
        ["bits   0", "bits   1", "copy   0", "copy   1", " mailbox BK03 0"]
    );
    assert!(plan.description.axes.is_empty(), "{:?}", plan.description.axes);
}

#[test]
fn what_a_file_says_for_its_readers_is_described_and_is_no_part_of_the_plan() {
    let said = "positions.why = \"the first two,\\n  which are small\"\n\
                report = { size = \"500ms\", primary = [\"lazy and ybwc\"] }\n";
    let (plain, with) = (plan(TWO).unwrap().description, plan(&format!("{TWO}{said}")).unwrap().description);
    assert_eq!((plain.size_s, plain.primary.len(), plain.why.as_str()), (None, 0, ""));
    assert_eq!((with.size_s, with.why.as_str()), (Some(0.5), "the first two, which are small"));
    assert_eq!((with.primary, with.plan), (vec!["lazy and ybwc".to_owned()], plain.plan.clone()));
    let bytes = serde_json::to_string(&plain).unwrap();
    for key in ["size_s", "primary", "why"] {
        assert!(!bytes.contains(&format!("\"{key}\"")), "{key} is in folders that do not have it: {bytes}");
    }
    let wrong = plan("report.size = \"large\"").unwrap_err();
    assert!(wrong.contains("report.size") && wrong.contains("'large' is not a duration"), "{wrong}");
}

/// Plans of the shipped experiments on a computer with two processors and without pext: whoever has a folder of one
/// can complete it. `scripts/update-docs.sh` writes them anew.
const SHIPPED: &str = "src/lab/plan/shipped.txt";

#[test]
fn shipped_experiments_keep_their_plans() {
    let plan = |shipped: &shipped::Shipped| {
        let words = [("..=cores", "..=2"), ("\"cores\"]", "2]"), ("\"available\"", "\"magic\"")];
        let text = words.iter().fold(shipped.text.to_owned(), |text, (word, value)| text.replace(word, value));
        let experiment = Experiment::parse(Path::new("x.toml"), &text, &[], &shipped::CHARTS).unwrap();
        format!("{} {}\n", shipped.name, Plan::of(&experiment, "").unwrap().description.plan)
    };
    let now: String = shipped::EXPERIMENTS.iter().map(plan).collect();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(SHIPPED);
    if std::env::var_os("SPLITPOINT_UPDATE_DOCS").is_some() {
        std::fs::write(&path, &now).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap();
    let changed: Vec<&str> = now.lines().filter(|line| !kept.lines().any(|known| known == *line)).collect();
    assert!(changed.is_empty() && now.lines().count() == kept.lines().count(), "{changed:#?}");
}
