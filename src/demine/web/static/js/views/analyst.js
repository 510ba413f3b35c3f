// Asks the server what the solver says of a position: of the last one alone, and not while it is painted.

import { RequestError } from "../authority.js";
import { facesOnWire } from "./position_editor.js";

/** @typedef {import("../authority.js").Authority} Authority */
/** @typedef {import("./position_editor.js").Position} Position */
/** @typedef {[number, number] | "easiest" | null} Prove which cell is to be proven, if any */
/**
 * @typedef {object} Analysed what the server answers
 * @property {number} width
 * @property {number} height
 * @property {number} mines
 * @property {string[]} faces
 * @property {string} text the position as a diagram
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
   * @param {{answered: (answer: Analysed) => void, failed: (error: unknown) => void, isSeen: () => boolean}} told
   */
  constructor(authority, told) {
    this.authority = authority;
    this.told = told;
    this.timer = 0;
    this.sent = new AbortController();
  }

  /** Forget what was asked, and whatever is answered to it. */
  stop() {
    window.clearTimeout(this.timer);
    this.sent.abort();
  }

  /** Ask about a position in place of the last one. @param {Position} position @param {Prove} prove @param {number} [wait] in milliseconds */
  ask(position, prove = null, wait = QUIET_MS) {
    this.stop();
    this.timer = window.setTimeout(() => this.#send(position, prove), wait);
  }

  /** @param {Position} position @param {Prove} prove */
  async #send(position, prove) {
    if (!this.told.isSeen()) return;
    const { signal } = (this.sent = new AbortController());
    try {
      const asked = { faces: facesOnWire(position), mines: position.mines, prove };
      const answer = await this.authority.request("POST", "/api/analyse", asked, {}, signal);
      if (signal.aborted || !this.told.isSeen()) return;
      this.told.answered(answer);
    } catch (error) {
      if (signal.aborted || !this.told.isSeen()) return;
      this.told.failed(error);
      const seconds = secondsToWait(error);
      if (seconds) this.ask(position, prove, 1000 * seconds);
    }
  }
}

/** Return after how many seconds a question may be answered; 0 if it never will be. @param {unknown} error */
function secondsToWait(error) {
  if (!(error instanceof RequestError)) return 0;
  return error.seconds || (error.isUnreachable ? TRY_AGAIN_S : 0);
}
