//! What stands above, below and beside a base.

use roxmltree::Node;

use super::accents::{self, Width};
use super::element::{Context, Latex, element, elements, text};
use super::tokens::push;
use crate::latex::scan::{split_braced, token};

/// Operators whose scripts stand above and below them in a displayed formula.
const WITH_LIMITS: &str = "∑∏∐⋀⋁⋂⋃⨀⨁⨂⨄⨆";
/// Names whose scripts do.
const LIMIT_NAMES: [&str; 14] = [
    "lim", "liminf", "limsup", "max", "min", "sup", "inf", "det", "gcd", "Pr", "injlim", "projlim",
    "lim inf", "lim sup",
];

/// A child's LaTeX; nothing where there is no such child.
fn child(node: Node, at: usize, context: Context) -> Latex {
    match elements(node).nth(at) {
        Some(child) => element(child, context),
        None => Ok(String::new()),
    }
}

/// The only element of rows within rows, down to one that is none.
fn core<'a, 'i>(mut node: Node<'a, 'i>) -> Node<'a, 'i> {
    while matches!(
        node.tag_name().name(),
        "mrow" | "mstyle" | "mpadded" | "semantics"
    ) {
        let mut inner = elements(node);
        match (inner.next(), inner.next()) {
            (Some(only), None) => node = only,
            _ => break,
        }
    }
    node
}

/// The text of a child that is a single token.
fn mark(node: Node, at: usize) -> String {
    let token = elements(node).nth(at).map(core);
    let token = token.filter(|node| matches!(node.tag_name().name(), "mo" | "mi" | "mtext" | "mn"));
    token.map_or(String::new(), |node| text(node).trim().to_owned())
}

/// `msub`, `msup` and `msubsup`.
pub(super) fn scripts(node: Node, context: Context) -> Latex {
    let name = node.tag_name().name();
    let mut out = base(child(node, 0, context)?);
    let (sub, sup) = match name {
        "msub" => (child(node, 1, context)?, String::new()),
        "msup" => (String::new(), child(node, 1, context)?),
        _ => (child(node, 1, context)?, child(node, 2, context)?),
    };
    script(&mut out, '_', &sub);
    let primes = sup.chars().all(|c| c == '\'') || sup == r"\prime";
    match (primes && !sup.is_empty(), sup.as_str()) {
        (true, r"\prime") => out.push('\''),
        (true, _) => out.push_str(&sup),
        (false, _) => script(&mut out, '^', &sup),
    }
    Ok(out)
}

fn script(out: &mut String, sign: char, script: &str) {
    if !script.is_empty() {
        out.push_str(&format!("{sign}{{{script}}}"));
    }
}

/// What scripts stand beside: one token, one call of a command, or braces.
fn base(latex: String) -> String {
    let first = token(&latex);
    let mut rest = &latex[first.len()..];
    if first.starts_with('\\') && first.len() > 2 {
        while let Some((_, after)) = split_braced(rest) {
            rest = after;
        }
    }
    if rest.is_empty() && !latex.is_empty() {
        latex
    } else {
        format!("{{{latex}}}")
    }
}

