// What is said of a race and of those who take part in it.

import { ntr, tr } from "../words.js";

/**
 * @typedef {object} Seat a player of a race, as docs/protocol.md has it
 * @property {number} seat
 * @property {string} name
 * @property {"waiting" | "ready" | "racing" | "finished" | "failed" | "left"} status
 * @property {number | null} away_ms
 * @property {number} opened
 * @property {number} mines
 * @property {number} time_ms
 * @property {number} total_ms
 * @property {number | null} place
 * @property {string} cells
 * @property {string | null} game
 */
/**
 * @typedef {object} Race
 * @property {number} v
 * @property {string} race
 * @property {number} width
 * @property {number} height
 * @property {string} title
 * @property {"time" | "race"} mine_costs
 * @property {number} mine_cost_ms
 * @property {number} most_mines
 * @property {number} countdown_ms
 * @property {number} return_ms
 * @property {number} most_seats
 * @property {"lobby" | "countdown" | "running" | "over"} phase
 * @property {number} phase_ms
 * @property {number} safe_cells
 * @property {Seat[]} seats
 * @property {number | null} seat
 * @property {string | null} game
 * @property {string | null} rematch
 */

/** Return a time as results have it, in seconds with thousandths. @param {number} ms */
export function exactTime(ms) {
  const [minutes, rest] = [Math.floor(ms / 60_000), ((ms % 60_000) / 1000).toFixed(3)];
  return minutes ? `${minutes}:${rest.padStart(6, "0")}` : rest;
}

/** Return what mines cost, as a sentence. @param {Race} race */
export function mineCost(race) {
  if (race.mine_costs === "race") return tr("Whoever opens a mine is out of the race.");
  return ntr(
    "A mine costs {n} second, and whoever opens {most} is out.",
    "A mine costs {n} seconds, and whoever opens {most} is out.",
    Math.round(race.mine_cost_ms / 1000),
    { most: race.most_mines },
  );
}

/** Return how somebody is called. @param {Seat} seat */
export const nameOf = ({ name, seat }) => name || tr("Player {n}", { n: seat + 1 });

/** Return how somebody is called, and whether it is the reader. @param {Race} race @param {Seat} seat */
export const nameFor = (race, seat) => (seat.seat === race.seat ? tr("{name} (you)", { name: nameOf(seat) }) : nameOf(seat));

/** Return how far somebody is. @param {Race} race @param {Seat} seat @param {number} since milliseconds since this was told */
export function progressOf(race, seat, since) {
  if (seat.away_ms !== null) return awayFor(race, seat.away_ms + since);
  switch (seat.status) {
    case "waiting": return tr("not ready");
    case "ready": return tr("ready");
    case "racing": return tr("{n} of {of} cells", { n: seat.opened, of: race.safe_cells });
    case "finished": return tr("place {place}: {time} s", { place: seat.place ?? 0, time: exactTime(seat.total_ms) });
    case "failed": return tr("lost to a mine");
    case "left": return tr("has left");
  }
  return "";
}

/** @param {Race} race @param {number} ms */
function awayFor(race, ms) {
  const [away, most] = [Math.round(ms / 1000), Math.round(race.return_ms / 1000)];
  return tr("away for {n} s of {most} s", { n: Math.min(away, most), most });
}

/** Return what opened mines have cost somebody so far, or nothing. @param {Race} race @param {Seat} seat */
export function penaltyOf(race, seat) {
  if (!seat.mines || !race.mine_cost_ms) return "";
  return ntr("{n} mine: +{s} s", "{n} mines: +{s} s", seat.mines, { s: Math.round((seat.mines * race.mine_cost_ms) / 1000) });
}

/** Return what has happened between two messages, in sentences that are read out. @param {Race | null} before @param {Race} now */
export function newsOf(before, now) {
  if (!before) return [];
  const news = now.seats.flatMap((seat) => seatNews(now, before.seats.find((each) => each.seat === seat.seat), seat));
  if (now.phase === before.phase) return news;
  const own = now.seats.find(({ seat }) => seat === now.seat);
  if (now.phase === "lobby") news.push(tr("The countdown has stopped."));
  if (now.phase === "running") news.push(own ? tr("Go!") : tr("The race has begun."));
  if (now.phase === "over") {
    news.push(tr("The race is over."));
    if (own?.place) news.push(tr("Your place: {place} of {count}.", { place: own.place, count: now.seats.length }));
  }
  return news;
}

/** @param {Race} race @param {Seat | undefined} before @param {Seat} now */
function seatNews(race, before, now) {
  const name = nameFor(race, now);
  const news = [];
  if (!before) news.push(tr("{name} has come.", { name }));
  else if (before.status !== now.status && now.status !== "racing") {
    news.push(tr("{name}: {progress}.", { name, progress: progressOf(race, { ...now, away_ms: null }, 0) }));
  }
  if (before && before.away_ms === null && now.away_ms !== null) news.push(tr("{name} has lost the connection.", { name }));
  if (before && before.away_ms !== null && now.away_ms === null && now.status === before.status) news.push(tr("{name} is back.", { name }));
  return news;
}
