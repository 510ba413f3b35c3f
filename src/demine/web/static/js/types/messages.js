/**
 * What the server says about a game, as types alone: no page loads this file. docs/protocol.md says what all of it means.
 */

/** @typedef {import("../faces.js").Cell} Cell */
/** @typedef {{kind: string, headline?: string, text?: string, further?: string, luck?: string}} Message */
/**
 * @typedef {object} Hello the whole state of a game, at the beginning of a connection
 * @property {number} v
 * @property {string} game
 * @property {string} rules
 * @property {number} width
 * @property {number} height
 * @property {number} mines
 * @property {string} level
 * @property {string} title
 * @property {Cell | null} start
 * @property {number} seq
 * @property {number} now
 * @property {number} next_seq
 * @property {string} status
 * @property {number} mines_left
 * @property {number} clock_ms
 * @property {boolean} can_undo
 * @property {string} unranked
 * @property {string | null} race the id of the race that it belongs to
 * @property {string | null} ranked the day and level of the ranked board that it is played on
 * @property {Message | null} message
 * @property {string[] | null} faces
 * @property {[number, number, number][] | null} cells
 * @property {number | null} seat one's own in a co-op game
 */
/**
 * @typedef {object} Answer what an act changed; without `ack` it was played on another connection
 * @property {number} seq
 * @property {string} status
 * @property {number} mines_left
 * @property {number} clock_ms
 * @property {boolean} can_undo
 * @property {string} [unranked]
 * @property {number} [ack]
 * @property {[number, number, number][]} [cells]
 * @property {string[]} [faces]
 * @property {string} [title]
 * @property {Message} [message]
 * @property {{what: string, message: string}} [refused]
 * @property {number} [by] in a co-op game the seat of who acted
 * @property {string} [verb] in a co-op game what that player did
 */

export {};
