import { type KindId, kindOf } from "../kinds.ts";

export interface Recent {
  kind: KindId;
  id: number;
  name: string;
  address: string;
}

/** Whose: a person in an organization. */
export interface RecentsOwner {
  user: { id: number };
  organization: { id: number };
}

const prefix = "vedette.recents.";
const maxRecents = 8;

const keyOf = ({ user, organization }: RecentsOwner) => `${prefix}${user.id}.${organization.id}`;

/** The newest first; nothing where storage is blocked or holds something else. */
export function readRecents(owner: RecentsOwner): Recent[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(owner)) ?? "[]");
    return Array.isArray(stored) ? stored.filter(isRecent) : [];
  } catch {
    return [];
  }
}

export function addRecent(owner: RecentsOwner, recent: Recent): void {
  write(owner, [recent, ...withoutOne(readRecents(owner), recent)].slice(0, maxRecents));
}

/** Takes it out, because it is gone. */
export function removeRecent(owner: RecentsOwner, recent: Pick<Recent, "kind" | "id">): void {
  const stored = readRecents(owner);
  const left = withoutOne(stored, recent);
  if (left.length < stored.length) write(owner, left);
}

/** Forgets what anybody has opened in this browser. */
export function forgetRecents(): void {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key);
  } catch {
    // Storage is blocked: nothing was saved.
  }
}

const withoutOne = (all: readonly Recent[], one: Pick<Recent, "kind" | "id">): Recent[] =>
  all.filter(({ kind, id }) => kind !== one.kind || id !== one.id);

function write(owner: RecentsOwner, recents: readonly Recent[]): void {
  try {
    localStorage.setItem(keyOf(owner), JSON.stringify(recents));
  } catch {
    // Storage is blocked or full: nothing is remembered.
  }
}

function isRecent(value: unknown): value is Recent {
  const { kind, id, name, address } = (value ?? {}) as Record<string, unknown>;
  return (
    typeof kind === "string" &&
    kindOf(kind) !== undefined &&
    Number.isSafeInteger(id) &&
    typeof name === "string" &&
    typeof address === "string"
  );
}
