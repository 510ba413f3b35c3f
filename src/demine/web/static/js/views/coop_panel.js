// The list beside the board of a co-op game: who plays, what they have opened, and how others come.

import { badge, workOf } from "./coop_signs.js";
import { button, el } from "./elements.js";
import { copyRow } from "./share.js";
import { countsOf } from "../coop.js";
import { isOver } from "../state.js";
import { ntr, tr } from "../words.js";

/** @typedef {import("../coop.js").Coop} Coop */
/** @typedef {import("../coop.js").Partner} Partner */
/** @typedef {import("../state.js").GameState} GameState */
/** @typedef {import("./coop_signs.js").Share} Share */

const FEWEST = 2;

export class CoopPanel {
  /** @param {import("../app.js").App} app @param {string} id @param {{arm: (isArmed: boolean) => void, follow: () => void}} told */
  constructor(app, id, told) {
    this.app = app;
    this.id = id;
    this.told = told;
    this.list = el("ul", { class: "race-seats coop-seats", tabIndex: 0, "aria-label": tr("At this board") });
    const link = new URL(`/coop/${id}`, location.href).href;
    this.link = el("div", { class: "coop-link" }, copyRow(tr("Link for the others"), link));
    this.invite = button(tr("Invite"), () => this.#toggleLink(), { "aria-expanded": "true" });
    this.point = button(tr("Show a cell"), () => this.#arm(this.point.getAttribute("aria-pressed") !== "true"), {
      "aria-pressed": "false", title: tr("Show a cell to the others (Alt+click, or X at the cell)"),
    });
    this.tint = button(tr("Who opened what"), () => this.#toggleTint(), { "aria-pressed": "true" });
    this.next = button(tr("Join the next board"), () => told.follow(), { class: "button accent", hidden: true });
    this.head = el("div", { class: "race-head" }, this.point, this.tint, this.invite, this.next);
    this.element = el("aside", { class: "race-panel coop-panel", "aria-label": tr("Co-op game") }, this.head, this.link, this.list);
    this.drawn = "";
    /** Whether the link was shown or hidden by hand. */
    this.isLinkChosen = false;
    /** What each player did, once the game is over. @type {Share[] | null} */
    this.shares = null;
    this.isAsking = false;
  }

  /** @param {Coop} coop @param {GameState} game */
  show(coop, game) {
    if (!this.isLinkChosen) this.#showLink(coop.players.length < FEWEST && !isOver(game));
    this.next.hidden = !coop.next;
    if (isOver(game)) void this.#learnShares();
    else this.shares = null;
    const rows = coop.players.map((player) => ({ ...player, isOwn: player.seat === coop.seat, counts: countsOf(coop, game.sight, player.seat) }));
    const drawn = JSON.stringify([rows, this.shares]);
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    this.list.replaceChildren(...rows.map((each) => this.#line(each)));
  }

  /** Have the next press on the board play again. */
  disarm() {
    this.#arm(false);
  }

  /** @param {Partner & {isOwn: boolean, counts: {opened: number, flags: number, mines: number}}} player */
  #line({ seat, name, here, isOwn, counts }) {
    const { opened, flags, mines } = counts;
    const said = [
      ntr("{n} cell", "{n} cells", opened), flags ? ntr("{n} flag", "{n} flags", flags) : "", mines ? ntr("{n} mine", "{n} mines", mines) : "",
      here ? "" : tr("away"),
    ];
    const share = this.shares?.find(({ player }) => player === name);
    return el("li", { "data-status": here ? "here" : "away" },
      badge(seat),
      el("div", {},
        el("strong", {}, isOwn ? tr("{name} (you)", { name }) : name),
        el("span", { class: "race-progress" }, said.filter(Boolean).join(" · ")),
        el("span", { class: "note" }, share ? workOf(share, this.shares ?? []) : "")));
  }

  async #learnShares() {
    if (this.shares || this.isAsking) return;
    this.isAsking = true;
    try {
      this.shares = (await this.app.authority.request("GET", `/api/games/${this.id}/shares`)).shares;
      this.app.view.render();
    } catch {
      this.shares = []; // the counts are there without them
    }
    this.isAsking = false;
  }

  /** @param {boolean} isArmed */
  #arm(isArmed) {
    this.point.setAttribute("aria-pressed", String(isArmed));
    this.told.arm(isArmed);
    if (isArmed) this.app.announce(tr("The next press on a cell shows it to the others"));
  }

  #toggleTint() {
    const shows = this.tint.getAttribute("aria-pressed") !== "true";
    this.tint.setAttribute("aria-pressed", String(shows));
    document.documentElement.toggleAttribute("data-untinted", !shows);
    this.app.view.render();
  }

  #toggleLink() {
    this.isLinkChosen = true;
    this.#showLink(!!this.link.hidden);
  }

  /** @param {boolean} shows */
  #showLink(shows) {
    this.link.hidden = !shows;
    this.invite.setAttribute("aria-expanded", String(shows));
  }
}
