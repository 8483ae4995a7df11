import type { DiskQueueOptions } from "../../../src/engine/queue/queue.ts";
import { DiskQueue } from "../../../src/engine/queue/queue.ts";
import { recordingLog } from "../../harness/recording-log.ts";

/** A queue in that folder, and what it logs. */
export function openQueue(folder: string, more: Partial<DiskQueueOptions> = {}) {
  const log = recordingLog();
  return { log, queue: new DiskQueue({ folder, log, ...more }) };
}

/** Takes everything out that has not been handed out yet. */
export function drain(queue: DiskQueue): string[] {
  const payloads: string[] = [];
  for (let batch = queue.next(); batch; batch = queue.next()) payloads.push(batch.payload);
  return payloads;
}

/** Payloads that differ, with a letter of two bytes and a dash of three. */
export const numbered = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => `batch ${from + index} – ü`);
