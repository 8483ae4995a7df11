import { saveUnsaved } from "./access.ts";
import { type Integration, takeDueIntegration } from "./queries/integrations.ts";
import { type Syncing, syncIntegration } from "./sync.ts";
import { WRONG_MS } from "./sync-rules.ts";

/** Accounts in parallel, in all and per organization, however slow its providers are. */
const CONCURRENCY = 8;
const CONCURRENCY_PER_ORGANIZATION = 2;
/** After a crash, other processes wait for this long; a sync takes a minute at most. */
const LEASE_MS = 3 * 60_000;

/**
 * Syncs the accounts that are due. Resolves once none is left. Throws the first error that is no provider's.
 */
export async function followIntegrations(ctx: Syncing, signal: AbortSignal): Promise<void> {
  // Before another process exchanges them again.
  await saveUnsaved(ctx.store);
  const next = takingTurns(ctx);
  const errors: unknown[] = [];
  const worker = async () => {
    while (!signal.aborted) {
      const taken = await next.take();
      if (!taken) return;
      await syncIntegration(ctx, taken, signal).catch((error: unknown) => errors.push(error));
      next.release(taken);
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: CONCURRENCY }, worker));
  errors.push(...ended.flatMap((one) => (one.status === "rejected" ? [one.reason] : [])));
  if (errors.length > 0) throw errors[0];
}

/** Skips organizations that have enough under way. */
function takingTurns({ store, clock }: Syncing) {
  const underWay: number[] = [];
  const take = async (): Promise<Integration | null> => {
    const now = clock.now();
    const counted = Map.groupBy(underWay, (organizationId) => organizationId);
    const without = [...counted].flatMap(([id, own]) =>
      own.length < CONCURRENCY_PER_ORGANIZATION ? [] : [id],
    );
    const due = { now, latest: now + WRONG_MS, until: now + LEASE_MS, without };
    const taken = await takeDueIntegration(store.db, due);
    if (taken) underWay.push(taken.organizationId);
    return taken;
  };
  let last: Promise<unknown> = Promise.resolve();
  return {
    take(): Promise<Integration | null> {
      const mine = last.then(take);
      last = mine.catch(() => undefined);
      return mine;
    },
    release: ({ organizationId }: Integration) => void underWay.splice(underWay.indexOf(organizationId), 1),
  };
}
