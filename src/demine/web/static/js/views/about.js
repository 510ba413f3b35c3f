// The dialog About: what this is, and which version.

import { button, el } from "./elements.js";
import { showDialog } from "./dialog.js";
import { tr } from "../words.js";

/** @param {import("../app.js").App} app */
export async function open(app) {
  const setup = await app.authority.request("GET", "/api/setup");
  const { close } = showDialog({
    title: tr("About"),
    className: "small",
    content: [
      el("p", {}, tr("demine {version}", { version: setup.version })),
      el("p", {}, tr("Minesweeper that explains itself: hints with reasons, guess-free boards, exact risks.")),
      el("p", { class: "note" }, tr("Nothing you do here leaves this server.")),
    ],
    buttons: [button(tr("Close"), () => close())],
  });
}
