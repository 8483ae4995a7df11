import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newUuid } from "./uuid.ts";

/** What distinguishes this installation of the agent from every other, also from one on a copy of this machine. */
export interface Identity {
  /** Made when the folder was. */
  instance: string;
  /** The device's token, where it was enrolled. */
  token: string | null;
  /** The beginning of the enrollment token that it was enrolled with; null: with none, or by an agent that did not note it. */
  enrolledWith: string | null;
  /** The server refused the token at the last attempt: install.sh makes the machine a new device then. */
  isRefused: boolean;
}

/** Reads or makes the identity in that folder, which only this user may read. Throws what the file system throws. */
export function openIdentity(folder: string): Identity {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const found = readIdentity(folder);
  if (found) return found;
  const identity: Identity = { instance: newUuid(), token: null, enrolledWith: null, isRefused: false };
  saveIdentity(folder, identity);
  return identity;
}

/** Writes it beside the old one and renames it, so that a power cut leaves one or the other. */
export function saveIdentity(folder: string, identity: Identity): void {
  const file = fileIn(folder);
  writeFileSync(`${file}.new`, `${JSON.stringify(identity)}\n`, { mode: 0o600, flush: true });
  chmodSync(`${file}.new`, 0o600);
  renameSync(`${file}.new`, file);
}

/** Notes whether the server refuses that token, where it is the one in the folder. */
export function noteRefusal(folder: string, token: string, isRefused: boolean): void {
  try {
    const identity = openIdentity(folder);
    if (identity.token === token && identity.isRefused !== isRefused)
      saveIdentity(folder, { ...identity, isRefused });
  } catch {
    // A full disk keeps no agent from reporting that it is full.
  }
}

const BEGINNING = 12;
/** By what an enrollment token is known: 48 of its 256 random bits. A digest would cost the agent 6 MB for the library that makes it. */
export const beginningOf = (enrollment: string): string => enrollment.slice(0, BEGINNING);

const fileIn = (folder: string) => join(folder, "identity.json");

function readIdentity(folder: string): Identity | null {
  try {
    const text = readFileSync(fileIn(folder), "utf8");
    const found = JSON.parse(text) as Partial<Identity>;
    const { instance, token = null, enrolledWith = null, isRefused = false } = found;
    return typeof instance === "string" ? { instance, token, enrolledWith, isRefused } : null;
  } catch (error) {
    // Torn before it was ever whole, or not there: this is a new installation.
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}
