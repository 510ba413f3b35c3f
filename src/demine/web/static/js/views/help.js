// The dialog Help: how to play, with boards, and what the mouse and the keys do.

import { button, el, tabs } from "./elements.js";
import { showDialog } from "./dialog.js";
import { playsWithFingers, playsWithKeys } from "../page_parts.js";
import { BoardCanvas } from "../board_canvas.js";
import { tr } from "../words.js";

/** @typedef {import("../app.js").App} App */
/**
 * @typedef {{caption: string, faces: number[][], looks: number[][], ring: [number, number] | null,
 *   safe: [number, number][]}} LessonBoard
 * @typedef {{name: string, heading: string, paragraphs: string[], boards: LessonBoard[]}} Lesson
 */

const CELL = 28;
const SAFE = 1;
const UNKNOWN = 255;

/**
 * @param {App} app
 * @param {{page?: "play" | "keys"}} options
 */
export async function open(app, options) {
  const [fingers, keys] = [playsWithFingers(), playsWithKeys()];
  const help = await app.authority.request("GET", `/api/forms/help?fingers=${fingers}&keys=${keys}`);
  const { close } = showDialog({
    title: tr("Help"),
    className: "tall wide",
    content: [tabs(tr("Help"), [
      { title: tr("How to play"), make: () => lessons(app, help.lessons) },
      { title: tr("With others"), make: withOthers },
      { title: keys ? tr("Keys and mouse") : tr("Fingers"), make: () => tables(help.tables, keys) },
    ], options.page === "keys" ? 2 : 0)],
    buttons: [button(tr("Close"), () => close())],
  });
}

/** @param {App} app @param {Lesson[]} all */
function lessons(app, all) {
  return el("div", { class: "lessons" }, all.map((lesson) =>
    el("section", {}, el("h3", {}, lesson.heading), lesson.paragraphs.map((text) => el("p", {}, text)),
      el("div", { class: "lesson-boards" }, lesson.boards.map((board) => figure(app, board))))));
}

/** @param {App} app @param {LessonBoard} board */
function figure(app, board) {
  const [rows, cols] = [board.faces.length, board.faces[0].length];
  const canvas = el("canvas", { role: "img", "aria-label": board.caption });
  canvas.style.width = `${cols * CELL + 8}px`;
  canvas.style.height = `${rows * CELL + 8}px`;
  const marks = new Uint8Array(rows * cols);
  for (const [row, col] of board.safe) marks[row * cols + col] = SAFE;
  requestAnimationFrame(() => new BoardCanvas(canvas, app.sprites).show({
    rows, cols, faces: Uint8Array.from(board.faces.flat()), looks: Uint8Array.from(board.looks.flat()),
    overlay: { marks, risk: new Uint8Array(rows * cols).fill(UNKNOWN), unwritten: new Uint8Array(rows * cols) },
    cursor: board.ring,
  }));
  return el("figure", {}, canvas, el("figcaption", {}, board.caption));
}

/** What is played with others, which the other scenes do not have. */
function withOthers() {
  return el("div", { class: "lessons" },
    el("h3", {}, tr("Race with others")),
    el("p", {}, tr("Choose it in the menu, and send the link to one to seven others. Each plays the same board, which needs no guess.")),
    el("p", {}, tr("You see how many cells the others have opened. Their small boards show only cells that you have opened, too.")),
    el("p", {}, tr("There is no pause, no undo and no help. Whoever loses the connection has two minutes to come back.")));
}

/** @param {{title: string, rows: [string, string][]}[]} all @param {boolean} keys */
function tables(all, keys) {
  return el("div", {}, all.map(({ title, rows }) => el("section", {}, el("h3", { class: all.length > 1 ? "" : "off-screen" }, title),
    el("table", { class: "keys-table" }, el("tbody", {}, rows.map(([keys, what]) =>
      el("tr", {}, el("th", { scope: "row" }, what), el("td", {}, keys))))))),
  keys && el("p", { class: "note" }, tr("You can change every key in the settings.")));
}
