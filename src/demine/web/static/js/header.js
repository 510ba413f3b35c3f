/**
 * The header over the board: mines left, the face, the time, and the tools.
 */
import { part } from "./page_parts.js";
import { fileUrl } from "./page_version.js";
import { drawn } from "./sprites.js";
import { isOver, shownMines, shownSeconds } from "./state.js";
import { tr } from "./words.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./sprites.js").Grounded} Grounded */
/** @typedef {import("./keyboard.js").KeyMap} KeyMap */
/**
 * @typedef {object} HeaderPaths
 * @property {Record<string, Grounded>} faces
 * @property {{height: number, width: number, signs: Record<string, Grounded>}} lamps
 * @property {{size: number, paths: Record<string, import("./sprites.js").Parts>}} icons
 */

/** The side of the face in CSS pixels. */
const FACE = 48;
const SVG = "http://www.w3.org/2000/svg";

/** Return a number as lamps show it: "042", "-07". @param {number} value @param {number} digits */
export function ledText(value, digits) {
  const shown = Math.min(Math.max(value, -(10 ** (digits - 1)) + 1), 10 ** digits - 1);
  return shown < 0 ? `-${String(-shown).padStart(digits - 1, "0")}` : String(shown).padStart(digits, "0");
}

export class Header {
  /**
   * @param {(path: string) => Promise<any>} load asks the server for JSON
   * @param {(command: string) => void} run
   * @param {(held: boolean) => void} holdFace
   */
  constructor(load, run, holdFace) {
    this.load = load;
    /** @type {HeaderPaths | null} */
    this.paths = null;
    /** @type {Map<string, HTMLCanvasElement>} */
    this.pictures = new Map();
    this.face = /** @type {HTMLButtonElement} */ (part("face"));
    this.shown = { mood: "", mines: "", time: "", language: "", lamps: "" };
    this.loading = "";
    this.#listen(run, holdFace);
  }

  /** Draw in a theme from now on. @param {string} theme @param {() => void} redraw */
  async use(theme, redraw) {
    const url = fileUrl(`header/${theme}/${Math.round(FACE * (window.devicePixelRatio || 1))}.json`);
    if (url === this.loading) return;
    this.loading = url;
    const paths = await this.load(url);
    if (url !== this.loading) return;
    this.paths = paths;
    this.pictures.clear();
    this.shown = { mood: "", mines: "", time: "", language: "", lamps: "" };
    for (const icon of document.querySelectorAll("svg[data-icon]")) this.#drawIcon(/** @type {SVGElement} */ (icon));
    redraw();
  }

  /**
   * Show the state of a game.
   * @param {State} state
   * @param {{holdsCell: boolean, paused: boolean, lamps: boolean, keys: KeyMap, language: string}} moment
   */
  render(state, moment) {
    const { game } = state;
    if (!game) return;
    const mines = shownMines(game);
    const digits = Math.max(3, String(game.mines).length, String(mines).length);
    const seconds = shownSeconds(state, performance.now());
    this.#showNumber("mines", tr("Mines left"), mines, digits, moment.lamps);
    this.#showNumber("time", tr("Seconds"), seconds, Math.max(3, String(seconds).length), moment.lamps);
    this.#showFace(moodOf(state, moment.holdsCell && !moment.paused));
    this.#showTools(state, moment);
  }

