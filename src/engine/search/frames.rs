//! The search on an explicit stack: the same tree, node for node, by the same steps as the recursive search
//! (`alpha_beta`), with a frame for each node in place of a call. What a worker is doing can be seen from outside, and
//! handed over in the middle.

use std::ops::ControlFlow::{Break, Continue};

use super::alpha_beta::Turn;
use super::brother::Stage;
use super::ledger::Entered;
use super::node::{Below, Node, Place, Progress, Window};
use super::null_move::{Pass, Passed};
use super::picker::{Picker, Ranked};
use super::prob_cut::{self, Captures};
use super::singular::Others;
use super::strategy::Strategy;
use super::table::Hint;
use super::worker::{Made, Ply, Worker};
use crate::chess::{Board, History, Move, MoveList, Score, Sizes, Undo};
use crate::counts::{Account, Losses};
use crate::machine::Processor;

/// A node that is being searched.
pub(crate) struct Frame<B: Board> {
    pub node: Node,
    hint: Hint,
    /// Height of the stack of moves below the node's own.
    top: usize,
    entered: Option<Entered>,
    pub picker: Picker,
    turn: Turn,
    aside: Option<Box<Aside>>,
    step: Step<B>,
}

/// Moves of a node that are searched less deep before its own loop.
enum Aside {
    /// Captures that may be far above beta.
    Captures(Captures),
    /// All moves but the first.
    Others(Others),
}

/// Search below a node of an explicit stack whose result the node needs to go on.
enum Step<B: Board> {
    /// The search after a null move.
    Pass(Pass),
    /// The search that verifies a null move with this score.
    Verification(Score),
    /// A capture that may be far above beta.
    Capture(Trial<B>),
    /// The search less deep that finds a first move.
    Deepening,
    /// A move that may be as good as the first.
    Other(Trial<B>),
    /// A move.
    Move(Trial<B>),
}

/// A move that has been made, and is being searched.
pub(crate) struct Trial<B> {
    pub mv: Move,
    undo: Undo,
    /// Board before the move, if boards are copied.
    board: Option<Box<B>>,
    stage: Stage,
    /// With a window that others may raise: the worker's account before the present search; in a base that waits to be
    /// carried up, the work of that search so far.
    pub before: Option<Account>,
}

/// Bytes that are paid for the account of lost nodes in a frame: as many as it had when this was first paid. A class
/// that is counted more must not change the time of a search.
const PAID_FOR_LOSSES: usize = 6 * size_of::<i64>();

/// Part of a stack that one worker leaves and another may take over: the nodes from below a split point down to the
/// next.
pub(crate) struct Trunk<B: Board> {
    pub frames: Vec<Frame<B>>,
    /// Height of the stack of moves below the first frame, and the moves from there on.
    moves: (usize, Vec<Ranked>),
    /// First ply that the frames depend on, and the memory of the plies from there on.
    plies: (usize, Vec<Ply>),
    lines: Vec<Vec<Move>>,
    board: Option<B>,
    past: History,
}

/// Where a worker was before it climbed to a node above.
pub(crate) struct Away<B> {
    board: B,
    past: History,
    /// Height of the stack of moves up to the node above, and the moves beyond.
    pub height: usize,
    moves: Vec<Ranked>,
}

impl<B: Board> Frame<B> {
    /// Move that the node is searching, and the progress of the node, which counts that move; if that does not keep the
    /// other moves from being searched.
    pub fn present(&self) -> Option<(Move, Progress)> {
        match &self.step {
            Step::Move(trial) if !matches!(trial.stage, Stage::Open) => Some((trial.mv, self.turn.progress)),
            _ => None,
        }
    }
}

impl<B: Board> Trunk<B> {
    /// A trunk of no nodes.
    pub fn empty() -> Self {
        Self {
            frames: Vec::new(),
            moves: (0, Vec::new()),
            plies: (0, Vec::new()),
            lines: Vec::new(),
            board: None,
            past: History::with_capacity(0),
        }
    }

