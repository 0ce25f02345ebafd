// Searching, and the results page by page.

import { ask, drop } from "./api.js";
import { card } from "./card.js";
import { share } from "./copy.js";
import { $, button, count, make } from "./dom.js";
import { remember } from "./recent.js";
import { changed, mostResults, pageSize, searching } from "./settings.js";
import { close, showReading } from "./suggest.js";

const field = $("q"), results = $("results"), status = $("status");

/** Writes the state into the address: as a step to go back over, or in its place. */
function write(step) {
  const state = new URLSearchParams({ ...(field.value ? { q: field.value } : {}), ...changed() });
  const url = location.pathname + (state.size > 0 ? "?" + state : "");
  if (url !== location.pathname + location.search) history[step](null, "", url);
  document.title = field.value ? `${field.value} · phocus` : "phocus: formula search";
}

/** Why nothing was found. */
function nothing(found) {
  const missing = found.unknown_symbols;
  const filtered = "type" in searching() || "source" in searching();
  if (missing.length > 0) {
    return `No formula found: ${found.required} of ${found.symbols} symbols must match, and no formula holds ${missing.join(" ")}.`;
  }
  return `No formula found: no formula holds ${found.required} of the query's ${found.symbols} symbols at once`
    + (filtered ? " and passes the filters. Ask for fewer, or take filters away." : ". Ask for fewer.");
}

/** How many formulas match. */
function matching(found) {
  const { count: number, exact } = found.found ?? { count: found.hits.length, exact: true };
  const match = number === 1 ? "formula matches" : "formulas match";
  return `${exact ? "" : "At least "}${number.toLocaleString("en")} ${match}`;
}

function say(text, isBad = false) {
  status.textContent = text;
  status.classList.toggle("bad", isBad);
}

function show(nodes) {
  results.replaceChildren(...nodes);
  $("share").hidden = nodes.length === 0;
  $("more").hidden = true;
}

/** What the server was asked last, so that the next page is of the same search. */
let asked = {};

function append(found) {
  const query = asked.q;
  results.append(...found.hits.map((hit) => card(hit, query, searchFor)));
  const next = results.childElementCount;
  const isLast = found.hits.length < asked.k || next + 1 > mostResults();
  $("more").hidden = isLast;
  $("last").textContent = isLast && found.hits.length === asked.k
    ? `This server shows the first ${count(mostResults(), "result", "results")}.` : "";
}

/** Searches for a formula that was chosen, not typed. */
export function searchFor(latex) {
  field.value = latex;
  field.dispatchEvent(new Event("set"));
  search();
  scrollTo(0, 0);
}

export async function search({ step = "pushState" } = {}) {
  const latex = field.value.trim();
  close();
  write(step);
  $("last").textContent = "";
  $("welcome").hidden = latex !== "";
  if (!latex) {
    drop("search");
    show([]);
    return say("");
  }
  document.body.classList.add("busy");
  asked = { q: latex, k: pageSize(), ...searching() };
  const found = await ask("search", "/api/search", asked);
  if (!found) return;
  document.body.classList.remove("busy");
  show([]);
  if (found.error) {
    say(found.error, true);
    if (found.status === 0 || found.status >= 500) status.append(" ", button("Try again", () => search({ step: "replaceState" })));
    return;
  }
  remember(latex);
  showReading(found);
  if (found.hits.length === 0) return say(nothing(found));
  say(`${matching(found)} · ${found.took_ms.toFixed(1)}\u00a0ms`);
  $("share").hidden = false;
  append(found);
}

async function more() {
  const from = results.childElementCount;
  asked.k = Math.min(pageSize(), mostResults() - from);
  const found = await ask("search", "/api/search", { ...asked, from });
  if (!found) return;
  if (found.error) return say(found.error, true);
  append(found);
  // The reader goes on with the first of the new results.
  results.children[from]?.querySelector("button")?.focus({ preventScroll: true });
}

export function offerResults() {
  $("more").addEventListener("click", more);
  $("share").addEventListener("click", share);
}
