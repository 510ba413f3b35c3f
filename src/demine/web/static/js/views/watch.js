// The page that plays a recording: any moment of it, the pointer, the risks and the review.

import { badge, workOf } from "./coop_signs.js";
import { button, el } from "./elements.js";
import { showDialog, statusLine } from "./dialog.js";
import { open as openStatistics } from "./end.js";
import { RecordingPlayer } from "./recording_player.js";
import { letPanAndZoom, zoomKeys } from "./pan_zoom.js";
import { copyRow, embedCode, watchLink } from "./share.js";
import { linkOf } from "./position_editor.js";
import { attempt } from "../waiting.js";
import { ntr, tr } from "../words.js";

/** @typedef {import("../app.js").App} App */
/**
 * @typedef {{act: number, verdict: string, text: string, marks: number[], guess: boolean,
 *   mistake: boolean, notable: boolean}} Judged
 * @typedef {{headline: string, summary: [string, string][], acts: Judged[]}} Review
 */

/** How long to wait before the server is asked again how far a review is; it takes its time to answer, too. */
const RETRY_MS = 300;
const UNKNOWN = 255;

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
  const player = new WatchPage(app, page, id, data);
  if (kind === "r") await player.loadReview();
}

class WatchPage extends RecordingPlayer {
  /**
   * @param {App} app
   * @param {HTMLElement} page
   * @param {string} id
   * @param {import("./recording.js").WatchData} data
   */
  constructor(app, page, id, data) {
    super(data, {
      sprites: app.sprites,
      fadesFinished: app.preferences.fade_finished !== false,
      announce: (text) => app.announce(text),
    });
    this.app = app;
    this.id = id;
    /** @type {Review | null} */
    this.review = null;
    /** @type {Map<number, {risk: number[], unwritten: number[]} | null>} by the acts that are done */
    this.risks = new Map();
    this.showsRisks = false;
    this.asking = false;
    this.reviewButton = button(tr("Review"), () => this.loadReview());
    this.risksButton = button(tr("Risks"), () => this.toggleRisks(), { "aria-pressed": "false" });
    this.side = el("aside", { class: "watch-side", hidden: true, tabIndex: 0, "aria-label": tr("Review") });
    this.status = statusLine();
    letPanAndZoom(this.box, this.board);
    this.appear(
      page,
      this.makeHeader(new Text(this.recording.data.title), this.makeButtons()),
      this.makePlayers(),
      el("div", { class: "watch-middle" }, this.box, this.side),
      el("div", { class: "watch-controls" },
        this.makeSeek(), this.makeTransport(this.reviewButton, this.risksButton),
        this.line, this.status.line),
    );
  }

  /** Who played, and what each of them did, if these were several. */
  makePlayers() {
    const { players } = this.recording.data;
    return el("ul", { class: "watch-players", hidden: !players.length, "aria-label": tr("Players of this game") }, players.map((each, at) =>
      el("li", {}, badge(at + 1), el("strong", {}, each.player), " ",
        [ntr("{n} cell", "{n} cells", each.opened), workOf(each, players), each.mines ? ntr("{n} mine", "{n} mines", each.mines) : ""].filter(Boolean).join(" · "))));
  }

  makeButtons() {
    const { data } = this.recording;
    return el("div", { class: "buttons" },
      button(tr("Analyse"), () => this.app.goTo(`/analyse#${linkOf(this.position())}`), { hidden: data.width * data.height > this.app.facts.position.most_cells }),
      button(tr("Statistics"), () => attempt(() => openStatistics(this.app, { id: this.id }))),
      button(tr("Share"), () => this.openShare()),
      el("a", { class: "button", href: "/" }, tr("To the game")));
  }

  /** @override */
  keys() {
    return {
      ...super.keys(),
      g: () => this.jump("guess"),
      m: () => this.jump("mistake"),
      ...zoomKeys(this.board),
    };
  }

  // Drawing

  /** @override */
  draw() {
    super.draw();
    this.markCurrent();
    this.wantRisks();
  }

  /** @override */
  sentence() {
    const { recording } = this;
    const judged = this.judgedNow();
    if (judged && !this.playing) return `${recording.done + 1} / ${recording.data.acts.length} · ${judged.text}`;
    return super.sentence();
  }

  /** Return the verdict on the act that comes next. */
  judgedNow() {
    return this.review?.acts.find(({ act, notable }) => notable && act === this.recording.done) ?? null;
  }

  /** @override */
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
    const { close } = showDialog({
      title: tr("Share"),
      content: [
        copyRow(tr("Link to watch this game"), link),
        copyRow(tr("To show it in a page of yours"), embedCode(this.id)),
        el("p", {}, el("a", { class: "button", href: `/api/games/${this.id}/journal`, download: "" }, tr("Download this game"))),
      ],
      buttons: [button(tr("Close"), () => close())],
    });
  }
}
