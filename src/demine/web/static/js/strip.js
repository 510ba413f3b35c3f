/**
 * The strip below the board, the one place for words: as high whatever it says, so that nothing it
 * says moves the board.
 */
import { draftCommands, draftText } from "./draft.js";
import { playsWithFingers } from "./page_parts.js";
import { isOver } from "./state.js";
import { tr } from "./words.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./keyboard.js").KeyMap} KeyMap */
/** @typedef {{kind: string, headline?: string, text?: string, further?: string, luck?: string, proves?: boolean, ranked?: boolean, isShared?: boolean}} Said */

/**
 * Return what is to be said now: trouble, how the game ended, news, a hint, or how to play.
 * @param {State} state
 * @param {KeyMap} keys
 * @param {boolean} touched whether fingers play
 * @returns {Said}
 */
export function boardMessage(state, keys, touched) {
  const { game, news, help } = state;
  if (news?.trouble) return { kind: "trouble", text: news.text };
  if (game && isOver(game)) {
    const end = { kind: game.status, headline: game.status === "won" ? tr("Win") : tr("Game over"), ...game.message, luck: game.luck, isShared: !!state.coop };
    const said = news?.text ?? help?.text;
    const all = { ...end, ranked: !!game.ranked, luck: isPlayedByOthers(game) ? tr("All of the board is shown when the day is over, at 0:00 UTC.") : end.luck };
    return said ? { ...all, text: said, further: end.text } : all;
  }
  if (news) return { kind: "news", text: news.text };
  const asking = state.asking ? tr("Thinking…") : "";
  if (state.draft.isOn && game?.status === "running") {
    const text = draftText(state.draft, !touched ? "mouse" : tapFlags(state) ? "flag" : "tap");
    return { kind: "draft", text: text.charAt(0).toUpperCase() + text.slice(1), further: asking || help?.text };
  }
  if (asking) return { kind: "hint", text: asking };
  if (help) return { kind: "hint", text: help.text, proves: !!game && state.proving === game.id };
  if (game?.ranked) return { kind: "title", text: tr("Ranked board of {day}", { day: game.ranked.split(" ")[0] }), further: game.title };
  if (game && game.status !== "paused" && state.preferences.start_tip) {
    return { kind: "tip", text: tipLines(keys, touched, state).join("\n") };
  }
  return { kind: "title", text: game?.title ?? "" };
}

/** Whether the day of a ranked board is not over. @param {import("./state.js").GameState} game */
const isPlayedByOthers = ({ ranked }) => !!ranked && ranked.split(" ")[0] >= new Date().toISOString().slice(0, 10);

/** @param {State} state */
const tapFlags = (state) => (state.preferences.tap === "flag") !== state.flagMode;

/** @param {KeyMap} keys @param {boolean} touched @param {State} state */
function tipLines(keys, touched, state) {
  if (touched) {
    return [
      tapFlags(state) ? tr("Tap flags, a long press opens") : tr("Tap opens, a long press flags"),
      tr("Tap a number to open its neighbours"),
      tr("Two fingers zoom and move the board"),
    ];
  }
  const playing = [tr("Left click opens, right click flags"), tr("Both buttons on a number open its neighbours")];
  if (state.isRaced) return playing; // nobody helps there
  return [
    ...playing,
    tr("{hint} gives a hint, {help} shows the keys", { hint: keys.label("hint"), help: keys.label("help") }),
  ];
}

export class Strip {
  /** @param {HTMLElement} strip @param {(command: string) => void} run */
  constructor(strip, run) {
    this.strip = strip;
    this.words = /** @type {HTMLElement} */ (strip.querySelector(".words"));
    this.tools = /** @type {HTMLElement} */ (strip.querySelector(".offers"));
    this.run = run;
    this.shown = "";
    this.wasTold = "";
    this.offered = "";
    this.words.addEventListener("click", () => {
      if (strip.hasAttribute("data-cut")) strip.toggleAttribute("data-whole");
    });
  }

  /**
   * @param {State} state
   * @param {KeyMap} keys
   * @param {string} language
   * @param {string} risk the risk of the cell looked at, in words
   * @param {(text: string) => void} announce
   */
  render(state, keys, language, risk, announce) {
    const said = boardMessage(state, keys, playsWithFingers());
    const shown = JSON.stringify([said, language, risk, state.game?.id]);
    if (shown === this.shown) return;
    this.shown = shown;
    this.strip.dataset.kind = said.kind;
    const lines = [risk, said.text, said.further, said.luck].filter((line) => !!line).join("\n");
    this.words.replaceChildren();
    if (said.headline) {
      const head = document.createElement("strong");
      head.textContent = said.headline;
      this.words.append(head);
    }
    const body = document.createElement("p");
    body.textContent = lines;
    this.words.append(body);
    const whole = [said.headline, lines].filter(Boolean).join("\n");
    this.words.title = whole;
    this.strip.removeAttribute("data-whole");
    this.strip.toggleAttribute("data-cut", body.scrollHeight > body.clientHeight + 1);
    const told = [said.headline, said.text, said.kind === "draft" && said.further].join();
    if (said.kind !== "tip" && said.kind !== "title" && told !== this.wasTold) announce(whole);
    this.wasTold = told;
    this.#offer(said, keys);
  }

  /** @param {Said} said @param {KeyMap} keys */
  #offer(said, keys) {
    /** @type {string[][]} */
    const offers = said.kind === "draft" ? draftCommands() : said.kind === "won" || said.kind === "lost"
      ? said.ranked ? [["daily", tr("Ranked daily boards")]] : [said.isShared ? ["new", tr("New board")] : ["again", tr("Same board")], ["review", tr("Review")], ["share", tr("Share")]]
      : said.proves ? [["prove", tr("Next")], ["close-message", tr("Close")]]
      : said.kind === "hint" || said.kind === "tip" ? [["close-message", tr("Close")]] : [];
    const offered = JSON.stringify(offers.map(([command, text]) => [command, text, keys.named(text, command)]));
    // A button that is replaced while it is pressed would not be clicked.
    if (offered === this.offered) return;
    this.offered = offered;
    this.tools.replaceChildren(...offers.map(([command, text]) => {
      const button = document.createElement("button");
      const closes = command === "close-message";
      button.className = closes ? "button close" : "button";
      button.textContent = closes ? "×" : text.charAt(0).toUpperCase() + text.slice(1);
      button.setAttribute("aria-label", text);
      button.title = keys.named(text, command);
      button.addEventListener("click", () => this.run(command));
      return button;
    }));
  }
}
