// The replays that a player sent: each can be watched, reviewed, kept as a file and deleted.

import { button, el } from "./elements.js";
import { ask, busy, statusLine } from "./dialog.js";
import { empty, localTime, table } from "./tables.js";
import { openDialog } from "./views.js";
import { ntr, tr } from "../words.js";

/** @typedef {import("../app.js").App} App */
/** @typedef {{id: string, name: string, title: string, added_at: string, cells: string[]}} Replay */

/** Return the list of all of them. @param {App} app */
export async function replays(app) {
  const status = statusLine();
  const box = el("div", { class: "replays" });
  await draw();
  return el("div", {}, status.line, box);

  async function draw() {
    /** @type {{replays: Replay[], most: number}} */
    const found = await app.authority.request("GET", "/api/replays");
    const open = button(tr("Open a replay"), () => openDialog(app, "upload"), { class: "button accent" });
    if (!found.replays.length) {
      box.replaceChildren(empty(tr("No replays yet"), tr("Recordings of any program that you open here are kept, to watch and to review."), open));
      return;
    }
    const heads = [tr("File"), tr("Board"), tr("Result"), tr("Time"), tr("Added"), tr("Actions")];
    const kept = ntr("{n} replay", "{n} replays", found.replays.length);
    const most = tr("The last {most} are kept.", { most: found.most });
    box.replaceChildren(
      table(heads, found.replays.map(line), tr("Replays")),
      el("div", { class: "pages" }, open, el("span", {}, `${kept} · ${most}`)));
  }

  /** @param {Replay} replay */
  function line(replay) {
    const remove = button(tr("Delete…"), () => busy(remove, status, () => forget(replay)));
    return [
      el("a", { href: `/w/${replay.id}`, title: replay.title }, replay.name || replay.title),
      ...replay.cells, localTime(replay.added_at),
      el("span", { class: "actions" },
        el("a", { class: "button", href: `/w/${replay.id}` }, tr("Watch")),
        el("a", { class: "button", href: `/r/${replay.id}` }, tr("Review")),
        el("a", { class: "button", href: `/api/games/${replay.id}/journal`, download: "" }, tr("Download")),
        remove),
    ];
  }

  /** @param {Replay} replay */
  async function forget({ id, name, title }) {
    const sure = await ask({
      title: tr("Delete this replay?"),
      text: tr("{name} and its link will be gone.", { name: name || title }),
      confirm: tr("Delete"),
    });
    if (!sure) return;
    await app.authority.request("DELETE", `/api/replays/${id}`);
    status.say(tr("Deleted."));
    await draw();
  }
}
