// The page: what is typed is completed, drawn and searched for. Formulas from the collection
// are only ever text, or pictures that the server has drawn.

import { answer } from "./api.js";
import { $, count, make } from "./dom.js";
import { showExamples } from "./examples.js";
import { choose, formulasAlone, hasTexts, modeFor, offerModes, typedParts } from "./mode.js";
import { drawn } from "./passage.js";
import { boxed, picture } from "./picture.js";
import { showRecent } from "./recent.js";
import { offerResults, search, searchFor } from "./results.js";
import { offer, restore } from "./settings.js";
import { complete, sinceClosed, suggest } from "./suggest.js";
import { offerSymbols } from "./symbols.js";

const field = $("q");

function previewFormula(typed) {
  const boxes = typed ? [boxed(picture(typed, "", true))] : [];
  // The hint stays while the next picture is on its way, so that nothing below it jumps.
  const isWide = $("preview").querySelector(".hint")?.hidden === false;
  for (const box of boxes) box.querySelector(".hint").hidden = !isWide;
  $("preview").replaceChildren(...boxes);
}

/** A question as it is read, where it has formulas to be drawn. */
function previewQuestion() {
  const parts = typedParts();
  const hasFormula = parts.some(({ kind }) => kind === "formula");
  $("preview").replaceChildren(...(hasFormula ? [make("p", { className: "typed-question" }, ...drawn(parts))] : []));
}

async function preview() {
  const typed = field.value.trim();
  const mode = hasTexts() ? await modeFor(typed) : formulasAlone();
  if (!mode || field.value.trim() !== typed) return;
  if (mode === "ask") previewQuestion();
  else previewFormula(typed);
}

async function typed() {
  if (hasTexts()) {
    const [text, isOpen] = [field.value, sinceClosed()];
    await preview();
    // It may have been searched for meanwhile, or more was typed.
    if (!isOpen() || field.value !== text) return;
    complete();
  } else {
    complete();
    preview();
  }
}

/** Another setting holds. */
function changed() {
  preview();
  search();
  showField();
  if (!field.value) showExamples(searchFor);
}

/** What may be typed depends on whether there are texts. */
function showField() {
  field.placeholder = hasTexts() ? "A formula, or a question with formulas between $" : "A formula in LaTeX, such as \\frac{a}{b}";
  $("welcome-asking").hidden = !hasTexts();
}

/** The panels below the field: one is open at a time. */
const PANELS = ["palette", "settings", "filters", "recent"];

function openPanel(wanted) {
  for (const name of PANELS) {
    const isOpen = name === wanted && $(name).hidden;
    $(name).hidden = !isOpen;
    $(name + "-open").setAttribute("aria-expanded", String(isOpen));
  }
  if (wanted === "recent" && !$("recent").hidden) showRecent(chooseRecent);
}

function chooseRecent(text, mode) {
  openPanel(null);
  searchFor(text, mode);
}

/** The state is in the address, so that a search can be shared. */
function fromAddress() {
  const state = new URLSearchParams(location.search);
  field.value = state.get("q") ?? "";
  restore(state);
  choose(state.get("mode"));
  showField();
  preview();
  search({ step: "replaceState" });
  if (!field.value) showExamples(searchFor);
}

/** "/" goes to the field, wherever nothing is typed. */
function slash(event) {
  const isTyping = event.target.closest?.("input:not([type=checkbox], [type=range]), textarea, select, dialog");
  if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  field.focus();
  field.select();
}

function about(indexes) {
  const sum = (what) => indexes.reduce((sum, index) => sum + index[what], 0);
  const formulas = count(sum("formulas"), "formula", "formulas");
  const texts = sum("texts");
  return texts > 0 ? `${formulas}, found by how they look, and ${count(texts, "text", "texts")} to answer questions`
    : `${formulas}, found by how they look`;
}

async function start() {
  field.addEventListener("input", typed);
  field.addEventListener("set", preview);
  suggest(() => { preview(); search(); });
  offerSymbols(field, typed);
  offerResults();
  $("form").addEventListener("submit", (event) => { event.preventDefault(); search(); });
  for (const name of PANELS) $(name + "-open").addEventListener("click", () => openPanel(name));
  addEventListener("keydown", slash);
  const found = await answer("/api/indexes", {});
  if (found.error) {
    $("status").textContent = found.error;
    $("status").classList.add("bad");
    return;
  }
  offer(found.indexes, changed);
  offerModes(changed);
  $("about").textContent = about(found.indexes);
  addEventListener("popstate", fromAddress);
  fromAddress();
  document.documentElement.dataset.ready = "true";
}

start();
