// Words with formulas between them, drawn: what was matched is bold, or has a colour.

import { make } from "./dom.js";
import { picture } from "./picture.js";

/** Formulas that are less alike are not marked; the command line has the same bound. */
const SHOWN = 0.4;
/** A formula in a line is scaled down to what the line has room for, but no smaller than this. */
const SMALLEST = 0.6;
/** How many colours the style sheet has. */
const COLOURS = 8;

/** The colour of a formula of the question, by its place from 1. */
export const colourOf = (query) => `mark-${(query - 1) % COLOURS}`;

/** A text in which formulas stand between dollars, with the formulas drawn. */
export function prose(text) {
  const pieces = text.split(/\$([^$]+)\$/);
  return pieces.map((piece, number) => number % 2 ? picture(piece, null, false, "inline") : document.createTextNode(piece));
}

/** A formula within a line: one that is far too wide is scrolled instead of made too small to read. */
export function inline(latex, number = null, properties = {}) {
  const image = picture(latex, null, false, "inline");
  const holder = make("span", { className: "in-line", ...properties }, number, image);
  image.addEventListener("load", () => {
    const isWide = image.getBoundingClientRect().height < SMALLEST * image.naturalHeight * getComputedStyle(image).zoom;
    if (!isWide) return;
    holder.classList.add("wide");
    holder.tabIndex = 0;
  });
  return holder;
}

/** The number of a formula of the question: on a ground of its own, so that it is no exponent. */
export const numbered = (query) => make("span", { className: "number", textContent: query });

/** A formula with the colour of the one that it is like, the stronger the more it is like it. */
function marked({ latex, query, likeness }, isOneOfSeveral) {
  const which = isOneOfSeveral ? `like formula ${query} of the question` : "like the formula of the question";
  const said = `${which}: ${likeness.toFixed(2)}`;
  const number = isOneOfSeveral ? numbered(query) : null;
  const mark = inline(latex, number, { className: `in-line like ${colourOf(query)}`, title: said,
    aria: { role: "img", label: `${latex}, ${said}` } });
  mark.style.setProperty("--like", `${Math.round(15 + 85 * (likeness - SHOWN) / (1 - SHOWN))}%`);
  return mark;
}

/** Parts of a text as the server tells them; `formulas` is how many the question has. */
export function drawn(parts, formulas = 0) {
  return parts.map((part) => {
    if (part.kind === "gap") return make("span", { className: "gap", textContent: " … " });
    if (part.kind === "text") {
      return part.matched ? make("b", { textContent: part.text }) : document.createTextNode(part.text);
    }
    return part.likeness >= SHOWN ? marked(part, formulas > 1) : inline(part.latex);
  });
}
