// The dialog of a finished game: how it ended, everything that was counted, and what to do with it.

import { button, el, row } from "./elements.js";
import { copy, showDialog, statusLine } from "./dialog.js";
import { watchLink } from "./share.js";
import { tr } from "../words.js";

/** @typedef {{name: string, title: string, value: string, explanation: string}} Figure */

/**
 * @param {import("../app.js").App} app
 * @param {{id?: string}} options the id of a game that is over; else it is the one at the board
 */
export async function open(app, options) {
  const id = options.id ?? app.state.game?.id;
  if (!id) return;
  /** @type {{headline: string, figures: Figure[]}} */
  const end = await app.authority.request("GET", `/api/games/${id}/statistics`);
  const status = statusLine();
  const find = el("input", { type: "search", oninput: () => filter() });
  const rows = end.figures.map(({ title, value, explanation }) =>
    el("tr", { title: explanation }, el("th", { scope: "row" }, title), el("td", {}, value)));
  /** @param {string} path */
  const go = (path) => {
    close();
    app.goTo(path);
  };
  const { close } = showDialog({
    title: tr("Statistics of the game"),
    className: "tall",
    content: [
      el("p", { class: "setup-title" }, end.headline),
      el("div", { class: "buttons" },
        button(tr("Watch"), () => go(`/w/${id}`)), button(tr("Review"), () => go(`/r/${id}`)),
        button(tr("Copy link"), async () => {
          await copy(watchLink(id));
          status.say(tr("Link copied."));
        }),
        el("a", { class: "button", href: `/api/games/${id}/journal`, download: "" }, tr("Download this game"))),
      status.line,
      row(tr("Find"), find),
      el("table", { class: "keys-table figures" }, el("tbody", {}, rows)),
    ],
    buttons: [button(tr("Copy as text"), copyAll), button(tr("Close"), () => close())],
  });

  function filter() {
    const wanted = find.value.trim().toLowerCase();
    end.figures.forEach(({ name, title }, at) => (rows[at].hidden = !`${title} ${name}`.toLowerCase().includes(wanted)));
  }

  async function copyAll() {
    const shown = end.figures.filter((_, at) => !rows[at].hidden);
    await copy([end.headline, ...shown.map(({ title, value }) => `${title}: ${value}`)].join("\n"));
    status.say(tr("Statistics copied."));
  }
}
