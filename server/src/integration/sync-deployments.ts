import type { IntegrationResource } from "../store/queries/integration-resources.ts";
import type { Integration } from "../store/queries/integrations.ts";
import type { Access, FoundDeployment, IntegrationKind } from "./kind.ts";
import { ProviderError } from "./provider-error.ts";

/** Of so many resources deployments are asked for in one look, those first that were not for the longest time. */
const MAX_ASKED = 50;
/** After so many that came to nothing the rest waits for the next look. */
const MAX_FAILED = 5;
/** Deployments that began so long before the last look may have ended since. */
const OVERLAP_MS = 60 * 60_000;

/** What was deployed to resources of an account. */
export interface Deployed {
  /** Of whom that is known up to now. */
  asked: IntegrationResource[];
  deployments: { resource: IntegrationResource; deployment: FoundDeployment }[];
  /** From when those are asked for that were not asked for yet. */
  since: number;
  /** The pause that the other side wants, milliseconds. */
  pauseMs: number;
}

/**
 * Asks for what was deployed to these resources. What cannot be told now is asked for again the next time, and keeps nothing
 * else from being kept. Throws ProviderError `refused`.
 */
export async function deployedTo(
  kind: IntegrationKind,
  access: Access<never>,
  used: Integration,
  resources: readonly IntegrationResource[],
): Promise<Deployed> {
  const found: Deployed = { asked: [], deployments: [], since: access.now, pauseMs: 0 };
  if (!kind.listDeployments) return found;
  const wanted = resources
    .filter(({ type }) => kind.isDeployed?.(type) ?? true)
    .toSorted((one, other) => (one.deploymentsAt ?? 0) - (other.deploymentsAt ?? 0) || one.id - other.id);
  let failed = 0;
  for (const resource of wanted.slice(0, MAX_ASKED)) {
    // Not later than now: the clock of the last look may have been ahead.
    const since = Math.min(resource.deploymentsAt ?? used.deploymentsSince, access.now) - OVERLAP_MS;
    try {
      const all = await kind.listDeployments(access, resource, since);
      found.deployments.push(...all.map((deployment) => ({ resource, deployment })));
      found.asked.push(resource);
    } catch (error) {
      if (!(error instanceof ProviderError) || error.is === "refused") throw error;
      // That nobody may know of one says nothing about the others.
      if (["forbidden", "missing", "rejected"].includes(error.is)) found.asked.push(resource);
      else failed += 1;
      found.pauseMs = Math.max(found.pauseMs, error.is === "busy" ? (error.afterMs ?? 0) : 0);
      if (error.is === "busy" || failed === MAX_FAILED) break;
    }
  }
  const isWaiting = wanted.some((one) => one.deploymentsAt === null && !found.asked.includes(one));
  return isWaiting ? { ...found, since: used.deploymentsSince } : found;
}
