/**
 * The page from its start:
 *
 *     a hand or a key -> player -> authority -> server_messages -> state -> game_view
 *
 * What the server says changes the state, and the view draws the state; neither knows a rule of the
 * game. Dialogs and the other pages stand in `views`, and are loaded when they are asked for.
 */
import { App } from "./app.js";
import { ServerAuthority } from "./authority.js";
import { newGame, openGame } from "./games.js";
import { part } from "./page_parts.js";
import { fileUrl, holdVersion, keepPage, loadServedVersion, refuseOtherVersion } from "./page_version.js";
import { showAddress } from "./pages.js";
import { applyAll, rememberPreferences, storedPreferences, useLanguage } from "./preferences.js";
import { followServer } from "./server_messages.js";
import { listenToWindow } from "./window_events.js";
import { attempt } from "./waiting.js";
import { language } from "./words.js";

function start() {
  holdVersion(); // before anything else, since a newer worker may be about to forget this version
  const app = new App(new ServerAuthority());
  Object.assign(app.preferences, storedPreferences());
  app.view.applyTheme();
  followServer(app);
  listenToWindow(app);
  void attempt(() => begin(app), part("room"));
}

/** Learn what the page has to know, and show what its address names. @param {App} app */
async function begin(app) {
  const setup = askSetup(app);
  setup.catch(() => {}); // what went wrong is said below, once there are words for it
  await learnTables(app);
  const { page, preferences, game } = await setup;
  refuseOtherVersion(page);
  await takePreferences(app, preferences ?? {});
  if (!await showAddress(app)) await beginPlay(app, game);
  void keepPage();
}

/** Ask the server what it is and what it knows of the player; it may have a newer page to start instead. @param {App} app */
async function askSetup(app) {
  const setup = await app.authority.requestUntilAnswered("/api/setup");
  await loadServedVersion(setup.page);
  return setup;
}

/** Learn what all players see alike: tables and words. @param {App} app */
async function learnTables(app) {
  const { authority, preferences } = app;
  const [facts] = await Promise.all([authority.requestUntilAnswered(fileUrl("facts.json")), useLanguage(app, preferences.language)]);
  app.facts = facts;
  app.view.learn(facts);
  applyAll(app);
}

/** Take the settings that the server keeps over those that this browser does. @param {App} app @param {Record<string, unknown>} kept */
async function takePreferences(app, kept) {
  const { preferences } = app;
  rememberPreferences(app, { ...app.facts.preferences, ...preferences, ...kept });
  if (preferences.language && preferences.language !== language()) await useLanguage(app, preferences.language);
  applyAll(app);
}

/** Play the game of the address, else the one that is under way, else a new one. @param {App} app @param {string | null} played */
async function beginPlay(app, played) {
  const own = /^\/g\/([\w-]+)$/.exec(location.pathname)?.[1] ?? played;
  if (own) openGame(app, own);
  else await newGame(app, { rules: app.preferences.rules });
}

start();
