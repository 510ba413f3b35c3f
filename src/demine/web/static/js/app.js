/**
 * What all parts of the page share: the state, the door to the server, what draws, and who plays.
 */
import { runBesideBoard } from "./commands.js";
import { movesCursor } from "./cursor.js";
import { GameView } from "./game_view.js";
import { newGame, openGame, playRaced, playTogether } from "./games.js";
import { chosenKeys } from "./keyboard.js";
import { themeName } from "./page_parts.js";
import { boardIsSeen, goTo } from "./pages.js";
import { Player } from "./player.js";
import { applyPreferences } from "./preferences.js";
import { initialState } from "./state.js";
import { asSentence, ntr, tr } from "./words.js";

/** How long news are shown, in milliseconds. */
const NEWS_MS = 4000;

/**
 * @typedef {object} Race a race, or a co-op game
 * @property {string} id
 * @property {() => void} close ends what it does on the page
 * @property {() => void} [draw] draws what it has over the board
 * @property {(news: any, before: import("./coop.js").Partner[]) => void} [follow] follows what is told of other players
 * @property {() => void} [playAgain] plays another board with the same players
 */

/** The commands at a board of a race, besides those of the cursor. */
const IN_RACES = [
  "act", "flag", "chord", "question", "hover-act", "hover-flag", "cancel", "close-message", "flag-mode", "menu", "help", "settings",
  "zoom-in", "zoom-out", "zoom-reset", "fullscreen", "theme", "palette", "language",
];
/** The commands at the board of a co-op game besides those. */
const IN_COOP = ["new", "undo", "pause", "hint", "chances", "may-guess", "draft", "review", "watch", "share", "statistics", "guess-free"];

/** The commands that a ranked board does not allow. */
const NOT_RANKED = ["pause", "hint", "chances", "may-guess", "draft", "prove", "again"];

export class App {
  /** @param {import("./authority.js").Authority} authority */
  constructor(authority) {
    this.authority = authority;
    this.state = initialState();
    this.words = { tr, ntr };
    /** The tables of the page: names, keys, sizes and times. @type {Record<string, any>} */
    this.facts = {};
    this.keys = chosenKeys({ keys: {}, key_labels: {}, vi_keys: {} }, {});
    /** The race or co-op game that is on the page. @type {Race | null} */
    this.race = null;
    this.view = new GameView(this);
    this.player = new Player(this.state, authority, {
      changed: () => this.view.render(),
      cursorMoved: (row, col) => this.view.showCursor([row, col]),
      news: (text) => this.showNews(text),
      run: (command) => runBesideBoard(this, command),
      boardIsSeen,
    });
  }

  get board() {
    return this.view.board;
  }

  get sprites() {
    return this.view.sprites;
  }

  get preferences() {
    return this.state.preferences;
  }

  get theme() {
    return themeName();
  }

  /** Carry out a command of the player, of the board or of the page. @param {string} command */
  run(command) {
    const { state } = this;
    const isPlain = IN_RACES.includes(command) || movesCursor(command);
    if (state.game?.ranked && NOT_RANKED.includes(command)) this.showNews(tr("A ranked board allows no pause, no undo and no help"));
    else if (state.isRaced && !isPlain) this.showNews(tr("This cannot be done in a race"));
    else if (state.coop && !isPlain && !IN_COOP.includes(command)) this.showNews(tr("This cannot be done in a co-op game"));
    else this.player.run(command);
  }

  /** @param {Record<string, unknown>} options */
  newGame(options) {
    return newGame(this, options);
  }

  /** @param {string} id */
  openGame(id) {
    openGame(this, id);
  }

  /** Play a game of the race that is on the page. @param {string} id */
  playRaced(id) {
    playRaced(this, id);
  }

  /** Play a co-op game at its address. @param {string} id */
  playTogether(id) {
    playTogether(this, id);
  }

  /** @param {Record<string, unknown>} changed */
  applyPreferences(changed) {
    return applyPreferences(this, changed);
  }

  /** Show the game or a page by its address. @param {string} path */
  goTo(path) {
    goTo(this, path);
  }

  /** Have a text read out. @param {string} text */
  announce(text) {
    this.view.grid.announce(text);
  }

  /**
   * Say something for a few seconds; trouble until the player could read it and acts.
   * @param {string} text
   * @param {boolean} [trouble]
   */
  showNews(text, trouble = false) {
    const { state } = this;
    const news = { text: asSentence(text), trouble, until: performance.now() + NEWS_MS };
    state.news = news;
    if (!trouble) {
      window.setTimeout(() => {
        if (state.news === news) state.news = null;
        this.view.render();
      }, NEWS_MS);
    }
    this.view.render();
  }
}
