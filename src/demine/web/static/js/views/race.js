// The page of a race: it follows what the server tells of it, and shows the stage that the race is at.

import { soundSecond } from "./countdown_sound.js";
import { Lobby, Racing, Result, Watching } from "./race_stages.js";
import { newsOf } from "./race_words.js";
import { LastingSocket } from "../lasting_socket.js";
import { leaveRace } from "../pages.js";
import { asSentence, tr } from "../words.js";

/** @typedef {import("../app.js").App} App */
/** @typedef {import("./race_words.js").Race} Race */
/** @typedef {import("./race_stages.js").Stage} Stage */

/** The version of the messages that this page understands. */
const VERSION = 1;
/** How often what counts seconds is looked at, in milliseconds. */
const TICK_MS = 200;

/** @param {App} app @param {HTMLElement} place @param {string} path `/race/ID` */
export async function show(app, place, path) {
  document.title = tr("Race");
  const me = await app.authority.request("GET", "/api/me");
  if (location.pathname !== path) return; // it was left meanwhile
  leaveRace(app);
  app.race = new RacePage(app, place, path.split("/")[2], me.name);
}

export class RacePage {
  /** @param {App} app @param {HTMLElement} place @param {string} id @param {string} name of whoever reads this */
  constructor(app, place, id, name) {
    this.app = app;
    this.place = place;
    this.id = id;
    this.name = name;
    /** @type {Race | null} */
    this.race = null;
    /** When that was told, by the clock of this page. */
    this.toldAt = 0;
    /** @type {Stage | null} */
    this.stage = null;
    this.counted = 0;
    this.socket = new LastingSocket(() => `/ws/races/${id}`, {
      hear: (message) => this.#hear(message),
      become: (connection) => this.#sayConnection(connection),
    });
    this.socket.open();
    this.closed = new AbortController();
    // A browser keeps a page that is left, with its connections: the others are to see that nobody is there.
    window.addEventListener("pagehide", () => this.socket.lose(), { signal: this.closed.signal });
    this.timer = window.setInterval(() => this.#tick(), TICK_MS);
  }

  close() {
    this.socket.close();
    this.closed.abort();
    window.clearInterval(this.timer);
    this.stage?.leave?.();
    this.stage = null;
  }

  /** The seconds until a countdown ends. */
  get secondsLeft() {
    if (!this.race) return 0;
    const past = this.race.phase_ms + performance.now() - this.toldAt;
    return Math.max(1, Math.ceil((this.race.countdown_ms - past) / 1000));
  }

  // What a player does

  /** Tell the server a wish; raises a sentence if it cannot be granted. @param {string} wish */
  async wish(wish) {
    this.#take(await this.app.authority.request("POST", `/api/races/${this.id}/wish`, { do: wish }));
    if (wish === "join") this.socket.open(); // the server knows from now on whose connection it is
  }

  /** Have a seat in the race that comes next, which is made if there is none. */
  async raceAgain() {
    const { authority } = this.app;
    const next = await authority.request("POST", `/api/races/${this.id}/rematch`);
    if (next.seat === null && next.phase === "lobby") await authority.request("POST", `/api/races/${next.race}/wish`, { do: "join" });
    this.app.goTo(`/race/${next.race}`);
  }

  goToRematch() {
    if (this.race?.rematch) this.app.goTo(`/race/${this.race.rematch}`);
  }

  // What the server tells

  /** @param {any} message */
  #hear(message) {
    if (message.bye !== undefined) this.#leave(message);
    else if (message.v === VERSION) {
      this.socket.greet();
      this.#take(message);
    } else if (message.v !== undefined) this.#leave({ bye: "other_version", message: tr("this page is of another version: reload it") });
  }

  /** @param {{bye: string, message: string}} last */
  #leave(last) {
    this.socket.heed(last.bye);
    if (last.message) this.#say(asSentence(last.message));
  }

  /** Show how the race stands. @param {Race} race */
  #take(race) {
    const before = this.race;
    this.race = race;
    this.toldAt = performance.now();
    const stage = stageOf(race);
    if (!(this.stage instanceof stage)) {
      this.stage?.leave?.();
      this.stage = new stage(this, race, this.name);
    }
    this.stage.show(race, 0);
    if (before?.phase === "countdown" && race.phase === "running") this.#sound(true);
    const news = newsOf(before, race);
    if (news.length) this.app.announce(news.join(" "));
  }

  /** @param {import("../lasting_socket.js").Connection} connection */
  #sayConnection(connection) {
    const text = { connecting: "", open: "", lost: tr("Connection lost. Reconnecting…"), closed: "" }[connection];
    this.#say(text);
  }

  /** @param {string} text */
  #say(text) {
    if (this.stage) this.stage.say(text);
    else this.place.textContent = text;
  }

  /** @param {boolean} isStart */
  #sound(isStart) {
    if (this.app.preferences.sound) soundSecond(isStart);
  }

  /** Show seconds that go by without a word of the server. */
  #tick() {
    const { race } = this;
    if (!race || race.phase === "over") return;
    this.stage?.show(race, performance.now() - this.toldAt);
    const left = race.phase === "countdown" ? this.secondsLeft : 0;
    if (left && left !== this.counted) {
      this.app.announce(String(left));
      this.#sound(false);
    }
    this.counted = left;
  }
}

/** Return what is shown of a race. @param {Race} race */
function stageOf(race) {
  if (race.phase === "over") return Result;
  if (race.phase !== "running") return Lobby;
  const own = race.seats.find(({ seat }) => seat === race.seat);
  return own && own.status !== "left" && race.game ? Racing : Watching;
}
