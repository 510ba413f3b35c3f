// The page that plays a recording: any moment of it, the pointer, the risks and the review.

import { button, el, select } from "./elements.js";
import { showDialog, statusLine } from "./dialog.js";
import { open as openStatistics } from "./end.js";
import { Recording, SPEEDS, tenths } from "./recording.js";
import { letPanAndZoom, zoomKeys } from "./pan_zoom.js";
import { copyRow, watchLink } from "./share.js";
import { icon } from "./icons.js";
import { BoardCanvas } from "../board_canvas.js";
import { cellLooks } from "../faces.js";
import { linkOf } from "./position_editor.js";
import { attempt } from "../waiting.js";
import { ntr, tr } from "../words.js";

/** @typedef {import("../app.js").App} App */
/**
 * @typedef {{act: number, verdict: string, text: string, marks: number[], guess: boolean,
 *   mistake: boolean, notable: boolean}} Judged
 * @typedef {{headline: string, summary: [string, string][], acts: Judged[]}} Review
 */

const RECENT_MS = 1500;
/** How long to wait before the server is asked again how far a review is; it takes its time to answer, too. */
const RETRY_MS = 300;
const FIELD = 16;
const UNKNOWN = 255;
/** The smallest and the largest cells that a board is shown with at first, in CSS pixels. */
const COMFORT = { least: 4, most: 64 };

/**
 * @param {App} app
 * @param {HTMLElement} page
 * @param {string} path `/w/ID`, or `/r/ID` to begin with the review
 */
export async function show(app, page, path) {
  const [, kind, id] = path.split("/");
  page.className = "notice";
  const data = await app.authority.request("GET", `/api/games/${id}/watch`);
  page.className = "watch";
  const player = new Player(app, page, id, data);
  if (kind === "r") await player.loadReview();
}

class Player {
  /**
   * @param {App} app
   * @param {HTMLElement} page
   * @param {string} id
   * @param {import("./recording.js").WatchData} data
   */
  constructor(app, page, id, data) {
    this.app = app;
    this.id = id;
    this.recording = new Recording(data);
    /** @type {Review | null} */
    this.review = null;
    /** @type {Map<number, {risk: number[], unwritten: number[]} | null>} by the acts that are done */
    this.risks = new Map();
    this.showsRisks = false;
    /** @type {"recent" | "full" | "off"} */
    this.trail = "recent";
    this.playing = false;
    this.lastFrame = 0;
    this.asking = false;
    this.embedded = new URLSearchParams(location.search).has("embed") || window.top !== window;
    this.canvas = el("canvas", { class: "watch-canvas", role: "img", "aria-label": tr("The board") });
    this.over = el("canvas", { class: "watch-trail", "aria-hidden": "true" });
    this.box = el("div", {
      class: "watch-board", tabIndex: 0, role: "group", "aria-label": tr("The board: Space plays, arrows step"),
    }, this.canvas, this.over);
    this.mines = el("output", { class: "figure", "aria-label": tr("Mines left") });
    this.clock = el("output", { class: "figure", "aria-label": tr("Time in seconds") });
    this.slider = el("input", {
      type: "range", class: "seek", min: data.start_ms, max: Math.max(data.end_ms, data.start_ms + 1), step: 1,
      "aria-label": tr("Position in the game"),
      oninput: () => this.go(() => this.recording.seek(Number(this.slider.value))),
    });
    this.line = el("p", { class: "watch-line" });
    this.time = el("span", { class: "watch-time" });
    this.play = tool("play", tr("Play"), () => this.togglePlaying());
    this.reviewButton = button(tr("Review"), () => this.loadReview());
    this.risksButton = button(tr("Risks"), () => this.toggleRisks(), { "aria-pressed": "false" });
    this.side = el("aside", { class: "watch-side", hidden: true, tabIndex: 0, "aria-label": tr("Review") });
    this.status = statusLine();
    this.layOut(page);
    this.board = new BoardCanvas(this.canvas, app.sprites);
    this.board.comfort = COMFORT;
    this.board.onView = () => this.drawTrail();
    letPanAndZoom(this.box, this.board);
    new ResizeObserver(() => this.drawTrail()).observe(this.box);
    this.listenToKeys();
    document.title = data.title;
    this.draw();
  }

  /** @param {HTMLElement} page */
  layOut(page) {
    const { data } = this.recording;
    page.classList.toggle("embedded", this.embedded);
    page.replaceChildren(
      this.makeHeader(data),
      el("div", { class: "watch-middle" }, this.box, this.side),
      el("div", { class: "watch-controls" },
        el("div", { class: "watch-seek" }, this.slider, makeTicks(data)),
        el("div", { class: "transport" }, ...this.makeTransport()),
        this.line, this.status.line),
    );
  }

