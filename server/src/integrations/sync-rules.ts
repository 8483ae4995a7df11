import { appendEvents } from "../platform/database/events.ts";
import type { Db } from "../platform/database/schema.ts";
import {
  DEPLOYMENT_EVENT,
  INTEGRATION_EVENT,
  projectDeploymentChange,
  projectIntegrationChange,
} from "../platform/live-events.ts";
import type { Running } from "../platform/operations/operation.ts";
import type { FoundResource, IntegrationResource } from "./queries/integration-resources.ts";
import type { SyncCounts } from "./queries/integrations.ts";

const MINUTE_MS = 60_000;
const SYNC_MS = 5 * MINUTE_MS;
/** Refused credentials are retried: a permission may have been restored. */
const REFUSED_MS = 60 * MINUTE_MS;
const LONGEST_MS = 60 * MINUTE_MS;
/** A longer delay was set by a wrong clock. */
export const WRONG_MS = 2 * LONGEST_MS;

/** `afterMs`: the provider's Retry-After. */
export const retryMs = ({
  needsLink,
  afterMs = 0,
}: {
  needsLink: boolean;
  afterMs?: number | undefined;
}): number => (needsLink ? REFUSED_MS : Math.min(Math.max(SYNC_MS, afterMs), LONGEST_MS));

export interface SyncChanges {
  added: FoundResource[];
  changed: (FoundResource & { id: number })[];
  removedIds: number[];
  counts: SyncCounts;
}

/** Azure varies the case of ids between answers. */
export const keyOf = ({ externalId }: Pick<FoundResource, "externalId">): string => externalId.toLowerCase();

/** By the provider's ids; duplicates count once. */
export function changesOf(
  known: readonly IntegrationResource[],
  found: readonly FoundResource[],
): SyncChanges {
  const now = new Map(found.map((one) => [keyOf(one), one]));
  const before = new Map(known.map((one) => [keyOf(one), one]));
  const added = [...now.values()].filter((one) => !before.has(keyOf(one)));
  const both = known.flatMap((old) => {
    const one = now.get(keyOf(old));
    return one ? [{ old, one }] : [];
  });
  const removed = known.filter(
    (one) => !now.has(keyOf(one)) && (one.removedAt === null || one.monitor === null),
  );
  const isBack = both.filter(({ old }) => old.removedAt !== null);
  return {
    added,
    changed: both.filter(({ old, one }) => differs(old, one)).map(({ old, one }) => ({ ...one, id: old.id })),
    removedIds: removed.map(({ id }) => id),
    counts: {
      added: added.length + isBack.length,
      removed: removed.filter(({ removedAt }) => removedAt === null).length,
      renamed: both.filter(({ old, one }) => old.name !== one.name).length,
      changed: both.filter(({ old, one }) => old.state !== one.state || old.address !== one.address).length,
    },
  };
}

const SHOWN = ["type", "name", "place", "state", "address"] as const;

const differs = (old: IntegrationResource, one: FoundResource): boolean =>
  old.removedAt !== null ||
  SHOWN.some((name) => old[name] !== one[name]) ||
  JSON.stringify(old.details) !== JSON.stringify(one.details);

interface Where {
  organizationId: number;
  /** Milliseconds. */
  now: number;
}

/** Publishes that an account changed. Wake the live stream after the commit. */
export function announceIntegration(trx: Db, id: number, { organizationId, now }: Where): void {
  const payload = projectIntegrationChange(id);
  appendEvents(trx, [{ organizationId, type: INTEGRATION_EVENT, payload }], now);
}

/** Publishes a deployment and its monitors; null: of a webhook. */
export function announceDeployment(
  trx: Db,
  deployment: { id: number; monitorIds: readonly number[] } | null,
  { organizationId, now }: Where,
): void {
  const payload = projectDeploymentChange(deployment);
  appendEvents(trx, [{ organizationId, type: DEPLOYMENT_EVENT, payload }], now);
}

/** For a verb's change: wakes the live stream after the commit. */
export function announceAfter({ caller, clock, live, after }: Running): Where {
  after(() => live.wake());
  return { organizationId: caller.organizationId, now: clock.now() };
}
