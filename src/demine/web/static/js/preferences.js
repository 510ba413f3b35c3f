/**
 * The player's settings: kept here and on the server, and applied to all parts of the page.
 */
import { chosenKeys } from "./keyboard.js";
import { fileUrl } from "./page_version.js";
import { speak } from "./words.js";

/** @typedef {import("./app.js").App} App */

const STORED_AS = "demine.preferences";

/** Return what this browser keeps, so that the page begins as it was left. @returns {Record<string, unknown>} */
export function storedPreferences() {
  try {
    return JSON.parse(localStorage.getItem(STORED_AS) ?? "{}");
  } catch {
    return {}; // what was kept is not needed
  }
}

/** Keep settings in this browser. @param {App} app @param {Record<string, unknown>} changed */
export function rememberPreferences(app, changed) {
  Object.assign(app.preferences, changed);
  try {
    localStorage.setItem(STORED_AS, JSON.stringify(app.preferences));
  } catch {
    // A browser that keeps nothing asks the server at every start.
  }
}

/** Keep settings on the server and here, and apply them. @param {App} app @param {Record<string, unknown>} changed */
export async function applyPreferences(app, changed) {
  rememberPreferences(app, changed);
  if ("language" in changed) await useLanguage(app, changed.language);
  applyAll(app);
  try {
    const body = "language" in changed ? { preferences: changed, language: changed.language } : { preferences: changed };
    await app.authority.request("PUT", "/api/me", body);
  } catch (error) {
    app.showNews(/** @type {Error} */ (error).message, true);
  }
}

/** Apply all settings. @param {App} app */
export function applyAll(app) {
  app.keys = chosenKeys(app.facts, app.preferences);
  app.player.applyPreferences(app.preferences);
  app.view.applyTheme();
  app.view.nameParts();
  app.view.render();
}

/** Speak a language, by default the browser's. @param {App} app @param {unknown} code */
export async function useLanguage(app, code) {
  const wanted = String(code || navigator.language);
  speak(await app.authority.requestUntilAnswered(fileUrl(`words/${encodeURIComponent(wanted)}.json`)));
}
