/**
 * The page: it puts the parts together, and draws them from one state.
 */
import { AccessibleGrid } from "./accessible_grid.js";
import { ServerAuthority } from "./authority.js";
import { BoardCanvas } from "./board_canvas.js";
import { movesCursor } from "./cursor.js";
import { COVERED, PRESSED, UNKNOWN, cellLooks, isOpenable } from "./faces.js";
import { Header } from "./header.js";
import { chosenKeys } from "./keyboard.js";
import { menuIsOpen, openMenu } from "./menu.js";
import { Motion } from "./motion.js";
import { Player } from "./player.js";
import { PointerInput } from "./pointer_input.js";
import { Sprites, fetchJson } from "./sprites.js";
import { applyAnswer, applyHello, applyHelp, initialState, isOver, shownSeconds } from "./state.js";
import { Strip } from "./strip.js";
import { language, languageTag, ntr, speak, tr } from "./words.js";

/** @typedef {import("./faces.js").Cell} Cell */
/** @typedef {import("./faces.js").Sight} Sight */
/** @typedef {import("./authority.js").Hello} Hello */
/** @typedef {import("./authority.js").Answer} Answer */
/**
 * @typedef {object} App what dialogs and pages have
 * @property {ServerAuthority} authority
 * @property {{tr: typeof tr, ntr: typeof ntr}} words
 * @property {import("./state.js").State} state
 * @property {Record<string, any>} facts
 * @property {Record<string, any>} preferences
 * @property {import("./keyboard.js").KeyMap} keys
 * @property {string} theme
 * @property {BoardCanvas} board
 * @property {Sprites} sprites
 * @property {(options: Record<string, unknown>) => Promise<void>} newGame
 * @property {(id: string) => void} openGame
 * @property {(changed: Record<string, unknown>) => Promise<void>} applyPreferences
 * @property {(command: string) => void} run
 * @property {(text: string) => void} announce
 * @property {(text: string, trouble?: boolean) => void} showNews
 * @property {(path: string) => void} goTo shows the game or a page by its address
 */

/** Commands that open a dialog, by its name. @type {Record<string, string>} */
const DIALOGS = {
  setup: "setup", settings: "settings", help: "help", records: "history", statistics: "end",
  "open-file": "upload", "open-share": "share", player: "player", about: "about",
};
/** How a page is called in an address, before its id. */
const PAGE = /^\/(w|r|history)(\/|$)/;
const NEWS_MS = 4000;
const PREFERENCES = "demine.preferences";

/** Return an element of the page by its id. @template {HTMLElement} [T=HTMLElement] @param {string} id @returns {T} */
const part = (id) => /** @type {T} */ (document.getElementById(id));
const root = document.documentElement;
const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");

const state = initialState();
const authority = new ServerAuthority();
const sprites = new Sprites(themeName());
const board = new BoardCanvas(part("board"), sprites);
const header = new Header((command) => run(command), (held) => {
  state.faceHeld = held;
  render();
});
const strip = new Strip(part("strip"), (command) => run(command));
/** @type {Record<string, any>} */
let facts = {};
let keys = chosenKeys({ keys: {}, key_labels: {}, vi_keys: {} }, {});
/** @type {AccessibleGrid | null} */
let grid = null;
/** @type {Motion | null} */
let motion = null;
let frame = 0;

const player = new Player(state, authority, {
  changed: () => render(),
  cursorMoved: (row, col) => {
    board.scrollTo(row, col);
    grid?.show(gridSight(), overlay(), [row, col], player.isPaused, language());
    grid?.focus([row, col]);
  },
  news: (text) => showNews(text),
  run: (command) => void runForPage(command),
  boardIsSeen,
  acted: () => {},
});

/** @type {App} */
const app = {
  authority, state, board, sprites,
  words: { tr, ntr },
  get facts() { return facts; },
  get preferences() { return state.preferences; },
  get keys() { return keys; },
  get theme() { return themeName(); },
  newGame, openGame, applyPreferences,
  run: (command) => run(command),
  announce: (text) => grid?.announce(text),
  showNews, goTo,
};

// Drawing

/** Draw what has changed, once before the next picture of the screen. */
function render() {
  if (!frame) frame = requestAnimationFrame(draw);
}

