//! Language tools for everyone: folding and tokens.
//!
//! ```
//! assert_eq!(auslese_words::fold("Universität Gießen"), "universitaet giessen");
//! ```

mod fold;

pub use fold::fold;