  /** @param {import("./recording.js").WatchData} data */
  makeHeader(data) {
    const home = el("a", { class: "button", href: "/", target: this.embedded ? "_blank" : "_self" }, tr("To the game"));
    const share = button(tr("Share"), () => this.openShare());
    const analyse = button(tr("Analyse"), () => this.app.goTo(`/analyse#${linkOf(this.position())}`), { hidden: data.width * data.height > this.app.facts.position.most_cells });
    const figures = button(tr("Statistics"), () => attempt(() => openStatistics(this.app, { id: this.id })));
    return el("header", { class: "watch-header" },
      el("span", { class: "counter" }, icon("mine"), this.mines),
      el("h1", {}, data.title),
      el("span", { class: "counter" }, this.clock, icon("clock")),
      this.embedded ? home : el("div", { class: "buttons" }, analyse, figures, share, home));
  }

  /** What the player saw at the moment that is shown. */
  position() {
    const { data, faces } = this.recording;
    return { rows: data.height, cols: data.width, mines: data.mines, faces };
  }

  makeTransport() {
    const { recording } = this;
    const trails = select(
      [["recent", tr("Trail: recent")], ["full", tr("Trail: full")], ["off", tr("Trail: off")]],
      this.trail, (value) => {
        this.trail = /** @type {any} */ (value);
        this.drawTrail();
      });
    trails.setAttribute("aria-label", tr("Pointer trail"));
    trails.hidden = !recording.data.pointer.t.length;
    const speeds = select(SPEEDS.map((speed) => [String(speed), `${speed}×`]), "1", (value) => (recording.speed = Number(value)));
    speeds.setAttribute("aria-label", tr("Speed"));
    return [
      tool("first", tr("To the start"), () => this.go(() => recording.standAfter(0))),
      tool("back", tr("Back one move"), () => this.go(() => recording.standAfter(recording.done - 1))),
      this.play,
      tool("next", tr("Forward one move"), () => this.go(() => recording.standAfter(recording.done + 1))),
      tool("last", tr("To the end"), () => this.go(() => recording.seek(recording.data.end_ms))),
      this.time, el("span", { class: "spring" }),
      this.reviewButton, this.risksButton, trails, speeds,
    ];
  }

  // Moving

  /** Move by hand: playing stops, and what the act was is read out. @param {() => void} move */
  go(move) {
    this.stop();
    move();
    this.draw();
    this.app.announce(this.line.textContent ?? "");
  }

  togglePlaying() {
    if (this.playing) return this.stop();
    if (this.recording.ended) this.recording.standAfter(0);
    this.playing = true;
    this.lastFrame = performance.now();
    requestAnimationFrame((now) => this.frame(now));
    return this.drawPlay();
  }

  stop() {
    this.playing = false;
    this.drawPlay();
  }

  drawPlay() {
    const label = this.playing ? tr("Pause") : tr("Play");
    this.play.replaceChildren(icon(this.playing ? "pause" : "play"));
    this.play.setAttribute("aria-label", label);
    this.play.setAttribute("title", label);
  }

  /** @param {number} now */
  frame(now) {
    if (!this.playing) return;
    this.recording.advance(Math.min(250, Math.max(0, now - this.lastFrame)));
    this.lastFrame = now;
    this.draw();
    if (this.recording.ended) this.stop();
    else requestAnimationFrame((next) => this.frame(next));
  }

