/**
 * One finger: the port of demine.scene.touch_input, to whose vectors a test holds it. A tap does one
 * thing and a long press the other, while the finger is still down; one that moves drags the board.
 */
import { faceAt, isOpenable } from "./faces.js";

/** @typedef {import("./faces.js").Cell} Cell */
/** @typedef {import("./faces.js").Sight} Sight */
/** @typedef {"nothing" | "waiting" | "done" | "dragging"} FingerState */
/** @typedef {{tap: string, long: string, holdMs: number, tremblePx: number}} Habits */

/** Turns the input of one finger into commands at cells. */
export class Finger {
  /** @param {Habits} habits */
  constructor(habits) {
    this.habits = habits;
    /** @type {FingerState} */
    this.state = "nothing";
    /** @type {Cell | null} */
    this.cell = null;
    this.from = [0, 0];
    this.since = 0;
  }

  /**
   * Handle a touch at a pixel, on a cell or (null) outside the board.
   * @param {Cell | null} cell
   * @param {[number, number]} point
   * @param {number} now
   */
  press(cell, point, now) {
    this.state = "waiting";
    this.cell = cell;
    this.from = point;
    this.since = now;
  }

  /**
   * Handle a move; return how far it drags the board, or null if it does not.
   * @param {[number, number]} point
   * @returns {[number, number] | null}
   */
  move(point) {
    const dx = point[0] - this.from[0];
    const dy = point[1] - this.from[1];
    const far = Math.max(Math.abs(dx), Math.abs(dy)) > this.habits.tremblePx;
    if (this.state === "waiting" && far) this.state = "dragging";
    if (this.state !== "dragging") return null;
    this.from = point;
    return [dx, dy];
  }

  /**
   * Return the command of a long press and its cell, once, when it has lasted long enough.
   * @param {number} now
   * @returns {[string, Cell] | null}
   */
  dueLongPress(now) {
    if (this.state !== "waiting" || now - this.since < this.habits.holdMs) return null;
    this.state = "done";
    return this.cell && [this.habits.long, this.cell];
  }

  /**
   * Handle the end of a touch; return its command and cell, if it has any.
   * @param {number} now
   * @returns {[string, Cell] | null}
   */
  release(now) {
    let asked = this.dueLongPress(now);
    if (this.state === "waiting" && this.cell) asked = [this.habits.tap, this.cell];
    this.cancel();
    return asked;
  }

  /** Drop the touch, because of a second finger or on behalf of the system. */
  cancel() {
    this.state = "nothing";
    this.cell = null;
  }

  /**
   * Return the cells that look pressed: the one that a tap may still open.
   * @param {Sight} sight
   * @returns {Cell[]}
   */
  pressedCells(sight) {
    if (this.state !== "waiting" || !this.cell) return [];
    return isOpenable(faceAt(sight, this.cell) ?? 0) ? [this.cell] : [];
  }
}
