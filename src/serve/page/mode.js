// Whether formulas or answers are looked for. What has words outside of its formulas is a question,
// which the server decides; the reader may decide otherwise. Collections without texts have formulas
// alone.

import { ask, drop } from "./api.js";
import { $ } from "./dom.js";
import { collection, indexParameter } from "./settings.js";

const EMPTY = { kind: "formula", parts: [] };

/** What the reader chose, until the other is chosen; none is as what is typed is read. */
let chosen = null;
/** Whether the choice is new: one that is made anyway need not be kept. */
let isNew = false;
let current = "formulas";
/** What was typed last, and how the server reads it. */
let read = { typed: "", found: Promise.resolve(EMPTY), answer: EMPTY };

export const hasTexts = () => (collection()?.texts ?? 0) > 0;
export const mode = () => current;
/** The words and formulas of what was typed last. */
export const typedParts = () => read.answer?.parts ?? [];

/** How what is typed is read; none if something else was typed meanwhile. */
function reading(typed) {
  if (read.typed !== typed) {
    drop("reading");
    const mine = (read = { typed, answer: null });
    const found = typed ? ask("reading", "/api/reading", { q: typed, ...indexParameter() }) : Promise.resolve(EMPTY);
    // What the server does not read it will tell of when it is searched for.
    mine.found = found.then((answer) => (mine.answer = answer?.error ? EMPTY : answer));
  }
  return read.found;
}

function show(mode) {
  current = mode;
  $("modes").hidden = !hasTexts();
  $("modes").querySelector(`[value="${mode}"]`).checked = true;
  document.body.classList.toggle("asking", mode === "ask");
  return mode;
}

/** What is looked for where there are no texts. */
export const formulasAlone = () => show("formulas");

/** What is looked for with what is typed; null if something else was typed meanwhile. */
export async function modeFor(typed) {
  if (!hasTexts()) return formulasAlone();
  const answer = await reading(typed);
  if (!answer) return null;
  const own = answer.kind === "question" ? "ask" : "formulas";
  if (isNew && typed && chosen === own) chosen = null;
  if (typed) isNew = false;
  return show(chosen ?? own);
}

/** Chooses a mode, or none. */
export function choose(mode) {
  chosen = mode === "ask" || mode === "formulas" ? mode : null;
  isNew = true;
}

/** The mode as the address holds it. */
export function modeState() {
  if (!hasTexts()) return {};
  return current === "ask" ? { mode: "ask" } : chosen ? { mode: chosen } : {};
}

/** Offers the switch; `change` is called when the reader uses it. */
export function offerModes(change) {
  $("modes").addEventListener("change", (event) => {
    choose(event.target.value);
    change();
  });
}
