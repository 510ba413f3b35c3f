/**
 * Quiet motion after an act: the port of demine.scene.motion, to whose vectors a test holds it. The
 * faces are the truth from the first moment; some of them are only shown a little later.
 */
import { BLOWN, COVERED, FLAG, MINE, WRONG, isCovered } from "./faces.js";

/** @typedef {import("./faces.js").Cell} Cell */
/** @typedef {import("./faces.js").Sight} Sight */
/** @typedef {Record<string, number>} Times how long motions take, from Python's table */
/**
 * @typedef {object} MotionFrame what a moving board shows at one moment
 * @property {Uint8Array} faces
 * @property {Uint8Array} veil how much of the covers is left, as opacity
 * @property {Uint8Array} light how brightly the wave lights a cell, as opacity
 * @property {Map<number, number>} landing flags in the air by cell, and how high: 1 down to 0
 */

/** The motion of one board, which acts begin and add to, and time ends. */
export class Motion {
  /**
   * @param {number} rows
   * @param {number} cols
   * @param {Times} times
   */
  constructor(rows, cols, times) {
    this.rows = rows;
    this.cols = cols;
    this.times = times;
    this.before = new Uint8Array(rows * cols);
    this.showsAt = new Float64Array(rows * cols).fill(-Infinity);
    this.veiledUntil = new Float64Array(rows * cols).fill(-Infinity);
    /** @type {Map<number, number>} */
    this.flags = new Map();
    this.waveBegan = -Infinity;
    /** When everything stands still. */
    this.endsAt = -Infinity;
  }

  /**
   * Begin the motion of one act.
   * @param {Uint8Array} before the faces before the act
   * @param {Uint8Array} faces those after it
   * @param {Cell} origin the cell acted on
   * @param {string} status that of the game now
   * @param {number} now in milliseconds of any one clock
   */
  follow(before, faces, origin, status, now) {
    const { times } = this;
    /** @type {number[]} */
    const found = [];
    /** @type {number[]} */
    const opened = [];
    for (let at = 0; at < faces.length; at++) {
      if (faces[at] === before[at]) continue;
      this.showsAt[at] = this.veiledUntil[at] = -Infinity;
      if (faces[at] === FLAG && status === "running") {
        this.flags.set(at, now);
        this.#lastUntil(now + times.landing_ms);
      }
      if (faces[at] === MINE || faces[at] === WRONG) found.push(at);
      else if (isCovered(before[at]) && !isCovered(faces[at]) && faces[at] !== BLOWN) opened.push(at);
    }
    if (status === "won") {
      this.waveBegan = now;
      this.#lastUntil(now + times.wave_ms);
    }
    this.#spreadOpening(before, opened, origin, now);
    const hit = faces.indexOf(BLOWN);
    this.#showOtherMines(before, found, hit < 0 ? origin : this.#cell(hit), now);
  }

  /**
   * Return what is shown of these faces at a moment.
   * @param {Uint8Array} faces
   * @param {number} now
   * @returns {MotionFrame}
   */
  frame(faces, now) {
    const { times } = this;
    const shown = faces.slice();
    const veil = new Uint8Array(faces.length);
    for (let at = 0; at < faces.length; at++) {
      if (this.showsAt[at] > now) shown[at] = this.before[at];
      else veil[at] = Math.floor(Math.min(1, Math.max(0, (this.veiledUntil[at] - now) / times.fade_ms)) * 255);
    }
    /** @type {Map<number, number>} */
    const landing = new Map();
    for (const [at, began] of this.flags) {
      const rest = 1 - (now - began) / times.landing_ms;
      if (rest > 0 && faces[at] === FLAG) {
        landing.set(at, Math.min(1, rest) ** 2);
        shown[at] = COVERED;
      }
    }
    return { faces: shown, veil, light: this.#light(now), landing };
  }

  /** @param {number} at @returns {Cell} */
  #cell(at) {
    return [Math.floor(at / this.cols), at % this.cols];
  }

  /** @param {number} at @param {Cell} origin */
  #distance(at, origin) {
    const [row, col] = this.#cell(at);
    return Math.hypot(row - origin[0], col - origin[1]);
  }

  /**
   * @param {Uint8Array} before
   * @param {number[]} opened
   * @param {Cell} origin
   * @param {number} now
   */
  #spreadOpening(before, opened, origin, now) {
    const { times } = this;
    const later = opened.filter((at) => this.#distance(at, origin) > times.at_once);
    if (!later.length) return;
    const far = later.reduce((most, at) => Math.max(most, this.#distance(at, origin)), 0);
    const whole = Math.min(times.longest_ms, times.shortest_ms + 2 * far);
    for (const at of later) {
      const share = (this.#distance(at, origin) - times.at_once) / (far - times.at_once);
      this.#showLater(before, at, now + share * (whole - times.fade_ms));
    }
  }

  /**
   * @param {Uint8Array} before
   * @param {number[]} found
   * @param {Cell} hit
   * @param {number} now
   */
  #showOtherMines(before, found, hit, now) {
    const { times } = this;
    const far = found.reduce((most, at) => Math.max(most, this.#distance(at, hit)), 1);
    const way = times.loss_ms - times.other_mines_ms - times.fade_ms;
    for (const at of found) {
      this.#showLater(before, at, now + times.other_mines_ms + (this.#distance(at, hit) / far) * way);
    }
  }

  /** @param {Uint8Array} before @param {number} at @param {number} moment */
  #showLater(before, at, moment) {
    this.before[at] = before[at];
    this.showsAt[at] = moment;
    this.veiledUntil[at] = moment + this.times.fade_ms;
    this.#lastUntil(moment + this.times.fade_ms);
  }

  /** @param {number} moment */
  #lastUntil(moment) {
    this.endsAt = Math.max(this.endsAt, moment);
  }

  /** Return the wave of light, which passes from the upper left to the lower right. @param {number} now */
  #light(now) {
    const { rows, cols, times } = this;
    const light = new Uint8Array(rows * cols);
    const passed = (now - this.waveBegan) / times.wave_ms;
    if (!(passed >= 0 && passed < 1)) return light;
    const crest = passed * (1 + 2 * times.crest) - times.crest;
    for (let at = 0; at < light.length; at++) {
      const way = (Math.floor(at / cols) + (at % cols)) / Math.max(1, rows + cols - 2);
      const height = Math.max(0, 1 - Math.abs(way - crest) / times.crest);
      light[at] = Math.floor(height ** 2 * times.brightest);
    }
    return light;
  }
}