    /// Number of bytes that are copied with a board of these sizes.
    pub fn bytes(&self, sizes: &Sizes) -> usize {
        let frames = self.frames.len() * (size_of::<Frame<B>>() - size_of::<Losses>() + PAID_FOR_LOSSES);
        frames + size_of_val(&self.moves.1[..]) + size_of_val(&self.plies.1[..]) + sizes.whole
    }
}

impl<B: Board, P: Processor, S: Strategy> Worker<'_, B, P, S> {
    /// Goes one step on: pushes the node that comes next on the stack, or gives the result of the last to the node on
    /// top. With an empty stack there is nobody to give a result to.
    pub(crate) fn step(&mut self, frames: &mut Vec<Frame<B>>, below: Below) -> Below {
        match below {
            Continue(node) => self.push(frames, node),
            Break(score) => {
                let frame = frames.last_mut().expect("a result is for the node above");
                match self.resume(frame, score) {
                    Continue(node) => Continue(node),
                    Break(score) => Break(self.pop(frames, score)),
                }
            }
        }
    }

    /// Leaves the node on top, with its result.
    pub(crate) fn pop(&mut self, frames: &mut Vec<Frame<B>>, score: Option<Score>) -> Option<Score> {
        let frame = frames.pop()?;
        self.moves.truncate(frame.top);
        if let Some(entered) = frame.entered {
            self.leave(&entered, score.is_some());
        }
        self.limited(&frame.node, score)
    }

    fn push(&mut self, frames: &mut Vec<Frame<B>>, mut node: Node) -> Below {
        let top = self.moves.len();
        let asked = node;
        let mut list = MoveList::new();
        let arrived = match self.arrive(&mut node, &mut list) {
            Continue(arrived) => arrived,
            Break(score) => return Break(self.limited(&asked, score)),
        };
        let turn = self.first_turn(&node);
        let picker = Picker::ranked(top, top);
        let (hint, entered) = (arrived.hint, arrived.entered);
        frames.push(Frame { node, hint, top, entered, picker, turn, aside: None, step: Step::Deepening });
        let frame = frames.last_mut().expect("it was pushed");
        match self.begin(frame, &mut list) {
            Continue(child) => Continue(child),
            Break(score) => Break(self.pop(frames, score)),
        }
    }

    /// Begins with what may end a node before its moves are searched.
    fn begin(&mut self, frame: &mut Frame<B>, list: &mut MoveList) -> Below {
        if let Break(score) = self.judge_standing(&mut frame.node) {
            return Break(score);
        }
        match self.begin_null_move(&frame.node) {
            None => self.begin_captures_or_deeper(frame, list),
            Some((pass, Continue(child))) => {
                frame.step = Step::Pass(pass);
                Continue(child)
            }
            Some((pass, Break(score))) => self.after_null_move(frame, pass, score),
        }
    }

    fn after_null_move(&mut self, frame: &mut Frame<B>, pass: Pass, score: Option<Score>) -> Below {
        match self.end_null_move(&mut frame.node, pass, score) {
            Passed::InVain => self.begin_captures_or_deeper(frame, &mut MoveList::new()),
            Passed::Stopped => Break(None),
            Passed::High(score, None) => match self.cut_by_null_move(&frame.node, frame.hint, score) {
                Break(score) => Break(score),
                Continue(()) => self.begin_captures_or_deeper(frame, &mut MoveList::new()),
            },
            Passed::High(score, Some(again)) => {
                frame.step = Step::Verification(score);
                Continue(again)
            }
        }
    }

    fn begin_captures_or_deeper(&mut self, frame: &mut Frame<B>, list: &mut MoveList) -> Below {
        if self.plan.tries_captures
            && let Some(captures) = self.begin_captures(&frame.node)
        {
            frame.aside = Some(Box::new(Aside::Captures(captures)));
            return self.next_trial_of_captures(frame);
        }
        self.begin_deeper(frame, list)
    }

    fn next_trial_of_captures(&mut self, frame: &mut Frame<B>) -> Below {
        while let Some(Aside::Captures(captures)) = frame.aside.as_deref_mut() {
            let mv = match self.next_capture(captures) {
                Continue(Some(mv)) => mv,
                Continue(None) => break,
                Break(score) => return Break(score),
            };
            if let Some((trial, child)) = self.begin_trial(&captures.node, &captures.window, mv, prob_cut::PLACE) {
                frame.step = Step::Capture(trial);
                return Continue(child);
            }
        }
        frame.aside = None;
        self.begin_deeper(frame, &mut MoveList::new())
    }

    fn begin_deeper(&mut self, frame: &mut Frame<B>, list: &mut MoveList) -> Below {
        if let Break(score) = self.cut_by_several(&frame.node, frame.hint) {
            return Break(score);
        }
        if !frame.hint.is_some()
            && self.features.internal_deepening.is_used()
            && let Some(shallow) = self.begin_deepening(&mut frame.node)
        {
            frame.step = Step::Deepening;
            return Continue(shallow);
        }
        self.begin_others_or_moves(frame, list)
    }

    fn begin_others_or_moves(&mut self, frame: &mut Frame<B>, list: &mut MoveList) -> Below {
        if self.may_be_singular(&frame.node, frame.hint) {
            frame.aside = self.begin_others(&frame.node).map(|others| Box::new(Aside::Others(others)));
            if frame.aside.is_some() {
                return self.next_trial_of_others(frame);
            }
        }
        self.begin_moves(frame, list)
    }

    fn next_trial_of_others(&mut self, frame: &mut Frame<B>) -> Below {
        while let Some(Aside::Others(others)) = frame.aside.as_deref_mut() {
            let Some(mv) = self.next_other(&mut frame.node, others, frame.hint) else { break };
            let place = Place::later(others.number);
            match self.begin_trial(&others.node, &others.window, mv, place) {
                Some((trial, child)) => {
                    frame.step = Step::Other(trial);
                    return Continue(child);
                }
                None => {
                    let skipped = Some(others.window.alpha);
                    if self.end_other(&mut frame.node, others, skipped).is_break() {
                        break;
                    }
                }
            }
        }
        frame.aside = None;
        self.begin_moves(frame, &mut MoveList::new())
    }

    fn begin_moves(&mut self, frame: &mut Frame<B>, list: &mut MoveList) -> Below {
        if frame.node.in_check && list.is_empty() {
            // Counted when the node was entered.
            self.board.legal_moves(list);
        }
        frame.picker = self.first_picker(&frame.node, list, frame.hint);
        self.next_trial(frame)
    }

    fn next_trial(&mut self, frame: &mut Frame<B>) -> Below {
        loop {
            let Frame { node, turn, picker, .. } = frame;
            let (mv, place) = match self.next_turn(node, turn, picker) {
                Continue(next) => next,
                Break(ended) => return self.end(frame, ended.of(&frame.turn)),
            };
            match self.begin_trial(node, &turn.progress, mv, place) {
                Some((trial, child)) => {
                    frame.step = Step::Move(trial);
                    return Continue(child);
                }
                None => {
                    let skipped = Some(turn.progress.alpha);
                    if let Break(ended) = self.end_turn(node, turn, picker, mv, skipped) {
                        return self.end(frame, ended.of(&frame.turn));
                    }
                }
            }
        }
    }

    /// Result of a node whose moves have been searched or cut off, by its progress; none if the search was stopped.
    pub(crate) fn end(&mut self, frame: &Frame<B>, progress: Option<Progress>) -> Below {
        Break(progress.map(|progress| self.conclude(&frame.node, progress, &frame.picker, frame.hint)))
    }

    /// Makes a move to be searched, unless it is skipped. Returns the child.
    #[inline(always)]
    pub(crate) fn begin_trial<W: Window>(
        &mut self,
        node: &Node,
        window: &W,
        mv: Move,
        place: Place,
    ) -> Option<(Trial<B>, Node)> {
        let reduction = self.reduction_of(node, window, mv, place)?;
        self.past.push(self.board.key());
        let Made { undo, before: board } = self.make(node.ply, mv);
        let board = board.map(Box::new);
        let mut before = None;
        let (stage, child) = self.first_search(node, window, place.is_eldest, reduction, &mut before);
        Some((Trial { mv, undo, board, stage, before }, child))
    }

    /// Next step after a search of a move: another search of it, or its score, with the move taken back.
    #[inline(always)]
    pub(crate) fn go_on<W: Window>(
        &mut self,
        trial: &mut Trial<B>,
        node: &Node,
        window: &W,
        score: Option<Score>,
    ) -> Below {
        let below = self.next_search(&mut trial.stage, node, window, score, &mut trial.before);
        if below.is_break() {
            self.give_up(trial);
        }
        below
    }

    /// Takes back the move of a trial.
    #[inline(always)]
    fn give_up(&mut self, trial: &Trial<B>) {
        match &trial.board {
            Some(before) => self.board.clone_from(before),
            None => self.board.unmake(trial.mv, trial.undo),
        }
        self.past.pop();
    }

    /// Goes on with a node when the search that it waits for has this result.
    fn resume(&mut self, frame: &mut Frame<B>, score: Option<Score>) -> Below {
        match &mut frame.step {
            Step::Move(trial) => {
                let Frame { node, turn, picker, .. } = frame;
                match self.go_on(trial, node, &turn.progress, score) {
                    Continue(child) => Continue(child),
                    Break(score) => {
                        let mv = trial.mv;
                        match self.end_turn(node, turn, picker, mv, score) {
                            Continue(()) => self.next_trial(frame),
                            Break(ended) => self.end(frame, ended.of(&frame.turn)),
                        }
                    }
                }
            }
            Step::Pass(pass) => {
                let pass = Pass { undo: pass.undo, reduction: pass.reduction };
                self.after_null_move(frame, pass, score)
            }
            Step::Verification(passed) => {
                let passed = *passed;
                match self.verify_null_move(&frame.node, frame.hint, passed, score) {
                    Break(score) => Break(score),
                    Continue(()) => self.begin_captures_or_deeper(frame, &mut MoveList::new()),
                }
            }
            Step::Capture(trial) => {
                let Some(Aside::Captures(captures)) = frame.aside.as_deref_mut() else {
                    unreachable!("one of them is being searched")
                };
                match self.go_on(trial, &captures.node, &captures.window, score) {
                    Continue(child) => Continue(child),
                    Break(score) => match self.end_capture(captures, trial.mv, score) {
                        Break(score) => Break(score),
                        Continue(()) => self.next_trial_of_captures(frame),
                    },
                }
            }
            Step::Deepening => {
                if score.is_none() {
                    return Break(None);
                }
                frame.hint = self.end_deepening(&frame.node);
                self.begin_others_or_moves(frame, &mut MoveList::new())
            }
            Step::Other(trial) => {
                let Some(Aside::Others(others)) = frame.aside.as_deref_mut() else {
                    unreachable!("one of them is being searched")
                };
                match self.go_on(trial, &others.node, &others.window, score) {
                    Continue(child) => Continue(child),
                    Break(score) => match self.end_other(&mut frame.node, others, score) {
                        Break(Break(score)) => Break(score),
                        Break(Continue(())) => {
                            frame.aside = None;
                            self.begin_moves(frame, &mut MoveList::new())
                        }
                        Continue(()) => self.next_trial_of_others(frame),
                    },
                }
            }
        }
    }
}

