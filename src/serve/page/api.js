// Asking the server.

import { $ } from "./dom.js";

const TOKEN = "phocus.token";
let token = null;
try { token = sessionStorage.getItem(TOKEN); } catch { /* asked for on every visit */ }

export const hasToken = () => token !== null;

let asked = null;
/** Asks the reader for the server's token; requests that wait for it share one question. */
function askToken() {
  asked ??= new Promise((answered) => {
    const box = $("token-box");
    $("token-wrong").hidden = token === null;
    box.returnValue = "";
    box.addEventListener("close", () => {
      asked = null;
      if (box.returnValue !== "use" || !$("token").value) return answered(false);
      token = $("token").value.trim();
      $("token").value = "";
      try { sessionStorage.setItem(TOKEN, token); } catch { /* for this page alone */ }
      answered(true);
    }, { once: true });
    box.showModal();
  });
  return asked;
}

/** The answer to a request; a server that wants a token is asked again with it. */
export async function request(path, parameters, signal) {
  const url = path + "?" + new URLSearchParams(parameters);
  for (;;) {
    const sent = token;
    const headers = sent === null ? {} : { Authorization: `Bearer ${sent}` };
    const response = await fetch(url, { signal, headers });
    if (response.status !== 401) return response;
    // Another request may have been given a token meanwhile.
    if (token === sent && !(await askToken())) return response;
  }
}

/** Why there is no answer, in words for the reader. */
function refused(status, error) {
  const told = error ? error[0].toUpperCase() + error.slice(1).replace(/\.?$/, ".") : "";
  if (status === 401) return "This server answers only with its token. Reload the page to enter it.";
  if (status === 503) return `The server cannot answer now. ${told} Try again in a moment.`;
  if (status >= 500) return `The server failed. ${told}`;
  return told || `The server answered with status ${status}.`;
}

/** The answer as an object; `error` and `status` if there is none. */
export async function answer(path, parameters, signal) {
  let response;
  try {
    response = await request(path, parameters, signal);
  } catch (error) {
    if (error.name === "AbortError") return null;
    return { error: "The server does not answer. Is it still running?", status: 0 };
  }
  try {
    const found = await response.json();
    return response.ok ? found : { error: refused(response.status, found.error), status: response.status };
  } catch (error) {
    if (error.name === "AbortError") return null;
    return { error: refused(response.status, ""), status: response.status };
  }
}

const asking = {};
/** Drops a question: its answer comes to nothing. */
export function drop(kind) {
  asking[kind]?.abort();
  delete asking[kind];
}

/** Asks the server; a newer question of the same kind drops an older one's answer. */
export async function ask(kind, path, parameters) {
  drop(kind);
  const mine = (asking[kind] = new AbortController());
  const found = await answer(path, parameters, mine.signal);
  return asking[kind] === mine ? found : null;
}
