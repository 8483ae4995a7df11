import type { Context } from "../context.ts";
import { crossParents } from "../pipeline.ts";
import { listReleasable } from "../store/queries/monitor-changes.ts";
import { inSlices } from "../turns.ts";

/** Locked together, for as long as their histories are written. */
const SLICE = 200;

/**
 * Lets monitors that are held back go on once their parents are up again, were paused or deleted, or are no longer their
 * parents, and ends waiting for a parent. Every process does it, and finds under the monitors' locks whether another has done
 * it already; what happened while none ran is found by the first look.
 */
export async function followParents(ctx: Context): Promise<void> {
  await inSlices(await listReleasable(ctx.store.db), SLICE, (part) => crossParents(ctx, part));
}
