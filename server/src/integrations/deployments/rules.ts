import { type MessageDescriptor, msg } from "../../platform/i18n/message.ts";

export const DEPLOYMENT_STATUSES = ["started", "succeeded", "failed", "cancelled"] as const;
export type DeploymentStatus = (typeof DEPLOYMENT_STATUSES)[number];

/** An incident names a deployment this long before it, milliseconds. */
export const SUSPECT_MS = 15 * 60_000;
export const LONGEST_DEPLOYMENT_MS = 24 * 3_600_000;

/** Milliseconds. */
export interface Suspected {
  id: number;
  name: string;
  version: string | null;
  author: string | null;
  startedAt: number;
  /** Null: unknown. */
  finishedAt: number | null;
}

/** The last activity before that time. */
const lastDoing = ({ startedAt, finishedAt }: Suspected, at: number): number =>
  finishedAt !== null && finishedAt <= at ? finishedAt : startedAt;

const isUnderWay = ({ startedAt, finishedAt }: Suspected, at: number): boolean =>
  finishedAt !== null && startedAt <= at && at < finishedAt;

/**
 * The deployment that an incident of that time names: under way, or ended (or begun, without a known end)
 * within SUSPECT_MS before; the nearest one. Null: none.
 */
export function suspectOf<D extends Suspected>(deployments: readonly D[], at: number): D | null {
  const near = deployments
    .filter((one) => one.startedAt <= at && (isUnderWay(one, at) || at - lastDoing(one, at) <= SUSPECT_MS))
    .toSorted((one, other) => lastDoing(other, at) - lastDoing(one, at) || other.id - one.id);
  return near[0] ?? null;
}

const COMMIT = /^[0-9a-f]{12,64}$/i;
const SHORT_COMMIT = 7;
const MAX_VERSION = 40;

/** Commits are abbreviated. */
export const shortVersion = (version: string): string =>
  COMMIT.test(version) ? version.slice(0, SHORT_COMMIT) : version.slice(0, MAX_VERSION);

export function messageOfSuspect(deployment: Suspected, at: number): MessageDescriptor {
  const { name, version, author } = deployment;
  const said = {
    name,
    version: version === null ? "" : shortVersion(version),
    ...(author === null ? { by: "unknown" as const } : { by: "author" as const, author }),
  };
  return isUnderWay(deployment, at)
    ? msg("deployment.during", said)
    : msg("deployment.before", { ...said, after: Math.max(0, at - lastDoing(deployment, at)) });
}

/** Duplicates and late reports are not newer. */
export const isNewer = (known: ReportedState, incoming: ReportedState): boolean =>
  incoming.reportedAt > known.reportedAt ||
  // Git providers' times are whole seconds.
  (incoming.reportedAt === known.reportedAt && known.status === "started" && incoming.status !== "started");

/** A start reported after a known end. */
export const isLateStart = (
  known: Pick<ReportedState, "status">,
  incoming: Pick<ReportedState, "status">,
): boolean => known.status !== "started" && incoming.status === "started";

interface ReportedState {
  status: DeploymentStatus;
  reportedAt: number;
}
