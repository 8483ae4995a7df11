import type { TargetPolicy } from "../check/guard.ts";
import type { QueueRecord } from "../disk-queue/record.ts";
import type { Lateness } from "./lateness.ts";
import type { Assignment, FirstCheck } from "./link.ts";

/** What a worker thread is started with. */
export interface WorkerSettings {
  location: string;
  /** Its part of the disk queue. */
  queueFolder: string;
  queueMaxBytes?: number;
  policy: TargetPolicy;
  resolvers: string[];
  /** How checks call themselves to mail servers; null: by their own address. */
  ehloName?: string | null;
  referenceTargets: string[];
  /** The newest scheduled time that the store knows, so that none is used twice; milliseconds. */
  newestMs?: number | null;
  /** Checks under way at once. */
  concurrency?: number;
}

export type ToWorker =
  | { type: "assign"; assignments: Assignment[]; firstCheck: FirstCheck }
  | { type: "unassign"; monitorIds: number[] }
  | { type: "recheck"; monitorId: number }
  | { type: "check_now"; monitorId: number; request: string }
  | { type: "acknowledge"; sequence: number }
  /** No new checks; answered by `drained` when those under way have ended or `graceMs` are over. */
  | { type: "drain"; graceMs: number }
  | { type: "close" };

export type FromWorker =
  | { type: "batches"; batches: QueueRecord[] }
  | ({ type: "state" } & WorkerState)
  | { type: "log"; level: "info" | "warn" | "error"; fields: object; message: string }
  | { type: "drained" };

/** Told every second: also the sign that the worker's clock ticks. */
export interface WorkerState {
  monitors: number;
  pending: number;
  checks: number;
  skipped: number;
  /** The schedule's time now: it may be ahead of the clock, and the next worker goes on from there. */
  timeMs: number;
  /** Of the checks begun since the last message. */
  lateness: Lateness;
}