function draw() {
  frame = 0;
  const { game } = state;
  if (!game) return;
  const now = performance.now();
  if (motion && now >= motion.endsAt) motion = null;
  const paused = player.isPaused;
  const sight = shownSight(paused);
  const looks = looksOf(sight, state.preferences.fade_finished !== false && !isOver(game));
  for (const [row, col] of player.pressedCells) {
    const at = row * sight.cols + col;
    if (isOpenable(sight.faces[at])) looks[at] = PRESSED;
  }
  board.show({
    ...sight, looks,
    overlay: paused ? null : overlay(),
    cursor: paused ? null : state.cursor,
    start: game.status === "ready" ? game.start : null,
    moving: motion?.frame(sight.faces, now) ?? null,
  });
  header.render(state, { holdsCell: player.isHoldingCell, paused, lamps: showsLamps(), keys, language: language() });
  strip.render(state, keys, language(), riskLine(), (text) => grid?.announce(text));
  grid?.show(gridSight(), overlay(), state.cursor, paused, language());
  showAround(paused);
  if (motion) render();
}

/** @type {{faces: Uint8Array | null, fade: boolean, looks: Uint8Array}} */
const plain = { faces: null, fade: false, looks: new Uint8Array(0) };

/** Return how each face is drawn, in an array that may be changed. @param {Sight} sight @param {boolean} fade */
function looksOf(sight, fade) {
  if (plain.faces !== sight.faces || plain.fade !== fade) {
    Object.assign(plain, { faces: sight.faces, fade, looks: cellLooks(sight, fade) });
  }
  return plain.looks.slice();
}

/** Show what lies over the board: that it is paused, that the connection is lost, flag mode. @param {boolean} paused */
function showAround(paused) {
  part("pause-card").hidden = !paused;
  const lost = state.connection === "lost" || state.connection === "closed";
  part("lost").hidden = !lost;
  if (lost) {
    const ended = state.connection === "closed";
    part("lost").classList.toggle("ended", ended);
    part("lost-text").textContent = ended
      ? tr("The connection has ended. Reload the page to go on.")
      : tr("Connection lost. Reconnecting…");
    part("lost-waiting").textContent = authority.waiting && !ended
      ? ntr("{n} act is kept until then", "{n} acts are kept until then", authority.waiting) : "";
  }
  root.toggleAttribute("data-flag-mode", state.flagMode);
  part("flag-mode").setAttribute("aria-pressed", String(state.flagMode));
}

/** Place what stands over the board or follows its width. */
function placeAround() {
  fitRoom();
  const box = board.boardRect;
  root.style.setProperty("--board-width", `${Math.round(box.width)}px`);
  putAt("pause-card-room", box);
  const [top, bottom, left, right] = grid?.span ?? [0, 1, 0, 1];
  const { x, y, size } = board.cellRect(top, left);
  putAt("grid", { x, y, width: size * (right - left), height: size * (bottom - top) });
}

