// What was searched for lately, kept in this browser alone.

import { $, button, kept, make } from "./dom.js";
import { prose } from "./passage.js";
import { picture } from "./picture.js";

const MOST = 30;
/** Formulas, as texts; and questions, each `{ ask: text }`. */
const searches = () => (kept.read("recent") ?? []).filter((one) => typeof one === "string" || typeof one?.ask === "string");
const textOf = (one) => one.ask ?? one;

export function remember(text, mode) {
  const others = searches().filter((other) => textOf(other) !== text);
  kept.write("recent", [mode === "ask" ? { ask: text } : text, ...others].slice(0, MOST));
}

/** Fills the panel of recent searches; `search` is called with the one that is chosen, and its mode. */
export function showRecent(search) {
  const items = searches().map((one) => {
    const text = textOf(one);
    const item = button("", () => search(text, one.ask ? "ask" : "formulas"), {
      className: "quiet example", title: text, aria: { label: `Search for ${text}` },
    });
    item.append(...(one.ask ? [make("span", {}, ...prose(text))] : [picture(text)]));
    return make("li", {}, item);
  });
  const clear = button("Clear the history", () => { kept.write("recent", []); showRecent(search); });
  $("recent").replaceChildren(...(items.length > 0
    ? [make("ul", { className: "examples" }, ...items), clear]
    : [make("p", { className: "note", textContent: "No searches yet. They are kept in this browser alone." })]));
}
