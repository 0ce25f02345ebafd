// Suggestions while one types: formulas that hold everything typed so far.

import { ask, drop } from "./api.js";
import { $, make } from "./dom.js";
import { mode } from "./mode.js";
import { picture } from "./picture.js";
import { indexParameter } from "./settings.js";

const field = $("q"), list = $("suggestions");
let suggestions = [];
let chosen = -1;
let taken = () => {};

/** How often the list was closed. */
let closings = 0;
/** Whether the list was not closed since: what was typed before is then done with. */
export function sinceClosed() {
  const before = closings;
  return () => closings === before;
}

/** Closes the list, and drops the suggestions that are on their way: they would open it again. */
export function close() {
  drop("complete");
  closings += 1;
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
  field.value = suggestions[place];
  close();
  taken();
}

/** Says how the input was read, in the server's words, where that is not as it is written. */
export function showReading({ notes = [] }) {
  $("reading").textContent = notes.map((note) => note.replace(/([^.])$/, "$1.")).join(" ");
}

/** Suggests formulas for what is typed; a question is typed in peace. */
export async function complete() {
  const typed = field.value;
  if (mode() === "ask") return close();
  if (!typed.trim()) {
    $("reading").textContent = "";
    return close();
  }
  const answer = await ask("complete", "/api/complete", { q: typed, group: "writing", ...indexParameter() });
  if (!answer || field.value !== typed) return;
  suggestions = (answer.hits ?? []).map(({ latex }) => latex);
  if (!answer.error) showReading(answer);
  list.replaceChildren(...suggestions.map((latex, at) => {
    const item = make("li", { id: "suggestion-" + at, aria: { role: "option", selected: "false", label: latex } },
      picture(latex, typed));
    item.addEventListener("pointerdown", (event) => { event.preventDefault(); take(at); });
    return item;
  }));
  chosen = -1;
  list.hidden = suggestions.length === 0;
  field.setAttribute("aria-expanded", String(!list.hidden));
  list.dataset.typed = typed;
}

function key(event) {
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
}

/** Suggests from now on; `search` is called when a suggestion is taken. */
export function suggest(search) {
  taken = search;
  field.addEventListener("keydown", key);
  field.addEventListener("blur", close);
}
