/**
 * Proving that a board needs no guess: it is begun again and opened step by step, each with its reason.
 */
import { newGame } from "../games.js";
import { isOver } from "../state.js";
import { tr } from "../words.js";

/** @typedef {import("../app.js").App} App */
/** @typedef {import("../faces.js").Cell} Cell */

/** After so long a step is asked for again that the server refused: whoever is quick asks too often. */
const RETRY_MS = 1500;
/** The mark on a cell that is proven safe. */
const SAFE = 1;
/** @type {Proof | null} */
let proof = null;

/** Begin a proof, or go on to its next step. @param {App} app */
export function prove(app) {
  proof ??= new Proof(app);
  return proof.run();
}

class Proof {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.warnedOf = "";
    /** The cell of the step that is shown. @type {Cell | null} */
    this.next = null;
    app.authority.on("hello", () => this.#followBoard());
    app.authority.on("answer", (answer) => (answer.cells || answer.faces) && this.#followBoard());
    app.authority.on("help", (help) => {
      if (["too_many", "busy"].includes(help.refused?.what)) window.setTimeout(() => this.#askForStep(), RETRY_MS);
      else if (help.kind === "hint") this.#takeStep(help.marks ?? []);
    });
  }

  async run() {
    const { app } = this;
    const { state } = app;
    const { game } = state;
    if (!game || game.status === "ready") app.showNews(tr("Open a cell first: there is nothing to prove yet"));
    else if (this.isOn) this.#openNext();
    else if (!isOver(game) && this.warnedOf !== game.id) {
      this.warnedOf = game.id;
      app.showNews(tr("Proving restarts the board and ends your game. Press again to confirm."));
    } else {
      state.proving = await newGame(app, { again: game.id });
    }
  }

  /** Whether the game on the screen is a proof. */
  get isOn() {
    const { game, proving } = this.app.state;
    return !!game && proving === game.id;
  }

  #openNext() {
    if (this.next) this.app.authority.play("open", this.next);
    this.next = null;
  }

  /** Open the first cell, ask for the next step, or say that the board is proven. */
  #followBoard() {
    const { state, authority } = this.app;
    const { game } = state;
    if (!game || !this.isOn) return;
    this.next = null;
    if (game.status === "ready" && game.start) authority.play("open", game.start);
    else if (isOver(game)) state.proving = "";
    else this.#askForStep();
    if (game.status === "won") this.app.showNews(tr("Proven: this board needs no guess"));
  }

  #askForStep() {
    const { state, authority, view } = this.app;
    if (!this.isOn || state.game?.status !== "running" || this.next || state.asking) return;
    if (authority.ask("hint")) state.asking = "hint";
    view.render();
  }

  /** Keep where the next step is; a proof ends where the best is a guess, which the hint says. @param {[number, number, number][]} marks */
  #takeStep(marks) {
    if (!this.isOn || !marks.length) return;
    const safe = marks.find(([, , mark]) => mark === SAFE);
    this.next = safe ? [safe[0], safe[1]] : null;
    if (!safe) this.app.state.proving = "";
    this.app.view.render();
  }
}
