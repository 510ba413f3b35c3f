/**
 * What the two menus of the header offer: levels, and all that has no button of its own.
 */
import { openMenu } from "./menu.js";
import { part } from "./page_parts.js";
import { tr } from "./words.js";

/** @typedef {import("./app.js").App} App */

/** @param {App} app */
export function openLevels(app) {
  const { facts, keys, state } = app;
  const levels = Object.entries(/** @type {Record<string, string>} */ (facts.levels ?? {}));
  const entries = levels.map(([command, rules]) => ({
    text: tr(facts.commands[command]), command, key: keys.label(command), checked: rules === state.game?.rules,
  }));
  openMenu(part("level"), [...entries, { text: "" }, { text: tr("Set up…"), command: "setup", key: keys.label("setup") }], (command) => app.run(command));
}

/** @param {App} app */
export function openMore(app) {
  /** @param {string} text @param {string} command */
  const entry = (text, command) => ({ text, command, key: app.keys.label(command) });
  const sizes = [
    entry(tr("Larger cells"), "zoom-in"),
    entry(tr("Smaller cells"), "zoom-out"),
    entry(tr("Fit the board to the window"), "zoom-reset"),
  ];
  if (app.state.isRaced) {
    openMenu(part("menu"), [...sizes, { text: "" }, entry(tr("All settings…"), "settings"), entry(tr("Help"), "help")], (command) => app.run(command));
    return;
  }
  if (app.state.coop) {
    const help = [entry(tr("Show risks"), "chances"), entry(tr("Must I guess?"), "may-guess"), entry(tr("Draft mines and safe cells"), "draft")];
    openMenu(part("menu"), [...help, { text: "" }, ...sizes, { text: "" }, entry(tr("All settings…"), "settings"), entry(tr("Help"), "help")], (command) => app.run(command));
    return;
  }
  openMenu(part("menu"), [
    entry(tr("Restart this board"), "again"),
    entry(tr("Show risks"), "chances"),
    entry(tr("Must I guess?"), "may-guess"),
    entry(app.state.draft.isOn ? tr("Put the draft aside") : tr("Draft mines and safe cells"), "draft"),
    entry(tr("Prove no guess is needed"), "prove"),
    { text: "" },
    entry(tr("Open file…"), "open-file"),
    entry(tr("Copy share code"), "share"),
    entry(tr("Open share code…"), "open-share"),
    entry(tr("Records…"), "records"),
    entry(tr("Ranked daily boards…"), "daily"),
    entry(tr("Leaderboards…"), "leaderboards"),
    entry(tr("Race with others…"), "race"),
    entry(tr("Play one board together…"), "coop"),
    entry(tr("Train on your games…"), "train"),
    entry(tr("Analyse a position…"), "analyse"),
    { text: "" },
    ...sizes,
    { text: "" },
    entry(tr("All settings…"), "settings"),
    entry(tr("Player and devices…"), "player"),
    entry(tr("Help"), "help"),
  ], (command) => app.run(command));
}
