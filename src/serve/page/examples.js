// What is shown before anything is searched for: examples that have results here.

import { answer } from "./api.js";
import { $, button, make } from "./dom.js";
import { hasTexts } from "./mode.js";
import { prose } from "./passage.js";
import { picture } from "./picture.js";
import { indexParameter } from "./settings.js";

const EXAMPLES = [
  "a^2+b^2=c^2", "\\int_{-\\infty}^{\\infty} e^{-x^2}\\,dx", "\\sum_{n=1}^{\\infty} \\frac{1}{n^2}",
  "e^{i\\pi}+1=0", "\\lim_{x\\to 0} \\frac{\\sin x}{x}", "\\binom{n}{k}", "\\sqrt{1+\\sqrt{2}}",
  "\\frac{-b\\pm\\sqrt{b^2-4ac}}{2a}", "f(x)=\\frac{1}{x}", "x^2+y^2",
];
const SHOWN = 6;

const QUESTIONS = [
  "why does $\\sum_{n=1}^{\\infty} \\frac{1}{n}$ diverge?", "how to prove that $\\sqrt{2}$ is irrational",
  "limit of $\\left(1+\\frac{1}{n}\\right)^n$", "what is the integral of $e^{-x^2}$?", "derivative of $x^x$",
  "eigenvalues of $AB$ and $BA$",
];
const QUESTIONS_SHOWN = 2;
/** How alike a formula of the first result must be. */
const ALIKE = 0.7;

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

/** Questions whose words the collection has, and whose first result has a formula like theirs. */
async function foundQuestions() {
  const chosen = [];
  for (const question of hasTexts() ? QUESTIONS : []) {
    if (chosen.length === QUESTIONS_SHOWN) break;
    const found = await answer("/api/ask", { q: question, k: 1, ...indexParameter() });
    const parts = (found?.hits ?? []).flatMap((hit) => [...hit.title_parts, ...hit.passage]);
    const isAnswered = found?.words?.every(({ texts }) => texts > 0) && parts.some(({ likeness }) => likeness >= ALIKE);
    if (isAnswered) chosen.push(question);
  }
  return chosen;
}

/** A button for an example. */
function item(text, mode, shown, search) {
  const chosen = button("", () => search(text, mode), {
    className: `quiet example ${mode}`, title: text, aria: { label: `Search for ${text}` },
  });
  chosen.append(...shown);
  return make("li", {}, chosen);
}

/** Shows the examples; `search` is called with the one that is chosen, and its mode. */
export async function showExamples(search) {
  const { index = "" } = indexParameter();
  if (!known.has(index)) known.set(index, Promise.all([found(), foundQuestions()]));
  const [formulas, questions] = await known.get(index);
  const items = [
    ...questions.map((text) => item(text, "ask", [make("span", {}, ...prose(text))], search)),
    ...formulas.map((latex) => item(latex, "formulas", [picture(latex)], search)),
  ];
  $("examples").replaceChildren(...items);
  $("examples-head").hidden = items.length === 0;
}
