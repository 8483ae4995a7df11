import { randomUUIDv7 } from "node:crypto";
import type { Db } from "../../store/db.ts";
import {
  type Deployment,
  type DeploymentFacts,
  findToldDeployment,
  insertDeployment,
  saveDeployment,
} from "../../store/queries/deployments.ts";
import { saveTouched } from "../../store/queries/touched-monitors.ts";
import { announceDeployment } from "../announce.ts";
import { isNewer, LONGEST_DEPLOYMENT_MS } from "./rules.ts";

/** What was told of a deployment. */
export interface Told extends Pick<Deployment, "organizationId" | "source" | "externalKey" | "toldAt"> {
  facts: DeploymentFacts;
}

/**
 * Keeps what was told of a deployment, in a transaction; wake the live stream after it. The same news twice, and older ones than are known, change nothing.
 * Answers its number, and whether anything is new.
 */
export async function recordDeployment(
  trx: Db,
  told: Told,
  monitorIds: readonly number[],
  now: number,
): Promise<{ id: number; isNews: boolean }> {
  const facts = bounded(told.facts);
  const { organizationId, source, externalKey, toldAt } = told;
  const isNew = await insertDeployment(
    trx,
    { ...facts, uuid: randomUUIDv7(), organizationId, source, externalKey, toldAt },
    now,
  );
  if (isNew !== undefined) {
    await saveTouched(trx, { id: isNew, startedAt: facts.startedAt }, monitorIds);
    announceDeployment(trx, { id: isNew, monitorIds }, { organizationId, now });
    return { id: isNew, isNews: true };
  }
  const known = await findToldDeployment(trx, organizationId, externalKey);
  if (!known) throw new Error("a deployment that was told of is gone");
  if (!isNewer(known, { ...facts, toldAt }) || isSame(known, facts)) return { id: known.id, isNews: false };
  await saveDeployment(trx, known.id, { ...merged(known, facts), toldAt }, now);
  announceDeployment(trx, { id: known.id, monitorIds }, { organizationId, now });
  return { id: known.id, isNews: true };
}

/** What is not said again stays. */
const merged = (known: Deployment, facts: DeploymentFacts): DeploymentFacts => ({
  ...facts,
  version: facts.version ?? known.version,
  environment: facts.environment ?? known.environment,
  author: facts.author ?? known.author,
  message: facts.message ?? known.message,
  url: facts.url ?? known.url,
  startedAt: known.startedAt,
});

const isSame = (known: Deployment, facts: DeploymentFacts): boolean => {
  const { finishedAt, status } = merged(known, facts);
  return known.status === status && known.finishedAt === finishedAt && known.url === (facts.url ?? known.url);
};

/** None ends before it began, or takes longer than a day. */
function bounded(facts: DeploymentFacts): DeploymentFacts {
  const { startedAt, finishedAt } = facts;
  if (finishedAt === null) return facts;
  const end = Math.min(Math.max(finishedAt, startedAt), startedAt + LONGEST_DEPLOYMENT_MS);
  return { ...facts, finishedAt: end };
}
