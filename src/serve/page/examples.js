// What is shown before anything is searched for: examples that have results here.

import { answer } from "./api.js";
import { $, button, make } from "./dom.js";
import { picture } from "./picture.js";
import { indexParameter } from "./settings.js";

const EXAMPLES = [
  "a^2+b^2=c^2", "\\int_{-\\infty}^{\\infty} e^{-x^2}\\,dx", "\\sum_{n=1}^{\\infty} \\frac{1}{n^2}",
  "e^{i\\pi}+1=0", "\\lim_{x\\to 0} \\frac{\\sin x}{x}", "\\binom{n}{k}", "\\sqrt{1+\\sqrt{2}}",
  "\\frac{-b\\pm\\sqrt{b^2-4ac}}{2a}", "f(x)=\\frac{1}{x}", "x^2+y^2",
];
const SHOWN = 6;

/** Which examples the collection has, by its name. */
const known = new Map();

/** Those with all of whose symbols the collection has a formula. */
async function found() {
  const has = EXAMPLES.map(async (latex) => {
    const found = await answer("/api/complete", { q: latex, k: 1, ...indexParameter() });
    return (found?.hits?.length ?? 0) > 0;
  });
  const results = await Promise.all(has);
  return EXAMPLES.filter((_, at) => results[at]).slice(0, SHOWN);
}

/** Shows the examples; `search` is called with the one that is chosen. */
export async function showExamples(search) {
  const { index = "" } = indexParameter();
  if (!known.has(index)) known.set(index, found());
  const examples = await known.get(index);
  const items = examples.map((latex) => make("li", {}, button("", () => search(latex), {
    className: "quiet example", title: latex, aria: { label: `Search for ${latex}` },
  })));
  items.forEach((item, at) => item.firstChild.append(picture(examples[at])));
  $("examples").replaceChildren(...items);
  $("examples-head").hidden = items.length === 0;
}
