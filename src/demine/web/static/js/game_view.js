/**
 * The game on the screen: header, board, strip and the grid for screen readers, drawn from the state.
 */
import { AccessibleGrid, layOver } from "./accessible_grid.js";
import { BoardCanvas } from "./board_canvas.js";
import { withDraft } from "./draft.js";
import { COVERED, PRESSED, UNKNOWN, cellLooks, isOpenable } from "./faces.js";
import { Header } from "./header.js";
import { Motion } from "./motion.js";
import { Overview } from "./overview.js";
import { part, playsWithFingers, putAt, themeName } from "./page_parts.js";
import { PointerInput } from "./pointer_input.js";
import { rememberPlace, seenPlace } from "./seen_places.js";
import { Sprites } from "./sprites.js";
import { isOver } from "./state.js";
import { Strip } from "./strip.js";
import { language, ntr, tr } from "./words.js";

/** @typedef {import("./faces.js").Cell} Cell */
/** @typedef {import("./faces.js").Sight} Sight */
/** @typedef {import("./app.js").App} App */

/** The element of the style sheet's variables. */
const root = document.documentElement;
const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");
const coarsePointer = matchMedia("(pointer: coarse)");

export class GameView {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** @param {string} command */
    const run = (command) => app.run(command);
    /** @param {string} path */
    const load = (path) => app.authority.request("GET", path);
    this.sprites = new Sprites(load, themeName());
    this.board = new BoardCanvas(part("board"), this.sprites);
    this.overview = new Overview(part("overview"), this.board);
    this.header = new Header(load, run, (held) => {
      app.state.faceHeld = held;
      this.render();
    });
    this.strip = new Strip(part("strip"), run);
    this.grid = new AccessibleGrid(part("grid"), part("live"), {
      focused: (cell) => {
        const { cursor } = app.state;
        if (cursor?.[0] !== cell[0] || cursor[1] !== cell[1]) app.player.moveCursor(cell);
      },
      act: (command, cell) => app.player.actAt(command, cell),
    });
    /** @type {PointerInput | null} */
    this.input = null;
    /** @type {Motion | null} */
    this.motion = null;
    this.frame = 0;
    /** What the marks and risks on the board come from, and these. @type {{help: unknown, draft: unknown, overlay: import("./board_canvas.js").Overlay | null}} */
    this.advice = { help: null, draft: null, overlay: null };
    /** The looks of a sight, which are worked out once. @type {{faces: Uint8Array | null, fade: boolean, looks: Uint8Array}} */
    this.plain = { faces: null, fade: false, looks: new Uint8Array(0) };
    this.sprites.onReady.add(() => this.render()); // the overview has its colours from them
    this.board.onView = () => this.#seeOtherPart();
    this.grid.onSpan = () => this.#placeAround();
    this.#chooseComfort();
  }

  /** Take the tables of names and times, and let mouse and fingers play. @param {Record<string, any>} facts */
  learn(facts) {
    const { app, board } = this;
    this.grid.names = { faces: facts.faces, marks: facts.marks };
    // A start that is tried again learns again; two listeners would play each act twice.
    this.input ??= new PointerInput(part("board"), board, app.player, app.state, facts.touch, arm);
  }

  // Drawing

  /** Draw what has changed, once before the next picture of the screen. */
  render() {
    if (!this.frame) this.frame = requestAnimationFrame(() => this.#draw());
  }

  #draw() {
    this.frame = 0;
    const { app } = this;
    const { state, player, keys } = app;
    const paused = player.isPaused;
    this.#showAround(paused);
    if (!state.game) return;
    this.#drawBoard(state.game, paused);
    this.header.render(state, { holdsCell: player.isHoldingCell, paused, lamps: this.#showsLamps(), keys, language: language() });
    this.strip.render(state, keys, language(), this.#riskLine(), (text) => this.grid.announce(text));
    this.#showGrid();
    app.race?.draw?.();
    if (this.motion) this.render();
  }

  /** @param {import("./state.js").GameState} game @param {boolean} paused */
  #drawBoard(game, paused) {
    const { state, player, preferences } = this.app;
    const now = performance.now();
    if (this.motion && now >= this.motion.endsAt) this.motion = null;
    const sight = paused ? covered(game.sight) : game.sight;
    const looks = this.#looksOf(sight, preferences.fade_finished !== false && !isOver(game));
    for (const [row, col] of player.pressedCells) {
      const at = row * sight.cols + col;
      if (isOpenable(sight.faces[at])) looks[at] = PRESSED;
    }
    part("board").classList.remove("blank");
    this.board.show({
      ...sight, looks,
      overlay: paused ? null : this.#overlay,
      cursor: paused ? null : state.cursor,
      start: game.status === "ready" ? game.start : null,
      moving: this.motion?.frame(sight.faces, now) ?? null,
    });
    this.overview.show(sight, preferences.minimap !== false);
  }

  /** Return how each face is drawn, in an array that may be changed. @param {Sight} sight @param {boolean} fade */
  #looksOf(sight, fade) {
    if (this.plain.faces !== sight.faces || this.plain.fade !== fade) {
      this.plain = { faces: sight.faces, fade, looks: cellLooks(sight, fade) };
    }
    return this.plain.looks.slice();
  }

  /** The marks and risks over the board: those of hints and of a draft, in one object while they are the same. */
  get #overlay() {
    const { help, draft, game } = this.app.state;
    if (this.advice.help !== help || this.advice.draft !== draft) {
      const said = help?.overlay ?? null;
      this.advice = { help, draft, overlay: draft.isOn && game ? withDraft(draft, said, game.sight) : said };
    }
    return this.advice.overlay;
  }

  /** Return the risk of the cell that is looked at, in words, while risks are shown. */
  #riskLine() {
    const { help, game, cursor, pointer } = this.app.state;
    const cell = cursor ?? pointer;
    if (help?.kind !== "chances" || !help.overlay || !cell || !game) return "";
    const at = cell[0] * game.sight.cols + cell[1];
    return help.overlay.risk[at] === UNKNOWN ? "" : this.grid.label(at);
  }

  #showGrid() {
    const { state, player } = this.app;
    if (state.game) this.grid.show(state.game.sight, this.#overlay, state.cursor, player.isPaused, language());
  }

  /** Show the keyboard's cursor at once where it moved. @param {Cell} cell */
  showCursor(cell) {
    this.board.scrollTo(...cell);
    this.#showGrid();
    this.grid.focus(cell);
  }

  /** Read out what an act changed. @param {Sight} before */
  announceChanges(before) {
    const { game, lastActed } = this.app.state;
    if (game) this.grid.announceChanges(before, game.sight, lastActed);
  }

  /** Show what lies over the board: that it is paused, that the connection is lost, flag mode. @param {boolean} paused */
  #showAround(paused) {
    const { state, authority } = this.app;
    part("pause-card").hidden = !paused;
    const lost = state.connection === "lost" || state.connection === "closed";
    part("lost").hidden = !lost;
    if (!lost) return;
    const ended = state.connection === "closed";
    part("lost").classList.toggle("ended", ended);
    part("lost-text").textContent = ended
      ? tr("The connection has ended. Reload the page to go on.")
      : state.game ? tr("Connection lost. Reconnecting…") : tr("The server cannot be reached. Trying again…");
    part("lost-waiting").textContent = authority.waiting && !ended
      ? ntr("{n} move is kept until then", "{n} moves are kept until then", authority.waiting) : "";
  }

  // Motion

  /** Begin the motion of what changed. @param {Sight} before @param {boolean} still */
  moveOn(before, still) {
    const { state, facts, preferences } = this.app;
    const { game } = state;
    const moves = preferences.motion !== false && !reducedMotion.matches;
    if (!game || still || game.sight.faces.length !== before.faces.length || !moves) {
      this.motion = null;
      return;
    }
    const times = facts.motion;
    if (!times || game.sight.faces.length > times.most_cells) return;
    this.motion ??= new Motion(game.sight.rows, game.sight.cols, times);
    this.motion.follow(before.faces, game.sight.faces, state.lastActed ?? [0, 0], game.status, performance.now());
  }

  // Where things are

  /** Make room for another game. */
  beginGame() {
    this.motion = null;
    this.board.placeNext(seenPlace(this.app.state.game?.id ?? ""));
    this.#fitRoom();
  }

  /** Show the whole board in comfortable cells, as far as both are possible. */
  fit() {
    this.#chooseComfort();
    this.board.fit();
  }

  /** The smallest cells that fingers hit, and the largest that a new board is shown with. */
  #chooseComfort() {
    const coarse = coarsePointer.matches;
    this.board.comfort = {
      most: Math.round(Math.min(64, Math.max(coarse ? 44 : 32, window.innerHeight / 16))),
      least: coarse ? 32 : 16,
      whole: coarse ? 26 : 16,
    };
  }

  /** Let the strip stand below a small board; for fingers it stays where thumbs are. */
  #fitRoom() {
    const rows = this.app.state.game?.sight.rows;
    const high = rows && !coarsePointer.matches && !this.board.zoomChosen ? `${rows * this.board.comfort.most + 6}px` : "none";
    root.style.setProperty("--room", high);
  }

  #seeOtherPart() {
    const { game } = this.app.state;
    if (game) rememberPlace(game.id, this.board.place);
    this.#placeAround();
    this.render();
  }

  /** Place what stands over the board or follows its width. */
  #placeAround() {
    this.#fitRoom();
    const box = this.board.boardRect;
    root.style.setProperty("--board-width", `${Math.round(box.width)}px`);
    putAt(part("pause-card-room"), box);
    layOver(this.grid, this.board);
  }

  // Themes and words

  #showsLamps() {
    const { preferences, facts } = this.app;
    return preferences.digits === "led" || (!preferences.digits && !!facts.bevelled?.includes(themeName()));
  }

  /** Apply the theme, which the player or the system may have changed. */
  applyTheme() {
    const { theme, palette } = this.app.preferences;
    if (theme && theme !== "system") root.dataset.theme = theme;
    else delete root.dataset.theme;
    this.sprites.use(themeName(), palette ?? "");
    this.board.applyTheme();
    const colour = getComputedStyle(root).getPropertyValue("--panel").trim();
    document.querySelector('meta[name="theme-color"]')?.setAttribute("content", colour);
    this.header.use(themeName(), () => this.render()).catch(() => {});
  }

  /** Say everything that stands in the page itself in the language spoken. */
  nameParts() {
    const { keys } = this.app;
    const labels = {
      "pause-title": tr("Paused"), "pause-resume-text": tr("Resume"),
      "pause-how": playsWithFingers() ? tr("Tap to resume") : tr("Click or press {key} to resume", { key: keys.label("pause") }),
      "flag-mode-text": tr("Flag mode"),
    };
    for (const [id, text] of Object.entries(labels)) part(id).textContent = text;
    part("grid").setAttribute("aria-label", tr("Board"));
    part("overview").title = tr("Overview of the board");
    for (const id of ["tools-left", "tools-right"]) part(id).setAttribute("aria-label", tr("Tools"));
    document.title = "demine";
  }
}

/** Return a board of which nothing is seen. @param {Sight} sight @returns {Sight} */
const covered = (sight) => ({ ...sight, faces: new Uint8Array(sight.faces.length).fill(COVERED) });

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
