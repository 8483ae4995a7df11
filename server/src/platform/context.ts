import type { Caller } from "./access/caller.ts";
import type { Clock } from "./clock.ts";
import type { Config } from "./config.ts";
import type { Store } from "./database/store.ts";

/** Built once, by main.ts (and the test harness). Rooms add what they bring by `declare module`. */
export interface Context {
  store: Store;
  clock: Clock;
  config: Config;
  log: Logger;
  secrets: SecretBox;
  live: LiveEvents;
}

/** The live stream (app/live): rows of the `events` table, fanned out to subscribers. */
export interface LiveEvents {
  /** Call after committing a transaction that appended events. PostgreSQL also wakes the other replicas. */
  wake(): void;
  /**
   * Writes the organization's events to `reader`, each once: after `lastEventId`, or new ones. Absent in
   * commands.
   */
  subscribe?(reader: LiveReader, lastEventId: string | null): LiveSubscription;
  /** The types of event that a caller may see. */
  typesFor?(caller: Caller): Set<string>;
  /** Calls back with the payload of every event of this type, of any organization and any replica. */
  onEvent?(type: string, listener: (payload: Record<string, unknown>) => void): void;
}

export interface LiveReader {
  organizationId: number;
  family: "legacy" | "v2";
  /** The types of event that it may see; the others only move its position. */
  types: ReadonlySet<string>;
  /** Takes each event as it is, in the place of the stream's texts; null: some were missed. */
  receive?(event: { type: string; payload: string } | null): void;
  /** Sends texts of the stream, the shared ones without a copy. Not called while `isFull()`: call the subscription's `drained()` after that. */
  write(...texts: (string | Buffer)[]): void;
  isFull(): boolean;
  /** What it missed cannot be read now; the client has to reconnect. */
  fail(): void;
}

export interface LiveSubscription {
  /** The reader can take more again. */
  drained(): void;
  /** Sends the reader, if it has everything so far, its position: so that it can resume from a quiet stream. */
  heartbeat(): void;
  end(): void;
}

/** pino's shape, the part that is used. */
export interface Logger {
  debug(fields: object, message?: string): void;
  info(fields: object, message?: string): void;
  warn(fields: object, message?: string): void;
  error(fields: object, message?: string): void;
}

/** AES-256-GCM under the installation's key (platform/secrets/secret-box.ts). */
export interface SecretBox {
  seal(plain: string): string;
  open(sealed: string): string;
  /** A key of 32 bytes of its own for another purpose (HKDF, RFC 5869). */
  derive(purpose: string): Buffer;
}

export type CallerContext = Context & { caller: Caller };
