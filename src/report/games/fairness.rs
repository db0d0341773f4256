//! Whether a match was fair: whether a move took both players about as much, as far as their limit leaves it to them.

use super::Played;
use super::standing::Standing;
use crate::record::PlayerInfo;
use crate::table::number::{count, figure};

/// Ratio of nodes or times of a move from which on a match is not fair.
const UNFAIR: f64 = 2.0;
/// Time of a move in nanoseconds below which it says little of a player: 1 ms.
const SHORT_NS: f64 = 1e6;

/// Whether the games of a pairing were fair; with odds they are not meant to be equal.
pub(super) fn is_fair(players: &[PlayerInfo], Played { pairing, standing, .. }: &Played) -> bool {
    let both = players.get(pairing.first).zip(players.get(pairing.second));
    pairing.multiple.is_some() || both.is_none_or(|(one, other)| unfair([one, other], standing).is_none())
}

/// Sentence that a move of one of two players with the same limit took much more than one of the other; nothing if it
/// did not, or if the limit leaves that to the players. Programs count nodes differently, and a clock is theirs to
/// spend.
pub(super) fn unfair([first, second]: [&PlayerInfo; 2], standing: &Standing) -> Option<String> {
    if first.limit != second.limit || first.processors != second.processors || first.limit.contains("clock") {
        return None;
    }
    let differ = |[one, other]: [f64; 2]| one.max(other) > UNFAIR * one.min(other);
    let nodes = standing.work.map(|work| work.mean(work.nodes));
    let times = standing.work.map(|work| work.mean(work.time_ns));
    let is_by_depth = first.limit.starts_with("depth");
    let is_unfair = is_by_depth && differ(nodes) || times[0].max(times[1]) >= SHORT_NS && differ(times);
    let took = |side: usize| format!("{} nodes in {} ms", count(nodes[side].round()), figure(times[side] * 1e-6));
    is_unfair.then(|| {
        let [one, other] = [took(0), took(1)];
        let remedy = if is_by_depth { " A depth is not the same work in both; limit them by --move-time." } else { "" };
        format!("Not a fair match: a move took {} {one}, and {} {other}.{remedy}", first.name, second.name)
    })
}

#[cfg(test)]
mod tests {
    use super::super::standing::Work;
    use super::*;

    #[test]
    fn a_match_of_unequal_work_is_not_fair() {
        let of = |limit: &str, nodes: [u64; 2], ms: [u64; 2]| {
            let player = |name: &str| PlayerInfo { name: name.into(), limit: limit.into(), ..PlayerInfo::default() };
            let players = [player("Stockfish 15.1"), player("Toga II 3.0")];
            let work = [0, 1].map(|side: usize| Work {
                moves: 3,
                nodes: 3 * nodes[side],
                time_ns: 3_000_000 * ms[side],
                ..Work::default()
            });
            let mut standing = Standing::default();
            standing.work = work;
            unfair([&players[0], &players[1]], &standing)
        };
        let by_depth = of("depth 6", [522, 16_111], [2, 31]);
        let expected = "Not a fair match: a move took Stockfish 15.1 522 nodes in 2.00 ms, and Toga II 3.0 \
                        16\u{202f}111 nodes in 31.0 ms. A depth is not the same work in both; limit them by \
                        --move-time.";
        assert_eq!(by_depth.as_deref(), Some(expected));
        for (limit, nodes, ms, is_fair) in [
            ("depth 6", [100, 201], [1, 1], false),
            ("depth 6", [100, 199], [2, 3], true),
            ("0.05 s", [100, 900], [50, 50], true),
            ("0.05 s", [100, 100], [50, 101], false),
            ("100 nodes", [100, 100], [1, 3], false),
            ("100 nodes", [100, 100], [0, 0], true),
            ("a clock of 5+0.05 s", [100, 900], [10, 90], true),
        ] {
            assert_eq!(of(limit, nodes, ms).is_none(), is_fair, "{limit} {nodes:?} {ms:?}");
        }
    }
}
