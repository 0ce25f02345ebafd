// A result: the formula, where it stands, and what can be done with it.

import { answer } from "./api.js";
import { copies } from "./copy.js";
import { button, count, make, opener } from "./dom.js";
import { prose } from "./passage.js";
import { boxed, picture } from "./picture.js";
import { grouping, indexParameter } from "./settings.js";
import { why } from "./why.js";

/** The address of an instance, if the collection has one for it and it is of the web. */
const address = ({ url }) => (/^https?:\/\//.test(url ?? "") ? url : null);

/** Text that leads where the instance stands, where that is known. */
function linked(instance, text) {
  const href = address(instance);
  return href ? make("a", { textContent: text, href, target: "_blank", rel: "noopener noreferrer" })
    : document.createTextNode(text);
}

const named = (instance) => [instance.type, instance.post, instance.id && `formula ${instance.id}`].filter(Boolean).join(" ");
const fieldOf = (name, value) => make("span", { className: "field-of", textContent: `${name}: ${value}` });

/** Text that leads where the instance stands, with the formulas in it drawn. */
function linkedProse(instance, text) {
  const way = linked(instance, text);
  if (way instanceof Element) way.replaceChildren(...prose(text));
  return way instanceof Element ? way : make("span", {}, ...prose(text));
}

/** The file and the line of an instance in a document, as a terminal has it. */
const fileOf = ({ source, line }) => (source && line ? `${source}:${line}` : source);

/** Where one instance stands, with all columns that were kept with it. */
function place(instance) {
  const { title, url, source, line, column, section, sentence, ...others } = instance.fields ?? {};
  const fields = Object.entries(others).map(([name, value]) => fieldOf(name, value));
  const file = fileOf({ source, line });
  return [
    linkedProse(instance, title ?? section ?? named(instance)),
    file ? make("span", { className: "field-of", textContent: file }) : null,
    ...fields,
    sentence ? make("span", { className: "sentence" }, ...prose(sentence)) : null,
  ].filter(Boolean);
}

/** What a card says of its first instance: its title, section, file and sentence, and a way there. */
function told(instance) {
  const { title, source, line, section, sentence } = instance.fields ?? {};
  const way = title || address(instance) ? linkedProse(instance, title ?? named(instance)) : null;
  const under = section ? make("span", { className: "section-of" }, ...prose(section)) : null;
  const file = fileOf({ source, line });
  const from = file ? (line ? make("span", { className: "file-of", textContent: file }) : fieldOf("source", source)) : null;
  // A formula by itself is no sentence, and the title was said.
  const says = sentence && sentence !== title && !/^\$[^$]*\$$/.test(sentence) ? make("p", { className: "sentence" }, ...prose(sentence)) : null;
  const row = way || under || from ? make("p", { className: "told-of" }, way, under, from) : null;
  return row || says ? make("div", {}, row, says) : null;
}

async function occurrences(id, places) {
  const items = make("ul", { className: "instances" });
  const next = async () => {
    const found = await answer("/api/instances", { id, from: items.childElementCount, k: 10, ...indexParameter() });
    if (!found) return;
    if (found.error) items.append(make("li", { className: "bad", textContent: found.error }));
    items.append(...(found.instances ?? []).map((instance) => make("li", {}, ...place(instance))));
    more.hidden = items.childElementCount >= (found.total ?? 0);
  };
  const more = button("More places", next);
  places.append(items, more);
  await next();
}

/** The numbers by which it stands where it stands. */
function likeness(hit) {
  const score = `score ${hit.score.toFixed(2)}`;
  return hit.likeness === undefined ? score : `likeness ${hit.likeness.toFixed(3)}`;
}

/** What the further formulas of a group are called. */
function others(hit) {
  const number = hit.others_count ?? hit.others.length;
  if (grouping() === "renaming") return `and ${count(number, "like it", "like it")} in other letters or writing`;
  return `and ${count(number, "other way", "other ways")} of writing it`;
}

/** The further formulas of a group, each with what can be done with it. */
function group(hit, query, search) {
  const list = make("ol", { className: "others", aria: { label: "Other ways of writing it" } });
  const fill = () => list.append(...hit.others.map((other) => card(other, query, search, true)));
  return [opener(others(hit), list, fill), list];
}

const clamped = new ResizeObserver((entries) => entries.forEach(({ target }) => {
  const isCut = target.scrollHeight > target.clientHeight + 1;
  if (!target.classList.contains("whole")) target.nextElementSibling.hidden = !isCut;
}));

/** The LaTeX of a result: two lines of it, and all where the reader asks for it. */
function written(latex) {
  const code = make("code", { className: "latex", textContent: latex, title: latex });
  const open = button("Show all of it", () => {
    const isWhole = code.classList.toggle("whole");
    open.textContent = isWhole ? "Show less of it" : "Show all of it";
    open.setAttribute("aria-expanded", String(isWhole));
  }, { aria: { expanded: "false" }, hidden: true, className: "quiet whole-of" });
  // A tap on the text opens it too; whoever marks some of it wants to copy that.
  code.addEventListener("click", () => { if (!open.hidden && getSelection().isCollapsed) open.click(); });
  clamped.observe(code);
  return [code, open];
}

/** A result for the query `query`; `isOther` if it is shown within its group. */
export function card(hit, query, search, isOther = false) {
  const places = make("div", { className: "places" });
  const where = opener(count(hit.instances, "place", "places"), places, () => occurrences(hit.id, places));
  const reasons = make("div", { className: "why" });
  const because = opener("Why?", reasons, () => why(reasons, hit, query));
  const like = button("Search for this", () => search(hit.latex));
  const [more, list] = hit.others?.length > 0 ? group(hit, query, search) : [null, null];
  return make("li", { className: isOther ? "other" : "card" },
    isOther ? null : make("span", { className: "rank", textContent: hit.rank, aria: { hidden: "true" } }),
    make("div", { className: "body" },
      boxed(picture(hit.latex, query)),
      ...written(hit.latex),
      told(hit.first ?? {}),
      more ? make("p", { className: "grouped" }, more) : null,
      list,
      make("div", { className: "row" }, because, where, like, copies(hit.latex),
        make("span", { className: "facts", textContent: likeness(hit) })),
      reasons, places));
}
