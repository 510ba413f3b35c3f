/**
 * A connection to the server that is made again whenever it is lost, until it is ended.
 */

/** @typedef {"connecting" | "open" | "lost" | "closed"} Connection */
/**
 * @typedef {object} Listener
 * @property {(message: any) => void} hear
 * @property {(connection: Connection) => void} become
 * @property {() => boolean} [waits] whether an answer is waited for, so that silence is looked into sooner
 */

/** How long to wait before the connection is tried again, in milliseconds: a little more each time. */
const FIRST_WAIT = 250;
const LONGEST_WAIT = 8000;
/** After so long a silence the connection is asked whether it lives, and given up as long after. */
const PING_AFTER = 10_000;
/** How long it may be silent once the browser says that there is no network. */
const DOUBTED = 2000;
/** After these words of the server there is no new connection; the last one is this page's own. */
const FINAL = ["gone", "not_yours", "elsewhere", "not_found", "malformed", "other_version"];

/** Return how long to wait for the next try, in milliseconds; not all pages come at once. @param {number} tries */
export const waitAfter = (tries) => Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** tries) * (0.75 + Math.random() / 2);

export class LastingSocket {
  /** @param {() => string} path where to connect the next time @param {Listener} listener */
  constructor(path, listener) {
    this.path = path;
    this.listener = listener;
    /** @type {Connection} */
    this.connection = "connecting";
    /** @type {WebSocket | null} */
    this.socket = null;
    this.isWanted = false;
    /** Whether the server has answered since `open`. */
    this.isGreeted = false;
    this.tries = 0;
    this.timer = 0;
    this.heard = 0;
    this.ended = new AbortController();
    const { signal } = this.ended;
    window.addEventListener("online", () => this.#retryNow(), { signal });
    window.addEventListener("offline", () => this.#doubtLife(), { signal });
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.#retryNow();
    }, { signal });
    this.pulse = window.setInterval(() => this.#checkLife(), PING_AFTER / 4);
  }

  /** Connect, and leave any connection that there is. */
  open() {
    this.isWanted = true;
    this.isGreeted = false;
    this.tries = 0;
    this.#connect();
  }

  /** End it for good. */
  close() {
    this.ended.abort();
    window.clearInterval(this.pulse);
    window.clearTimeout(this.timer);
    this.#drop();
  }

  /** Note that the server has answered as it should. */
  greet() {
    this.tries = 0;
    this.isGreeted = true;
    this.become("open");
  }

  /** @param {unknown} message */
  send(message) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  /** The connection is lost: say so, and try again after a while. */
  lose() {
    this.#drop();
    if (this.connection === "closed") return;
    this.become(this.isGreeted || this.tries ? "lost" : "connecting");
    this.timer = window.setTimeout(() => this.#connect(), waitAfter(this.tries));
    this.tries += 1;
  }

  /** Do not connect again if the last word of the server means that. @param {string} word */
  heed(word) {
    if (!FINAL.includes(word)) return;
    this.become("closed");
    this.#drop();
  }

  /** @param {Connection} connection */
  become(connection) {
    if (connection === this.connection) return;
    this.connection = connection;
    this.listener.become(connection);
  }

  #connect() {
    window.clearTimeout(this.timer);
    this.#drop();
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}${this.path()}`);
    this.socket = socket;
    this.heard = performance.now();
    socket.onmessage = (event) => {
      if (socket !== this.socket) return;
      this.heard = performance.now();
      this.listener.hear(JSON.parse(event.data));
    };
    socket.onclose = () => {
      if (socket === this.socket) this.lose();
    };
  }

  /** Forget the socket without a word of it. */
  #drop() {
    const { socket } = this;
    this.socket = null;
    socket?.close();
  }

  #retryNow() {
    if (this.isWanted && this.connection === "lost") this.#connect();
  }

  /** Without a network there will be no answer, but from a server on this machine: it has little time for one. */
  #doubtLife() {
    this.heard = Math.min(this.heard, performance.now() - 2 * PING_AFTER + DOUBTED);
    this.#checkLife();
  }

  #checkLife() {
    if (this.connection !== "open") return;
    const silence = performance.now() - this.heard;
    if (silence > 2 * PING_AFTER) this.lose();
    else if (silence > PING_AFTER || this.listener.waits?.()) this.send({ ping: Math.round(performance.now()) });
  }
}
