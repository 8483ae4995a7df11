import { useEffect, useSyncExternalStore } from "react";

/** A key, or two one after the other, that does something on the page. */
export interface Shortcut {
  /** As `KeyboardEvent.key` names them, a blank between two: `n`, `?`, `g d`; `Mod+k` with Ctrl, or ⌘ on a Mac. */
  keys: string;
  /** What it does, in the reader's language. */
  text: string;
  /** Its section on the sheet of shortcuts: navigation, or what works on this page. */
  group: "app" | "page";
  run: () => void;
}

/** The second key of two follows the first within this time. */
const sequenceMs = 1_500;
/** The later one of two with the same keys counts, but a page's always before the frame's. */
let registered: readonly (readonly Shortcut[])[] = [];
let all: readonly Shortcut[] = [];
const listeners = new Set<() => void>();

/** Has these keys work until the returned function is called. */
function registerShortcuts(shortcuts: readonly Shortcut[]): () => void {
  if (registered.length === 0) document.addEventListener("keydown", followKeys);
  update([...registered, shortcuts]);
  return () => {
    update(registered.filter((some) => some !== shortcuts));
    if (registered.length === 0) document.removeEventListener("keydown", followKeys);
  };
}

/** Enables these keys while the component is mounted; pass the same list while it is unchanged. */
export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  useEffect(() => registerShortcuts(shortcuts), [shortcuts]);
}

/** Those that work now, each of its keys once. */
export const useAllShortcuts = (): readonly Shortcut[] => useSyncExternalStore(subscribe, () => all);

function update(next: typeof registered): void {
  registered = next;
  const ofGroup = (group: Shortcut["group"]) => registered.flat().filter((one) => one.group === group);
  all = [...new Map([...ofGroup("app"), ...ofGroup("page")].map((one) => [one.keys, one])).values()];
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

let first: { key: string; at: number } | null = null;

function followKeys(event: KeyboardEvent): void {
  const before = first;
  first = null;
  if (event.defaultPrevented || event.isComposing || event.repeat) return;
  const key = keyOf(event);
  if (key === null) return;
  if (isTaken(key, event.target)) {
    // Nor does the browser do what it has the same keys for: what was being typed goes on.
    if (key.startsWith("Mod+") && all.some((one) => one.keys === key)) event.preventDefault();
    return;
  }
  const isSecond = before !== null && event.timeStamp - before.at < sequenceMs;
  const keys = isSecond ? `${before.key} ${key}` : key;
  const shortcut = all.find((one) => one.keys === keys);
  if (shortcut) {
    event.preventDefault();
    shortcut.run();
  } else if (!isSecond && all.some((one) => one.keys.startsWith(`${key} `))) {
    first = { key, at: event.timeStamp };
  }
}

/** As shortcuts name it; null for combinations that belong to the browser or the system. */
function keyOf(event: KeyboardEvent): string | null {
  const { key, ctrlKey, metaKey, altKey } = event;
  // `[` takes AltGr on many keyboards, which Windows reports as Ctrl and Alt.
  const isCharacter = event.getModifierState("AltGraph");
  if (isCharacter || !(ctrlKey || metaKey || altKey)) return key;
  return altKey || ctrlKey === metaKey ? null : `Mod+${key.toLowerCase()}`;
}

/** Whether the key is for whatever has the focus: a box to type into, a menu or a dialog. */
function isTaken(key: string, target: EventTarget | null): boolean {
  if (document.querySelector("dialog[open], [role=menu]")) return true;
  if (key.startsWith("Mod+")) return false;
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches("input:not([type=checkbox]), textarea, select"))
  );
}
