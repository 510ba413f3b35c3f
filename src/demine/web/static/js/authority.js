/**
 * The one door to whoever knows the rules: the page plays through it, and sees no other part of the
 * server. A worker that runs the same Python could stand behind it as well.
 */
import { LastingSocket, waitAfter } from "./lasting_socket.js";
import { tr } from "./words.js";

/** @typedef {import("./faces.js").Cell} Cell */
/** @typedef {import("./types/messages.js").Message} Message */
/** @typedef {import("./types/messages.js").Hello} Hello */
/** @typedef {import("./types/messages.js").Answer} Answer */
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
    this.count = 0;
    /** Acts and questions without an answer, by their numbers on this page. @type {Map<number, Act>} */
    this.unanswered = new Map();
    this.socket = new LastingSocket(() => this.#path(), {
      hear: (message) => this.#hear(message),
      become: (connection) => this.#tell("connection", connection),
      waits: () => this.unanswered.size > 0,
    });
  }

  get waiting() {
    return this.unanswered.size;
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
    this.unanswered.clear();
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
    if (!this.game || this.socket.connection === "closed" || this.unanswered.size >= MOST_WAITING) return 0;
    const seen = this.isShared ? this.since : undefined;
    const sent = { seq: this.next, t: Math.round(performance.now()), seen, ...wanted };
    this.next += 1;
    this.unanswered.set(++this.count, sent);
    if (this.socket.connection === "open") this.socket.send(sent);
    return this.count;
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
    else if (message.help !== undefined) this.#answered("help", "help", message);
    else if (message.seq === undefined) this.#tell("players", message);
    else this.#answered("answer", "ack", message);
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
    // What the server has numbered it has played, but a question ends with its connection; the rest is sent again.
    this.#forget((sent) => !sent.ask && sent.seq < hello.next_seq);
    this.next = hello.next_seq;
    for (const sent of this.unanswered.values()) sent.seq = this.next++;
    this.socket.greet();
    this.#tell("hello", hello);
    for (const sent of this.unanswered.values()) this.socket.send(sent);
  }

  /** Tell of an answer or of help by the number on this page. @param {"answer" | "help"} event @param {"ack" | "help"} key @param {any} told */
  #answered(event, key, told) {
    if (told.refused?.what === "gap") {
      this.socket.lose();
      return;
    }
    const seq = told[key];
    const number = [...this.unanswered].find(([, sent]) => sent.seq === seq)?.[0] ?? 0;
    this.#forget((sent) => key === "help" ? sent.seq === seq : !sent.ask && sent.seq <= seq);
    this.since = told.seq ?? this.since;
    this.#tell(event, seq === undefined ? told : { ...told, [key]: number });
  }

  /** @param {(sent: Act) => boolean} isDone */
  #forget(isDone) {
    for (const [number, sent] of this.unanswered) if (isDone(sent)) this.unanswered.delete(number);
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
