// Copying a formula as LaTeX or SVG, and sharing a search.

import { request } from "./api.js";
import { $, button, make, tell } from "./dom.js";
import { indexParameter } from "./settings.js";

/** Copies by selecting: what works where a page has no clipboard, as over plain HTTP. */
function copySelected(text) {
  const area = make("textarea", { value: text, className: "copied", readOnly: true });
  document.body.append(area);
  const before = document.activeElement;
  area.select();
  let done = false;
  try { done = document.execCommand("copy"); } catch { /* shown instead */ }
  area.remove();
  before?.focus?.();
  return done;
}

/** Copies text; where nothing may be copied, shows it selected. */
export async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    return tell(`${what} copied.`);
  } catch { /* no clipboard, or not allowed */ }
  if (copySelected(text)) return tell(`${what} copied.`);
  $("copy-what").textContent = `${what}: copy it from here.`;
  $("copy-text").value = text;
  $("copy-box").showModal();
  $("copy-text").select();
}

async function copyFrom(path, latex, what) {
  const response = await request(path, { q: latex, ...indexParameter() }).catch(() => null);
  if (!response?.ok) return tell(`The server has no ${what} of this formula.`);
  const isJson = response.headers.get("content-type")?.includes("json");
  await copy(isJson ? (await response.json()).mathml : await response.text(), what);
}

/** The buttons that copy a formula. */
export function copies(latex) {
  const named = (what, does) => button(what, does, { title: `Copy as ${what}`, aria: { label: `Copy as ${what}` } });
  return make("span", { className: "copies", aria: { role: "group", label: "Copy" } }, "Copy ",
    named("LaTeX", () => copy(latex, "LaTeX")),
    named("MathML", () => copyFrom("/api/mathml", latex, "MathML")),
    named("SVG", () => copyFrom("/api/render", latex, "SVG")));
}

/** Shares the search with its settings: as the device does, or as a link that is copied. */
export async function share() {
  if (navigator.share) {
    try {
      return await navigator.share({ title: document.title, url: location.href });
    } catch (error) {
      if (error.name === "AbortError") return;
    }
  }
  await copy(location.href, "Link to this search");
}
