// The door to everything beside the board: dialogs and pages, each loaded when it is asked for.

import { reached } from "../authority.js";

/** @typedef {import("../app.js").App} App */

/** @type {Record<string, () => Promise<{open: (app: App, options: any) => unknown}>>} */
const DIALOGS = {
  setup: () => import("./setup.js"),
  settings: () => import("./settings.js"),
  help: () => import("./help.js"),
  end: () => import("./end.js"),
  share: () => import("./share.js"),
  upload: () => import("./upload.js"),
  race: () => import("./new_race.js"),
  coop: () => import("./new_coop.js"),
  player: () => import("./player.js"),
  about: () => import("./about.js"),
};

/** @type {Record<string, () => Promise<{show: (app: App, page: HTMLElement, path: string) => unknown}>>} */
const PAGES = {
  w: () => import("./watch.js"),
  r: () => import("./watch.js"),
  race: () => import("./race.js"),
  coop: () => import("./coop.js"),
  history: () => import("./history.js"),
  train: () => import("./train.js"),
  analyse: () => import("./analyse.js"),
  leaderboards: () => import("./leaderboards.js"),
  friend: () => import("./leaderboards.js"),
  daily: () => import("./daily.js"),
};

/** @type {Promise<unknown> | null} */
let styles = null;

/** Load the style sheet of the views, once. */
function loadStyles() {
  styles ??= new Promise((resolve) => {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = new URL("./views.css", import.meta.url).pathname;
    link.onload = link.onerror = resolve;
    document.head.append(link);
  });
  return styles;
}

/**
 * Open a dialog by its name, unless it is open already; one that is a page is gone to.
 * @param {App} app
 * @param {string} name
 * @param {any} [options]
 */
export async function openDialog(app, name, options = {}) {
  if (name === "history") {
    app.goTo("/history");
    return;
  }
  const [view] = await Promise.all([reached(DIALOGS[name]()), loadStyles()]);
  if (!document.querySelector("dialog[open]")) await view.open(app, options);
}

/**
 * Fill the page with what its path names: `/w/ID`, `/r/ID`, `/race/ID`, `/coop/ID`, `/history`, `/train`, `/analyse`,
 * `/leaderboards`, `/friend/TOKEN`, `/daily` or `/daily/DAY`.
 * @param {App} app
 * @param {string} path
 */
export async function showPage(app, path) {
  const place = /** @type {HTMLElement} */ (document.getElementById("page"));
  const [view] = await Promise.all([reached(PAGES[path.split("/")[1]]()), loadStyles()]);
  place.hidden = false;
  await view.show(app, place, path);
}
