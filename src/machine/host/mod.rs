//! The computer underneath: its processors, and what will disturb a measurement on it.
