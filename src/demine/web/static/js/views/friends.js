// Friends: who they are, the link by which others become one, and the answer to such a link.

import { copyRow } from "./share.js";
import { ask, busy, statusLine } from "./dialog.js";
import { button, el } from "./elements.js";
import { tr } from "../words.js";

/** @typedef {import("../app.js").App} App */
/** @typedef {{friends: {num: number, name: string, since: string}[], link: string | null}} Friends */

/** @param {App} app @param {ReturnType<typeof statusLine>} status */
export async function friends(app, status) {
  const box = el("div");
  /** @param {"GET" | "POST" | "DELETE"} method @param {string} path */
  const change = async (method, path) => draw(await app.authority.request(method, path));
  await change("GET", "/api/friends");
  return box;

  /** @param {Friends} found */
  function draw(found) {
    box.replaceChildren(
      el("p", {}, tr("Friends see each other in leaderboards of their own, also if they do not appear before everybody.")),
      found.friends.length
        ? el("ul", { class: "friends", "aria-label": tr("Friends") }, found.friends.map(friend))
        : el("p", { class: "note" }, tr("No friends here yet: send somebody your link.")),
      link(found.link));
  }

  /** @param {{num: number, name: string}} one */
  function friend({ num, name }) {
    const shown = name || tr("No name");
    const end = button(tr("End friendship…"), () => busy(end, status, async () => {
      const sure = await ask({
        title: tr("End friendship"),
        text: tr("{name} and you no longer see each other among friends.", { name: shown }),
        confirm: tr("End friendship"),
      });
      if (sure) await change("DELETE", `/api/friends/${num}`);
    }), { "aria-label": tr("End friendship with {name}", { name: shown }) });
    return el("li", {}, el("span", {}, shown), end);
  }

  /** @param {string | null} known */
  function link(known) {
    const make = button(known ? tr("Make another link") : tr("Make a link for friends"),
      () => busy(make, status, () => change("POST", "/api/friends/link")), { class: known ? "button" : "button accent" });
    const end = button(tr("Take the link back"), () => busy(end, status, () => change("DELETE", "/api/friends/link")));
    return el("section", {},
      known ? copyRow(tr("Your link for friends"), known) : "",
      known ? el("p", { class: "note" }, tr("Whoever opens it and agrees becomes your friend. When you make another link or take it back, this one leads nowhere, and friends stay.")) : "",
      el("div", { class: "buttons" }, make, known && end));
  }
}

/**
 * Return the question whether to become a friend of the player whose link it is.
 * @param {App} app
 * @param {string} token
 * @param {ReturnType<typeof statusLine>} status
 */
export async function invitation(app, token, status) {
  const { name, yours } = await app.authority.request("GET", `/api/friends/links/${token}`);
  const who = name || tr("A player without a name");
  if (yours) return el("p", { class: "invitation" }, tr("This is your own link: send it to somebody else."));
  const agree = button(tr("Become friends"), () => busy(agree, status, async () => {
    await app.authority.request("POST", "/api/friends", { token });
    app.goTo("/leaderboards?friends=true#friends");
  }), { class: "button accent" });
  return el("section", { class: "invitation" }, el("h2", {}, tr("{name} invites you to be friends", { name: who })),
    el("p", {}, tr("You see each other's best games in leaderboards of your own. Either of you can end it at any time.")),
    el("div", { class: "buttons" }, agree, button(tr("No, thanks"), () => app.goTo("/leaderboards"))));
}
