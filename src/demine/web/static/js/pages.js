/**
 * What is shown: the game, another page by its address, or a dialog over either.
 */
import { reached } from "./authority.js";
import { part } from "./page_parts.js";
import { attempt } from "./waiting.js";

/** @typedef {import("./app.js").App} App */

/** How a page is called in an address, before its id. */
const PAGE = /^\/(w|r|race|coop|history|train|analyse|leaderboards|friend|daily)(\/|$)/;

/** Show the game or a page by its address, as a step that the browser goes back from. @param {App} app @param {string} path */
export function goTo(app, path) {
  history.pushState(null, "", path);
  void showAddress(app);
}

/** Show the game or a page by its address, in place of the one that is shown. @param {App} app @param {string} path */
export function standAt(app, path) {
  history.replaceState(null, "", path);
  void showAddress(app);
}

/** Show what the address names; return whether that is another page than the game. @param {App} app */
export async function showAddress(app) {
  const isPage = PAGE.test(location.pathname);
  if (isPage) app.player.pause();
  leaveRace(app);
  if (!isPage) {
    const game = /^\/g\/([\w-]+)$/.exec(location.pathname)?.[1];
    if (game && app.state.game && app.state.game.id !== game) app.openGame(game); // the board was that of a race
    else showGame();
    return false;
  }
  part("game").hidden = true;
  part("page").hidden = false;
  part("page").replaceChildren();
  await attempt(async () => {
    const views = await reached(import("./views/views.js"));
    await views.showPage(app, location.pathname);
  }, part("page"));
  return true;
}

/** End what a race does on the page; its player has some time to come back. @param {App} app */
export function leaveRace(app) {
  app.race?.close();
  app.race = null;
}

/** Say in place of the game why there is none. @param {import("./authority.js").RequestError} error */
export function showNoGame(error) {
  part("game").hidden = true;
  part("page").hidden = false;
  part("page").replaceChildren();
  void attempt(() => Promise.reject(error), part("page"));
}

/** Show the game in place of any other page. */
export function showGame() {
  part("page").hidden = true;
  part("page").replaceChildren();
  part("game").hidden = false;
}

/** @param {App} app @param {string} name @param {Record<string, unknown>} [options] */
export async function openDialog(app, name, options = {}) {
  app.player.pause();
  app.player.cancelInput(true);
  await attempt(async () => {
    const views = await reached(import("./views/views.js"));
    await views.openDialog(app, name, options);
  });
}

/** Whether the player sees the board: no other tab, page or dialog is before it. */
export function boardIsSeen() {
  return !document.hidden && !part("game").hidden && !document.querySelector("dialog[open]");
}
