// Looking for formulas: what is asked, and what is said of the answer.

import { card } from "./card.js";
import { pageSize, searching } from "./settings.js";

/** Why nothing was found. */
function nothing(found) {
  const missing = found.unknown_symbols;
  const filtered = "type" in searching() || "source" in searching();
  if (missing.length > 0) {
    return `No formula found: ${found.required} of ${found.symbols} symbols must match, and no formula holds ${missing.join(" ")}.`;
  }
  return `No formula found: no formula holds ${found.required} of the query's ${found.symbols} symbols at once`
    + (filtered ? " and passes the filters. Ask for fewer, or take filters away." : ". Ask for fewer.");
}

/** How many formulas match. */
function matching(found) {
  const { count: number, exact } = found.found ?? { count: found.hits.length, exact: true };
  const match = number === 1 ? "formula matches" : "formulas match";
  return `${exact ? "" : "At least "}${number.toLocaleString("en")} ${match}`;
}

export const formulas = {
  path: "/api/search",
  parameters: () => ({ k: pageSize(), ...searching() }),
  nothing,
  matching,
  about: () => [],
  cards: (found, query, search) => found.hits.map((hit) => card(hit, query, search)),
};
