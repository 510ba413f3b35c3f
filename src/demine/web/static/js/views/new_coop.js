// The dialog of a new co-op game: on which board.

import { button, el, row } from "./elements.js";
import { busy, showDialog, statusLine } from "./dialog.js";
import { nameField, rename } from "./names.js";
import { boardChoice } from "./new_race.js";
import { withSign } from "../waiting.js";
import { tr } from "../words.js";

/** @param {import("../app.js").App} app */
export async function open(app) {
  const status = statusLine();
  const board = boardChoice(app);
  const me = await app.authority.request("GET", "/api/me");
  const name = nameField(me.name);
  const make = button(tr("Make the game"), () => busy(make, status, begin), { class: "button accent" });
  const { close } = showDialog({
    title: tr("Play one board together"),
    className: "small",
    content: [
      el("p", {}, tr("Two to eight players open one board. Everybody sees what the others do, and where they point. It enters no records.")),
      row(tr("Level"), board), row(tr("Your name"), name), status.line,
    ],
    buttons: [button(tr("Cancel"), () => close()), make],
  });

  async function begin() {
    await rename(app, me.name, name.value);
    const made = await withSign(() => app.authority.request("POST", "/api/coop", { rules: board.value }));
    close();
    app.goTo(`/coop/${made.game}`);
  }
}
