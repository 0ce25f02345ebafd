// Formulas as pictures that the server draws. They are images: no script runs in them.

import { hasToken, request } from "./api.js";
import { make } from "./dom.js";
import { indexParameter } from "./settings.js";

/** How far a formula that is too wide is scaled down before it must be scrolled. */
const SMALLEST = 0.7;

const themed = () => {
  const { theme } = document.documentElement.dataset;
  return theme ? { theme } : {};
};

async function load(image) {
  const parameters = { ...image.asked, ...themed() };
  if (!hasToken()) {
    image.src = "/api/render?" + new URLSearchParams(parameters);
    return;
  }
  // An image's own request cannot carry the token.
  const response = await request("/api/render", parameters).catch(() => null);
  if (!response?.ok) return image.dispatchEvent(new Event("error"));
  const url = URL.createObjectURL(await response.blob());
  image.addEventListener("load", () => URL.revokeObjectURL(url), { once: true });
  image.src = url;
}

/** A formula drawn; the symbols that it shares with `like` are marked. What is typed is read as a query. */
export function picture(latex, like, isTyped = false, className = "formula") {
  const image = make("img", { className, alt: latex, loading: className === "inline" ? "lazy" : "eager" });
  // Within a line fractions and sums are set small, as TeX sets them.
  const q = className === "inline" && !latex.includes("\\begin") ? "\\textstyle " + latex : latex;
  image.asked = { q, ...(like ? { like } : {}), ...(isTyped ? { typed: true } : {}), ...indexParameter() };
  // What cannot be drawn is shown as it is written.
  image.addEventListener("error", () => image.replaceWith(make("code", { textContent: latex })));
  load(image);
  return image;
}

/** Scales a formula down a little, if it then fits better. */
function scale(image, room) {
  image.style.width = "";
  // What is too high is smaller than it is drawn.
  const width = image.getBoundingClientRect().width;
  const part = Math.max(SMALLEST, Math.min(1, room / width));
  if (part < 1) image.style.width = `${width * part}px`;
}

/** Fits a picture into its box: a formula is scaled down, then it is scrolled, which a hint says. */
function fit(box) {
  const image = box.querySelector("img");
  if (!image?.naturalWidth || !box.clientWidth) return;
  // The width of a box is rounded, and the picture must fit what it is.
  if (image.matches(".formula")) scale(image, box.clientWidth - 1);
  const isWide = box.scrollWidth > box.clientWidth;
  box.classList.toggle("wide", isWide);
  box.parentElement.querySelector(":scope > .hint").hidden = !isWide;
  if (isWide) box.tabIndex = 0;
  else box.removeAttribute("tabindex");
}

const fitting = new ResizeObserver((entries) => entries.forEach(({ target }) => fit(target)));

/** A picture in a box of its own, which scrolls where it is too wide. */
export function boxed(image, className = "", told = "Wide formula: scroll it sideways →") {
  const box = make("div", { className: `drawn ${className}`, aria: { label: image.alt, role: "group" } }, image);
  image.addEventListener("load", () => fit(box));
  fitting.observe(box);
  const hint = make("p", { className: "hint", textContent: told, hidden: true });
  return make("div", { className: "drawing" }, box, hint);
}

addEventListener("themechange", () => document.querySelectorAll("img.formula, img.inline").forEach(load));
