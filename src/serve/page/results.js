// Searching, and the results page by page.

import { answers } from "./answers.js";
import { ask, drop } from "./api.js";
import { share } from "./copy.js";
import { $, button, count } from "./dom.js";
import { formulas } from "./formulas.js";
import { choose, formulasAlone, hasTexts, modeFor, modeState } from "./mode.js";
import { remember } from "./recent.js";
import { changed, mostResults } from "./settings.js";
import { close, showReading } from "./suggest.js";

/** How each mode looks for something, and shows what was found. */
const FINDERS = { formulas, ask: answers };

const field = $("q"), results = $("results"), status = $("status");

/** Writes the state into the address: as a step to go back over, or in its place. */
function write(step, typed) {
  const state = new URLSearchParams({ ...(typed ? { q: typed, ...modeState() } : {}), ...changed() });
  const url = location.pathname + (state.size > 0 ? "?" + state : "");
  if (url !== location.pathname + location.search) history[step](null, "", url);
  document.title = typed ? `${typed} · phocus` : "phocus: formula search";
}

function say(text, isBad = false) {
  status.textContent = text;
  status.classList.toggle("bad", isBad);
}

function show(nodes) {
  results.replaceChildren(...nodes);
  $("asked").replaceChildren();
  $("share").hidden = nodes.length === 0;
  $("more").hidden = true;
}

/** What the server was asked last, so that the next page is of the same search. */
let asked = {};
let finder = formulas;

function append(found) {
  results.append(...finder.cards(found, asked.q, searchFor));
  const next = results.childElementCount;
  const isLast = found.hits.length < asked.k || next + 1 > mostResults();
  $("more").hidden = isLast;
  $("last").textContent = isLast && found.hits.length === asked.k
    ? `This server shows the first ${count(mostResults(), "result", "results")}.` : "";
}

/** Searches for what was chosen, not typed: a formula, or the answers to a question. */
export function searchFor(text, mode = "formulas") {
  field.value = text;
  choose(mode);
  field.dispatchEvent(new Event("set"));
  search();
  scrollTo(0, 0);
}

export async function search({ step = "pushState" } = {}) {
  const typed = field.value.trim();
  close();
  const mode = hasTexts() ? await modeFor(typed) : formulasAlone();
  if (!mode) return;
  write(step, typed);
  $("last").textContent = "";
  $("welcome").hidden = typed !== "";
  if (!typed) {
    drop("search");
    show([]);
    return say("");
  }
  document.body.classList.add("busy");
  finder = FINDERS[mode];
  asked = { q: typed, ...finder.parameters() };
  const found = await ask("search", finder.path, asked);
  if (!found) return;
  document.body.classList.remove("busy");
  show([]);
  if (found.error) {
    say(found.error, true);
    if (found.status === 0 || found.status >= 500) status.append(" ", button("Try again", () => search({ step: "replaceState" })));
    return;
  }
  remember(typed, mode);
  showReading(found);
  $("asked").replaceChildren(...finder.about(found));
  if (found.hits.length === 0) return say(finder.nothing(found));
  say(`${finder.matching(found)} · ${found.took_ms.toFixed(1)}\u00a0ms`);
  $("share").hidden = false;
  append(found);
}

async function more() {
  const from = results.childElementCount;
  asked.k = Math.min(finder.parameters().k, mostResults() - from);
  const found = await ask("search", finder.path, { ...asked, from });
  if (!found) return;
  if (found.error) return say(found.error, true);
  append(found);
  // The reader goes on with the first of the new results.
  results.children[from]?.querySelector("button, a")?.focus({ preventScroll: true });
}

export function offerResults() {
  $("more").addEventListener("click", more);
  $("share").addEventListener("click", share);
}
