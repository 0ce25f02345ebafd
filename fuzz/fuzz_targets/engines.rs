//! Every engine, at every level that the processor has, gives the reference's
//! results. Input: which tokens of the stored index a query has, their words
//! and weights, how many must match, and k.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use phocus::index::Index;
use phocus::layout;
use phocus::search::internals::{Query, reference};
use phocus::search::{Level, MinMatch, Plan};

static INDEX: LazyLock<Index> =
    LazyLock::new(|| Index::open(&phocus_fuzz::stored_index()).expect("the stored index opens"));

/// A query with a token of every sort, to take tokens from.
static ALL: LazyLock<Query> = LazyLock::new(|| {
    let latex = r"x_{1234567890}+a^2-b=\frac{c}{n}(d,e)\int\sqrt{\pi}\sum y z";
    let layout = layout::latex(latex).expect("it can be laid out");
    Query::new(&layout, &INDEX, MinMatch::ANY, false)
});

fuzz_target!(|data: (Vec<(u8, [u64; 2], u32)>, u8, u16)| {
    let (picks, min_tokens, k) = data;
    let mut query = ALL.clone();
    let mut tokens = std::mem::take(&mut query.tokens);
    for (pick, planes, weight) in picks {
        if tokens.is_empty() {
            break;
        }
        let mut token = tokens.swap_remove(pick as usize % tokens.len());
        // As encoding makes them: the whole formula's region is always met.
        let is_positional = INDEX.meta().config.tokens.is_positional(token.key.kind);
        token.planes = if is_positional {
            planes.map(|plane| u128::from(plane | 1)).to_vec()
        } else {
            vec![1, u128::from(planes[0] & 1)]
        };
        token.word = token.planes[0] | token.planes[1];
        token.cap = if weight % 2 == 0 {
            u32::MAX
        } else {
            1 + weight % 40
        };
        token.weight = weight % 100_000;
        query.tokens.push(token);
    }
    query.min_tokens = (min_tokens as usize).clamp(1, query.tokens.len().max(1));
    let k = k as usize;
    let wanted = reference(&INDEX, &query, k).expect("the index is sound");
    for strategy in Plan::possible(&query) {
        for level in Level::available() {
            for threads in [1, 2] {
                let mut plan = Plan::new(&INDEX, &query, k, threads);
                (plan.strategy, plan.level) = (strategy, level);
                let found = plan.run(&INDEX, &query).expect("the index is sound");
                assert_eq!(found.formulas, wanted, "{plan:?}");
            }
        }
    }
});
