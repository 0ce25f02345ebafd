// Looking for answers: what is asked, what is said of the question, and one text that was found.

import { count, make } from "./dom.js";
import { colourOf, drawn, inline, numbered } from "./passage.js";
import { asking, pageSize } from "./settings.js";

/** Why nothing was found. */
function nothing(found) {
  if (found.words.length === 0 && found.formulas.length === 0) {
    return "The question has no words that are looked for, and no formula. Formulas stand between $.";
  }
  return "answers" in asking() ? "No answer found. Try it with other texts, too: see Settings."
    : "No text found: none has a word of the question, or a formula like one of its formulas.";
}

/** A formula of the question, with its number and its colour. */
function askedFormula({ latex, read_as: readAs }, number) {
  const title = readAs ? `Formula ${number} of the question` : "This formula cannot be read";
  return make("li", { className: readAs ? colourOf(number) : "unread", title, aria: { label: `${number}: ${latex}` } },
    inline(latex, numbered(number)));
}

/** What is said of the question above the results. */
function about({ words, formulas }) {
  const missing = words.filter(({ texts }) => texts === 0).map(({ word }) => `“${word}”`);
  const told = formulas.length === 1 ? "The more a formula is like that of the question, the stronger is its colour."
    : "A formula has the number and the colour of the one that it is like; the more it is, the stronger is the colour.";
  return [
    formulas.length > 0 ? make("ol", { className: "asked-formulas", aria: { label: "Formulas of the question" } },
      ...formulas.map((formula, at) => askedFormula(formula, at + 1))) : null,
    formulas.length > 0 ? make("p", { className: "note", textContent: told }) : null,
    missing.length > 0 ? make("p", { className: "note", textContent: `In no text: ${missing.join(", ")}.` }) : null,
  ].filter(Boolean);
}

/** The title, which leads where the text can be read if that is known. */
function title(hit, formulas) {
  const parts = hit.title.trim() ? drawn(hit.title_parts, formulas) : [hit.document ?? hit.id];
  const href = /^https?:\/\//.test(hit.url ?? "") ? hit.url : null;
  const way = href ? make("a", { href, target: "_blank", rel: "noopener noreferrer" }, ...parts) : null;
  return make("h3", {}, ...(way ? [way] : parts));
}

/** What the text is: a post and its question, or a section of a file. */
function place({ type, id, question, document, title }) {
  const own = make("span", { className: type ? "" : "file-of", textContent: type ? `${type} ${id}` : id });
  const of = question && question !== id ? ` to question ${question}` : "";
  const section = document && document !== title ? make("span", { className: "section-of", textContent: document }) : null;
  return make("span", { className: "place-of" }, own, of, section ? " " : null, section);
}

/** Whether what is shown of a text has nothing that was asked for. */
const saysNothing = ({ title_parts: title, passage }) =>
  ![...title, ...passage].some(({ matched, query }) => matched || query !== undefined);

/** A text that was found. */
function card(hit, formulas) {
  const tags = (hit.tags ?? []).map((tag) => make("span", { className: "tag", textContent: tag }));
  const score = `words ${hit.words_score.toFixed(2)}, formulas ${hit.formulas_score.toFixed(2)}`;
  return make("li", { className: "card" },
    make("span", { className: "rank", textContent: hit.rank, aria: { hidden: "true" } }),
    make("div", { className: "body" },
      title(hit, formulas),
      make("p", { className: "passage" },
        hit.passage_in_question ? make("span", { className: "gap", textContent: "In its question: " }) : null,
        ...drawn(hit.passage, formulas)),
      saysNothing(hit) ? make("p", { className: "note", textContent: "Found by what it says elsewhere." }) : null,
      make("div", { className: "row about-text" }, place(hit), ...tags,
        make("span", { className: "facts", title: score, textContent: `score ${hit.score.toFixed(2)}` }))));
}

export const answers = {
  path: "/api/ask",
  parameters: () => ({ k: Math.min(10, pageSize()), ...asking() }),
  nothing,
  matching: ({ found }) => `${count(found, "text matches", "texts match")}, best first`,
  about,
  cards: (found) => found.hits.map((hit) => card(hit, found.formulas.length)),
};