  /** @param {(command: string) => void} run @param {(held: boolean) => void} holdFace */
  #listen(run, holdFace) {
    const { face } = this;
    face.addEventListener("pointerdown", (event) => {
      if (event.button === 0) holdFace(true);
    });
    for (const end of ["pointerup", "pointerleave", "pointercancel", "blur"]) {
      face.addEventListener(end, () => holdFace(false));
    }
    face.addEventListener("click", () => run("new"));
    face.addEventListener("contextmenu", (event) => {
      event.preventDefault();
      run("next-level");
    });
    for (const tool of document.querySelectorAll(".tools [data-command]")) {
      tool.addEventListener("click", () => run(/** @type {HTMLElement} */ (tool).dataset.command ?? ""));
    }
  }

  /**
   * @param {string} id
   * @param {string} name
   * @param {number} value
   * @param {number} digits
   * @param {boolean} lamps
   */
  #showNumber(id, name, value, digits, lamps) {
    const text = lamps ? ledText(value, digits) : String(value);
    const shown = `${name}: ${text} ${lamps}`;
    if (this.shown[/** @type {"mines" | "time"} */ (id)] === shown) return;
    this.shown[/** @type {"mines" | "time"} */ (id)] = shown;
    const box = part(id);
    box.setAttribute("aria-label", `${name}: ${value}`);
    box.title = name;
    const figure = /** @type {HTMLElement} */ (box.querySelector(".figure"));
    figure.classList.toggle("lamps", lamps && !!this.paths);
    if (lamps && this.paths) figure.replaceChildren(this.#lamps(text, this.paths));
    else figure.textContent = text.replace("-", "−");
    figure.style.minWidth = lamps ? "" : `${digits}ch`;
  }

  /** @param {string} text @param {HeaderPaths} paths */
  #lamps(text, { lamps }) {
    const canvas = document.createElement("canvas");
    canvas.width = lamps.width * text.length;
    canvas.height = lamps.height;
    const pen = canvas.getContext("2d");
    [...text].forEach((sign, at) => {
      const [ground, ...parts] = lamps.signs[sign];
      pen?.drawImage(this.#picture(`lamp ${sign}`, lamps.width, lamps.height, parts, ground), at * lamps.width, 0);
    });
    const ratio = window.devicePixelRatio || 1;
    canvas.style.width = `${canvas.width / ratio}px`;
    canvas.style.height = `${canvas.height / ratio}px`;
    return canvas;
  }

  /** @param {string} mood */
  #showFace(mood) {
    if (!this.paths || this.shown.mood === mood) return;
    this.shown.mood = mood;
    const [ground, ...parts] = this.paths.faces[mood];
    const side = Math.round(FACE * (window.devicePixelRatio || 1));
    this.face.replaceChildren(this.#picture(`face ${mood}`, side, side, parts, ground));
    this.face.setAttribute("aria-description", moodName(mood));
  }

  /**
   * @param {string} key
   * @param {number} width
   * @param {number} height
   * @param {import("./sprites.js").Parts} parts
   * @param {string} ground
   */
  #picture(key, width, height, parts, ground) {
    const known = this.pictures.get(key) ?? drawn(width, height, parts, ground);
    this.pictures.set(key, known);
    return known;
  }

  /** @param {State} state @param {{paused: boolean, keys: KeyMap, language: string}} moment */
  #showTools(state, { paused, keys, language }) {
    const { game } = state;
    if (!game) return;
    const over = isOver(game);
    enable("undo", state.draft.isOn ? state.draft.assumptions.length > 0 : game.canUndo || state.left !== "");
    enable("hint", !over && !game.ranked);
    enable("pause", !game.ranked && (game.status === "running" || paused));
    part("new").classList.toggle("accent", over);
    const drafts = state.draft.isOn;
    const names = `${language} ${paused} ${drafts} ${game.level} ${keys.label("new")}`;
    if (this.shown.language === names) return;
    this.shown.language = names;
    part("new-text").textContent = tr("New");
    part("level-text").textContent = game.level;
    part("level").setAttribute("aria-label", `${tr("Level")}: ${game.level}`);
    name("new", tr("New game"), keys.label("new"));
    name("undo", tr("Undo"), keys.label("undo"));
    name("hint", drafts ? tr("Check the draft") : tr("Hint"), keys.label("hint"));
    name("pause", paused ? tr("Resume") : tr("Pause"), keys.label("pause"));
    name("menu", tr("Menu"), "");
    name("face", tr("New game"), keys.label("new"));
    const icon = part("pause").querySelector("svg");
    if (icon) {
      icon.dataset.icon = paused ? "resume" : "pause";
      this.#drawIcon(icon);
    }
  }

  /** @param {SVGElement} icon */
  #drawIcon(icon) {
    if (!this.paths) return;
    const { size, paths } = this.paths.icons;
    icon.setAttribute("viewBox", `0 0 ${size} ${size}`);
    icon.replaceChildren(...(paths[icon.dataset.icon ?? ""] ?? []).map(([path, , pen]) => {
      const line = document.createElementNS(SVG, "path");
      line.setAttribute("d", path);
      if (pen) line.setAttribute("stroke-width", String(pen));
      line.setAttribute("class", pen ? "line" : "filled");
      return line;
    }));
  }
}

/** @param {string} id @param {boolean} able */
function enable(id, able) {
  /** @type {HTMLButtonElement} */ (part(id)).disabled = !able;
}

/** @param {string} id @param {string} text @param {string} key */
function name(id, text, key) {
  const button = part(id);
  button.setAttribute("aria-label", text);
  button.title = key ? `${text} (${key})` : text;
}

/** @param {State} state @param {boolean} holdsCell */
function moodOf(state, holdsCell) {
  if (state.faceHeld) return "pressed";
  if (state.game?.status === "won") return "won";
  if (state.game?.status === "lost") return "lost";
  return holdsCell ? "worried" : "idle";
}

/** @param {string} mood */
function moodName(mood) {
  switch (mood) {
    case "pressed": return tr("pressed");
    case "worried": return tr("worried");
    case "won": return tr("won");
    case "lost": return tr("lost");
    default: return tr("smiling");
  }
}