  /** Take keys wherever the focus is, and none once another page is shown. */
  listenToKeys() {
    const shown = new AbortController();
    document.addEventListener("keydown", (event) => {
      if (this.box.isConnected) this.key(event);
      else shown.abort();
    }, { signal: shown.signal });
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target instanceof HTMLSelectElement) return;
    const onButton = event.target instanceof HTMLButtonElement || event.target instanceof HTMLAnchorElement;
    const { recording } = this;
    /** @type {Record<string, () => void>} */
    const keys = {
      " ": () => this.togglePlaying(),
      ArrowLeft: () => this.go(() => recording.standAfter(recording.done - 1)),
      ArrowRight: () => this.go(() => recording.standAfter(recording.done + 1)),
      Home: () => this.go(() => recording.standAfter(0)),
      End: () => this.go(() => recording.seek(recording.data.end_ms)),
      g: () => this.jump("guess"),
      m: () => this.jump("mistake"),
      ...zoomKeys(this.board),
    };
    if (!(event.key in keys) || (onButton && event.key === " ")) return;
    keys[event.key]();
    event.preventDefault();
  }

  // Drawing

  draw() {
    const { recording, board } = this;
    const { data, lastAct } = recording;
    const sight = this.position();
    board.show({
      ...sight, overlay: this.overlay(), looks: cellLooks(sight, this.app.preferences.fade_finished !== false),
      cursor: recording.pointer || !lastAct || lastAct.cell === null ? null
        : [Math.floor(lastAct.cell / data.width), lastAct.cell % data.width],
    });
    this.mines.textContent = String(lastAct ? lastAct.mines_left : data.mines);
    this.clock.textContent = String(Math.floor(Math.max(0, recording.ms) / 1000));
    this.slider.value = String(recording.ms);
    this.slider.setAttribute("aria-valuetext", tr("{time} of {end} s", { time: tenths(recording.ms), end: tenths(data.end_ms) }));
    this.time.textContent = `${tenths(recording.ms)} / ${tenths(data.end_ms)}`;
    this.line.textContent = this.sentence();
    this.markCurrent();
    this.drawTrail();
    this.wantRisks();
  }

  sentence() {
    const { recording } = this;
    const count = recording.data.acts.length;
    const judged = this.judgedNow();
    if (judged && !this.playing) return `${recording.done + 1} / ${count} · ${judged.text}`;
    if (!recording.lastAct) return count ? tr("No moves yet.") : tr("This game has no moves.");
    const told = tr("{n} of {count}: {act}", { n: recording.done, count, act: recording.lastAct.text });
    return recording.done < count ? told : [told, ...recording.data.notes].join(" · ");
  }

  /** Return the verdict on the act that comes next. */
  judgedNow() {
    return this.review?.acts.find(({ act, notable }) => notable && act === this.recording.done) ?? null;
  }

  overlay() {
    const { data, done } = this.recording;
    const risks = this.showsRisks ? this.risks.get(done) : null;
    const judged = this.playing ? null : this.judgedNow();
    if (!risks && !judged) return null;
    const cells = data.width * data.height;
    const [marks, risk] = [new Uint8Array(cells), new Uint8Array(cells).fill(UNKNOWN)];
    const unwritten = new Uint8Array(cells);
    for (let at = 0; judged && at < judged.marks.length; at += 2) marks[judged.marks[at]] = judged.marks[at + 1];
    risks?.risk.forEach((percent, cell) => (risk[cell] = percent < 0 ? UNKNOWN : percent));
    risks?.unwritten.forEach((cell) => (unwritten[cell] = 1));
    return { marks, risk, unwritten };
  }

  drawTrail() {
    const { over, board, box } = this;
    const context = over.getContext("2d");
    if (!context) return;
    const scale = devicePixelRatio;
    const { width, height } = over.getBoundingClientRect();
    over.width = Math.round(width * scale);
    over.height = Math.round(height * scale);
    const point = this.recording.pointer;
    if (this.trail === "off" || !point) return;
    const { x: x0, y: y0, size } = board.cellRect(0, 0);
    const cellSize = size / FIELD;
    const style = getComputedStyle(box);
    context.scale(scale, scale);
    context.translate(x0, y0);
    context.strokeStyle = style.getPropertyValue("--trail") || "#0047b3";
    context.fillStyle = style.getPropertyValue("--trail-press") || "#c00020";
    const points = this.recording.trail(this.trail === "full" ? Infinity : RECENT_MS);
    context.lineWidth = 2;
    context.lineJoin = "round";
    context.beginPath();
    for (const [x, y] of points) context.lineTo(x * cellSize, y * cellSize);
    context.stroke();
    for (const [x, y, pressed] of points) {
      if (pressed) context.fillRect(x * cellSize - 3, y * cellSize - 3, 6, 6);
    }
    drawPointer(context, point[0] * cellSize, point[1] * cellSize);
  }

  // Risks and review

  toggleRisks() {
    this.showsRisks = !this.showsRisks;
    this.risksButton.setAttribute("aria-pressed", String(this.showsRisks));
    this.draw();
  }

  /** Ask for the risks of this position, unless they are known; one question at a time. */
  async wantRisks() {
    const { done } = this.recording;
    if (!this.showsRisks || this.playing || this.asking || !done || this.risks.has(done)) return;
    this.asking = true;
    try {
      this.risks.set(done, await this.app.authority.request("GET", `/api/games/${this.id}/chances?act=${done - 1}`));
      this.status.say("");
    } catch (error) {
      this.risks.set(done, null);
      this.status.fail(error);
    }
    this.asking = false;
    this.draw();
  }

  async loadReview() {
    if (this.review) {
      this.side.hidden = !this.side.hidden;
      return;
    }
    this.reviewButton.disabled = true;
    try {
      this.review = await this.madeReview();
      if (this.review) this.showReview(this.review);
    } catch (error) {
      this.side.hidden = true;
      this.status.fail(error);
    }
    this.reviewButton.disabled = false;
  }

  /** Ask for the review until it is made, and show how far it is; null if the page is left, which does not end it. */
  async madeReview() {
    const said = el("p", {}, tr("Thinking…"));
    const bar = el("progress", { "aria-label": tr("Moves judged") });
    this.side.replaceChildren(el("h2", {}, tr("Review")), said, bar);
    this.side.hidden = false;
    while (this.box.isConnected) {
      const answer = await this.app.authority.request("GET", `/api/games/${this.id}/review`);
      if (!("pending" in answer)) return answer;
      if (answer.of) {
        said.textContent = tr("{done} of {of} moves", { done: answer.done, of: answer.of });
        bar.max = answer.of;
        bar.value = answer.done;
      }
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
    return null;
  }

  /** @param {Review} review */
  showReview(review) {
    const notable = review.acts.filter((act) => act.notable);
    const list = el("ol", { class: "judged" }, notable.map((judged) =>
      el("li", { class: judged.mistake ? "mistake" : judged.guess ? "guess" : "" },
        el("button", { type: "button", "data-act": judged.act, onclick: () => this.goTo(judged) },
          el("b", {}, tr("Move {n}", { n: judged.act + 1 })), " ", judged.text))));
    const count = (/** @type {"guess" | "mistake"} */ kind) => review.acts.filter((act) => act[kind]).length;
    this.side.replaceChildren(
      el("h2", {}, tr("Review")),
      el("dl", {}, review.summary.flatMap(([head, text]) => [el("dt", {}, head), el("dd", {}, text)])),
      el("div", { class: "buttons" },
        button(tr("Next guess"), () => this.jump("guess"), { disabled: !count("guess") }),
        button(tr("Next mistake"), () => this.jump("mistake"), { disabled: !count("mistake") })),
      notable.length
        ? list
        : el("p", {}, ntr("{n} move, and nothing to remark.", "{n} moves, and nothing to remark.", review.acts.length)));
    this.side.hidden = false;
    this.draw();
  }

  /** @param {Judged} judged */
  goTo(judged) {
    this.go(() => this.recording.standAfter(judged.act));
  }

  /** Go to just before the next guess or mistake. @param {"guess" | "mistake"} kind */
  async jump(kind) {
    if (!this.review) await this.loadReview();
    const next = this.review?.acts.find((judged) => judged[kind] && judged.act > this.recording.done);
    if (next) this.goTo(next);
    else this.status.say(kind === "guess" ? tr("No more guesses.") : tr("No more mistakes."));
  }

  markCurrent() {
    for (const each of this.side.querySelectorAll("[data-act]")) {
      const here = Number(each.getAttribute("data-act")) === this.recording.done;
      if (here) each.setAttribute("aria-current", "step");
      else each.removeAttribute("aria-current");
    }
  }

  openShare() {
    const link = watchLink(this.id);
    const frame = `<iframe src="${link}?embed=1" width="640" height="560" title="demine"></iframe>`;
    const { close } = showDialog({
      title: tr("Share"),
      content: [
        copyRow(tr("Link to watch this game"), link),
        copyRow(tr("To show it in a page of yours"), frame),
        el("p", {}, el("a", { class: "button", href: `/api/games/${this.id}/journal`, download: "" }, tr("Download this game"))),
      ],
      buttons: [button(tr("Close"), () => close())],
    });
  }
}

