/**
 * A recording in a frame of another site. It plays and does nothing else: whoever hides the frame
 * below something else gains nothing by the clicks.
 */
import { followSystem, learnPage, load, wishes } from "./frame_page.js";
import { part } from "../page_parts.js";
import { el } from "../views/elements.js";
import { SPEEDS } from "../views/recording.js";
import { RecordingPlayer } from "../views/recording_player.js";
import { attempt } from "../waiting.js";
import { tr } from "../words.js";

/** @param {HTMLElement} place @param {string} id */
async function show(place, id) {
  const [sprites, data] = await Promise.all([learnPage(), load(`/api/games/${id}/watch`)]);
  const player = new RecordingPlayer(data, {
    sprites, fadesFinished: true, announce: (text) => (part("live").textContent = text),
  });
  const { recording } = player;
  recording.speed = SPEEDS.find((speed) => String(speed) === wishes.get("speed")) ?? 1;
  if (wishes.get("trail") === "off") player.trail = "off";
  recording.seek(data.end_ms); // the whole board until somebody plays it, from its beginning then
  player.appear(
    place,
    player.makeHeader(wayToWatch(id, data.title)),
    el("div", { class: "watch-middle" }, player.box),
    el("div", { class: "watch-controls" }, player.makeSeek(), player.makeTransport(), player.line),
  );
  followSystem(sprites, player.board);
  if (wishes.get("autoplay") === "1" && !matchMedia("(prefers-reduced-motion: reduce)").matches) player.togglePlaying();
}

/** @param {string} id @param {string} title */
function wayToWatch(id, title) {
  return el("a", { href: `/w/${id}`, target: "_blank", rel: "noopener", title: tr("Open in demine") }, title);
}

const place = part("recording");
void attempt(() => show(place, location.pathname.split("/")[2]), place);
