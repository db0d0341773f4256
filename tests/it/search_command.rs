//! `splitpoint search` and `bench`, through the real binary.
