/**
 * The one door to whoever knows the rules: the page plays through it, and sees no other part of the
 * server. A worker that runs the same Python could stand behind it as well.
 */
import { LastingSocket, waitAfter } from "./lasting_socket.js";
import { tr } from "./words.js";

/** @typedef {import("./faces.js").Cell} Cell */
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
/** @typedef {[number, number, boolean][]} Assumed row, column, and whether it is taken for a mine */
/** @typedef {{seq: number, t: number, seen?: number, verb?: string, cell?: Cell, ask?: string, near?: Cell, assumed?: Assumed}} Act */
/**
 * @typedef {object} Authority
 * @property {(event: string, told: (detail: any) => void) => void} on hello, answer, players, help, connection, bye
 * @property {(method: string, path: string, body?: unknown, headers?: Record<string, string>, signal?: AbortSignal) => Promise<any>} request
 * @property {(path: string) => Promise<any>} requestUntilAnswered
 * @property {(options: Record<string, unknown>) => Promise<string>} newGame
 * @property {(id: string) => void} open
 * @property {(verb: string, cell?: Cell) => number} play returns the number of the act; 0 if too many wait
 * @property {(ask: string, near?: Cell, assumed?: Assumed) => number} ask
 * @property {(message: Record<string, unknown>) => void} show shows the others of a co-op game something, if there is a connection
 * @property {number} waiting how many acts have no answer yet
 */

/** More acts than these are not kept while nobody answers. */
const MOST_WAITING = 64;
/** The version of the protocol that this page speaks. */
const PROTOCOL = 1;
/** What the server refused; `what` is its word for programs. */
export class RequestError extends Error {
  /**
   * @param {string} message
   * @param {string} what
   * @param {number} status
   * @param {number} [seconds] after which the server wants to be asked again
   */
  constructor(message, what, status, seconds = 0) {
    super(message);
    this.what = what;
    this.status = status;
    this.seconds = seconds;
  }

  /** Whether nobody answered, or a proxy that reaches no server. */
  get isUnreachable() {
    return !this.status || [502, 503, 504].includes(this.status) && this.what === "http";
  }
}

/**
 * Return what the server sends; raises a sentence if it cannot be reached.
 * @template T
 * @param {Promise<T>} sent an answer, or a module
 */
export async function reached(sent) {
  try {
    return await sent;
  } catch (error) {
    // So both `fetch` and `import` say that nothing came.
    if (!(error instanceof TypeError)) throw error;
    throw new RequestError(tr("The server cannot be reached"), "unreachable", 0);
  }
}

/**
 * Return what the server answers to a request, as a value or a text; raises what it refuses as a sentence.
 * @param {string} path
 * @param {RequestInit} [options]
 */
export async function answerTo(path, options) {
  const answer = await reached(fetch(path, options));
  const isJson = answer.headers.get("Content-Type")?.includes("json") ?? false;
  const said = isJson ? await answer.json() : await answer.text();
  if (answer.ok) return said;
  const unsaid = { what: "http", message: tr("The server answered with an error ({status})", { status: answer.status }) };
  const { what, message } = (isJson && said.error) || unsaid;
  throw new RequestError(message, what, answer.status, Number(answer.headers.get("Retry-After")));
}

/** @implements {Authority} */
export class ServerAuthority {
  constructor() {
    /** @type {Map<string, ((detail: any) => void)[]>} */
    this.told = new Map();
    this.client = [...crypto.getRandomValues(new Uint8Array(8))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    this.game = "";
    /** The events of the game that this page knows; -1 before the first hello. */
    this.since = -1;
    this.next = 1;
    /** Whether others act in this game, who may be quicker. */
    this.isShared = false;
    /** Acts without an answer, in their order. @type {Act[]} */
    this.unanswered = [];
    this.socket = new LastingSocket(() => this.#path(), {
      hear: (message) => this.#hear(message),
      become: (connection) => this.#tell("connection", connection),
      waits: () => this.unanswered.length > 0,
    });
  }

  get waiting() {
    return this.unanswered.length;
  }

  /** Have an event told. @param {string} event @param {(detail: any) => void} told */
  on(event, told) {
    this.told.set(event, [...(this.told.get(event) ?? []), told]);
  }