/// `munder`, `mover` and `munderover`.
pub(super) fn limits(node: Node, context: Context) -> Latex {
    let below_at = (node.tag_name().name() != "mover").then_some(1);
    let above_at = match node.tag_name().name() {
        "munder" => None,
        "mover" => Some(1),
        _ => Some(2),
    };
    let (above_mark, below_mark) = (
        above_at.map_or(String::new(), |at| mark(node, at)),
        below_at.map_or(String::new(), |at| mark(node, at)),
    );
    let base_latex = child(node, 0, context)?;
    if takes_limits(node) {
        let mut out = base(base_latex);
        if mark(node, 0).starts_with(['∫', '∮', '∬', '∭', '∯', '∰']) {
            out.push_str(r"\limits");
        }
        script(
            &mut out,
            '_',
            &below_at.map_or(Ok(String::new()), |at| child(node, at, context))?,
        );
        script(
            &mut out,
            '^',
            &above_at.map_or(Ok(String::new()), |at| child(node, at, context))?,
        );
        return Ok(out);
    }
    let base_node = elements(node).next().map(core);
    let is_stretched = base_node.is_some_and(|node| {
        node.attribute("stretchy") == Some("true") || node.has_attribute("minsize")
    });
    if is_stretched && let Some(arrow) = accents::long_arrow(&mark(node, 0)) {
        let over = above_at.map_or(Ok(String::new()), |at| child(node, at, context))?;
        let under = below_at.map_or(Ok(String::new()), |at| child(node, at, context))?;
        let under = if under.is_empty() {
            under
        } else {
            format!("[{{{under}}}]")
        };
        return Ok(format!("{arrow}{under}{{{over}}}"));
    }
    let mut out = base_latex;
    if let Some(at) = below_at {
        out = match accents::below(&below_mark) {
            Some(command) => format!("{command}{{{out}}}"),
            None => around(r"\underset", &child(node, at, context)?, out),
        };
    }
    if let Some(at) = above_at {
        let accent = elements(node).nth(at).map(core);
        let width = match accent.and_then(|node| node.attribute("stretchy")) {
            Some("true") => Width::Wide,
            Some("false") => Width::Narrow,
            _ => Width::Usual,
        };
        let is_single = base_node.is_some_and(|node| text(node).trim().chars().nth(1).is_none());
        out = match accents::above(&above_mark, width, is_single) {
            Some(command) => format!("{command}{{{out}}}"),
            None => around(r"\overset", &child(node, at, context)?, out),
        };
    }
    Ok(out)
}

/// Sets something over or under a base.
fn around(command: &str, what: &str, base: String) -> String {
    if what.is_empty() {
        return base;
    }
    let mut out = format!("{command}{{{what}}}");
    push(&mut out, &format!("{{{base}}}"));
    out
}

/// Whether the base of a node has limits: a sum, a name such as lim, or a brace with a text.
fn takes_limits(node: Node) -> bool {
    let mark = mark(node, 0);
    let big = mark
        .chars()
        .next()
        .filter(|_| mark.chars().nth(1).is_none());
    let integrals = ['∫', '∮', '∬', '∭', '∯', '∰'];
    let is_big = big.is_some_and(|c| WITH_LIMITS.contains(c) || integrals.contains(&c));
    let is_brace = || {
        let base = elements(node).next().map(core);
        let base = base.filter(|base| matches!(base.tag_name().name(), "munder" | "mover"));
        base.is_some_and(|base| matches!(self::mark(base, 1).as_str(), "⏟" | "⏞" | "⎵" | "⎴"))
    };
    is_big || LIMIT_NAMES.contains(&mark.as_str()) || is_brace()
}

/// `mmultiscripts`: scripts after the base, and before it.
pub(super) fn multiscripts(node: Node, context: Context) -> Latex {
    let mut children = elements(node);
    let base_latex = match children.next() {
        Some(base) => base_of(base, context)?,
        None => String::new(),
    };
    let (mut before, mut after) = (String::new(), String::new());
    let mut is_before = false;
    while let Some(sub) = children.next() {
        if sub.has_tag_name("mprescripts") {
            is_before = true;
            continue;
        }
        let out = if is_before { &mut before } else { &mut after };
        let (sub, sup) = (element(sub, context)?, children.next());
        let sup = sup.map_or(Ok(String::new()), |sup| element(sup, context))?;
        if !(sub.is_empty() && sup.is_empty()) && (is_before || !out.is_empty()) {
            out.push_str("{}");
        }
        script(out, '_', &sub);
        script(out, '^', &sup);
    }
    push(&mut before, &base_latex);
    Ok(before + &after)
}

fn base_of(node: Node, context: Context) -> Latex {
    element(node, context).map(base)
}
