// The page: what is typed is completed, drawn and searched for. Formulas from the collection
// are only ever text, or pictures that the server has drawn.

import { answer } from "./api.js";
import { $, count } from "./dom.js";
import { showExamples } from "./examples.js";
import { boxed, picture } from "./picture.js";
import { showRecent } from "./recent.js";
import { offerResults, search, searchFor } from "./results.js";
import { offer, restore } from "./settings.js";
import { complete, suggest } from "./suggest.js";
import { offerSymbols } from "./symbols.js";

const field = $("q");

function preview() {
  const typed = field.value.trim();
  const drawn = typed ? [boxed(picture(typed, "", true))] : [];
  // The hint stays while the next picture is on its way, so that nothing below it jumps.
  const isWide = $("preview").querySelector(".hint")?.hidden === false;
  for (const box of drawn) box.querySelector(".hint").hidden = !isWide;
  $("preview").replaceChildren(...drawn);
}

function typed() {
  complete();
  preview();
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

function chooseRecent(latex) {
  openPanel(null);
  searchFor(latex);
}

/** The state is in the address, so that a search can be shared. */
function fromAddress() {
  const state = new URLSearchParams(location.search);
  field.value = state.get("q") ?? "";
  restore(state);
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
  offer(found.indexes, () => {
    search();
    if (!field.value) showExamples(searchFor);
  });
  const all = found.indexes.reduce((sum, { formulas }) => sum + formulas, 0);
  $("about").textContent = `${count(all, "formula", "formulas")}, found by how they look`;
  addEventListener("popstate", fromAddress);
  fromAddress();
  document.documentElement.dataset.ready = "true";
}

start();
