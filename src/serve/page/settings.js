// How to match: the controls, and what of them a request and the address say. What the reader did
// not change is not sent: the collection's own settings hold.

import { $, count, make } from "./dom.js";

/** The fields by which results can be filtered: their parameter, and what the page calls them. */
const FACETS = { type: "Type", source: "Source" };
const GROUPS = ["writing", "renaming", "none"];
const PAGE = 20;

let indexes = [];

/** The collection that is searched. */
export const collection = () => indexes.find(({ name }) => name === $("index").value) ?? indexes[0];
export const indexParameter = () => (indexes.length > 1 ? { index: collection().name } : {});

/** How many results may be asked for altogether, and how many make a page. */
export const mostResults = () => collection()?.max_k ?? 1000;
export const pageSize = () => Math.min(PAGE, mostResults());

const own = {
  idf: () => collection() !== undefined && String(collection().idf ?? "false") !== "false",
  rerank: () => (collection()?.rerank ?? 0) > 0,
};

/** What the reader chose otherwise than the collection says. */
const chosen = { idf: null, rerank: null };

/** The share of formulas in the score of a text, in per cent. */
const ownAlpha = () => String(Math.round(100 * (collection()?.ask?.alpha ?? 0.9)));

/** What was changed, as the address holds it. */
export function changed() {
  const state = {};
  if (indexes.length > 1 && $("index").selectedIndex > 0) state.index = $("index").value;
  if ($("match").value !== "0") state.match = $("match").value;
  for (const name of ["idf", "rerank"]) if (chosen[name] !== null) state[name] = String(chosen[name]);
  if ($("group").value !== GROUPS[0]) state.group = $("group").value;
  if ($("alpha").value !== ownAlpha()) state.alpha = $("alpha").value;
  if ($("answers").checked) state.answers = "true";
  for (const name of Object.keys(FACETS)) {
    const values = picked(name);
    if (values.length > 0) state[name] = values.join(",");
  }
  return state;
}

/** The parameters that say how formulas are scored. */
export function scoring() {
  const sent = indexParameter();
  if ($("match").value !== "0") sent.min_match = $("match").value + "%";
  if (chosen.idf !== null) sent.idf = String(chosen.idf);
  if (chosen.rerank !== null) sent.rerank = String(chosen.rerank ? Math.min(300, mostResults()) : 0);
  return sent;
}

/** What is shown as one result. */
export const grouping = () => $("group").value;

/** The parameters of a search. */
export function searching() {
  const { type, source } = changed();
  return { ...scoring(), group: grouping(), ...(type ? { type } : {}), ...(source ? { source } : {}) };
}

/** The parameters of a question. */
export function asking() {
  const { alpha, answers } = changed();
  const share = alpha === undefined ? {} : { alpha: String(alpha / 100) };
  return { ...indexParameter(), ...share, ...(answers ? { answers } : {}) };
}

const picked = (facet) => [...$("filters").querySelectorAll(`input[name="${facet}"]:checked`)].map(({ value }) => value);

/** Shows what holds: what was chosen, and the collection's own where nothing was. */
function show() {
  const match = $("match").value;
  $("match-shown").textContent = { 0: "any", 100: "all" }[match] ?? match + "%";
  $("alpha-shown").textContent = { 0: "words alone", 100: "formulas alone" }[$("alpha").value] ?? $("alpha").value + "% formulas";
  for (const name of ["idf", "rerank"]) {
    if (chosen[name] === own[name]()) chosen[name] = null;
    $(name).checked = chosen[name] ?? own[name]();
  }
  const { index, type, source, ...how } = changed();
  const changes = Object.keys(how).length;
  const filters = picked("type").length + picked("source").length;
  $("settings-open").textContent = changes > 0 ? `Settings (${changes} changed)` : "Settings";
  $("filters-open").textContent = filters > 0 ? `Filters (${filters})` : "Filters";
  $("settings-reset").hidden = changes + filters === 0;
}

/** The filters of the collection, with those of `values` set that it has. */
function offerFilters(values) {
  const facets = collection()?.facets ?? {};
  const groups = Object.entries(FACETS).map(([name, title]) => {
    const wanted = new Set((values[name] ?? "").split(","));
    const offered = facets[name] ?? [];
    if (offered.length < 2) return null;
    const boxes = offered.map(({ value, formulas }) => {
      const box = make("input", { type: "checkbox", name, value, checked: wanted.has(value) });
      return make("label", {}, box, ` ${value} `, make("small", { textContent: formulas.toLocaleString("en") }));
    });
    return make("fieldset", {}, make("legend", { textContent: title }), ...boxes);
  });
  $("filters").replaceChildren(...groups.filter(Boolean));
  $("filters-open").hidden = $("filters").childElementCount === 0;
  if ($("filters-open").hidden) $("filters").hidden = true;
}

/** Sets the controls as an address says. */
export function restore(state) {
  if (indexes.some(({ name }) => name === state.get("index"))) $("index").value = state.get("index");
  else if (indexes.length > 0) $("index").value = indexes[0].name;
  $("match").value = state.get("match") ?? "0";
  for (const name of ["idf", "rerank"]) chosen[name] = state.has(name) ? state.get(name) === "true" : null;
  $("alpha").value = state.get("alpha") ?? ownAlpha();
  $("answers").checked = state.get("answers") === "true";
  $("answers-choice").hidden = !(collection()?.facets?.type ?? []).some(({ value }) => value === "answer");
  $("group").value = GROUPS.includes(state.get("group")) ? state.get("group") : GROUPS[0];
  offerFilters({ type: state.get("type"), source: state.get("source") });
  show();
}

/** Takes up what is served; `change` is called whenever the reader changes a setting. */
export function offer(served, change) {
  indexes = served;
  $("index").append(...indexes.map(({ name, formulas }) =>
    make("option", { value: name, textContent: `${name} (${count(formulas, "formula", "formulas")})` })));
  $("index-choice").hidden = indexes.length < 2;
  const longest = ({ texts, max_query: query, max_question: question }) => (texts > 0 ? question : query);
  $("q").maxLength = Math.max(4, ...indexes.map(longest));
  for (const name of ["match", "alpha"]) $(name).addEventListener("input", show);
  for (const name of ["idf", "rerank"]) $(name).addEventListener("change", () => { chosen[name] = $(name).checked; });
  // Another collection has other values to filter by; those that both have are kept.
  $("index").addEventListener("change", () => offerFilters(changed()));
  for (const box of [$("settings"), $("filters")]) {
    box.addEventListener("change", () => { show(); change(); });
  }
  $("settings-reset").addEventListener("click", () => {
    restore(new URLSearchParams(indexes.length > 1 ? { index: $("index").value } : {}));
    change();
  });
}
