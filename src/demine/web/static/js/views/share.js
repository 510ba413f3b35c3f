// The dialog of share codes: the code and the link of this board, and a code to play.

import { button, el, row } from "./elements.js";
import { busy, copy, showDialog, statusLine } from "./dialog.js";
import { tr } from "../words.js";

/**
 * @param {import("../app.js").App} app
 * @param {{copy?: boolean}} options whether to copy the code at once, if there is one
 */
export async function open(app, options) {
  const game = app.state.game && await app.authority.request("GET", `/api/games/${app.state.game.id}`);
  if (options.copy && game?.share) {
    await copy(game.share);
    app.showNews(tr("Share code copied"));
    return;
  }
  const status = statusLine();
  const typed = el("input", { autocomplete: "off", spellcheck: false });
  const play = button(tr("Start"), () => busy(play, status, begin), { class: "button accent" });
  const { close } = showDialog({
    title: tr("Share"),
    content: [
      ...(game?.share
        ? [
          copyRow(tr("Share code of this board"), game.share),
          copyRow(tr("Link to watch this game"), watchLink(game.id)),
          copyRow(tr("To show it in a page of yours"), embedCode(game.id)),
        ]
        : [el("p", {}, tr("You can share this board once the game is over: its code tells where the mines are."))]),
      row(tr("Play a share code"), typed), status.line,
    ],
    buttons: [button(tr("Close"), () => close()), play],
  });

  async function begin() {
    await playShareCode(app, typed.value);
    close();
  }
}

/** @param {string} id */
export const watchLink = (id) => new URL(`/w/${id}`, location.href).href;

/** Return the line of HTML that shows a recording in another site's page. @param {string} id */
export const embedCode = (id) =>
  `<iframe src="${new URL(`/embed/${id}`, location.href).href}" width="480" height="460" style="border:0" loading="lazy" title="demine"></iframe>`;

/**
 * Begin a game on the board of a share code; throws an error with the reason if it is none.
 * @param {import("../app.js").App} app
 * @param {string} typed
 */
export async function playShareCode(app, typed) {
  const found = await app.authority.request("POST", "/api/forms/share/check", { code: typed.trim() });
  if (found.trouble) throw new Error(found.trouble);
  await app.newGame({ share: typed.trim() });
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
