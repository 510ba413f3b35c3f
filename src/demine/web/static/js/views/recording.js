// A recording as the page plays it: the folded acts, a position in time, and the pointer.

/**
 * @typedef {{t: number, verb: string, cell: number | null, text: string, player: string, changed: number[],
 *   mines_left: number, status: string}} Act
 * @typedef {{title: string, rules: string, width: number, height: number, mines: number,
 *   status: string, time_ms: number, start_ms: number, end_ms: number, notes: string[], acts: Act[],
 *   players: import("./coop_signs.js").Share[],
 *   pointer: {t: number[], x: number[], y: number[], presses: number[]}}} WatchData
 */

const COVERED = 9;
/** The faces of mines and wrong flags, which no act makes. */
const SHOWN_AT_END = [12, 14];
const KEY_FRAME = 64;
export const SPEEDS = [0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 4, 8, 16];

export class Recording {
  /** @param {WatchData} data */
  constructor(data) {
    this.data = data;
    /** @type {number[]} */
    this.times = data.acts.map(({ t }) => t);
    this.ms = data.start_ms;
    this.done = 0;
    this.speed = 1;
    /** @type {Uint8Array[]} the board before every 64th act */
    this.keyFrames = [];
    const faces = new Uint8Array(data.width * data.height).fill(COVERED);
    data.acts.forEach((act, place) => {
      if (place % KEY_FRAME === 0) this.keyFrames.push(faces.slice());
      apply(faces, act);
    });
    if (!this.keyFrames.length) this.keyFrames.push(faces.slice());
    this.seek(data.start_ms);
  }

  /** The faces after the acts that are done. */
  get faces() {
    const frame = Math.min(Math.floor(this.done / KEY_FRAME), this.keyFrames.length - 1);
    const faces = this.keyFrames[frame].slice();
    for (let at = frame * KEY_FRAME; at < this.done; at += 1) apply(faces, this.data.acts[at]);
    return faces;
  }

  /** Who opened or marked each cell by now: places in the list of players, from 1, and 0 for nobody. */
  get owners() {
    const { players, acts, width, height } = this.data;
    const owners = new Uint8Array(width * height);
    for (const { player, changed } of players.length ? acts.slice(0, this.done) : []) {
      const place = players.findIndex((each) => each.player === player) + 1;
      for (let at = 0; at < changed.length; at += 2) {
        if (!SHOWN_AT_END.includes(changed[at + 1])) owners[changed[at]] = changed[at + 1] === COVERED ? 0 : place;
      }
    }
    return owners;
  }

  /** @returns {Act | null} */
  get lastAct() {
    return this.done ? this.data.acts[this.done - 1] : null;
  }

  get ended() {
    return this.ms >= this.data.end_ms && this.done === this.data.acts.length;
  }

  /**
   * Go to a time, after the acts of that time.
   * @param {number} ms
   */
  seek(ms) {
    const { start_ms, end_ms, acts } = this.data;
    this.ms = Math.min(Math.max(ms, start_ms), end_ms);
    this.done = this.ms >= end_ms ? acts.length : countUpTo(this.times, this.ms);
  }

  /**
   * Play on for some milliseconds of real time.
   * @param {number} realMs
   */
  advance(realMs) {
    const before = this.done;
    this.seek(this.ms + realMs * this.speed);
    this.done = Math.max(this.done, before);
  }

  /**
   * Go to just after an act, or with 0 to before the first.
   * @param {number} done how many acts are to be done
   */
  standAfter(done) {
    const { start_ms, end_ms, acts } = this.data;
    this.done = Math.min(Math.max(done, 0), acts.length);
    const ms = this.done ? acts[this.done - 1].t : start_ms;
    this.ms = Math.min(Math.max(ms, start_ms), end_ms);
  }

  /**
   * Return the pointer's points of the last milliseconds as [x, y, pressed?], at 16 pixels a cell.
   * @param {number} spanMs Infinity for all
   * @returns {[number, number, boolean][]}
   */
  trail(spanMs) {
    const { t, x, y, presses } = this.data.pointer;
    const end = countUpTo(t, this.ms);
    const begin = spanMs === Infinity ? 0 : countUpTo(t, this.ms - spanMs - 1);
    const pressed = new Set(presses);
    /** @type {[number, number, boolean][]} */
    const points = [];
    for (let at = begin; at < end; at += 1) points.push([x[at], y[at], pressed.has(at)]);
    return points;
  }

  /** @returns {[number, number] | null} where the pointer is, at 16 pixels a cell */
  get pointer() {
    const { t, x, y } = this.data.pointer;
    const end = countUpTo(t, this.ms);
    return end ? [x[end - 1], y[end - 1]] : null;
  }
}

/** @param {Uint8Array} faces @param {Act} act */
function apply(faces, { changed }) {
  for (let at = 0; at < changed.length; at += 2) faces[changed[at]] = changed[at + 1];
}

/**
 * Return how many of these rising numbers are at most `most`.
 * @param {number[]} rising
 * @param {number} most
 */
export function countUpTo(rising, most) {
  let low = 0;
  let high = rising.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rising[middle] <= most) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Return a time as "12.3" seconds, or "1:02.3" from a minute on.
 * @param {number} ms
 */
export function tenths(ms) {
  const all = Math.round(Math.abs(ms) / 100);
  const [minutes, rest] = [Math.floor(all / 600), (all % 600) / 10];
  const sign = ms <= -50 ? "−" : "";
  return minutes ? `${sign}${minutes}:${rest.toFixed(1).padStart(4, "0")}` : `${sign}${rest.toFixed(1)}`;
}
