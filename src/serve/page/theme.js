// The theme: as the system has it, light or dark. Not a module, and loaded before anything is
// drawn, so that the page does not change its colours before the reader's eyes.
"use strict";

(() => {
  const THEMES = { auto: "Theme: as the system", light: "Theme: light", dark: "Theme: dark" };
  const root = document.documentElement;
  const read = () => {
    try { return localStorage.getItem("phocus.theme"); } catch { return null; }
  };
  let theme = read() in THEMES ? read() : "auto";

  function show() {
    if (theme === "auto") delete root.dataset.theme;
    else root.dataset.theme = theme;
    const button = document.getElementById("theme");
    if (!button) return;
    button.textContent = { auto: "◐", light: "☀", dark: "☾" }[theme];
    button.title = THEMES[theme];
    button.setAttribute("aria-label", THEMES[theme]);
  }

  show();
  addEventListener("DOMContentLoaded", () => {
    show();
    document.getElementById("theme").addEventListener("click", () => {
      const names = Object.keys(THEMES);
      theme = names[(names.indexOf(theme) + 1) % names.length];
      try { localStorage.setItem("phocus.theme", theme); } catch { /* not remembered */ }
      show();
      dispatchEvent(new Event("themechange"));
    });
  });
})();
