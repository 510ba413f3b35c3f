// Asks the server what the solver says of a position: of the last one alone, and not while it is painted.

import { RequestError } from "../authority.js";
import { facesOnWire } from "./position_editor.js";

/** @typedef {import("../authority.js").Authority} Authority */
/** @typedef {import("./position_editor.js").Position} Position */
/** @typedef {[number, number] | "easiest" | null} Prove which cell is to be proven, if any */
/** @typedef {{position: Position, prove: Prove}} Question */
/**
 * @typedef {object} Analysed what the server answers
 * @property {number} width
 * @property {number} height
 * @property {number} mines
 * @property {string[]} faces
 * @property {{text: string, cell: [number, number] | null} | null} proof
 * @property {{message: string} | null} trouble
 * @property {{marks: [number, number, number][], percent: number[], unwritten: number[], sentences: string[]}} shown
 */

/** How long a position must stay as it is before it is asked about, in milliseconds. */
const QUIET_MS = 250;
/** After so many seconds a server that cannot be reached is tried again. */
const TRY_AGAIN_S = 4;

export class Analyst {
  /**
   * @param {Authority} authority
   * @param {{answered: (answer: Analysed) => void, failed: (error: Error, seconds: number) => void, isSeen: () => boolean}} told `seconds` until the next try, 0 if there is none
   */
  constructor(authority, told) {
    this.authority = authority;
    this.told = told;
    this.timer = 0;
    this.sent = new AbortController();
    /** What is to be asked next. @type {Question | null} */
    this.question = null;
    /** Whether a hand paints, so that the position will be another one. */
    this.isHeld = false;
    /** Why the last question had no answer, and when the server may be asked again. @type {{error: Error, until: number} | null} */
    this.refusal = null;
  }

  /** Forget what was asked, and whatever is answered to it. */
  stop() {
    window.clearTimeout(this.timer);
    this.sent.abort();
    this.question = null;
  }

  /** Ask nothing while a hand paints. @param {boolean} isHeld */
  hold(isHeld) {
    this.isHeld = isHeld;
    if (!isHeld && this.question) this.ask(this.question.position, this.question.prove);
  }

  /** Ask about a position in place of the last one. @param {Position} position @param {Prove} prove @param {number} [wait] in milliseconds */
  ask(position, prove = null, wait = QUIET_MS) {
    this.stop();
    this.question = { position, prove };
    // Whoever was told to wait waits, whatever is painted meanwhile.
    this.timer = window.setTimeout(() => this.#goOn(), this.refusal ? 0 : wait);
  }

  /** Send the question, or say how long it has to wait. */
  #goOn() {
    const { question, refusal, told } = this;
    if (!question || !told.isSeen()) return;
    const seconds = refusal ? Math.ceil((refusal.until - performance.now()) / 1000) : 0;
    if (refusal && seconds > 0) {
      told.failed(refusal.error, seconds);
      this.timer = window.setTimeout(() => this.#goOn(), 1000);
    } else if (!this.isHeld) void this.#send(question);
  }

  /** @param {Question} question */
  async #send({ position, prove }) {
    this.question = this.refusal = null;
    const { signal } = (this.sent = new AbortController());
    try {
      const asked = { faces: facesOnWire(position), mines: position.mines, prove };
      const answer = await this.authority.request("POST", "/api/analyse", asked, {}, signal);
      if (signal.aborted || !this.told.isSeen()) return;
      this.told.answered(answer);
    } catch (error) {
      if (signal.aborted || !this.told.isSeen()) return;
      const seconds = secondsToWait(error);
      this.told.failed(/** @type {Error} */ (error), seconds);
      if (!seconds) return;
      this.refusal = { error: /** @type {Error} */ (error), until: performance.now() + 1000 * seconds };
      this.ask(position, prove);
    }
  }
}

/** Return after how many seconds a question may be answered; 0 if it never will be. @param {unknown} error */
function secondsToWait(error) {
  if (!(error instanceof RequestError)) return 0;
  return error.seconds || (error.isUnreachable ? TRY_AGAIN_S : 0);
}