/** @param {CanvasRenderingContext2D} context @param {number} x @param {number} y */
function drawPointer(context, x, y) {
  context.save();
  context.translate(x, y);
  context.beginPath();
  for (const [dx, dy] of [[0, 0], [0, 15], [4, 11.5], [7, 18], [9.5, 17], [6.5, 10.5], [11.5, 10.5]]) context.lineTo(dx, dy);
  context.closePath();
  context.fillStyle = "#fff";
  context.fill();
  context.strokeStyle = "#000";
  context.lineWidth = 1.2;
  context.stroke();
  context.restore();
}

/** @param {import("./icons.js").IconName} name @param {string} label @param {() => void} press */
function tool(name, label, press) {
  const made = el("button", { type: "button", class: "button icon-button", title: label, "aria-label": label, onclick: press });
  made.append(icon(name));
  return made;
}

/** Draw a line below the slider where each act was. @param {import("./recording.js").WatchData} data */
function makeTicks(data) {
  const span = Math.max(1, data.end_ms - data.start_ms);
  const ns = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(ns, "svg");
  const shape = { class: "ticks", viewBox: "0 0 1000 8", preserveAspectRatio: "none", "aria-hidden": "true" };
  for (const [name, value] of Object.entries(shape)) svg.setAttribute(name, value);
  const path = document.createElementNS(ns, "path");
  path.setAttribute("d", data.acts.map(({ t }) => `M${((1000 * (t - data.start_ms)) / span).toFixed(1)} 0v8`).join(""));
  svg.append(path);
  return svg;
}
