// The page: what is typed is completed, drawn and searched for. Formulas from the collection
// are only ever text, or pictures that the server has drawn.
"use strict";

const $ = (id) => document.getElementById(id);
const field = $("q"), list = $("suggestions"), results = $("results"), status = $("status");
const PAGE = 20;
/** @type {{latex: string}[]} */
let suggestions = [];
let chosen = -1;
let shown = PAGE;

/** Makes an element with text, never markup. */
function make(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

/** Asks the server; a newer question of the same kind drops an older one's answer. */
const asking = {};
async function ask(kind, path, parameters) {
  asking[kind]?.abort();
  const asked = (asking[kind] = new AbortController());
  const url = path + "?" + new URLSearchParams(parameters);
  try {
    const response = await fetch(url, { signal: asked.signal });
    const answer = await response.json();
    if (asking[kind] !== asked) return null;
    return response.ok ? answer : { error: answer.error ?? response.statusText };
  } catch (error) {
    if (error.name === "AbortError") return null;
    return { error: "the server does not answer" };
  }
}

const common = () => ($("index").value ? { index: $("index").value } : {});

function picture(latex, like) {
  const parameters = new URLSearchParams({ q: latex, ...(like ? { like } : {}), ...common() });
  const image = make("img", { className: "formula", alt: latex, src: "/api/render?" + parameters });
  // What cannot be drawn is shown as it is written.
  image.addEventListener("error", () => image.replaceWith(make("code", { textContent: latex })));
  return image;
}

// Suggestions

function close() {
  list.hidden = true;
  chosen = -1;
  field.setAttribute("aria-expanded", "false");
  field.removeAttribute("aria-activedescendant");
}

function choose(place) {
  const items = list.children;
  chosen = (place + items.length) % items.length;
  for (const [at, item] of [...items].entries()) {
    item.setAttribute("aria-selected", String(at === chosen));
  }
  field.setAttribute("aria-activedescendant", items[chosen].id);
  items[chosen].scrollIntoView({ block: "nearest" });
}

function take(place) {
  field.value = suggestions[place].latex;
  close();
  preview();
  search();
}

async function complete() {
  const typed = field.value;
  if (!typed.trim()) return close();
  const answer = await ask("complete", "/api/complete", { q: typed, ...common() });
  if (!answer || field.value !== typed) return;
  suggestions = answer.hits ?? [];
  $("reading").textContent = answer.changes?.length
    ? `Read as ${answer.read_as} (${answer.changes.join(", ")}).` : "";
  list.replaceChildren(...suggestions.map((hit, at) => {
    const item = make("li", { id: "suggestion-" + at, role: "option" }, picture(hit.latex, typed));
    item.setAttribute("aria-selected", "false");
    item.setAttribute("aria-label", hit.latex);
    item.addEventListener("pointerdown", (event) => { event.preventDefault(); take(at); });
    return item;
  }));
  chosen = -1;
  list.hidden = suggestions.length === 0;
  field.setAttribute("aria-expanded", String(!list.hidden));
  list.dataset.typed = typed;
}

function preview() {
  const typed = field.value.trim();
  $("preview").replaceChildren(...(typed ? [picture(typed)] : []));
}

// Searching

/** Writes the state into the address: as a step to go back over, or in its place. */
function remember(step) {
  const state = new URLSearchParams();
  if (field.value) state.set("q", field.value);
  if ($("match").value !== "0") state.set("match", $("match").value);
  if ($("idf").checked) state.set("idf", "true");
  if ($("index").selectedIndex > 0) state.set("index", $("index").value);
  const url = location.pathname + (state.size > 0 ? "?" + state : "");
  if (url !== location.pathname + location.search) history[step](null, "", url);
}

function why(answer) {
  const missing = answer.unknown_symbols;
  if (missing.length > 0) {
    return `No formula found: ${answer.required} of ${answer.symbols} symbols must match, and no formula holds ${missing.join(" ")}.`;
  }
  return `No formula found: no formula holds ${answer.required} of the query's ${answer.symbols} symbols at once. Ask for fewer.`;
}

async function search({ keep = false, step = "pushState" } = {}) {
  const latex = field.value.trim();
  close();
  if (!keep) shown = PAGE;
  remember(step);
  if (!latex) {
    results.replaceChildren();
    status.textContent = "";
    $("more").hidden = true;
    return;
  }
  const answer = await ask("search", "/api/search", {
    q: latex, k: shown, min_match: $("match").value + "%", idf: $("idf").checked, ...common(),
  });
  if (!answer) return;
  status.classList.toggle("bad", Boolean(answer.error));
  if (answer.error) {
    status.textContent = answer.error;
    results.replaceChildren();
    $("more").hidden = true;
    return;
  }
  const count = answer.hits.length;
  status.textContent = count === 0 ? why(answer)
    : `${count} of ${answer.formulas.toLocaleString("en")} formulas in ${answer.took_ms.toFixed(1)} ms.`;
  results.replaceChildren(...answer.hits.map((hit, at) => result(hit, at + 1, latex)));
  $("more").hidden = count < shown || shown >= 1000;
}

function result(hit, rank, query) {
  const copy = make("button", { type: "button", className: "quiet", textContent: "Copy LaTeX" });
  copy.addEventListener("click", async () => {
    await navigator.clipboard.writeText(hit.latex);
    copy.textContent = "Copied";
  });
  const times = hit.instances === 1 ? "1 place" : `${hit.instances.toLocaleString("en")} places`;
  const where = make("button", { type: "button", className: "quiet", textContent: times });
  where.setAttribute("aria-expanded", "false");
  const places = make("div", { hidden: true });
  where.addEventListener("click", () => {
    places.hidden = !places.hidden;
    where.setAttribute("aria-expanded", String(!places.hidden));
    if (!places.hidden && places.childElementCount === 0) occurrences(hit.id, places);
  });
  const score = `score ${hit.score.toFixed(2)}`;
  const facts = hit.likeness === undefined ? score : `likeness ${hit.likeness.toFixed(3)}, ${score}`;
  const matched = (hit.matched ?? []).map((m) => m.symbol).join(" ");
  return make("li", {},
    make("div", { className: "drawn" }, picture(hit.latex, query)),
    make("code", { textContent: hit.latex }),
    make("div", { className: "row facts" }, make("span", { textContent: `${rank}. ${facts}` }),
      make("span", { textContent: "shares " + matched }), copy, where),
    places);
}

/** Ids of Math Stack Exchange are those of posts: numbers. */
function link(instance) {
  const text = [instance.kind, instance.post, instance.id && `formula ${instance.id}`].filter(Boolean).join(" ");
  const post = /^\d+$/.test(instance.post) ? instance.post : null;
  if (!post) return document.createTextNode(text);
  return make("a", {
    textContent: text, target: "_blank", rel: "noopener noreferrer",
    href: `https://math.stackexchange.com/q/${post}`,
  });
}

async function occurrences(id, places) {
  const items = make("ul", { className: "instances" });
  const more = make("button", { type: "button", className: "quiet", textContent: "More places" });
  places.append(items, more);
  const next = async () => {
    const response = await fetch("/api/instances?" + new URLSearchParams({
      id, from: items.childElementCount, k: 50, ...common(),
    }));
    const answer = await response.json();
    items.append(...(answer.instances ?? []).map((instance) => make("li", {}, link(instance))));
    more.hidden = items.childElementCount >= (answer.total ?? 0);
  };
  more.addEventListener("click", next);
  await next();
}

// The palette

const SYMBOLS = [
  ["x²", "^{2}"], ["xₙ", "_{n}"], ["a⁄b", "\\frac{}{}"], ["√", "\\sqrt{}"], ["∑", "\\sum_{}^{}"], ["∫", "\\int_{}^{}"],
  ["∏", "\\prod"], ["lim", "\\lim_{}"], ["∞", "\\infty"], ["∂", "\\partial "], ["±", "\\pm "], ["×", "\\times "], ["·", "\\cdot "],
  ["≤", "\\leq "], ["≥", "\\geq "], ["≠", "\\neq "], ["≈", "\\approx "], ["→", "\\to "], ["⇒", "\\implies "], ["∈", "\\in "],
  ["⊂", "\\subset "], ["∪", "\\cup "], ["∩", "\\cap "], ["∀", "\\forall "], ["∃", "\\exists "], ["ℝ", "\\mathbb{R}"],
  ["ℕ", "\\mathbb{N}"], ["ℤ", "\\mathbb{Z}"], ["α", "\\alpha "], ["β", "\\beta "], ["γ", "\\gamma "], ["ε", "\\epsilon "],
  ["θ", "\\theta "], ["λ", "\\lambda "], ["μ", "\\mu "], ["π", "\\pi "], ["σ", "\\sigma "], ["φ", "\\phi "], ["ω", "\\omega "],
  ["sin", "\\sin "], ["cos", "\\cos "], ["log", "\\log "], ["( )", "\\left( \\right)"],
  ["matrix", "\\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix}"],
];
$("palette").append(...SYMBOLS.map(([face, latex]) => {
  const button = make("button", { type: "button", textContent: face, title: latex.trim() });
  button.setAttribute("aria-label", `Insert ${latex.trim()}`);
  button.addEventListener("click", () => {
    const start = field.selectionStart;
    field.setRangeText(latex, start, field.selectionEnd, "end");
    // Where something is to be filled in, go there.
    const gap = latex.search(/\{\}/);
    if (gap >= 0) field.setSelectionRange(start + gap + 1, start + gap + 1);
    field.focus();
    typed();
  });
  return button;
}));

// Events

function typed() {
  complete();
  preview();
}
field.addEventListener("input", typed);
field.addEventListener("blur", close);
field.addEventListener("keydown", (event) => {
  if (event.isComposing) return;
  if (event.key === "Escape") return close();
  if (list.hidden) {
    if (event.key === "ArrowDown") complete();
    return;
  }
  if (event.key === "ArrowDown") choose(chosen + 1);
  else if (event.key === "ArrowUp") choose(chosen < 0 ? -1 : chosen - 1);
  else if (event.key === "Enter" && chosen >= 0) take(chosen);
  else return;
  event.preventDefault();
});
$("form").addEventListener("submit", (event) => { event.preventDefault(); search(); });
const matchShown = () => {
  $("match-shown").textContent = { 0: "any", 100: "all" }[$("match").value] ?? $("match").value + "%";
};
$("match").addEventListener("input", matchShown);
for (const id of ["match", "idf", "index"]) $(id).addEventListener("change", () => search());
$("more").addEventListener("click", () => { shown = Math.min(shown + PAGE, 1000); search({ keep: true }); });

/** The state is in the address, so that a search can be shared. */
function restore() {
  const state = new URLSearchParams(location.search);
  field.value = state.get("q") ?? "";
  $("match").value = state.get("match") ?? "0";
  $("idf").checked = state.get("idf") === "true";
  if (state.has("index")) $("index").value = state.get("index");
  matchShown();
  preview();
  search({ step: "replaceState" });
}
addEventListener("popstate", restore);

(async () => {
  const { indexes } = await (await fetch("/api/indexes")).json();
  $("index").append(...indexes.map(({ name, formulas }) =>
    make("option", { value: name, textContent: `${name} (${formulas.toLocaleString("en")})` })));
  $("index").hidden = $("index-label").hidden = indexes.length < 2;
  const all = indexes.reduce((sum, { formulas }) => sum + formulas, 0);
  $("about").textContent = `${all.toLocaleString("en")} formulas, found by how they look.`;
  restore();
})();
