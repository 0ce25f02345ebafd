// What was searched for lately, kept in this browser alone.

import { $, button, kept, make } from "./dom.js";
import { picture } from "./picture.js";

const MOST = 30;
const searches = () => (kept.read("recent") ?? []).filter((latex) => typeof latex === "string");

export function remember(latex) {
  kept.write("recent", [latex, ...searches().filter((other) => other !== latex)].slice(0, MOST));
}

/** Fills the panel of recent searches; `search` is called with the one that is chosen. */
export function showRecent(search) {
  const all = searches();
  const items = all.map((latex) => make("li", {}, button("", () => search(latex), {
    className: "quiet example", title: latex, aria: { label: `Search for ${latex}` },
  })));
  items.forEach((item, at) => item.firstChild.append(picture(all[at])));
  const clear = button("Clear the history", () => { kept.write("recent", []); showRecent(search); });
  $("recent").replaceChildren(...(all.length > 0
    ? [make("ul", { className: "examples" }, ...items), clear]
    : [make("p", { className: "note", textContent: "No searches yet. They are kept in this browser alone." })]));
}
