import { type Static, type TSchema, Type } from "typebox";
import type { Phases as MeasuredPhases } from "../../checks/check.ts";
import { RESULT_STATES, resultState, type StoredOutcome } from "../../checks/outcome.ts";
import type { MonitorStatus } from "../../engine/schemas/live.ts";
import { MAX_TAG_LENGTH, MAX_TAGS } from "../../platform/formats/name.ts";
import {
  HIDDEN,
  MAX_CONFIRMATIONS,
  MAX_DESCRIPTION_LENGTH,
  MAX_INTERVAL_SECONDS,
  MAX_OBJECTIVE,
  MAX_OBJECTIVE_DAYS,
  MAX_PARENTS,
  MAX_RECHECK_DELAY_SECONDS,
  MAX_TIMEOUT_SECONDS,
  MIN_INTERVAL_SECONDS,
  MIN_OBJECTIVE_DAYS,
  MONITOR_DEFAULTS,
  MONITOR_KINDS,
  SEVERITIES,
  STATUSES,
  type Status,
  shownStatus,
} from "../../platform/monitor-defaults.ts";
import { milliseconds, ms, oneOf, Uuid } from "../../platform/operations/field.ts";
import type { ChangeHint, SecretHint } from "../../platform/secrets/config-secrets.ts";
import { CERTIFICATE_STATUSES } from "../certificate-status.ts";
import type { MonitorSettings } from "../settings.ts";

export const FULL_STATES = [...STATUSES, "paused"] as const;

export const FullState = oneOf(FULL_STATES, {
  description: "The full state behind `status`.",
});

export const Flapping = Type.Boolean({
  description: "Changing between up and down too often to be reported each time.",
});

export const CertificateStatus = oneOf(CERTIFICATE_STATUSES, {
  description:
    "`expiring_soon`: within 14 days, or the monitor's own `certificateExpiryDays`. `none`: no certificate seen, as with http.",
});

/** A monitor among others that are named. */
export const NamedMonitor = Type.Object({
  id: Type.Integer(),
  uuid: Uuid,
  kind: oneOf(MONITOR_KINDS),
  name: Type.String(),
});

/** What is paused is unknown by status; its state says why. */
export const stateOf = (status: Status, enabled: boolean) => (enabled ? status : "paused");

export const ResultState = oneOf(RESULT_STATES, {
  description: "`degraded`: passed, but slower than allowed. `unknown`: the probe itself had no network.",
});

/** What one check says of the monitor. A probe's own fault says nothing about it. */
export const resultStatus = (outcome: StoredOutcome): MonitorStatus => shownStatus(resultState(outcome));

export const Phases = Type.Object(
  {
    dns: ms("Name resolution."),
    connect: ms("TCP connection."),
    tls: ms("TLS handshake."),
    firstByte: ms("From the request to the first byte of the answer."),
    transfer: ms("From there to the last byte that was read."),
    total: ms("The whole check."),
  },
  {
    title: "Phases",
    description: "What the time was spent on. Milliseconds; null for a phase that did not happen.",
  },
);

/** Microseconds of the phases as milliseconds. */
export function projectPhases(phases: MeasuredPhases): Static<typeof Phases> {
  return {
    dns: milliseconds(phases.dnsUs),
    connect: milliseconds(phases.connectUs),
    tls: milliseconds(phases.tlsUs),
    firstByte: milliseconds(phases.firstByteUs),
    transfer: milliseconds(phases.transferUs),
    total: milliseconds(phases.totalUs),
  };
}

/** The hint to forms that a new monitor has this value where none is sent. */
export const usual = (value: unknown) => (value === undefined ? {} : { "x-usual": value });

/**
 * What may be set of every monitor, however it is checked. Forms are made from it (docs/api.md): `x-usual` is what a
 * new one has, `x-when` under which choices of other fields this one means something, `x-kept` what
 * represents a stored value that is not shown.
 */
