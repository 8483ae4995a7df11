import { type MessageDescriptor, msg } from "../../platform/i18n/message.ts";

export const DEPLOYMENT_STATUSES = ["started", "succeeded", "failed", "cancelled"] as const;
export type DeploymentStatus = (typeof DEPLOYMENT_STATUSES)[number];

/** An incident that starts so soon after a deployment names it, milliseconds. */
export const SUSPECT_MS = 15 * 60_000;
/** No deployment takes longer. */
export const LONGEST_DEPLOYMENT_MS = 24 * 3_600_000;

/** What of a deployment decides whether an incident names it. Milliseconds. */
export interface Suspected {
  id: number;
  name: string;
  version: string | null;
  author: string | null;
  startedAt: number;
  /** Null: nobody said. */
  finishedAt: number | null;
}

/** When it last did something before that time. */
const lastDoing = ({ startedAt, finishedAt }: Suspected, at: number): number =>
  finishedAt !== null && finishedAt <= at ? finishedAt : startedAt;

const isUnderWay = ({ startedAt, finishedAt }: Suspected, at: number): boolean =>
  finishedAt !== null && startedAt <= at && at < finishedAt;

/**
 * Which of these deployments an incident names that started at this time: one that was under way, or ended (or began, where
 * nobody knows the end) within the quarter of an hour before; the one whose end or beginning is nearest. Null: none.
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

/** A version as people say it: of a commit the beginning. */
export const shortVersion = (version: string): string =>
  COMMIT.test(version) ? version.slice(0, SHORT_COMMIT) : version.slice(0, MAX_VERSION);

/** What is said of an incident that started at this time and of the deployment that it names. */
export function messageOfSuspect(deployment: Suspected, at: number): MessageDescriptor {
  const { name, version, author } = deployment;
  const said = {
    name,
    version: version === null ? "" : shortVersion(version),
    ...(author === null ? { by: "nobody" as const } : { by: "somebody" as const, author }),
  };
  return isUnderWay(deployment, at)
    ? msg("deployment.during", said)
    : msg("deployment.before", { ...said, after: Math.max(0, at - lastDoing(deployment, at)) });
}

/** Whether news of a deployment say something newer than what is known: what comes again or late changes nothing. */
export const isNewer = (known: ReportedState, incoming: ReportedState): boolean =>
  incoming.reportedAt > known.reportedAt ||
  // Forges say to the second when it was.
  (incoming.reportedAt === known.reportedAt && known.status === "started" && incoming.status !== "started");

/** Whether a deployment is said to begin of which the end is known. */
export const isLateStart = (
  known: Pick<ReportedState, "status">,
  incoming: Pick<ReportedState, "status">,
): boolean => known.status !== "started" && incoming.status === "started";

interface ReportedState {
  status: DeploymentStatus;
  reportedAt: number;
}
