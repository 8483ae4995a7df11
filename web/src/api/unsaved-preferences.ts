import type { Preferences } from "./session.ts";

/** Preferences that the server has not received yet; they survive a reload. */
interface Unsaved {
  userId: number;
  change: Partial<Preferences>;
}

const storageKey = "vedette.unsaved-preferences";

let unsaved: Unsaved | null = read();

/** Keeps a change until the server has it; a later one of the same setting takes its place. */
export function keepUnsaved(userId: number, change: Partial<Preferences>): void {
  write({ userId, change: { ...unsavedOf(userId), ...change } });
}

/** What is to be sent; null: nothing. */
export const unsavedChange = (): Partial<Preferences> | null => unsaved?.change ?? null;

/** This account's unsent preferences; those of another account are discarded. */
export function unsavedOf(userId: number): Partial<Preferences> {
  if (unsaved !== null && unsaved.userId !== userId) write(null);
  return unsaved?.change ?? {};
}

/** Forgets what the server has got, or has refused; what was chosen meanwhile stays. */
export function dropUnsaved(sent: Partial<Preferences>): void {
  if (unsaved === null) return;
  const left = Object.entries(unsaved.change).filter(
    ([name, value]) => sent[name as keyof Preferences] !== value,
  );
  write(left.length > 0 ? { ...unsaved, change: Object.fromEntries(left) } : null);
}

function read(): Unsaved | null {
  try {
    return JSON.parse(localStorage.getItem(storageKey) ?? "null") as Unsaved | null;
  } catch {
    return null;
  }
}

function write(next: Unsaved | null): void {
  unsaved = next;
  try {
    if (next === null) localStorage.removeItem(storageKey);
    else localStorage.setItem(storageKey, JSON.stringify(next));
  } catch {
    // Storage is blocked: it lasts until the page is left.
  }
}