  /**
   * Ask the server over HTTP; a body that is a plain object is sent as JSON, anything else as it is.
   * @param {string} method
   * @param {string} path
   * @param {unknown} [body]
   * @param {Record<string, string>} [headers]
   * @param {AbortSignal} [signal] ends the request when nobody waits for it any more
   */
  async request(method, path, body, headers = {}, signal = undefined) {
    const raw = body instanceof Blob || body instanceof ArrayBuffer || typeof body === "string" || body === undefined;
    return answerTo(path, {
      method,
      headers: raw ? headers : { "Content-Type": "application/json", ...headers },
      body: raw ? /** @type {BodyInit | undefined} */ (body) : JSON.stringify(body),
      signal,
    });
  }

  /** Ask until there is a server that answers; the connection is lost meanwhile. @param {string} path */
  async requestUntilAnswered(path) {
    for (let tries = 0; ; tries += 1) {
      try {
        const answer = await this.request("GET", path);
        this.socket.become("connecting");
        return answer;
      } catch (error) {
        if (!(error instanceof RequestError && error.isUnreachable)) throw error;
      }
      this.socket.become("lost");
      await new Promise((resolve) => {
        window.setTimeout(resolve, waitAfter(tries));
        window.addEventListener("online", resolve, { once: true });
      });
    }
  }

  /** Make a game; its id is returned, and it is not opened yet. @param {Record<string, unknown>} options */
  async newGame(options) {
    const made = await this.request("POST", "/api/games", options);
    return /** @type {string} */ (made.id);
  }

  /** Play a game from now on, and leave any other. @param {string} id */
  open(id) {
    this.game = id;
    this.since = -1;
    this.unanswered = [];
    this.socket.open();
  }

  /** @param {string} verb @param {Cell} [cell] */
  play(verb, cell) {
    return this.#send({ verb, cell });
  }

  /** @param {string} ask @param {Cell} [near] @param {Assumed} [assumed] */
  ask(ask, near, assumed) {
    return this.#send({ ask, near, assumed });
  }

  /** @param {Record<string, unknown>} message */
  show(message) {
    if (this.socket.connection === "open") this.socket.send(message);
  }

  /** @param {Omit<Act, "seq" | "t">} wanted */
  #send(wanted) {
    if (!this.game || this.socket.connection === "closed" || this.unanswered.length >= MOST_WAITING) return 0;
    const seen = this.isShared ? this.since : undefined;
    const act = { seq: this.next, t: Math.round(performance.now()), seen, ...wanted };
    this.next += 1;
    this.unanswered.push(act);
    if (this.socket.connection === "open") this.socket.send(act);
    return act.seq;
  }

  #path() {
    const since = this.since < 0 ? "" : `&since=${this.since}`;
    return `/ws/games/${this.game}?client=${this.client}${since}`;
  }

  /** @param {any} message */
  #hear(message) {
    if (message.hello) this.#greet(message.hello);
    else if (message.bye !== undefined) this.#leave(message);
    else if (message.pong !== undefined) this.#echo(message.now);
    else if (message.help !== undefined) this.#answered(message.help, "help", message);
    else if (message.seq === undefined) this.#tell("players", message);
    else this.#answered(message.ack, "answer", message);
  }

  /**
   * Let the server measure the round trip, by which it corrects the times of acts.
   * @param {number} now
   */
  #echo(now) {
    this.socket.send({ pong: now });
  }

  /** @param {Hello} hello */
  #greet(hello) {
    if (hello.v !== PROTOCOL) {
      this.#leave({ bye: "other_version", message: tr("this page is of another version: reload it") });
      return;
    }
    this.#echo(hello.now);
    this.isShared = !!hello.seat;
    this.since = hello.seq;
    // What the server has numbered it has played; the rest is sent again, in its order.
    this.unanswered = this.unanswered.filter((act) => act.seq >= hello.next_seq);
    this.next = hello.next_seq;
    for (const act of this.unanswered) act.seq = this.next++;
    this.socket.greet();
    this.#tell("hello", hello);
    for (const act of this.unanswered) this.socket.send(act);
  }

  /** @param {number | undefined} number @param {string} event @param {any} detail */
  #answered(number, event, detail) {
    if (number !== undefined) this.unanswered = this.unanswered.filter((act) => act.seq > number);
    if (detail.refused?.what === "gap") {
      this.socket.lose();
      return;
    }
    if (typeof detail.seq === "number") this.since = detail.seq;
    this.#tell(event, detail);
  }

  /** @param {{bye: string, message?: string}} bye */
  #leave(bye) {
    this.socket.heed(bye.bye);
    this.#tell("bye", bye);
  }

  /** @param {string} event @param {any} detail */
  #tell(event, detail) {
    for (const told of this.told.get(event) ?? []) told(detail);
  }
}
