// What a race looks like before it begins, while others race, while one races oneself, and at its end.

import { append, button, el, row } from "./elements.js";
import { ask, busy, statusLine } from "./dialog.js";
import { nameField } from "./names.js";
import { everybody, theOthers } from "./race_seats.js";
import { exactTime, mineCost, nameFor, penaltyOf, progressOf } from "./race_words.js";
import { copyRow } from "./share.js";
import { table } from "./tables.js";
import { part } from "../page_parts.js";
import { tr } from "../words.js";

/** @typedef {import("./race.js").RacePage} RacePage */
/** @typedef {import("./race_words.js").Race} Race */
/**
 * @typedef {object} Stage
 * @property {(race: Race, since: number) => void} show says how the race stands; `since` are milliseconds since that was told
 * @property {(text: string) => void} say says that the connection is lost, or nothing
 * @property {() => void} [leave] takes away what it has put beside the page
 */

/** @param {string} text @param {...Node} more */
const header = (text, ...more) => el("header", { class: "page-header" }, el("h1", {}, text), ...more);
const wayToGame = () => el("a", { class: "button", href: "/" }, tr("To the game"));

/** Before the race: who is there, and a link for others. @implements {Stage} */
export class Lobby {
  /** @param {RacePage} page @param {Race} race @param {string} name of whoever reads this */
  constructor(page, race, name) {
    this.page = page;
    this.players = everybody();
    this.status = statusLine();
    this.count = el("p", { class: "race-countdown", "aria-hidden": "true", hidden: true });
    this.seats = el("p", { class: "note" });
    this.join = button(tr("Join the race"), () => this.#wish(this.join, "join"), { class: "button accent" });
    this.ready = button(tr("I am ready"), () => this.#wish(this.ready, "ready"), { class: "button accent" });
    this.wait = button(tr("Not ready yet"), () => this.#wish(this.wait, "wait"));
    this.leaving = button(tr("Leave the race"), () => this.#wish(this.leaving, "leave"));
    const sound = el("input", { type: "checkbox", checked: !!page.app.preferences.sound });
    sound.addEventListener("change", () => page.app.applyPreferences({ sound: sound.checked }));
    this.name = nameField(name);
    this.name.addEventListener("change", () => this.#rename());
    const link = location.href;
    const share = button(tr("Share the link…"), () => navigator.share({ title: tr("Race"), url: link }).catch(() => {}), { hidden: !navigator.share });
    page.place.className = "race";
    page.place.replaceChildren(
      header(tr("Race"), wayToGame()),
      el("p", {}, el("strong", {}, race.title), el("br"), mineCost(race)),
      copyRow(tr("Link for the others"), link), share,
      row(tr("Your name"), this.name), row(tr("Sound at the countdown"), sound),
      el("h2", {}, tr("In this race")), this.seats, this.players.list, this.count,
      el("p", {}, tr("The race begins when two or more players are there and all of them are ready.")),
      el("div", { class: "buttons" }, this.join, this.ready, this.wait, this.leaving),
      this.status.line);
  }

  /** @param {Race} race @param {number} since */
  show(race, since) {
    const own = race.seats.find(({ seat }) => seat === race.seat);
    const had = document.activeElement;
    this.players.show(race, since);
    this.seats.textContent = tr("{n} of {most} seats are taken.", { n: race.seats.length, most: race.most_seats });
    this.join.hidden = !!own || race.seats.length >= race.most_seats;
    this.ready.hidden = own?.status !== "waiting";
    this.wait.hidden = own?.status !== "ready";
    this.leaving.hidden = !own;
    this.count.hidden = race.phase !== "countdown";
    this.count.textContent = String(this.page.secondsLeft);
    if (had instanceof HTMLElement && had.hidden) this.#focusNext();
  }

  /** @param {string} text */
  say(text) {
    this.status.say(text);
  }

  /** A button that was pressed gives way to the next one, with the focus. */
  #focusNext() {
    [this.join, this.ready, this.wait].find((each) => !each.hidden)?.focus();
  }

  /** @param {HTMLButtonElement} pressed @param {string} wish */
  #wish(pressed, wish) {
    return busy(pressed, this.status, async () => {
      await this.page.wish(wish);
      this.status.say("");
    });
  }

  async #rename() {
    try {
      const me = await this.page.app.authority.request("PUT", "/api/me", { name: this.name.value });
      this.name.value = me.name;
      this.status.say("");
    } catch (error) {
      this.status.fail(error);
    }
  }
}

/** While others race: their boards. @implements {Stage} */
export class Watching {
  /** @param {RacePage} page @param {Race} race */
  constructor(page, race) {
    this.players = everybody();
    this.status = statusLine();
    page.place.className = "race watching";
    page.place.replaceChildren(
      header(tr("Race"), wayToGame()),
      el("p", {}, el("strong", {}, race.title), el("br"), mineCost(race)),
      el("p", { class: "note" }, tr("The boards show only what all who still race have opened.")),
      this.players.list, this.status.line);
  }

  /** @param {Race} race @param {number} since */
  show(race, since) {
    this.players.show(race, since);
  }

  /** @param {string} text */
  say(text) {
    this.status.say(text);
  }
}

/** While one races: the board of the game, and the others beside it. @implements {Stage} */
export class Racing {
  /** @param {RacePage} page @param {Race} race */
  constructor(page, race) {
    this.app = page.app;
    this.others = theOthers();
    this.others.list.tabIndex = 0; // it is scrolled by keys, too
    this.standing = el("span", { class: "race-standing" });
    const leave = button(tr("Leave the race"), async () => {
      const question = { title: tr("Leave the race"), text: tr("You cannot come back to this race."), confirm: tr("Leave the race") };
      if (await ask(question)) await busy(leave, { fail: (error) => this.app.showNews(String(error), true) }, () => page.wish("leave"));
    });
    this.leaveButton = leave;
    this.status = statusLine();
    this.panel = el("aside", { class: "race-panel", "aria-label": tr("Race") },
      el("div", { class: "race-head" }, this.standing, leave), this.status.line, this.others.list);
    part("game").before(this.panel);
    document.documentElement.toggleAttribute("data-race", true);
    part("page").hidden = true;
    part("game").hidden = false;
    readFrom(part("game"));
    this.app.playRaced(/** @type {string} */ (race.game));
  }

  /** @param {Race} race @param {number} since */
  show(race, since) {
    const own = race.seats.find(({ seat }) => seat === race.seat);
    this.others.show(race, since);
    if (own) this.standing.textContent = [progressOf(race, own, since), penaltyOf(race, own)].filter(Boolean).join(" · ");
    this.leaveButton.hidden = own?.status !== "racing";
  }

  /** @param {string} text */
  say(text) {
    this.status.say(text);
  }

  leave() {
    this.panel.remove();
    document.documentElement.toggleAttribute("data-race", false);
    this.app.state.isRaced = false;
    part("game").hidden = true;
    part("page").hidden = false;
  }
}

/** After the race: its result. @implements {Stage} */
export class Result {
  /** @param {RacePage} page @param {Race} race */
  constructor(page, race) {
    this.status = statusLine();
    this.rematch = button(tr("Race again"), () => busy(this.rematch, this.status, () => page.raceAgain()), { class: "button accent", hidden: race.seat === null });
    this.next = button(tr("Look at the next race"), () => page.goToRematch(), { hidden: true });
    const own = race.seats.find(({ seat }) => seat === race.seat);
    page.place.className = "race";
    page.place.replaceChildren(
      header(tr("Result of the race"), wayToGame()),
      el("p", {}, el("strong", {}, race.title), el("br"), mineCost(race)));
    readFrom(page.place.querySelector("h1"));
    append(page.place,
      own?.place && el("h2", {}, tr("Your place: {place} of {count}.", { place: own.place, count: race.seats.length })),
      race.seats.length > 0 ? resultTable(race) : el("p", {}, tr("Nobody took part.")),
      el("div", { class: "buttons" }, this.rematch, this.next), this.status.line);
  }

  /** @param {Race} race */
  show(race) {
    this.next.hidden = !race.rematch || race.seat !== null;
    if (race.rematch) this.rematch.textContent = tr("Join the next race");
  }

  /** @param {string} text */
  say(text) {
    this.status.say(text);
  }
}

/** @param {Race} race */
function resultTable(race) {
  const heads = [tr("Player"), tr("Place"), tr("Time"), tr("Cells"), tr("Game")];
  const rows = race.seats.map((seat) => [
    nameFor(race, seat),
    seat.place ? String(seat.place) : progressOf(race, seat, 0),
    timeOf(race, seat),
    String(seat.opened),
    seat.game ? gameLinks(seat.game, nameFor(race, seat)) : "–",
  ]);
  return table(heads, rows, tr("Result of the race"));
}

/** Return the time by which the place is given, with what mines have cost. @param {Race} race @param {import("./race_words.js").Seat} seat */
function timeOf(race, seat) {
  if (seat.status !== "finished") return "–";
  return el("span", {}, exactTime(seat.total_ms), seat.mines ? el("span", { class: "note" }, penaltyOf(race, seat)) : null);
}

/** Have screen readers and keys go on at an element. @param {HTMLElement | null} element */
function readFrom(element) {
  if (!element) return;
  element.tabIndex = -1;
  element.focus({ preventScroll: true });
}

/** @param {string} game @param {string} name */
function gameLinks(game, name) {
  return el("span", { class: "actions" },
    el("a", { class: "button", href: `/w/${game}`, "aria-label": tr("Watch the game of {name}", { name }) }, tr("Watch")),
    el("a", { class: "button", href: `/r/${game}`, "aria-label": tr("Review the game of {name}", { name }) }, tr("Review")));
}
