/**
 * Keys: which of them runs which command, by the table of demine.scene.key_bindings.
 */
import { tr } from "./words.js";

/** @type {Record<string, string>} */
const NAMES = {
  " ": "space", ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right",
  Enter: "enter", Escape: "escape", Tab: "tab", Backspace: "backspace", Delete: "delete",
  Insert: "insert", Home: "home", End: "end", PageUp: "pageup", PageDown: "pagedown", Pause: "pause",
};
/** @typedef {Pick<KeyboardEvent, "key" | "ctrlKey" | "altKey" | "shiftKey" | "metaKey">} Pressed */

/**
 * Return the name of a key that is pressed, as the table has it; "" for a modifier alone.
 * @param {Pressed} event
 */
export function keyName(event) {
  const key = NAMES[event.key] ?? event.key.toLowerCase();
  if (["control", "shift", "alt", "meta", "altgraph", "dead", "process", "unidentified", ""].includes(key)) return "";
  const isSymbol = key.length === 1 && !/[\p{L}\p{N}]/u.test(key);
  /** @type {[boolean, string][]} */
  const modifiers = [
    [event.ctrlKey, "ctrl"], [event.altKey, "alt"], [event.shiftKey && !isSymbol, "shift"], [event.metaKey, "meta"],
  ];
  return [...modifiers.filter(([held]) => held).map(([, name]) => name), key].join("+");
}

/** The keys of every command; immutable. */
export class KeyMap {
  /**
   * @param {Record<string, string[]>} bindings
   * @param {Record<string, string>} labels what is written on keys, as message ids
   */
  constructor(bindings, labels) {
    this.bindings = bindings;
    this.labels = labels;
    this.commands = new Map(Object.entries(bindings).flatMap(([command, keys]) => keys.map((key) => [key, command])));
  }

  /** Return the command of a key that is pressed, or "". @param {Pressed} event */
  command(event) {
    return this.commands.get(keyName(event)) ?? "";
  }

  /** Return the first key of a command as it is written on keyboards, or "". @param {string} command */
  label(command) {
    const key = this.bindings[command]?.[0];
    return key ? this.keyLabel(key) : "";
  }

  /** Return a key as it is written on keyboards: "Ctrl+Z". @param {string} key */
  keyLabel(key) {
    const parts = key.endsWith("+") ? [...key.slice(0, -1).split("+").filter(Boolean), "+"] : key.split("+");
    return parts.map((part) => (part in this.labels ? tr(this.labels[part]) : part.toUpperCase())).join("+");
  }

  /** Return a name with the key that does the same: "Undo (Ctrl+Z)". @param {string} name @param {string} command */
  named(name, command) {
    const key = this.label(command);
    return key ? `${name} (${key})` : name;
  }

  /** Return a map in which some commands have other keys; other commands lose these. @param {Record<string, string[]>} changes */
  rebound(changes) {
    const taken = new Set(Object.values(changes).flat());
    const kept = Object.fromEntries(Object.entries(this.bindings).map(([command, keys]) => [command, keys.filter((key) => !taken.has(key))]));
    return new KeyMap({ ...kept, ...changes }, this.labels);
  }

  /** Return a map with further keys. @param {Record<string, string[]>} added */
  withAdded(added) {
    return this.rebound(Object.fromEntries(Object.entries(added).map(([command, keys]) => [command, [...(this.bindings[command] ?? []), ...keys]])));
  }
}

/**
 * Return the keys that a player chose: the usual ones, perhaps those of vi, and their own lines.
 * @param {Record<string, any>} facts
 * @param {Record<string, any>} preferences
 */
export function chosenKeys(facts, preferences) {
  let keys = new KeyMap(facts.keys, facts.key_labels);
  if (preferences.keys === "vi") keys = keys.withAdded(facts.vi_keys);
  /** @type {Record<string, string[]>} */
  const own = {};
  for (const line of String(preferences.keymap ?? "").split("\n")) {
    const [name, bound] = line.split(/:(.*)/s);
    if (bound !== undefined && name.trim() in facts.keys) own[name.trim()] = bound.trim().split(/\s+/).filter(Boolean);
  }
  return Object.keys(own).length ? keys.rebound(own) : keys;
}