/** @param {string} id @param {{x: number, y: number, width: number, height: number}} box */
function putAt(id, { x, y, width, height }) {
  Object.assign(part(id).style, { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` });
}

/** @param {boolean} paused @returns {Sight} */
function shownSight(paused) {
  const game = /** @type {import("./state.js").GameState} */ (state.game);
  if (!paused) return game.sight;
  return { ...game.sight, faces: new Uint8Array(game.sight.faces.length).fill(COVERED) };
}

/** Return the risk of the cell that is looked at, in words, while risks are shown. */
function riskLine() {
  const cell = state.cursor ?? state.pointer;
  const { help, game } = state;
  if (help?.kind !== "chances" || !help.overlay || !cell || !game || !grid) return "";
  const at = cell[0] * game.sight.cols + cell[1];
  return help.overlay.risk[at] === UNKNOWN ? "" : grid.label(at);
}

const gridSight = () => state.game?.sight ?? { rows: 1, cols: 1, faces: new Uint8Array([COVERED]) };
const overlay = () => state.help?.overlay ?? null;
/** Return the name of the theme that the style sheet shows. */
function themeName() {
  return getComputedStyle(root).getPropertyValue("--theme").trim() || "light";
}
const showsLamps = () => state.preferences.digits === "led" || (!state.preferences.digits && !!facts.bevelled?.includes(themeName()));

/** Apply the theme, which the player or the system may have changed. */
function applyTheme() {
  const chosen = state.preferences.theme;
  if (chosen && chosen !== "system") root.dataset.theme = chosen;
  else delete root.dataset.theme;
  sprites.use(themeName(), state.preferences.palette ?? "");
  board.applyTheme();
  const colour = getComputedStyle(root).getPropertyValue("--panel").trim();
  document.querySelector('meta[name="theme-color"]')?.setAttribute("content", colour);
  header.use(themeName(), render).catch(() => {});
}

// What the authority says

authority.on("hello", (/** @type {Hello} */ hello) => {
  const other = state.game?.id !== hello.game;
  const before = state.game?.sight;
  applyHello(state, hello, performance.now());
  if (other) {
    motion = null;
    fitRoom();
  } else if (before && state.game) grid?.announceChanges(before, state.game.sight, state.lastActed);
  player.refresh();
  render();
});
authority.on("answer", (/** @type {Answer} */ answer) => {
  const before = state.game?.sight;
  const status = state.game?.status;
  const showsRisks = state.help?.kind === "chances";
  applyAnswer(state, answer, performance.now());
  if (state.game && before) moveOn(before, state.game.status !== status && state.game.status === "paused");
  if (answer.refused && status === "ready") showNews(answer.refused.message);
  if (before && state.game) grid?.announceChanges(before, state.game.sight, state.lastActed);
  if (state.game && isOver(state.game) && status !== state.game.status) endTip();
  if (showsRisks && !state.help && state.game?.status === "running") authority.ask("chances");
  player.refresh();
  render();
});
authority.on("help", (/** @type {any} */ help) => {
  applyHelp(state, help);
  if (help.refused) showNews(help.refused.message);
  const first = help.marks?.[0];
  if (first) board.scrollTo(first[0], first[1]);
  render();
});
authority.on("connection", (connection) => {
  state.connection = connection;
  if (connection === "open" || connection === "lost") grid?.announce(connection === "lost" ? tr("Connection lost. Reconnecting…") : "");
  if (connection === "lost") player.cancelInput();
  if (connection === "open" && state.news?.text === tr("The server cannot be reached")) state.news = null;
  render();
});
authority.on("bye", (bye) => {
  if (bye.message) showNews(bye.message, true);
  if (bye.bye === "not_found" || bye.bye === "gone") void newGame({ rules: state.preferences.rules });
});

/** Begin the motion of what changed. @param {Sight} before @param {boolean} still */
function moveOn(before, still) {
  const game = state.game;
  if (!game || still || game.sight.faces.length !== before.faces.length || !moves()) {
    motion = null;
    return;
  }
  const times = facts.motion;
  if (!times || game.sight.faces.length > times.most_cells) return;
  motion ??= new Motion(game.sight.rows, game.sight.cols, times);
  motion.follow(before.faces, game.sight.faces, state.lastActed ?? [0, 0], game.status, performance.now());
}

const moves = () => state.preferences.motion !== false && !reducedMotion.matches;

// Commands

/** Carry out a command of the player. @param {string} command */
function run(command) {
  if (command === "next-level") {
    const levels = Object.keys(facts.levels ?? {});
    const at = levels.findIndex((name) => facts.levels[name] === state.game?.rules);
    command = levels[(at + 1) % levels.length];
  }
  if (command === "levels") openLevels();
  else if (command === "menu") openMore();
  else player.run(command);
}

/** Carry out what is no matter of the board. @param {string} command */
async function runForPage(command) {
  const levels = facts.levels ?? {};
  if (command in DIALOGS) await openDialog(DIALOGS[command], command === "help" ? { page: "keys" } : {});
  else if (command in levels) await newGame({ rules: levels[command] });
  else if (command === "new") await newGame({ rules: state.game?.rules ?? state.preferences.rules });
  else if (command === "again") await newGame({ again: state.game?.id });
  else if (command === "undo") bringBack();
  else if (command === "share") await openDialog("share", { copy: true });
  else if (command === "review") goTo(`/r/${state.game?.id}`);
  else if (command === "watch") goTo(`/w/${state.game?.id}`);
  else if (command === "zoom-in") board.zoomSteps(1);
  else if (command === "zoom-out") board.zoomSteps(-1);
  else if (command === "zoom-reset") {
    chooseComfort();
    board.fit();
  }
  else if (command === "fullscreen") toggleFullScreen();
  else if (command === "flag-mode") toggleFlagMode();
  else if (command === "close-message") closeMessage();
  else if (command === "guess-free") await toggleGuessFree();
  else if (command === "theme") await applyPreferences({ theme: next(facts.themes.map(named), themeName()) });
  else if (command === "palette") await applyPreferences({ palette: next(["", ...facts.palettes.map(named)], state.preferences.palette) });
  else if (command === "language") await applyPreferences({ language: next(Object.keys(facts.languages), language()) });
  render();
}

/** @param {{name: string}} each */
const named = (each) => each.name;
/** @param {string[]} all @param {string} here */
const next = (all, here) => all[(all.indexOf(here) + 1) % all.length];

function toggleFlagMode() {
  state.flagMode = !state.flagMode;
  root.toggleAttribute("data-flag-mode", state.flagMode);
  board.applyTheme(); // the mode shows in the line around the board
  grid?.announce(state.flagMode ? tr("Taps flag now") : tr("Taps open now"));
}

function toggleFullScreen() {
  if (document.fullscreenElement) void document.exitFullscreen();
  else root.requestFullscreen?.().catch(() => {});
}

function closeMessage() {
  if (state.help || state.asking) player.run("cancel");
  else endTip();
}

function endTip() {
  if (!state.preferences.start_tip) return;
  rememberPreferences({ start_tip: false });
  // Whether it is kept elsewhere too is nobody's trouble.
  authority.request("PUT", "/api/me", { preferences: { start_tip: false } }).catch(() => {});
  render();
}

async function toggleGuessFree() {
  const on = !state.preferences.guess_free;
  await applyPreferences({ guess_free: on });
  showNews(on ? tr("Guess-free boards from the next game") : tr("Ordinary boards from the next game"));
}

// Games

let isMaking = false;

/** Begin a game, unless one is being made. @param {Record<string, unknown>} options */
async function newGame(options) {
  if (isMaking) return;
  const old = state.game;
  isMaking = true;
  try {
    const id = await authority.newGame(options);
    // A board that is played again gives the game on it up: its end shows the mines of both.
    const leaves = !!old && !isOver(old) && old.status !== "ready" && !options.again;
    openGame(id);
    state.left = leaves ? old.id : "";
    if (leaves) showNews(tr("New game. {key} brings the last one back.", { key: keys.label("undo") }));
    if (typeof options.rules === "string") rememberPreferences({ rules: options.rules });
  } catch (error) {
    showNews(/** @type {Error} */ (error).message, true);
  } finally {
    isMaking = false;
  }
}

/** Play a game from now on. @param {string} id */
function openGame(id) {
  state.left = "";
  player.cancelInput();
  if (location.pathname !== `/g/${id}`) history.replaceState(null, "", `/g/${id}`);
  showGame();
  authority.open(id);
}

/** Continue the game that a new one took the place of. */
function bringBack() {
  openGame(state.left);
  showNews(tr("Last game restored"));
}

// Preferences

/** Keep settings on the server and here, and apply them. @param {Record<string, unknown>} changed */
async function applyPreferences(changed) {
  rememberPreferences(changed);
  if ("language" in changed) await useLanguage(String(changed.language || ""));
  applyAll();
  try {
    const body = "language" in changed ? { preferences: changed, language: changed.language } : { preferences: changed };
    await authority.request("PUT", "/api/me", body);
  } catch (error) {
    showNews(/** @type {Error} */ (error).message, true);
  }
}

/** @param {Record<string, unknown>} changed */
function rememberPreferences(changed) {
  Object.assign(state.preferences, changed);
  try {
    localStorage.setItem(PREFERENCES, JSON.stringify(state.preferences));
  } catch {
    // A browser that keeps nothing asks the server at every start.
  }
}

function applyAll() {
  keys = chosenKeys(facts, state.preferences);
  player.applyPreferences(state.preferences);
  applyTheme();
  nameParts();
  render();
}

/** @param {string} code */
async function useLanguage(code) {
  const wanted = code || navigator.language;
  const words = await fetchJson(`/api/words/${encodeURIComponent(wanted)}`);
  speak(words);
}

/** Say everything that stands in the page itself in the language spoken. */
function nameParts() {
  const labels = {
    "pause-title": tr("Paused"), "pause-resume-text": tr("Resume"),
    "pause-how": root.hasAttribute("data-touch") ? tr("Tap to resume") : tr("Click or press {key} to resume", { key: keys.label("pause") }),
    "flag-mode-text": tr("Flag mode"),
  };
  for (const [id, text] of Object.entries(labels)) part(id).textContent = text;
  part("grid").setAttribute("aria-label", tr("Board"));
  for (const id of ["tools-left", "tools-right"]) part(id).setAttribute("aria-label", tr("Tools"));
  document.title = "demine";
}

// Menus, dialogs, pages

function openLevels() {
  const levels = Object.entries(facts.levels ?? {});
  const entries = levels.map(([command, rules]) => ({
    text: tr(facts.commands[command]), command, key: keys.label(command), checked: rules === state.game?.rules,
  }));
  openMenu(part("level"), [...entries, { text: "" }, { text: tr("Set up…"), command: "setup", key: keys.label("setup") }], run);
}

function openMore() {
  /** @param {string} text @param {string} command */
  const entry = (text, command) => ({ text, command, key: keys.label(command) });
  openMenu(part("menu"), [
    entry(tr("Restart this board"), "again"),
    entry(tr("Show risks"), "chances"),
    { text: "" },
    entry(tr("Open file…"), "open-file"),
    entry(tr("Copy share code"), "share"),
    entry(tr("Open share code…"), "open-share"),
    entry(tr("Records…"), "records"),
    { text: "" },
    entry(tr("Larger cells"), "zoom-in"),
    entry(tr("Smaller cells"), "zoom-out"),
    entry(tr("Fit the board to the window"), "zoom-reset"),
    { text: "" },
    entry(tr("All settings…"), "settings"),
    entry(tr("Player and devices…"), "player"),
    entry(tr("Keys"), "help"),
  ], run);
}

/** @param {string} name @param {Record<string, unknown>} [options] */
async function openDialog(name, options = {}) {
  player.pause();
  player.cancelInput(true);
  try {
    const views = await import("./views/views.js");
    await views.openDialog(app, name, options);
  } catch (error) {
    showNews(/** @type {Error} */ (error).message, true);
  }
}

/** Show the game or a page by its address. @param {string} path */
function goTo(path) {
  history.pushState(null, "", path);
  void route();
}

/** Show what the address names. */
async function route() {
  if (!PAGE.test(location.pathname)) {
    showGame();
    return false;
  }
  player.pause();
  part("game").hidden = true;
  part("page").hidden = false;
  try {
    const views = await import("./views/views.js");
    await views.showPage(app, location.pathname);
  } catch (error) {
    part("page").textContent = /** @type {Error} */ (error).message;
  }
  return true;
}

function showGame() {
  part("page").hidden = true;
  part("page").replaceChildren();
  part("game").hidden = false;
}

// Words

/** Say something for a few seconds; trouble until the player could read it and acts. @param {string} text @param {boolean} [trouble] */
function showNews(text, trouble = false) {
  const said = text.charAt(0).toUpperCase() + text.slice(1);
  const news = { text: said, trouble, until: performance.now() + NEWS_MS };
  state.news = news;
  if (!trouble) {
    window.setTimeout(() => {
      if (state.news === news) state.news = null;
      render();
    }, NEWS_MS);
  }
  render();
}

// The window

function boardIsSeen() {
  return !document.hidden && !part("game").hidden && !document.querySelector("dialog[open]");
}

function listen() {
  document.addEventListener("keydown", (event) => {
    if (!isForBoard(event)) return;
    const command = keys.command(event);
    if (!command || facts.absent.includes(command)) return;
    if (command === "share" && !getSelection()?.isCollapsed) return; // that text is copied
    event.preventDefault();
    if (!event.repeat || movesCursor(command) || command.startsWith("zoom")) run(command);
  });
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) player.pause();
  });
  // Replays may be dropped anywhere.
  document.addEventListener("dragover", (event) => {
    if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
  });
  document.addEventListener("drop", (event) => {
    if (!event.dataTransfer?.files.length) return;
    event.preventDefault();
    void openDialog("upload", { files: [...event.dataTransfer.files] });
  });
  window.addEventListener("blur", () => {
    player.cancelInput(true);
    if (state.preferences.pause_unfocused !== false && !document.activeElement?.closest("iframe")) player.pause();
  });
  window.addEventListener("popstate", () => void route());
  window.addEventListener("pagehide", () => player.pause());
  for (const media of ["(prefers-color-scheme: dark)", "(prefers-contrast: more)"]) {
    matchMedia(media).addEventListener("change", applyTheme);
  }
  part("flag-mode").addEventListener("click", () => run("flag-mode"));
  part("pause-card").addEventListener("click", () => player.togglePause());
  part("level").addEventListener("click", () => run("levels"));
  part("menu").addEventListener("click", () => run("menu"));
  board.onView = placeAround;
  window.setInterval(() => {
    if (state.game?.status === "running" && shownSeconds(state, performance.now()) !== shownTime) {
      shownTime = shownSeconds(state, performance.now());
      render();
    }
  }, 100);
}
let shownTime = 0;

/** Whether a key is meant for the board, and not for a field, a button or a dialog. @param {KeyboardEvent} event */
function isForBoard(event) {
  if (event.defaultPrevented || event.isComposing || menuIsOpen() || part("game").hidden) return false;
  const at = event.target instanceof Element ? event.target : null;
  if (document.querySelector("dialog[open]") || at?.closest("input, select, textarea, [contenteditable]")) return false;
  const presses = event.key === "Enter" || event.key === " ";
  return !(presses && at?.closest("button, a, summary"));
}

/** Show where a long press will act, for as long as it takes. @param {number} x @param {number} y @param {number} ms */
function arm(x, y, ms) {
  const ring = part("arming");
  ring.hidden = !ms || reducedMotion.matches;
  if (!ms) return;
  ring.style.left = `${x}px`;
  ring.style.top = `${y}px`;
  ring.style.animationDuration = `${ms}ms`;
  ring.style.animationName = "none";
  void ring.offsetWidth; // so that the animation begins anew
  ring.style.animationName = "";
}

/** The smallest cells that fingers hit, and the largest that a new board is shown with. */
function chooseComfort() {
  const coarse = matchMedia("(pointer: coarse)").matches;
  board.comfort = {
    most: Math.round(Math.min(64, Math.max(coarse ? 44 : 32, window.innerHeight / 16))),
    least: coarse ? 32 : 16,
    whole: coarse ? 26 : 16,
  };
}

/** Let the strip stand below a small board; for fingers it stays where thumbs are. */
function fitRoom() {
  const coarse = matchMedia("(pointer: coarse)").matches;
  const rows = state.game?.sight.rows;
  const high = rows && !coarse && !board.zoomChosen ? `${rows * board.comfort.most + 6}px` : "none";
  root.style.setProperty("--room", high);
}

async function start() {
  try {
    Object.assign(state.preferences, JSON.parse(localStorage.getItem(PREFERENCES) ?? "{}"));
  } catch {
    // What was kept is not needed.
  }
  chooseComfort();
  applyTheme();
  listen();
  const [page, setup] = await Promise.all([
    fetchJson("/api/page"), fetchJson("/api/setup"), useLanguage(state.preferences.language ?? ""),
  ]);
  facts = page;
  rememberPreferences({ ...page.preferences, ...state.preferences, ...(setup.preferences ?? {}) });
  if (state.preferences.language && state.preferences.language !== language()) await useLanguage(state.preferences.language);
  grid = new AccessibleGrid(part("grid"), part("live"), { faces: facts.faces, marks: facts.marks }, {
    focused: (cell) => {
      if (state.cursor?.[0] !== cell[0] || state.cursor[1] !== cell[1]) player.moveCursor(cell);
    },
    act: (command, cell) => player.actAt(command, cell),
  });
  grid.onSpan = placeAround;
  new PointerInput(part("board"), board, player, state, facts.touch, arm);
  applyAll();
  if (await route()) return;
  const own = /^\/g\/([\w-]+)$/.exec(location.pathname)?.[1] ?? setup.game;
  if (own) openGame(own);
  else await newGame({ rules: state.preferences.rules });
}

root.lang = languageTag();
void start();
