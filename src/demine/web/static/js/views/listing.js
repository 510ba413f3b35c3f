// Whether the player appears in everybody's leaderboards: nobody does who has not asked for it.

import { button, el, row } from "./elements.js";
import { busy, statusLine } from "./dialog.js";
import { tr } from "../words.js";

const LONGEST_NAME = 40;

/**
 * Return what says whether the player appears, and changes it.
 * @param {import("../app.js").App} app
 * @param {boolean} isListed
 * @param {() => Promise<unknown>} changed
 */
export function appearance(app, isListed, changed) {
  const status = statusLine();
  const box = el("div", { class: "appearance" });
  /** @type {HTMLButtonElement} */
  const begin = isListed
    ? button(tr("No longer appear"), () => busy(begin, status, () => save({ is_listed: false })))
    : button(tr("Appear here…"), () => busy(begin, status, askName));
  box.replaceChildren(el("p", {}, isListed
    ? tr("You appear here with your best games.")
    : tr("You are not listed here: only players who choose to be are.")), begin, status.line);
  return box;

  async function askName() {
    const me = await app.authority.request("GET", "/api/me");
    const name = el("input", { value: me.name, maxLength: LONGEST_NAME, autocomplete: "nickname", required: true });
    const appear = button(tr("Appear"), () => busy(appear, status, () => save({ is_listed: true, name: name.value })), { class: "button accent" });
    const line = row(tr("Name"), name, { note: tr("Everybody who opens this page sees the name, your best games and their recordings.") });
    line.querySelector(".value")?.append(appear);
    name.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && !event.isComposing) appear.click();
    });
    box.replaceChildren(line, status.line);
    name.focus();
  }

  /** @param {Record<string, unknown>} wanted */
  async function save(wanted) {
    if (wanted.name !== undefined && !String(wanted.name).trim()) throw new Error(tr("Choose a name first."));
    await app.authority.request("PUT", "/api/me", wanted);
    await changed();
  }
}
