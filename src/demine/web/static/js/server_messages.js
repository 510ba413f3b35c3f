/**
 * What the server says of the game, taken into the state.
 */
import { RequestError } from "./authority.js";
import { endTip } from "./commands.js";
import { deedOf, followPlayers, nameOfSeat } from "./coop.js";
import { newGame } from "./games.js";
import { lookForNewVersion } from "./page_version.js";
import { showNoGame, standAt } from "./pages.js";
import { applyAnswer, applyHello, applyHelp, isOver } from "./state.js";
import { ntr, tr } from "./words.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./authority.js").Hello} Hello */
/** @typedef {import("./authority.js").Answer} Answer */

/** Take every message from now on. @param {App} app */
export function followServer(app) {
  const { authority, view } = app;
  /** @type {Record<string, (app: App, message: any) => void>} */
  const takers = { hello: takeHello, answer: takeAnswer, players: takePlayers, help: takeHelp, connection: takeConnection, bye: takeBye };
  for (const [event, take] of Object.entries(takers)) {
    authority.on(event, (message) => {
      take(app, message);
      view.render();
    });
  }
}

/** @param {App} app @param {Hello} hello */
function takeHello(app, hello) {
  const { state, view, player } = app;
  const other = state.game?.id !== hello.game;
  const before = state.game?.sight;
  applyHello(state, hello, performance.now());
  if (other) view.beginGame();
  else if (before) view.announceChanges(before);
  player.refresh();
  // A game of a race is played where the others are seen.
  if (hello.race && app.race?.id !== hello.race && state.game && !isOver(state.game)) standAt(app, `/race/${hello.race}`);
  if (hello.seat && app.race?.id !== hello.game) standAt(app, `/coop/${hello.game}`);
}

/** @param {App} app @param {Answer} answer */
function takeAnswer(app, answer) {
  const { state, view, authority } = app;
  const before = state.game?.sight;
  const status = state.game?.status;
  const showsRisks = state.help?.kind === "chances";
  applyAnswer(state, answer, performance.now());
  const { game } = state;
  if (!game || !before) return;
  view.moveOn(before, game.status !== status && game.status === "paused");
  if (answer.refused && status === "ready") app.showNews(answer.refused.message);
  if (state.coop && answer.by && answer.by !== state.coop.seat) sayDeed(app, state.coop, before, answer);
  else view.announceChanges(before);
  if (isOver(game) && status !== game.status) endTip(app);
  if (showsRisks && !state.help && game.status === "running") authority.ask("chances");
  app.player.refresh();
}

/** Say what another player of a co-op game did. @param {App} app @param {import("./coop.js").Coop} coop @param {import("./faces.js").Sight} before @param {Answer} answer */
function sayDeed(app, coop, before, answer) {
  const name = nameOfSeat(coop, answer.by ?? 0);
  const deed = deedOf(answer.verb ?? "", name);
  if (deed) app.showNews(deed);
  const opened = app.state.game?.sight.faces.reduce((count, face, at) => count + (face <= 8 && before.faces[at] > 8 ? 1 : 0), 0) ?? 0;
  if (!deed && opened) app.announce(ntr("{name} opened {n} cell", "{name} opened {n} cells", opened, { name }));
}

/** @param {App} app @param {any} news of who plays a co-op game, and where they point */
function takePlayers(app, news) {
  if (!app.state.coop) return;
  const before = app.state.coop.players;
  followPlayers(app.state.coop, news, performance.now());
  app.race?.follow?.(news, before);
}

/** @param {App} app @param {any} help */
function takeHelp(app, help) {
  applyHelp(app.state, help);
  if (help.refused) app.showNews(help.refused.message);
  const first = app.state.help && help.marks?.[0]; // not what came too late
  if (first) app.board.scrollTo(first[0], first[1]);
}

/** @param {App} app @param {import("./lasting_socket.js").Connection} connection */
function takeConnection(app, connection) {
  const { state } = app;
  const wasLost = state.connection === "lost";
  state.connection = connection;
  if (connection === "lost") {
    app.announce(tr("Connection lost. Reconnecting…"));
    app.player.cancelInput();
  }
  if (connection === "open") {
    app.announce("");
    if (wasLost) void lookForNewVersion(); // a server that was started again may be another one
    if (state.news?.text === tr("The server cannot be reached")) state.news = null;
  }
}

/** @param {App} app @param {{bye: string, message?: string}} bye */
function takeBye(app, bye) {
  if (bye.bye === "not_found") {
    showNoGame(new RequestError(bye.message ?? "", bye.bye, 404));
    return;
  }
  if (bye.message) app.showNews(bye.message, true);
  if (bye.bye === "gone") void newGame(app, { rules: app.preferences.rules });
}
