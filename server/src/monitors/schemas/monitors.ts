import { type Static, Type } from "typebox";
import { MonitorStatus } from "../../engine/schemas/live.ts";
import type { ErrorBudget } from "../../engine/status/objective.ts";
import { MAX_INTERVAL_SECONDS, shownStatus } from "../../platform/monitor-defaults.ts";
import {
  fromOutside,
  MessageSchema,
  milliseconds,
  ms,
  nullable,
  oneOf,
  percent,
  percentage,
  sentenceOf,
  Timestamp,
  timestamp,
  timestampOrNull,
  Uuid,
} from "../../platform/operations/field.ts";
import { certificateStatus } from "../certificate-status.ts";
import type { ShownMonitor } from "../monitor.ts";
import type { MonitorObjective as ObjectiveState } from "../monitor-detail.ts";
import { CertificateStatus, Flapping, FullState, NamedMonitor, stateOf } from "./monitor-input.ts";

/** What lists and details of every kind of monitor show. */
export const monitorFields = {
  id: Type.Integer({ examples: [42] }),
  uuid: Uuid,
  name: Type.String({ examples: ["Example"] }),
  status: MonitorStatus,
  state: FullState,
  flapping: Flapping,
  maintenanceUntil: nullable(
    Timestamp,
    "Until when it is in maintenance: it is checked, but no notifications of problems are sent. Null: it is not.",
  ),
  suppressedBy: nullable(
    NamedMonitor,
    "What it depends on that is down: so is it, but no incident opens for it and no notifications are sent. Null: nothing holds its outages back.",
  ),
  statusSince: nullable(Timestamp, "When the state became what it is."),
  uptimePercentage: percent("Time-weighted over the last 24 hours."),
  responseTime: ms("Of the last check."),
  lastCheck: nullable(Timestamp, "When the last check was due."),
  lastReason: fromOutside(nullable(Type.String(), "What the last check found wrong, as a sentence.")),
  lastReasonFact: MessageSchema,
  checkInterval: Type.Integer({ description: "Seconds.", examples: [60] }),
  enabled: Type.Boolean({ description: "False: paused." }),
  tags: Type.Array(Type.String()),
  parents: Type.Array(Uuid, { description: "Uuids of the domains and services that it depends on." }),
  certificateStatus: CertificateStatus,
  certificateExpiresAt: nullable(
    Timestamp,
    "When it stops to verify, by the first end on the path to a trust anchor.",
  ),
  certificateUnverified: Type.Boolean({
    description: "True: it is accepted even if it is not valid (`ignoreCertificate`).",
  }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
};

type Shown = { [K in keyof typeof monitorFields]: Static<(typeof monitorFields)[K]> };

/** A monitor as lists show it. `now` in milliseconds. */
export function projectMonitor(monitor: ShownMonitor, now: number): Shown {
  return {
    id: monitor.id,
    uuid: monitor.uuid,
    name: monitor.name,
    status: shownStatus(monitor.status),
    state: stateOf(monitor.status, monitor.enabled),
    flapping: monitor.flapping,
    maintenanceUntil: timestampOrNull(monitor.maintenanceUntil),
    suppressedBy: monitor.suppressedBy,
    statusSince: timestampOrNull(monitor.statusSince),
    uptimePercentage: percentage(monitor.uptimePercentage),
    responseTime: milliseconds(monitor.lastTotalUs),
    lastCheck: timestampOrNull(monitor.lastCheckAt),
    lastReason: sentenceOf(monitor.lastReason),
    lastReasonFact: monitor.lastReason,
    // By a cron expression it may be longer than one that can be set.
    checkInterval: Math.min(monitor.intervalSeconds, MAX_INTERVAL_SECONDS),
    enabled: monitor.enabled,
    tags: monitor.tags,
    parents: monitor.parents,
    certificateStatus: certificateStatus(monitor.certificate, now),
    certificateExpiresAt: timestampOrNull(monitor.certificate?.expiresAt ?? null),
    certificateUnverified: monitor.certificate?.unverified ?? false,
    createdAt: timestamp(monitor.createdAt),
    updatedAt: timestamp(monitor.updatedAt),
  };
}

const seconds = (description: string) => Type.Integer({ description: `${description} Seconds.` });

/** What an objective allows to be down, and what is left of that. */
const Budget = Type.Object(
  {
    allowedSeconds: seconds(
      "What the objective allows to be down: its part of all the days, without maintenance and what is unknown.",
    ),
    usedSeconds: seconds("Confirmed downtime outside maintenance."),
    leftSeconds: seconds("What is left; negative where more was used than is allowed."),
    leftPercentage: nullable(
      Type.Number({ examples: [62.5] }),
      "The same in percent of what is allowed; null where nothing is, because none of the time counts.",
    ),
    knownSeconds: seconds("How long the status was known outside maintenance: what the uptime is of."),
    uptimePercentage: percent("Time-weighted over the days of the objective."),
  },
  { title: "ErrorBudget" },
);

/** Of a monitor that may have no objective. */
export const BudgetOrNull = nullable(
  Budget,
  "What is left of its error budget, over the days of its objective; in a report, at its end. Null without an objective.",
);

const Burn = Type.Object(
  {
    seconds: Type.Integer({ description: "The span, back from now.", examples: [3600] }),
    rate: Type.Number({
      description:
        "How many times as fast as the budget lasts it was used in this span: at 1 it is used up exactly when its days are over.",
      examples: [0.4],
    }),
    limit: Type.Number({
      description: "From here on a notification is sent, if the last twelfth of the span was as fast.",
      examples: [14.4],
    }),
    level: oneOf(["fast", "slow"], {
      description: "The urgency of the notification: `fast` is for now, `slow` for these days.",
    }),
  },
  { title: "BurnRate" },
);

/** GET /api/domains/{id}/monitoring/objective; of services likewise. */
export const MonitorObjective = Type.Object(
  {
    objective: Type.Number({
      description: "How much of the time it should be up, percent; 0: it has no objective.",
      examples: [99.9],
    }),
    objectiveDays: Type.Integer({ description: "Of how many days that is, back from now.", examples: [30] }),
    budget: BudgetOrNull,
    burnRates: Type.Array(Burn, { description: "The shortest span first; none without an objective." }),
    alert: nullable(
      Type.Object(
        {
          level: oneOf(["fast", "slow"]),
          since: Type.Unsafe<string>({ ...Timestamp, description: "Since when it has been this level." }),
        },
        { title: "BurnAlert" },
      ),
      "The open alert that its budget is being used up too fast; null: it is not.",
    ),
  },
  { title: "MonitorObjective" },
);

const inSeconds = (ms: number): number => Math.round(ms / 1000);

/** A budget in whole seconds: what is used and what is left make up what is allowed. */
export function projectBudget(budget: ErrorBudget): Static<typeof Budget> {
  const allowedSeconds = inSeconds(budget.allowedMs);
  const usedSeconds = inSeconds(budget.usedMs);
  return {
    ...{ allowedSeconds, usedSeconds, leftSeconds: allowedSeconds - usedSeconds },
    leftPercentage: budget.leftPercent === null ? null : Math.floor(budget.leftPercent * 100) / 100,
    knownSeconds: inSeconds(budget.knownMs),
    uptimePercentage: percentage(budget.uptime),
  };
}

/** A burn rate in hundredths. */
export const projectRate = (rate: number): number => Math.round(rate * 100) / 100;

/** The state of a monitor by its objective. */
export const projectObjective = (state: ObjectiveState): Static<typeof MonitorObjective> => ({
  objective: state.objective,
  objectiveDays: state.days,
  budget: state.budget && projectBudget(state.budget),
  burnRates: state.burns.map(({ spanMs, rate, limit, level }) => ({
    ...{ seconds: inSeconds(spanMs), rate: projectRate(rate), limit, level },
  })),
  alert: state.alert && { level: state.alert.level, since: timestamp(state.alert.since) },
});
