// The dialog of share codes: the code and the link of this board, and a code to play.

import { button, el, row } from "./elements.js";
import { busy, copy, showDialog, statusLine } from "./dialog.js";
import { tr } from "../words.js";

/**
 * @param {import("./types.js").App} app
 * @param {{code?: string, game?: string, over?: boolean}} options the board's share code, if it has begun;
 *   the id of the game, to be watched once it is over
 */
export function open(app, options) {
  const status = statusLine();
  const typed = el("input", { autocomplete: "off", spellcheck: false });
  const play = button(tr("Play"), () => busy(play, status, begin), { class: "button accent" });
  const { close } = showDialog({
    title: tr("Share"),
    content: [
      options.code ? copyRow(tr("Share code of this board"), options.code) : null,
      options.game && options.over
        ? copyRow(tr("Link to watch this game"), new URL(`/w/${options.game}`, location.href).href) : null,
      row(tr("Play a share code"), typed), status.line,
    ],
    buttons: [button(tr("Close"), () => close()), play],
  });

  async function begin() {
    const found = await app.authority.request("POST", "/api/forms/share/check", { code: typed.value.trim() });
    if (found.trouble) throw new Error(found.trouble);
    await app.newGame({ share: typed.value.trim() });
    close();
  }
}

/**
 * Return a text that is read, selected and copied, but not changed.
 * @param {string} label
 * @param {string} text
 */
export function copyRow(label, text) {
  const field = el("input", { readOnly: true, value: text, onfocus: () => field.select() });
  const press = button(tr("Copy"), async () => {
    await copy(text);
    press.textContent = tr("Copied");
  });
  const line = row(label, field);
  line.querySelector(".value")?.append(press);
  line.classList.add("copy");
  return line;
}
