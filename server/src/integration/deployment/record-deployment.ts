import { randomUUIDv7 } from "node:crypto";
import type { Db } from "../../store/db.ts";
import {
  type Deployment,
  type DeploymentFacts,
  findToldDeployment,
  insertDeployment,
  saveDeployment,
} from "../../store/queries/deployments.ts";
import { moveTouched, saveTouched } from "../../store/queries/heartbeats.ts";
import { announceDeployment } from "../announce.ts";
import { isLateStart, isNewer, LONGEST_DEPLOYMENT_MS } from "./rules.ts";

/** What was told of a deployment. */
export interface Told extends Pick<Deployment, "organizationId" | "source" | "externalKey" | "toldAt"> {
  facts: DeploymentFacts;
}

/** By so much the clock of whoever tells of one may be ahead. */
const AHEAD_MS = 10 * 60_000;

/**
 * Keeps what was told of a deployment, in a transaction; wake the live stream after it. The same news twice, and older ones than are known, change nothing.
 * Answers its number, whether anything is new, and whether all of it is.
 */
export async function recordDeployment(
  trx: Db,
  told: Told,
  monitorIds: readonly number[],
  now: number,
): Promise<{ id: number; isNews: boolean; isNew: boolean }> {
  const facts = bounded(told.facts, now + AHEAD_MS);
  const { organizationId, source, externalKey, toldAt } = told;
  const madeId = await insertDeployment(
    trx,
    { ...facts, uuid: randomUUIDv7(), organizationId, source, externalKey, toldAt },
    now,
  );
  if (madeId !== undefined) {
    await saveTouched(trx, { id: madeId, startedAt: facts.startedAt }, monitorIds);
    announceDeployment(trx, { id: madeId, monitorIds }, { organizationId, now });
    return { id: madeId, isNews: true, isNew: true };
  }
  const known = await findToldDeployment(trx, organizationId, externalKey);
  if (!known) throw new Error("a deployment that was told of is gone");
  if (!isNews(known, told, facts) || isSame(known, facts))
    return { id: known.id, isNews: false, isNew: false };
  const { startedAt, ...more } = merged(known, facts);
  await saveDeployment(trx, known.id, { ...more, startedAt, toldAt }, now);
  if (startedAt !== known.startedAt) await moveTouched(trx, { id: known.id, startedAt });
  announceDeployment(trx, { id: known.id, monitorIds }, { organizationId, now });
  return { id: known.id, isNews: true, isNew: false };
}

/** Pipelines do not say when something became true: a start is late where the end is known. Forges do. */
const isNews = (known: Deployment, { source, toldAt }: Told, facts: DeploymentFacts): boolean =>
  isNewer(known, { ...facts, toldAt }) && !(source === "api" && isLateStart(known, facts));

/**
 * What is not said again stays; but what ends or goes on after more than a day began later than it was said to, and nothing ends
 * before it began, whatever the clock of who tells the end says.
 */
const merged = (known: Deployment, facts: DeploymentFacts): DeploymentFacts => ({
  ...facts,
  version: facts.version ?? known.version,
  environment: facts.environment ?? known.environment,
  author: facts.author ?? known.author,
  message: facts.message ?? known.message,
  url: facts.url ?? known.url,
  startedAt: isTooLong(known, facts)
    ? facts.startedAt
    : Math.min(known.startedAt, facts.finishedAt ?? known.startedAt),
});

const isTooLong = (known: Deployment, { startedAt, finishedAt }: DeploymentFacts): boolean =>
  (finishedAt ?? startedAt) > known.startedAt + LONGEST_DEPLOYMENT_MS;

const isSame = (known: Deployment, facts: DeploymentFacts): boolean =>
  Object.entries(merged(known, facts)).every(([name, value]) => known[name as keyof Deployment] === value);

/** None begins after `latest` or ends before it began. One that took longer than a day has waited, and began when it ended. */
function bounded(facts: DeploymentFacts, latest: number): DeploymentFacts {
  const { finishedAt } = facts;
  const startedAt = Math.min(facts.startedAt, latest);
  if (finishedAt === null) return { ...facts, startedAt };
  const end = Math.max(Math.min(finishedAt, latest), startedAt);
  return { ...facts, startedAt: end > startedAt + LONGEST_DEPLOYMENT_MS ? end : startedAt, finishedAt: end };
}
