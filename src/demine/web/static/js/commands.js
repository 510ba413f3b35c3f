/**
 * What each command of the page does; those of the board are the player's.
 */
import { bringBack, newGame } from "./games.js";
import { openLevels, openMore } from "./menu_entries.js";
import { part } from "./page_parts.js";
import { goTo, openDialog } from "./pages.js";
import { applyPreferences, rememberPreferences } from "./preferences.js";
import { language, tr } from "./words.js";

/** @typedef {import("./app.js").App} App */

/** Commands that open a dialog, by its name. @type {Record<string, string>} */
const DIALOGS = {
  setup: "setup", settings: "settings", help: "help", records: "history", statistics: "end",
  "open-file": "upload", "open-share": "share", race: "race", coop: "coop", player: "player", about: "about",
};

/** @type {Record<string, (app: App) => unknown>} */
const ACTIONS = {
  new: (app) => newGame(app, { rules: app.state.game?.rules ?? app.preferences.rules }),
  again: (app) => newGame(app, { again: app.state.game?.id }),
  "next-level": (app) => newGame(app, { rules: next(Object.values(app.facts.levels), app.state.game?.rules) }),
  undo: bringBack,
  levels: openLevels,
  menu: openMore,
  prove: async (app) => (await import("./views/prove.js")).prove(app),
  share: (app) => openDialog(app, "share", { copy: true }),
  review: (app) => goTo(app, `/r/${app.state.game?.id}`),
  train: (app) => goTo(app, "/train"),
  analyse: (app) => goTo(app, "/analyse"),
  leaderboards: (app) => goTo(app, "/leaderboards"),
  daily: (app) => goTo(app, app.state.game?.ranked ? `/daily?level=${app.state.game.ranked.split(" ")[1]}` : "/daily"),
  watch: (app) => goTo(app, `/w/${app.state.game?.id}`),
  "zoom-in": (app) => app.board.zoomSteps(1),
  "zoom-out": (app) => app.board.zoomSteps(-1),
  "zoom-reset": (app) => app.view.fit(),
  fullscreen: toggleFullScreen,
  "flag-mode": toggleFlagMode,
  "close-message": closeMessage,
  "guess-free": toggleGuessFree,
  theme: (app) => applyPreferences(app, { theme: next(app.facts.themes.map(named), app.theme) }),
  palette: (app) => applyPreferences(app, { palette: next(["", ...app.facts.palettes.map(named)], app.preferences.palette) }),
  language: (app) => applyPreferences(app, { language: next(Object.keys(app.facts.languages), language()) }),
};

/** Carry out what is no matter of the board. @param {App} app @param {string} command */
export async function runBesideBoard(app, command) {
  const level = app.facts.levels?.[command];
  if (command === "new" && app.race?.playAgain) app.race.playAgain();
  else if (command in DIALOGS) await openDialog(app, DIALOGS[command], command === "help" ? { page: "keys" } : {});
  else if (level) await newGame(app, { rules: level });
  else await ACTIONS[command]?.(app);
  app.view.render();
}

/** @param {{name: string}} each */
const named = (each) => each.name;
/** @param {string[]} all @param {string | undefined} here */
const next = (all, here) => all[(all.indexOf(here ?? "") + 1) % all.length];

/** @param {App} app */
function toggleFlagMode({ state, board, view }) {
  state.flagMode = !state.flagMode;
  document.documentElement.toggleAttribute("data-flag-mode", state.flagMode);
  part("flag-mode").setAttribute("aria-pressed", String(state.flagMode));
  board.applyTheme(); // the mode shows in the line around the board
  view.grid.announce(state.flagMode ? tr("Taps flag now") : tr("Taps open now"));
}

function toggleFullScreen() {
  if (document.fullscreenElement) void document.exitFullscreen();
  else document.documentElement.requestFullscreen?.().catch(() => {});
}

/** @param {App} app */
function closeMessage(app) {
  app.state.proving = "";
  if (app.state.help || app.state.asking) app.player.run("cancel");
  else endTip(app);
}

/** Show no more how to play. @param {App} app */
export function endTip(app) {
  if (!app.preferences.start_tip) return;
  rememberPreferences(app, { start_tip: false });
  // Whether it is kept elsewhere too is nobody's trouble.
  app.authority.request("PUT", "/api/me", { preferences: { start_tip: false } }).catch(() => {});
  app.view.render();
}

/** @param {App} app */
async function toggleGuessFree(app) {
  const on = !app.preferences.guess_free;
  await applyPreferences(app, { guess_free: on });
  app.showNews(on ? tr("Guess-free boards from the next game") : tr("Ordinary boards from the next game"));
}
