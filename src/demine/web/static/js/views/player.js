// The dialog of the player: name, another device, and all data taken along, brought or deleted.

import { button, el, row } from "./elements.js";
import { ask, busy, showDialog, statusLine } from "./dialog.js";
import { overlayAddress } from "./overlay_address.js";
import { copyRow } from "./share.js";
import { ntr, tr } from "../words.js";

const LONGEST_NAME = 40;

/** @param {import("../app.js").App} app */
export async function open(app) {
  const status = statusLine();
  const [me, overlay] = await Promise.all([app.authority.request("GET", "/api/me"), overlayAddress(app, status)]);
  const name = el("input", { value: me.name ?? "", maxLength: LONGEST_NAME, autocomplete: "nickname" });
  const save = button(tr("Save"), () => busy(save, status, rename));
  const nameRow = row(tr("Name"), name, { note: tr("Shown where you share a game. You need no account.") });
  nameRow.querySelector(".value")?.append(save);
  const link = el("div");
  const recover = button(tr("Make a recovery link"), () => busy(recover, status, makeLink));
  const file = el("input", { type: "file", accept: ".jsonl,.json,.gz", hidden: true });
  file.addEventListener("change", () => busy(bring, status, upload));
  const bring = button(tr("Import games…"), () => file.click());
  const forget = button(tr("Delete all my data…"), () => busy(forget, status, remove), { class: "button danger" });
  const { close } = showDialog({
    title: tr("Player"),
    content: [
      nameRow,
      section(tr("Another device"),
        tr("Open this link on another device, and you are the same player there. Whoever has it plays as you; a new link ends the old one."),
        recover, link),
      section(tr("Overlay for streams"),
        tr("Shows the game that you play, in OBS as a browser source. Whoever has the address sees it; a new address ends the old one."),
        ...overlay),
      section(tr("Your data"),
        ntr("{n} game on this server. The export is for demine on your computer, or for another server.",
          "{n} games on this server. The export is for demine on your computer, or for another server.", me.games ?? 0),
        el("a", { class: "button", href: "/api/me/export", download: "" }, tr("Export my games")), bring, file),
      section(tr("Leave"),
        tr("Your games, records and settings are deleted from this server. This cannot be undone."), forget),
      status.line,
    ],
    buttons: [button(tr("Close"), () => close())],
  });

  async function rename() {
    const changed = await app.authority.request("PUT", "/api/me", { name: name.value });
    name.value = changed?.name ?? name.value.trim();
    status.say(tr("Saved."));
  }

  async function makeLink() {
    const made = await app.authority.request("POST", "/api/me/recovery");
    link.replaceChildren(copyRow(tr("Recovery link"), new URL(made.link, location.href).href));
  }

  async function upload() {
    if (!file.files?.length) return;
    const done = await app.authority.request("POST", "/api/me/import", file.files[0]);
    file.value = "";
    status.say(done.text);
  }

  async function remove() {
    const sure = await ask({
      title: tr("Delete all my data"),
      text: tr("All your games, records and settings on this server will be gone for good."),
      confirm: tr("Delete everything"),
    });
    if (!sure) return;
    await app.authority.request("DELETE", "/api/me");
    location.assign("/");
  }
}

/**
 * @param {string} title
 * @param {string} text
 * @param {...HTMLElement} parts
 */
function section(title, text, ...parts) {
  return el("section", {}, el("h3", {}, title), el("p", {}, text), el("div", { class: "buttons" }, ...parts));
}
