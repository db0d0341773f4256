//! The life of a process that is not rank 0: it makes ready for the searches that it is told, takes part, and tells
//! what it found.

use std::sync::Arc;
use std::thread::{sleep, yield_now};

use super::order::{Order, Read, SearchOrder};
use super::told::{FoundThere, Told};
use super::{LONG_NAP, Member, NAP, SHORT_NAPS, bid_farewell, receive, send};
use crate::door::Searched;
use crate::machine::{RealMachine, Transport, cpu_ns_of_process};
use crate::search::table::{TableOptions, Tables};
use crate::{Computer, Line, Options};

/// Threads and tables that a following process keeps from one search to the next, with what they were made for.
#[derive(Default)]
struct Kept {
    computer: Option<(String, Computer)>,
    tables: Option<(TableOptions, usize, Tables)>,
    /// State of the tables of rank 0 that these follow.
    state: (u64, u32),
}

/// Reports to rank 0, and does what it says until it ends. `this` is this process.
pub fn follow(transport: &Arc<dyn Transport>, this: Member) {
    send(&**transport, 0, &Told::Member(this));
    let (mut kept, mut naps) = (Kept::default(), 0);
    loop {
        match receive(&**transport) {
            Some((_, Order::Search(order))) => {
                naps = 0;
                if !kept.take_part(transport, &order) {
                    break;
                }
            }
            Some((_, Order::End)) => break,
            Some((_, Order::Go | Order::NeverMind)) => {}
            None => {
                sleep(if naps < SHORT_NAPS { NAP } else { LONG_NAP });
                naps += 1;
            }
        }
    }
    transport.close();
}

impl Kept {
    /// Takes part in a search. Returns whether more may follow.
    fn take_part(&mut self, transport: &Arc<dyn Transport>, order: &SearchOrder) -> bool {
        let ready = order.read().and_then(|read| self.make_ready(transport, order, &read).map(|()| read));
        let told = ready.as_ref().map_or_else(|message| Told::Failed(message.clone()), |_| Told::Ready);
        send(&**transport, 0, &told);
        loop {
            match receive(&**transport) {
                Some((_, Order::Go)) => break,
                Some((_, Order::NeverMind)) => return true,
                Some((_, Order::End)) => return false,
                Some((_, Order::Search(_))) => unreachable!("rank 0 asks for one search at a time"),
                None => yield_now(),
            }
        }
        if let Ok(read) = ready {
            let told = self.search(&**transport, order, &read).map_or_else(
                |message| {
                    bid_farewell(&**transport, order.nodes, order.number);
                    Told::Failed(message)
                },
                |found| Told::Found(Box::new(found)),
            );
            send(&**transport, 0, &told);
        }
        true
    }

    /// Makes the threads and the tables of a search, or takes those of the last.
    fn make_ready(
        &mut self,
        transport: &Arc<dyn Transport>,
        order: &SearchOrder,
        Read { setup, .. }: &Read,
    ) -> Result<(), String> {
        let wanted = format!("{:?} {} {} {}", setup.on, setup.processors, setup.waiting, order.nodes);
        if self.computer.as_ref().is_none_or(|(known, _)| *known != wanted) {
            // The old threads end before the new ones begin.
            self.computer = None;
            let computer = setup.computer().map_err(|error| error.to_string())?;
            self.computer = Some((wanted, computer.among_several(transport, order.nodes)));
        }
        let shape = (setup.table, setup.processors);
        let zeroing = RealMachine::room();
        match &mut self.tables {
            Some((options, workers, tables)) if (*options, *workers) == shape => {
                if self.state.0 != order.tables.0 {
                    tables.clear(zeroing);
                    self.state = (order.tables.0, 0);
                }
            }
            other => {
                *other = None;
                let tables = Tables::try_new(&setup.table, setup.processors, zeroing);
                let mib = setup.table.bytes >> 20;
                let tables = tables.map_err(|error| format!("there is no memory for a table of {mib} MiB: {error}"))?;
                *other = Some((setup.table, setup.processors, tables));
                self.state = (order.tables.0, 0);
            }
        }
        if let Some((.., tables)) = &mut self.tables {
            (self.state.1..order.tables.1).for_each(|_| tables.end_search());
        }
        self.state = order.tables;
        Ok(())
    }

    fn search(&self, transport: &dyn Transport, order: &SearchOrder, read: &Read) -> Result<FoundThere, String> {
        let (Some((_, computer)), Some((.., tables))) = (&self.computer, &self.tables) else {
            return Err("nothing is ready".to_owned());
        };
        let Read { setup, start, moves, among } = read;
        let options = Options { among, is_watched: order.is_watched, ..Options::default() };
        let search = Searched { setup, computer, tables, line: Line { start, moves }, options, several: None };
        let cpu_ns = || cpu_ns_of_process(std::process::id());
        let before = cpu_ns();
        let ended = search.part((transport.rank(), order.nodes), order.number).map_err(|error| error.to_string())?;
        let used = before.zip(cpu_ns()).map_or(0, |(before, after)| after.saturating_sub(before));
        Ok(FoundThere::of(ended, used))
    }
}
