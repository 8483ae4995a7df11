import type { FoundResource, IntegrationResource } from "./queries/integration-resources.ts";
import type { SyncCounts } from "./queries/integrations.ts";

const MINUTE_MS = 60_000;
/** How often an account is looked at. */
const SYNC_MS = 5 * MINUTE_MS;
/** One whose credentials are refused is tried again now and then: a right may have been given back. */
const REFUSED_MS = 60 * MINUTE_MS;
const LONGEST_MS = 60 * MINUTE_MS;
/** What is put off for longer was put off by a clock that was wrong. */
export const WRONG_MS = 2 * LONGEST_MS;

/** How long until the next look after one that failed. `afterMs`: the pause that the other side asked for. */
export const retryMs = ({
  needsLink,
  afterMs = 0,
}: {
  needsLink: boolean;
  afterMs?: number | undefined;
}): number => (needsLink ? REFUSED_MS : Math.min(Math.max(SYNC_MS, afterMs), LONGEST_MS));

/** What differs between what was known of an account and what it has. */
export interface SyncChanges {
  added: FoundResource[];
  changed: (FoundResource & { id: number })[];
  removedIds: number[];
  counts: SyncCounts;
}

/** What a resource is known by. Azure writes the same one in capitals in one answer, and in small letters in the next. */
export const keyOf = ({ externalId }: Pick<FoundResource, "externalId">): string => externalId.toLowerCase();

/** Compares, by what the other side calls each; one that it names twice counts once. */
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
