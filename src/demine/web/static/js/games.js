/**
 * Which game is played: a new one, one by its id, or the one that a new one took the place of.
 */
import { part } from "./page_parts.js";
import { leaveRace, showGame } from "./pages.js";
import { rememberPreferences } from "./preferences.js";
import { isOver } from "./state.js";
import { withSign } from "./waiting.js";
import { tr } from "./words.js";

/** @typedef {import("./app.js").App} App */

let isMaking = false;

/** Begin a game, unless one is being made; return its id, empty if none was begun. @param {App} app @param {Record<string, unknown>} options */
export async function newGame(app, options) {
  if (isMaking) return "";
  const old = app.state.game;
  isMaking = true;
  try {
    const id = await withSign(() => app.authority.newGame(options));
    // A board that is played again gives the game on it up: its end shows the mines of both.
    const leaves = !!old && !isOver(old) && old.status !== "ready" && !options.again;
    openGame(app, id);
    app.state.left = leaves ? old.id : "";
    if (leaves) app.showNews(tr("New game. {key} brings the last one back.", { key: app.keys.label("undo") }));
    if (typeof options.rules === "string") rememberPreferences(app, { rules: options.rules });
    return id;
  } catch (error) {
    app.showNews(/** @type {Error} */ (error).message, true);
    return "";
  } finally {
    isMaking = false;
  }
}

/** Play a game from now on. @param {App} app @param {string} id */
export function openGame(app, id) {
  app.state.left = "";
  leaveRace(app);
  app.player.cancelInput();
  if (location.pathname !== `/g/${id}`) history.replaceState(null, "", `/g/${id}`);
  showGame();
  app.authority.open(id);
}

/** Play a game of a race from now on, at the address of the race. @param {App} app @param {string} id */
export function playRaced(app, id) {
  const { state } = app;
  app.player.cancelInput();
  Object.assign(state, { game: null, left: "", isRaced: true, news: null });
  part("board").classList.add("blank");
  app.authority.open(id);
}

/** Play a co-op game from now on, at its own address. @param {App} app @param {string} id */
export function playTogether(app, id) {
  const { state } = app;
  app.player.cancelInput();
  if (state.game?.id !== id) {
    Object.assign(state, { game: null, coop: null, news: null });
    part("board").classList.add("blank");
  }
  state.left = "";
  showGame();
  app.authority.open(id);
}

/** Continue the game that a new one took the place of. @param {App} app */
export function bringBack(app) {
  openGame(app, app.state.left);
  app.showNews(tr("Last game restored"));
}
