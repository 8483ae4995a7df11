import { type Static, Type } from "typebox";
import { OUTCOME_NAMES } from "../../checks/outcome.ts";
import { inEnglish } from "../../platform/i18n/english.ts";
import {
  MONITOR_KINDS,
  type MonitorKind,
  STATUSES,
  type Status,
  shownStatus,
} from "../../platform/monitor-defaults.ts";
import {
  MessageSchema,
  nullable,
  oneOf,
  sentenceOf,
  Timestamp,
  timestamp,
  Uuid,
} from "../../platform/operations/field.ts";
import type { ProbeResult } from "../probe/link.ts";
import type { Transition } from "../status/state.ts";

/** What is said of every monitor. */
export const MONITOR_STATUSES = ["up", "down", "unknown"] as const;
export type MonitorStatus = (typeof MONITOR_STATUSES)[number];

export const MonitorStatus = oneOf(MONITOR_STATUSES, {
  description: "Confirmed status; degraded reads `up`. `unknown` before the first check and while paused.",
});

export const MonitorId = Type.Integer({ description: "The domain, service or device.", examples: [7] });
export const Kind = oneOf(MONITOR_KINDS);
const State = oneOf(STATUSES, {
  description: "The full state behind `status`.",
});
export const MonitorName = Type.String({ description: "Of the monitor.", examples: ["Shop"] });
export const EventReason = nullable(
  Type.String({ examples: ["The connection was refused."] }),
  "Null when all is well.",
);

export const StatusChange = Type.Object({
  monitorId: MonitorId,
  uuid: Uuid,
  kind: Kind,
  name: MonitorName,
  from: Type.Unsafe<Static<typeof State>>({ ...State, description: "The state before." }),
  status: MonitorStatus,
  state: State,
  statusSince: Type.Unsafe<string>({ ...Timestamp, description: "When it became true." }),
  detectedAt: Type.Unsafe<string>({ ...Timestamp, description: "When it was confirmed." }),
  reason: EventReason,
  reasonFact: MessageSchema,
  location: nullable(
    Type.String({ examples: ["local"] }),
    "Where it was noticed last; null: everywhere alike.",
  ),
});

export const CheckResult = Type.Object({
  monitorId: MonitorId,
  kind: Kind,
  location: Type.String({ examples: ["local"] }),
  timestamp: Timestamp,
  verdict: oneOf(OUTCOME_NAMES, {
    description:
      "`probe_fault`: a problem of the checking machine itself, which says nothing of the monitor.",
  }),
  status: MonitorStatus,
  state: State,
  statusCode: nullable(Type.Integer(), "Of the HTTP answer."),
  responseTime: nullable(Type.Number(), "Milliseconds."),
  reason: Type.Optional(Type.String({ description: "Only when the check did not pass." })),
  reasonFact: Type.Optional(MessageSchema),
});

/**
 * What the events of the live stream carry, one function a type of event. They are projected when they are
 * written, once, and every process sends them as they are in the log. `monitorId` is the domain's or
 * service's id; `status` has the specification's three values, `state` all of ours.
 */
export interface LiveMonitor {
  monitorId: number;
  uuid: string;
  kind: MonitorKind;
  name: string;
}

/** Type `results`: every check of one batch that is new. Short: there is one for every check made. */
export const projectResults = (
  results: readonly { monitor: LiveMonitor; state: Status; result: ProbeResult }[],
): { results: ResultData[] } => ({
  results: results.map(({ monitor, state, result }) => ({
    monitorId: monitor.monitorId,
    kind: monitor.kind,
    location: result.location,
    timestamp: timestamp(result.scheduledAt),
    verdict: result.verdict,
    status: shownStatus(state),
    state,
    statusCode: result.statusCode,
    responseTime: result.phases.totalUs === null ? null : result.phases.totalUs / 1000,
    ...(result.reason !== null && { reason: inEnglish(result.reason), reasonFact: result.reason }),
  })),
});

/** Type `status`: a monitor changed. */
export const projectStatusChange = (
  { monitorId, uuid, kind, name }: LiveMonitor,
  change: Transition,
): Static<typeof StatusChange> => ({
  monitorId,
  uuid,
  kind,
  name,
  from: change.from,
  status: shownStatus(change.to),
  state: change.to,
  statusSince: timestamp(change.since),
  detectedAt: timestamp(change.detectedAt),
  reason: sentenceOf(change.reason),
  reasonFact: change.reason,
  location: change.location,
});

/** One check, as a `results` event has it. */
export type ResultData = Static<typeof CheckResult>;
