// Plays what Python wrote on standard input with the page's scripts, and prints what came of it.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const folder = pathToFileURL(`${process.argv[2]}/`);
const load = (name) => import(new URL(name, folder));
const { Mouse } = await load("mouse_automaton.js");
const { Finger } = await load("touch_input.js");
const { movedCursor, intendedAct } = await load("cursor.js");
const { cellLooks } = await load("faces.js");
const { Motion } = await load("motion.js");
const { View } = await load("view.js");
const { KeyMap, keyName } = await load("keyboard.js");
const { drafted, noDraft, toggled, withDraft } = await load("draft.js");
const { PositionEditor, blank, diagramOf, facesOnWire, linkOf, positionOfLink, positionOnWire } = await load("views/position_editor.js");
const { ledText } = await load("header.js");

const sightOf = ({ rows, cols, faces }) => ({ rows, cols, faces: Uint8Array.from(faces) });

const players = {
  mouse({ options, steps }) {
    const mouse = new Mouse();
    mouse.questions = options.questions;
    mouse.leftChords = options.left_chords;
    return steps.map(({ what, button, cell, board, shift, ctrl, lost }) => {
      const sight = sightOf(board);
      let asked = [];
      if (what === "press") asked = mouse.press(button, cell, sight, { shift, ctrl });
      else if (what === "release") asked = mouse.release(button, cell, sight);
      else if (what === "move") asked = mouse.move(cell, sight);
      else if (what === "ignore") mouse.ignore(button);
      else mouse.cancel(lost);
      return [asked, mouse.state, mouse.pressed, mouse.isHoldingCell, mouse.hasButtonDown, mouse.isIgnoringInput];
    });
  },
  finger({ hold, tremble, board, steps }) {
    const finger = new Finger({ tap: "act", long: "flag", holdMs: hold, tremblePx: tremble });
    const sight = sightOf(board);
    return steps.map(({ what, cell, point, now }) => {
      let came = null;
      if (what === "press") finger.press(cell, point, now);
      else if (what === "move") came = finger.move(point);
      else if (what === "wait") came = finger.dueLongPress(now);
      else if (what === "release") came = finger.release(now);
      else finger.cancel();
      return [came, finger.state, finger.pressedCells(sight)];
    });
  },
  cursor({ board, cell, command }) {
    const sight = sightOf(board);
    return [movedCursor(sight, cell, command), cell && intendedAct(sight, cell, command)];
  },
  draft({ board, mines, steps }) {
    const sight = sightOf(board);
    let draft = noDraft();
    return steps.map((added) => {
      draft = drafted(draft, added ? toggled(draft.assumptions, added) : draft.assumptions.slice(0, -1), sight, mines);
      const { assumptions, broken } = draft;
      const marks = withDraft(draft, null, sight)?.marks ?? [];
      return [assumptions.map(({ cell, isMine }) => [cell, isMine]), broken.numbers, broken.mineCount, [...marks]];
    });
  },
  position({ limits, letters, start, steps }) {
    const editor = new PositionEditor(limits);
    editor.take(blank(...start));
    editor.forgetChanges();
    return steps.map(({ what, args, tool }) => {
      if (tool !== undefined) editor.tool = tool;
      if (what === "take") editor.take({ ...sightOf(args[0]), mines: args[1] });
      else editor[what](...args);
      const { position } = editor;
      const linked = positionOfLink(linkOf(position), limits);
      const told = positionOnWire({ width: position.cols, height: position.rows, mines: position.mines, faces: facesOnWire(position) });
      for (const same of [linked, told]) {
        const [got, wanted] = [same, position].map(({ rows, cols, mines, faces }) => [rows, cols, mines, ...faces].join());
        if (got !== wanted) throw new Error(`${got} is not ${wanted}`);
      }
      return [[...position.faces], position.rows, position.cols, position.mines, editor.past.length > 0, editor.future.length > 0, diagramOf(position, letters)];
    });
  },
  link: ({ text, limits }) => [positionOfLink(text, limits) !== null],
  looks: ({ board, fade }) => [...cellLooks(sightOf(board), fade)],
  motion({ times, rows, cols, acts, moments }) {
    const motion = new Motion(rows, cols, times);
    for (const { before, faces, origin, status, now } of acts) {
      motion.follow(Uint8Array.from(before), Uint8Array.from(faces), origin, status, now);
    }
    const last = Uint8Array.from(acts.at(-1).faces);
    return moments.map((moment) => {
      const { faces, veil, light, landing } = motion.frame(last, moment);
      return [[...faces], [...veil], [...light], [...landing]];
    });
  },
  view({ rows, cols, port, limits, box, steps }) {
    const isPlaced = (one, other) => one.left === other.left && one.top === other.top;
    let view = View.fitted(rows, cols, port, limits);
    return steps.map(([what, ...values]) => {
      if (what === "zoomed") view = view.zoomed(...values);
      else if (what === "steps") view = view.zoomedBySteps(...values);
      else if (what === "panned") view = view.panned(...values);
      else if (what === "resized") view = view.resized(values[0]);
      else if (what === "scrolled") view = view.scrolledTo(values);
      return [view.cell, view.left, view.top, view.visible(), view.cellAt(...view.port ? [view.port.x + 7, view.port.y + 9] : []), view.showsWholeBoard, view.isFitted, view.overviewRects(box).map(({ x, y, width, height }) => [x, y, width, height]), isPlaced(view, view.withMiddle(view.middle))];
    });
  },
  keys: ({ bindings, labels, keys }) => keys.map((key) => new KeyMap(bindings, labels).keyLabel(key)),
  names: ({ pressed }) => pressed.map(keyName),
  lamps: ({ value, digits }) => ledText(value, digits),
};

const vectors = JSON.parse(readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify(vectors.map(([kind, asked]) => players[kind](asked))));