export const monitorSettings = {
  description: Type.String({
    maxLength: MAX_DESCRIPTION_LENGTH,
    description: `What people should know of it: what it is for, who looks after it, what to do when it is down. Plain text of at most ${MAX_DESCRIPTION_LENGTH.toLocaleString("en")} characters, found by search. Default: none.`,
    examples: ["The shop's payment gateway.\nOn call: +49 30 1234"],
    ...usual(MONITOR_DEFAULTS.description),
  }),
  checkInterval: Type.Integer({
    minimum: MIN_INTERVAL_SECONDS,
    maximum: MAX_INTERVAL_SECONDS,
    description:
      "Seconds between two checks; the plan says how small (free 300, pro 60, expert 10). Default: 60.",
    examples: [60],
    ...usual(MONITOR_DEFAULTS.intervalSeconds),
  }),
  timeout: Type.Integer({
    minimum: 1,
    maximum: MAX_TIMEOUT_SECONDS,
    description: "Seconds until a check is given up, below checkInterval. Default: 10.",
    examples: [10],
    ...usual(MONITOR_DEFAULTS.timeoutSeconds),
  }),
  enabled: Type.Boolean({ description: "False pauses it.", ...usual(MONITOR_DEFAULTS.enabled) }),
  locations: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
    maxItems: 100,
    description:
      "Codes of the locations to check from. Default: [], which is all of them, or the first ones that the plan allows.",
    examples: [["local"]],
    ...usual([]),
  }),
  confirmations: Type.Integer({
    minimum: 1,
    maximum: MAX_CONFIRMATIONS,
    description: "Failures in a row until down. Default: 2.",
    ...usual(MONITOR_DEFAULTS.confirmations),
  }),
  recoveries: Type.Integer({
    minimum: 1,
    maximum: MAX_CONFIRMATIONS,
    description: "Successes in a row until up again. Default: 2.",
    ...usual(MONITOR_DEFAULTS.recoveries),
  }),
  recheckDelay: Type.Integer({
    minimum: 0,
    maximum: MAX_RECHECK_DELAY_SECONDS,
    description:
      "Seconds between a check that has to be confirmed and the one that confirms it, at most the check interval. Default: 2.",
    ...usual(MONITOR_DEFAULTS.recheckDelaySeconds),
  }),
  severity: oneOf(SEVERITIES, {
    description: "Of the incident that an outage opens. Default: high.",
    ...usual(MONITOR_DEFAULTS.severity),
  }),
  objective: Type.Number({
    minimum: 0,
    maximum: MAX_OBJECTIVE,
    description:
      "How much of the time it should be up, percent. What that allows to be down is its error budget (docs/objectives.md). Default: 0, which is none.",
    examples: [99.9],
    ...usual(MONITOR_DEFAULTS.objective),
  }),
  objectiveDays: Type.Integer({
    minimum: MIN_OBJECTIVE_DAYS,
    maximum: MAX_OBJECTIVE_DAYS,
    description: "Of how many days that is, back from now. Default: 30.",
    ...usual(MONITOR_DEFAULTS.objectiveDays),
  }),
  tags: Type.Array(Type.String({ maxLength: MAX_TAG_LENGTH, format: "tag" }), {
    maxItems: MAX_TAGS,
    description: `At most ${MAX_TAGS} of ${MAX_TAG_LENGTH} characters.`,
  }),
  parents: Type.Array(Type.String({ format: "uuid" }), {
    maxItems: MAX_PARENTS,
    description: `Uuids of the domains and services that it depends on, at most ${MAX_PARENTS}: while one of them is down, no incident opens for it, and a channel that is notified of that one is not notified of it by itself, unless it is more severe.`,
    examples: [[]],
    "x-refers": "monitors",
    ...usual([]),
  }),
};

/** All fields optional. */
export function optional<T extends Record<string, TSchema>>(fields: T) {
  return Object.fromEntries(
    Object.entries(fields).map(([name, schema]) => [name, Type.Optional(schema)]),
  ) as {
    [K in keyof T]: ReturnType<typeof Type.Optional<T[K]>>;
  };
}

/**
 * A field of a check's own config, as the API takes it. Its default becomes the hint `x-usual`: an update must not
 * bring any along. What is marked as never returned becomes `writeOnly`; other marks of secrets stay.
 */
export function configField(schema: TSchema, changes: object = {}): TSchema {
  const {
    default: value,
    "x-secret": secret,
    "x-change": _,
    ...rest
  } = schema as TSchema & { default?: unknown } & Partial<SecretHint & ChangeHint>;
  const isHidden = secret === "hidden";
  const hint = secret !== undefined && (isHidden ? { writeOnly: true } : { "x-secret": secret });
  const keepable = secret === "headers" && { "x-kept": HIDDEN };
  return Type.Unsafe({ ...rest, ...usual(value), ...hint, ...keepable, ...changes });
}

/** What the verbs call by another name: theirs end in the unit. */
const VERB_NAMES: Readonly<Record<string, string>> = {
  checkInterval: "intervalSeconds",
  timeout: "timeoutSeconds",
  recheckDelay: "recheckDelaySeconds",
  protocol: "type",
  protocolConfig: "config",
};

/** What the verbs call a field. */
export const verbName = (name: string): string => VERB_NAMES[name] ?? name;

/** The settings of every monitor, as the API shows them. */
export const projectMonitorSettings = (settings: MonitorSettings) =>
  ({
    ...Object.fromEntries(
      Object.keys(monitorSettings).map((name) => [name, settings[verbName(name) as keyof MonitorSettings]]),
    ),
    locations: settings.locations ?? [],
  }) as { [K in keyof typeof monitorSettings]: Static<(typeof monitorSettings)[K]> };

/** Of a value, what has one of these names. */
export const pick = (names: Iterable<string>, value: object): Record<string, unknown> =>
  Object.fromEntries(
    [...names].flatMap((name) => {
      const found = (value as Record<string, unknown>)[name];
      return found === undefined ? [] : [[name, found]];
    }),
  );
