import { setTimeout } from "node:timers/promises";
import type { Context } from "../context.ts";
import { takeLease } from "../store/queries/meta.ts";
import { type RetentionOptions, runRetention } from "./retention.ts";

const EVERY_MS = 3_600_000;
/** The first minute belongs to the start. */
const FIRST_AFTER_MS = 60_000;

/**
 * Runs retention every hour until `stop`, which ends a run under way after its present slice. Of
 * several replicas one does it: whoever takes the lease for the hour.
 */
export function scheduleRetention(
  ctx: Pick<Context, "store" | "clock" | "log">,
  options: Pick<RetentionOptions, "rawDaysOf"> & { firstAfterMs?: number },
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const loop = async () => {
    await setTimeout(options.firstAfterMs ?? FIRST_AFTER_MS, undefined, { signal });
    for (;;) {
      await runOnce(ctx, { ...options, signal });
      await setTimeout(EVERY_MS, undefined, { signal });
    }
  };
  // Only the signal ends the loop, by making a pause fail.
  const running = loop().catch(() => {});
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

async function runOnce(
  ctx: Pick<Context, "store" | "clock" | "log">,
  options: RetentionOptions,
): Promise<void> {
  const now = ctx.clock.now();
  try {
    // Ten seconds less than the hour, so that the same replica may take it again in time.
    if (!(await takeLease(ctx.store.db, "retention_lease", now, now + EVERY_MS - 10_000))) return;
    const report = await runRetention(ctx, options);
    ctx.log.info({ ...report }, "retention finished");
  } catch (error) {
    ctx.log.error({ err: error }, "retention failed; it is tried again in an hour");
  }
}
