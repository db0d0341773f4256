//! What a processor does, and the time that it does it.

use std::ops::{Index, IndexMut};

use serde::{Deserialize, Serialize};

use super::counts;
use crate::choices::choices;

/// Declares activities with the fields that hold their times.
macro_rules! activities {
    ($( #[doc = $doc:literal] $Activity:ident $name:literal: $field:ident, )*) => {
        choices! {
            /// Activity of a processor.
            pub enum Activity, "activity";
            $( #[doc = $doc] $Activity $name, )*
        }

        counts! {
            /// Nanoseconds by activity, which add up to processors times elapsed time.
            #[derive(Deserialize)]
            #[serde(default)]
            pub struct Activities of u64;
            $( #[doc = $doc] $field, )*
        }

        impl Index<Activity> for Activities {
            type Output = u64;

            fn index(&self, activity: Activity) -> &u64 {
                match activity {
                    $( Activity::$Activity => &self.$field, )*
                }
            }
        }

        impl IndexMut<Activity> for Activities {
            fn index_mut(&mut self, activity: Activity) -> &mut u64 {
                match activity {
                    $( Activity::$Activity => &mut self.$field, )*
                }
            }
        }
    };
}

activities! {
    /// Searching.
    Search "search": search_ns,
    /// Making, copying, joining and leaving split points.
    Split "split": split_ns,
    /// Waiting for a lock.
    Lock "lock": lock_ns,
    /// Without work.
    Idle "idle": idle_ns,
    /// Waiting for helpers, as the owner of a split point, or for what is asked of another node.
    Wait "wait": wait_ns,
    /// Writing to other nodes, and reading what they have written.
    Network "network": network_ns,
    /// Doing anything else.
    Other "other": other_ns,
}

impl Activity {
    /// Whether the processor works, and so uses memory.
    pub fn is_busy(self) -> bool {
        matches!(self, Self::Search | Self::Split | Self::Network | Self::Other)
    }
}

impl Activities {
    /// Sum over all activities.
    pub fn total(&self) -> u64 {
        Activity::ALL.iter().map(|activity| self[*activity]).sum()
    }
}