/// Handing over a part of a stack.
impl<B: Board, P: Processor, S: Strategy> Worker<'_, B, P, S> {
    /// Goes back to the position of a frame, until [`climb_back`](Self::climb_back).
    pub(crate) fn climb_to(&mut self, frames: &[Frame<B>], at: usize) -> Away<B> {
        let mut past = History::with_capacity(self.past.plies());
        past.copy_from(&self.past);
        let height = frames.get(at + 1).map_or(self.moves.len(), |frame| frame.top);
        let away = Away { board: self.board.clone(), past, height, moves: self.moves.split_off(height) };
        for frame in frames[at..].iter().rev() {
            match &frame.step {
                Step::Move(trial) | Step::Other(trial) | Step::Capture(trial) => {
                    self.give_up(trial);
                }
                Step::Pass(pass) => {
                    self.board.unmake_null(pass.undo);
                    self.past.pop();
                }
                Step::Verification(_) | Step::Deepening => {}
            }
        }
        away
    }

    /// Takes the frames up to this one from the stack, with all that belongs to them: the worker is in the position of
    /// that frame. Returns the move that is being searched there.
    pub(crate) fn cut_off(&mut self, frames: &mut Vec<Frame<B>>, at: usize, trunk: &mut Trunk<B>) -> Trial<B> {
        let ledgers = frames.iter_mut().rev().filter_map(|frame| frame.entered.as_mut());
        ledgers.for_each(|entered| self.suspend(entered));
        trunk.frames.clear();
        trunk.frames.extend(frames.drain(..=at));
        frames.iter_mut().filter_map(|frame| frame.entered.as_mut()).for_each(|entered| self.resume_entered(entered));
        let (first, last) = (trunk.frames[0].node.ply, trunk.frames[at].node.ply);
        // The node of the base comes before the first, and some things depend on the move before that.
        let from = first.saturating_sub(2);
        let bottom = trunk.frames[0].top;
        trunk.moves.0 = bottom;
        trunk.moves.1.clear();
        trunk.moves.1.extend_from_slice(&self.moves[bottom..]);
        trunk.plies.0 = from;
        trunk.plies.1.clear();
        trunk.plies.1.extend_from_slice(&self.plies[from..=last]);
        trunk.lines.clear();
        trunk.lines.extend((from..=last).map(|ply| self.lines.from(ply).collect::<Vec<_>>()));
        trunk.board = Some(self.board.clone());
        trunk.past.copy_from(&self.past);
        let shared = &mut trunk.frames[at];
        match std::mem::replace(&mut shared.step, Step::Deepening) {
            Step::Move(trial) => trial,
            _ => unreachable!("a node is shared while one of its moves is searched"),
        }
    }

    /// Takes over the frames of a trunk. The worker has no frames of its own, and is then in the position of the last.
    pub(crate) fn take_over(&mut self, frames: &mut Vec<Frame<B>>, trunk: &mut Trunk<B>) {
        frames.clear();
        frames.append(&mut trunk.frames);
        for frame in frames.iter_mut() {
            // They were counted by another worker.
            frame.turn.forget_counts();
        }
        frames.iter_mut().filter_map(|frame| frame.entered.as_mut()).for_each(|entered| self.resume_entered(entered));
        let (bottom, moves) = &trunk.moves;
        let filler = moves.first().copied();
        self.moves.truncate(*bottom);
        if let Some(filler) = filler {
            self.moves.resize(*bottom, filler);
        }
        self.moves.extend_from_slice(moves);
        let (first, plies) = &trunk.plies;
        self.plies[*first..first + plies.len()].copy_from_slice(plies);
        for (ply, line) in (*first..).zip(&trunk.lines) {
            self.lines.set(ply, line);
        }
        if let Some(board) = &trunk.board {
            self.board.clone_from(board);
        }
        self.past.copy_from(&trunk.past);
    }

    /// Brings the worker back to where it was before it climbed.
    pub(crate) fn climb_back(&mut self, away: Away<B>) {
        (self.board, self.past) = (away.board, away.past);
        self.moves.truncate(away.height);
        self.moves.extend(away.moves);
    }
}
