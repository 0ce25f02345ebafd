// Symbols to insert.

import { $, make } from "./dom.js";

const SYMBOLS = [
  ["x²", "^{2}"], ["xₙ", "_{n}"], ["a⁄b", "\\frac{}{}"], ["√", "\\sqrt{}"], ["∑", "\\sum_{}^{}"], ["∫", "\\int_{}^{}"],
  ["∏", "\\prod"], ["lim", "\\lim_{}"], ["∞", "\\infty"], ["∂", "\\partial "], ["±", "\\pm "], ["×", "\\times "], ["·", "\\cdot "],
  ["≤", "\\leq "], ["≥", "\\geq "], ["≠", "\\neq "], ["≈", "\\approx "], ["→", "\\to "], ["⇒", "\\implies "], ["∈", "\\in "],
  ["⊂", "\\subset "], ["∪", "\\cup "], ["∩", "\\cap "], ["∀", "\\forall "], ["∃", "\\exists "], ["ℝ", "\\mathbb{R}"],
  ["ℕ", "\\mathbb{N}"], ["ℤ", "\\mathbb{Z}"], ["α", "\\alpha "], ["β", "\\beta "], ["γ", "\\gamma "], ["ε", "\\epsilon "],
  ["θ", "\\theta "], ["λ", "\\lambda "], ["μ", "\\mu "], ["π", "\\pi "], ["σ", "\\sigma "], ["φ", "\\phi "], ["ω", "\\omega "],
  ["sin", "\\sin "], ["cos", "\\cos "], ["log", "\\log "], ["( )", "\\left( \\right)"],
  ["matrix", "\\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix}"],
];

/** Offers the symbols; `typed` is called when one was inserted. */
export function offerSymbols(field, typed) {
  $("palette").append(...SYMBOLS.map(([face, latex]) => {
    const button = make("button", { type: "button", textContent: face, title: latex.trim() });
    button.setAttribute("aria-label", `Insert ${latex.trim()}`);
    button.addEventListener("click", () => {
      const start = field.selectionStart;
      field.setRangeText(latex, start, field.selectionEnd, "end");
      // Where something is to be filled in, go there.
      const gap = latex.search(/\{\}/);
      if (gap >= 0) field.setSelectionRange(start + gap + 1, start + gap + 1);
      field.focus();
      typed();
    });
    return button;
  }));
}
