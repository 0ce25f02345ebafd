// Why a formula is a result: the query and the formula side by side, with what was matched in the
// same colour, and the server's explanation in words.

import { answer } from "./api.js";
import { make } from "./dom.js";
import { boxed, picture } from "./picture.js";
import { indexParameter, searching } from "./settings.js";

const SVG = "http://www.w3.org/2000/svg";
/** The server draws in points, browsers measure in pixels. */
const POINTS = 72 / 96;
/** How many colours and borders the style sheet has for names. */
const COLOURS = 8, BORDERS = 3;

/** The mark of a name: its colour and, where all colours are taken, a border. */
const marking = (at) => `mark-${at % COLOURS} edge-${Math.floor(at / COLOURS) % BORDERS}`;

/** What a symbol is called: bars and hyphens look like a minus. */
const called = (symbol) => ({ "-": "fraction bar", "−": "− minus", "‐": "hyphen" })[symbol] ?? symbol;

/**
 * A formula with coloured boxes behind its symbols: those of each name have the name's number. The
 * largest are painted first, because a root's box has in it the boxes of what stands below the root.
 */
function coloured(latex, names, { em, room }) {
  const marks = document.createElementNS(SVG, "svg");
  marks.classList.add("marks");
  marks.setAttribute("aria-hidden", "true");
  const over = 1.5;
  const edges = ([x0, y0, x1, y1]) => ({
    x: room + em * x0 - over, y: room + em * y0 - over,
    width: em * (x1 - x0) + 2 * over, height: em * (y1 - y0) + 2 * over, rx: 2,
  });
  const placed = names.flatMap(({ boxes, mark, name }) => boxes.map((box) => ({ edges: edges(box), mark, name })));
  const area = ({ edges: { width, height } }) => width * height;
  for (const { edges, mark, name } of placed.sort((a, b) => area(b) - area(a))) {
    const rect = document.createElementNS(SVG, "rect");
    for (const [key, value] of Object.entries(edges)) rect.setAttribute(key, value.toFixed(1));
    rect.setAttribute("class", `mark ${mark}`);
    if (name !== undefined) rect.dataset.name = name;
    marks.append(rect);
  }
  const image = picture(latex);
  // The marks are in the picture's own units, however far it is scaled.
  image.addEventListener("load", () => {
    marks.setAttribute("viewBox", `0 0 ${POINTS * image.naturalWidth} ${POINTS * image.naturalHeight}`);
  });
  const box = boxed(image);
  const holder = make("div", { className: "marked" });
  image.before(holder);
  holder.append(marks, image);
  return box;
}

/** What was matched, as a legend: pointing at a name shows where it stands in both. */
function legend(matched, panel) {
  return make("ul", { className: "legend" }, ...matched.map(({ query, formula }, at) => {
    const [own, other] = [called(query), called(formula)];
    const text = query === formula ? own : `${own} → ${other}`;
    const said = query === formula ? `${own} in both` : `your ${own} is its ${other}`;
    const item = make("li", { className: marking(at), textContent: text, tabIndex: 0, title: said,
      aria: { label: said } });
    const point = (isOn) => {
      panel.classList.toggle("pointing", isOn);
      for (const rect of panel.querySelectorAll(`rect[data-name="${at}"]`)) rect.classList.toggle("pointed", isOn);
    };
    for (const on of ["pointerenter", "focus"]) item.addEventListener(on, () => point(true));
    for (const off of ["pointerleave", "blur"]) item.addEventListener(off, () => point(false));
    return item;
  }));
}

/** The likeness as a bar of its three parts. */
function bar({ pairs, symbols, part }) {
  const parts = [["neighbours", pairs, 1], ["symbols", symbols, 0.5], ["one piece", part, 0.25]];
  return make("div", { className: "parts" }, ...parts.map(([name, value, most]) => {
    const meter = make("meter", { min: 0, max: most, value: Math.min(value, most) });
    return make("label", {}, `${name} `, meter, ` ${value.toFixed(2)} of ${most}`);
  }));
}

/** The regions that a symbol has in both formulas: drawn when they are asked for. */
function regions(hit, query, symbols) {
  const choice = make("select", { aria: { label: "Symbol" } }, ...symbols.map((symbol) => make("option", { value: symbol, textContent: called(symbol) })));
  const drawn = make("div");
  const draw = async () => {
    const found = await answer("/api/regions", { q: query, id: hit.id, symbol: choice.value, ...indexParameter() });
    if (found.error) return drawn.replaceChildren(make("p", { className: "bad", textContent: found.error }));
    const url = URL.createObjectURL(new Blob([found.svg], { type: "image/svg+xml" }));
    const image = make("img", { src: url, alt: `The regions of ${called(choice.value)} in both formulas` });
    image.addEventListener("load", () => URL.revokeObjectURL(url), { once: true });
    drawn.replaceChildren(boxed(image, "regions", "Wide picture: scroll it sideways →"));
  };
  choice.addEventListener("change", draw);
  const details = make("details", {}, make("summary", { textContent: "Regions that both have" }),
    make("label", {}, "Of the symbol ", choice),
    make("p", { className: "note", textContent: "Green regions hold the symbol in both formulas, blue ones in one alone." }), drawn);
  details.addEventListener("toggle", () => { if (details.open && !drawn.firstChild) draw(); });
  return details;
}

/** What the marks mean. */
function noted(names) {
  const all = COLOURS * BORDERS;
  const alike = names > COLOURS ? "The same colour and border" : "The same colour";
  const repeated = names > all ? ` After ${all} symbols the marks repeat: choose a name to see its own alone.` : "";
  return `${alike} is the same symbol, or one that stands for it; a dashed box has no counterpart.${repeated}`;
}

/** Fills `panel` with why `hit` is a result for `query`. */
export async function why(panel, hit, query) {
  panel.append(make("p", { className: "note", textContent: "Comparing…" }));
  const found = await answer("/api/explain", { q: query, id: hit.id, ...searching() });
  if (!found) return;
  if (found.error) return panel.replaceChildren(make("p", { className: "bad", textContent: found.error }));
  const { matched, missing, extra } = found.matches;
  const names = (boxes) => matched.map((name, at) => ({ boxes: name[boxes], mark: marking(at), name: at }));
  const rest = (all) => all.map(({ boxes }) => ({ boxes, mark: "unmatched" }));
  const both = matched.filter(({ query, formula }) => query === formula).map(({ query }) => query);
  const side = (title, drawn) => make("figure", {}, make("figcaption", { textContent: title }), drawn);
  panel.replaceChildren(
    make("div", { className: "sides" },
      side("Your formula", coloured(found.read_as || query, [...names("query_boxes"), ...rest(missing)], found.picture)),
      side("This result", coloured(hit.latex, [...names("formula_boxes"), ...rest(extra)], found.picture))),
    legend(matched, panel),
    make("p", { className: "note", textContent: noted(matched.length) }),
    make("ul", { className: "words" }, ...found.words.map((sentence) => make("li", { textContent: sentence }))),
    ...(found.likeness ? [bar(found.likeness)] : []),
    ...(both.length ? [regions(hit, found.read_as || query, both)] : []));
}
