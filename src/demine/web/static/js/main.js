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
import { showAddress } from "./pages.js";
import { applyAll, rememberPreferences, storedPreferences, useLanguage } from "./preferences.js";
import { followServer } from "./server_messages.js";
import { listenToWindow } from "./window_events.js";
import { attempt } from "./waiting.js";
import { language } from "./words.js";

function start() {
  const app = new App(new ServerAuthority());
  Object.assign(app.preferences, storedPreferences());
  app.view.applyTheme();
  followServer(app);
  listenToWindow(app);
  void attempt(() => begin(app), part("room"));
}

/** Learn what the page has to know, and show what its address names. @param {App} app */
async function begin(app) {
  const played = await learnTables(app);
  applyAll(app);
  if (await showAddress(app)) return;
  const own = /^\/g\/([\w-]+)$/.exec(location.pathname)?.[1] ?? played;
  if (own) openGame(app, own);
  else await newGame(app, { rules: app.preferences.rules });
}

/** Ask the server for its tables, the player's settings and the words; return the id of the game that is played. @param {App} app */
async function learnTables(app) {
  const { authority, preferences } = app;
  const [facts, setup] = await Promise.all([
    authority.request("GET", "/api/page"),
    authority.request("GET", "/api/setup"),
    useLanguage(app, preferences.language),
  ]);
  app.facts = facts;
  app.view.learn(facts);
  rememberPreferences(app, { ...facts.preferences, ...preferences, ...(setup.preferences ?? {}) });
  if (preferences.language && preferences.language !== language()) await useLanguage(app, preferences.language);
  return /** @type {string | null} */ (setup.game);
}

start();
