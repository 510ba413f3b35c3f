// The dialog of a new race: on which board, and what a mine costs.

import { button, el, row, select } from "./elements.js";
import { busy, showDialog, statusLine } from "./dialog.js";
import { withSign } from "../waiting.js";
import { tr } from "../words.js";

/** @param {import("../app.js").App} app */
export async function open(app) {
  const status = statusLine();
  const board = boardChoice(app);
  const costs = select([["time", tr("five seconds")], ["race", tr("the race")]], "time", () => {});
  const make = button(tr("Make the race"), () => busy(make, status, begin), { class: "button accent" });
  const { close } = showDialog({
    title: tr("Race with others"),
    className: "small",
    content: [
      el("p", {}, tr("Two to eight players open the same board, each on their own. It needs no guess, and its first cells are open at the start.")),
      row(tr("Level"), board), row(tr("A mine costs"), costs), status.line,
    ],
    buttons: [button(tr("Cancel"), () => close()), make],
  });

  async function begin() {
    const made = await withSign(() => app.authority.request("POST", "/api/races", { rules: board.value, mine_costs: costs.value }));
    close();
    app.goTo(`/race/${made.race}`);
  }
}

/** Return a list of the levels, and of the board that is played now if it is none of them. @param {import("../app.js").App} app */
export function boardChoice(app) {
  const levels = Object.entries(/** @type {Record<string, string>} */ (app.facts.levels)).map(([command, rules]) =>
    /** @type {[string, string]} */ ([rules, tr(app.facts.commands[command])]));
  const own = app.state.game;
  if (own && !levels.some(([rules]) => rules === own.rules)) levels.push([own.rules, tr("As now: {board}", { board: own.level })]);
  return select(levels, levels.some(([rules]) => rules === app.preferences.rules) ? app.preferences.rules : levels[0][0], () => {});
}
