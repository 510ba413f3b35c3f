/**
 * What the page knows of a co-op game besides its board: who plays, who opened what, and where all point.
 */
import { isCovered } from "./faces.js";
import { tr } from "./words.js";

/** @typedef {import("./faces.js").Cell} Cell */
/** @typedef {import("./faces.js").Sight} Sight */
/** @typedef {{seat: number, name: string, here: boolean}} Partner */
/**
 * @typedef {object} Coop
 * @property {number} seat one's own, from 1
 * @property {Partner[]} players
 * @property {Uint8Array} owners the seat of who opened or marked each cell, 0 for nobody
 * @property {Map<number, {x: number, y: number, at: number}>} pointers by seats: where they are, 16 a cell, and since when
 * @property {{seat: number, cell: Cell, at: number}[]} signals cells that all are to look at, and since when
 * @property {string} next the game that the same players play next; empty if there is none
 */

const FLAG = 10;
const MARKED = [FLAG, 11];
const MINE_SHOWN = [12, 14];
/** How long a signal is seen, in milliseconds. */
export const SIGNAL_MS = 3000;

/** Return what a first message says of a co-op game; null if it is a game of one player. @param {any} hello @returns {Coop | null} */
export function coopOf(hello) {
  if (!hello.seat) return null;
  return {
    seat: hello.seat, players: hello.players, owners: parsedOwners(hello.owners), pointers: new Map(), signals: [], next: hello.next ?? "",
  };
}

/** Note whose cells an act changed. @param {Coop} coop @param {Sight} before @param {Sight} after @param {any} answer */
export function followOwners(coop, before, after, answer) {
  if (answer.owners) coop.owners = parsedOwners(answer.owners);
  else if (answer.by) {
    const owners = coop.owners.slice();
    after.faces.forEach((face, at) => {
      if (face === before.faces[at] || MINE_SHOWN.includes(face)) return;
      owners[at] = isCovered(face) && !MARKED.includes(face) ? 0 : answer.by;
    });
    coop.owners = owners;
  }
}

/** Take what is told of the other players. @param {Coop} coop @param {any} news @param {number} now */
export function followPlayers(coop, news, now) {
  if (news.players) coop.players = news.players;
  for (const [seat, x, y] of news.pointers ?? []) {
    if (x < 0) coop.pointers.delete(seat);
    else coop.pointers.set(seat, { x, y, at: now });
  }
  coop.signals = coop.signals.filter(({ at }) => now - at < SIGNAL_MS);
  if (news.signal) {
    const [seat, row, col] = news.signal;
    coop.signals.push({ seat, cell: [row, col], at: now });
  }
  if (news.next) coop.next = news.next;
}

/** Return how somebody is called. @param {Coop} coop @param {number} seat */
export const nameOfSeat = (coop, seat) => coop.players.find((each) => each.seat === seat)?.name ?? `P${seat}`;

/** Return how many cells a player has opened, flagged, and how many of these were mines. @param {Coop} coop @param {Sight} sight @param {number} seat */
export function countsOf({ owners }, { faces }, seat) {
  const counts = { opened: 0, flags: 0, mines: 0 };
  owners.forEach((owner, at) => {
    if (owner !== seat) return;
    if (faces[at] <= 8) counts.opened += 1;
    else if (faces[at] === FLAG) counts.flags += 1;
    else if (faces[at] === 13) counts.mines += 1;
  });
  return counts;
}

/** Return what somebody else did, where the board alone does not tell it; empty where it does. @param {string} verb @param {string} name */
export function deedOf(verb, name) {
  if (verb === "undo") return tr("{name} undid a move", { name });
  if (verb === "pause") return tr("{name} paused the game", { name });
  if (verb === "resume") return tr("{name} resumed the game", { name });
  if (verb === "hint") return tr("{name} asked for a hint", { name });
  return "";
}

/** @param {string[]} rows */
const parsedOwners = (rows) => Uint8Array.from(rows.join(""), Number);
