//! Operators of a type that wraps one number.

/// Implements binary and assigning operators by those of the number.
macro_rules! operators {
    (
        $Type:ident: $( $binary:ident $method:ident $op:tt ),*;
        $( $assign:ident $assign_method:ident $assign_op:tt ),*
    ) => {
        $(
            impl std::ops::$binary for $Type {
                type Output = Self;
                #[inline(always)]
                fn $method(self, other: Self) -> Self {
                    Self(self.0 $op other.0)
                }
            }
        )*
        $(
            impl std::ops::$assign for $Type {
                #[inline(always)]
                fn $assign_method(&mut self, other: Self) {
                    self.0 $assign_op other.0;
                }
            }
        )*
    };
}
pub(super) use operators;
