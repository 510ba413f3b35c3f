// The dialog that takes in replays and boards of any format, chosen or dropped, one after the other.

import { button, el } from "./elements.js";
import { showDialog } from "./dialog.js";
import { RequestError } from "../authority.js";
import { nextTry } from "../waiting.js";
import { ntr, tr } from "../words.js";

/** @typedef {import("../app.js").App} App */
/** @typedef {{file: File, line: HTMLElement, state: HTMLElement}} Entry a file, its line in the list, and what that says of it */

/** How long to wait for a server that does not answer, in seconds. */
const UNREACHABLE_S = 5;

/**
 * @param {App} app
 * @param {{files?: FileList | File[]}} options files that were dropped on the page
 */
export function open(app, options) {
  const field = el("input", { type: "file", multiple: true, class: "file-field", id: "replay-file" });
  const intake = new Intake(app);
  const area = el("div", { class: "drop" },
    el("label", { htmlFor: field.id }, tr("Choose replays, or drop them here")), field,
    el("p", { class: "note" }, tr("AVF, EVF, MVF, RMV, demine's own and other formats; the game is recognised by its content.")));
  field.addEventListener("change", () => {
    const files = [...(field.files ?? [])];
    field.value = ""; // so that the same file can be chosen again
    intake.take(files);
  });
  const { close } = showDialog({
    title: tr("Open a replay"),
    content: [area, intake.summary, intake.bar, intake.list, intake.spoken],
    buttons: [button(tr("My replays"), () => {
      close();
      app.goTo("/history#replays");
    }), button(tr("Close"), () => close())],
    onclose: () => intake.stop(),
  });
  area.addEventListener("dragover", (event) => {
    event.preventDefault();
    area.classList.add("over");
  });
  area.addEventListener("dragleave", () => area.classList.remove("over"));
  area.addEventListener("drop", (event) => {
    event.preventDefault();
    event.stopPropagation();
    area.classList.remove("over");
    intake.take([...(event.dataTransfer?.files ?? [])]);
  });
  intake.take([...(options.files ?? [])]);
}

/** Sends files one after the other, and shows how each fares. */
class Intake {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.summary = el("p", { class: "status", role: "status" });
    this.bar = el("progress", { hidden: true, max: 1, value: 0, "aria-label": tr("Files read") });
    this.list = el("ul", { class: "results" });
    /** What screen readers say of a file in trouble; the list would have them count down too. */
    this.spoken = el("p", { class: "unseen", role: "status" });
    /** Files that are still to be sent. @type {Entry[]} */
    this.waiting = [];
    this.count = { all: 0, read: 0, refused: 0 };
    this.isSending = false;
    this.isStopped = false;
    this.last = "";
  }

  /** The dialog is closed: what is not sent yet stays where it is. */
  stop() {
    this.isStopped = true;
  }

  /** @param {File[]} files */
  take(files) {
    if (!this.isSending) {
      this.count = { all: 0, read: 0, refused: 0 };
      this.last = "";
    }
    for (const file of files) {
      const state = el("span", { class: "state" }, tr("waiting"));
      const line = el("li", {}, el("b", {}, file.name), " ", state);
      this.list.append(line);
      this.waiting.push({ file, line, state });
    }
    this.count.all += files.length;
    if (!this.isSending) void this.sendAll();
  }

  async sendAll() {
    this.isSending = true;
    for (let entry = this.waiting.shift(); entry && !this.isStopped; entry = this.waiting.shift()) {
      this.tell();
      await this.send(entry);
    }
    this.isSending = false;
    this.tell();
    if (this.count.all === 1 && this.last && !this.isStopped) location.assign(`/w/${this.last}`);
  }

  /** Send a file, as often as the server asks to come again later. @param {Entry} entry */
  async send({ file, line, state }) {
    while (!this.isStopped) {
      state.textContent = tr("is read…");
      try {
        const found = await this.app.authority.request("POST", `/api/replays?name=${encodeURIComponent(file.name)}`, file);
        this.last = found.id;
        this.count.read += 1;
        line.replaceChildren(el("a", { href: `/w/${found.id}` }, found.title || file.name));
        return;
      } catch (error) {
        const seconds = error instanceof RequestError ? error.seconds || (error.isUnreachable ? UNREACHABLE_S : 0) : 0;
        const why = error instanceof Error ? error.message : String(error);
        this.spoken.textContent = `${file.name}: ${seconds ? nextTry(seconds, why) : why}`;
        if (!seconds) {
          this.count.refused += 1;
          line.classList.add("trouble");
          state.textContent = why;
          return;
        }
        await this.waitFor(seconds, why, state);
      }
    }
  }

  /** Count down to the next try. @param {number} seconds @param {string} why @param {HTMLElement} state */
  async waitFor(seconds, why, state) {
    for (let left = seconds; left > 0 && !this.isStopped; left -= 1) {
      state.textContent = nextTry(left, why);
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  }

  /** Say how far all files are. */
  tell() {
    const { all, read, refused } = this.count;
    this.bar.hidden = all < 2 || !this.isSending;
    this.bar.value = all ? (read + refused) / all : 0;
    const told = [ntr("{n} of {all} files read", "{n} of {all} files read", read, { all })];
    if (refused) told.push(ntr("{n} could not be read", "{n} could not be read", refused));
    this.summary.textContent = all < 2 ? "" : told.join(" · ");
  }
}
