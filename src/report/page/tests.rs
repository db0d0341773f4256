//! The page of a hand-made experiment: what is seen first, and that nothing breaks out of it.

use super::page;
use crate::Source;
use crate::analysis::Analysis;
use crate::analysis::samples::one_against_four;
use crate::charts::{self, Files};
use crate::question::Headline;
use crate::record::Description;
use crate::sentence::Sentence;

fn made(change: impl FnOnce(&mut Description)) -> String {
    let (mut description, records) = one_against_four();
    description.charts = ["time-speedup", "losses"].map(str::to_owned).to_vec();
    change(&mut description);
    let source = Source::of(Analysis::of(description, &records));
    let charts = charts::draw(&source, Files::default()).unwrap();
    page(&source, &Headline::of(&source), &charts, None)
}

#[test]
fn the_verdict_comes_before_picture_table_and_questions() {
    let page = made(|_| {});
    let places: Vec<usize> =
        ["class=\"verdict\"", "class=\"tiles\"", "id=\"chart-time-speedup\"", "<table", "id=\"where\"", "id=\"how\""]
            .iter()
            .map(|what| page.find(what).unwrap_or_else(|| panic!("{what} is missing")))
            .collect();
    assert!(places.is_sorted(), "{places:?}");
    assert_eq!(page.matches("id=\"chart-time-speedup\"").count(), 1, "a chart is drawn once");
    // Open is what the experiment asks for, and no more than two.
    assert!((1..=2).contains(&page.matches("open=\"open\"").count()));
}

/// Grey or bold is explained where it is seen.
#[test]
fn a_verdict_that_something_undermines_is_grey_and_says_why() {
    let (mut description, records) = one_against_four();
    description.charts = vec!["time-speedup".to_owned()];
    let source = Source::of(Analysis::of(description, &records));
    let of = |headline: Headline| page(&source, &headline, &[], None);
    let certain = of(Headline { verdict: Sentence::described("It is so."), ..Headline::default() });
    assert!(certain.contains("<p class=\"verdict\"") && !certain.contains(super::DOUBTFUL));
    let page = of(Headline { is_tentative: true, ..Headline::default() });
    assert!(page.contains("<p class=\"verdict doubtful\"") && page.contains(super::DOUBTFUL));
}

/// Words that a drawing has in print stand below it on the page, where they take no room.
#[test]
fn bars_are_explained_below_a_picture_and_not_in_it() {
    let page = made(|_| {});
    let (before, after) = page.split_once("class=\"bars\">").unwrap();
    assert!(after.starts_with("Bars: 95 %") && !before.contains(">Bars: "));
    assert!(after.contains("Measured: "));
}

#[test]
fn words_of_an_experiment_cannot_break_out_of_the_page() {
    let page = made(|description| {
        description.title = "<script>alert(1)</script>".to_owned();
        description.question = "a & b < c".to_owned();
        description.command = "\"><img src=x>".to_owned();
    });
    assert!(!page.contains("<script>alert") && !page.contains("<img"), "markup is escaped");
    assert!(page.contains("a &amp; b &lt; c"));
    assert_eq!(page.matches("<script>").count(), 1, "one script of our own");
    assert!(!page.contains("http://") || page.matches("http://www.w3.org").count() == page.matches("http://").count());
}

#[test]
fn the_same_figures_give_the_same_bytes() {
    assert_eq!(made(|_| {}), made(|_| {}));
}

/// Elements that the script asks the page for are those that the page has; the script itself runs in browsers only.
#[test]
fn the_script_finds_what_it_looks_for() {
    let page = made(|_| {});
    let (body, script) = page.split_once("<script>").unwrap();
    for (asked, found) in [
        ("\"details.part\"", "<details class=\"part\""),
        ("part.firstElementChild", "\"><summary"),
        ("\"table.sortable\"", "<table class=\"sortable\""),
        ("dataset.order", "data-order=\""),
        ("dataset.ends", "data-ends=\""),
        ("dataset.name", "data-name=\""),
        ("\"[data-curve]\"", "data-curve=\""),
        ("\"figure\"", "<figure"),
        ("\".picture svg\"", "<div class=\"picture\"><svg"),
        ("\"rect > title\"", "<title>"),
        ("\"processors\"", ">Processors<"),
    ] {
        assert!(script.contains(asked), "{asked} is not asked for: take it out here");
        assert!(body.contains(found), "{asked}: there is no {found}");
    }
}
