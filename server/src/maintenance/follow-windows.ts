import type { Context } from "../context.ts";
import { crossWindows } from "../pipeline.ts";
import { listCoverable } from "../store/queries/maintenance-windows.ts";
import { inSlices } from "../turns.ts";
import type { ActiveWindows } from "./active-windows.ts";

/** Locked together, for as long as their histories are written. */
const SLICE = 200;
/** Once in a while everything is compared, whatever was heard of. */
const FULL_LOOK_MS = 60_000;

/** What a process does about windows that begin and end. */
export interface FollowedWindows {
  /** Windows were changed, by whichever process. */
  changed(): void;
  /** Lets monitors enter and leave windows whose time has come. Throws the store's error. */
  look(): Promise<void>;
}

/**
 * Lets monitors enter and leave windows. Every process does it, and finds under the monitors' locks whether another
 * one has done it already; what began or ended while none ran is found by the first look.
 */
export function followWindows(
  ctx: Context,
  windows: ActiveWindows,
  crossed: (monitorId: number) => void,
): FollowedWindows {
  let isChanged = true;
  let seen: string | null = null;
  let lookedAt = 0;
  return {
    changed() {
      isChanged = true;
    },
    async look() {
      if (isChanged) {
        isChanged = false;
        await windows.reload().catch((error: unknown) => {
          isChanged = true;
          throw error;
        });
        seen = null;
      }
      const now = ctx.clock.now();
      const { organizationIds, fingerprint } = windows.openAt(now);
      if (fingerprint === seen && Math.abs(now - lookedAt) < FULL_LOOK_MS) return;
      const candidates = await listCoverable(ctx.store.db, organizationIds);
      const wrong = candidates.filter((monitor) => windows.until(monitor, now) !== monitor.maintenanceUntil);
      const ids = wrong.map(({ monitorId }) => monitorId);
      await inSlices(ids, SLICE, (part) => crossWindows(ctx, windows, part));
      for (const id of ids) crossed(id);
      seen = fingerprint;
      lookedAt = now;
    },
  };
}
