// The name by which others see a player, asked for where it matters.

import { el } from "./elements.js";

const LONGEST_NAME = 40;

/** Return a field for a name. @param {string} name */
export const nameField = (name) => el("input", { value: name, maxLength: LONGEST_NAME, autocomplete: "nickname" });

/** Have the server keep a name, if it is another one. @param {import("../app.js").App} app @param {string} before @param {string} name */
export async function rename(app, before, name) {
  if (name !== before) await app.authority.request("PUT", "/api/me", { name });
}
