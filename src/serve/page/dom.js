// Small things that every part of the page uses.

export const $ = (id) => document.getElementById(id);

/** Makes an element with text, never markup. */
export function make(tag, properties = {}, ...children) {
  const { aria = {}, ...own } = properties;
  const element = Object.assign(document.createElement(tag), own);
  for (const [name, value] of Object.entries(aria)) element.setAttribute(name === "role" ? name : "aria-" + name, value);
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** A button without a form. */
export function button(text, does, properties = {}) {
  const made = make("button", { type: "button", className: "quiet", textContent: text, ...properties });
  made.addEventListener("click", () => does(made));
  return made;
}

/** A button that shows and hides `shown`, which `fill` fills when it is first shown. */
export function opener(text, shown, fill, properties = {}) {
  shown.hidden = true;
  return button(text, (made) => {
    shown.hidden = !shown.hidden;
    made.setAttribute("aria-expanded", String(!shown.hidden));
    if (!shown.hidden && shown.childElementCount === 0) fill?.(shown);
  }, { aria: { expanded: "false" }, ...properties });
}

export const count = (number, one, many) => `${number.toLocaleString("en")} ${number === 1 ? one : many}`;

let hiding;
/** Says what was done, for a moment. */
export function tell(text) {
  const told = $("told");
  told.textContent = text;
  clearTimeout(hiding);
  hiding = setTimeout(() => { told.textContent = ""; }, 4000);
}

/** What is kept between visits, where the browser allows it. */
export const kept = {
  read(name) {
    try { return JSON.parse(localStorage.getItem("phocus." + name)); } catch { return null; }
  },
  write(name, value) {
    try { localStorage.setItem("phocus." + name, JSON.stringify(value)); } catch { /* nothing is kept */ }
  },
};
