import { type Static, type TSchema, Type } from "typebox";
import type { KindDefaults } from "../../checks/check.ts";
import {
  capital,
  fromOutside,
  IdText,
  MessageSchema,
  ms,
  nullable,
  oneOf,
  sentenceOf,
  Timestamp,
  timestamp,
  timestampOrNull,
} from "../../platform/operations/field.ts";
import { PageQuery } from "../../platform/operations/paging.ts";
import { HEARTBEAT_SIGNALS } from "../../platform/signalled-types.ts";
import type { HeartbeatItem } from "../heartbeat-log.ts";
import type { HeartbeatState } from "../miss-signals.ts";
import type { ShownMonitor } from "../monitor.ts";
import { shownTimeout } from "../monitor.ts";
import type { MonitorDetail } from "../monitor-detail.ts";
import type { MonitorInput } from "../settings.ts";
import { anyCheckFields, CHECK_CONFIGS } from "./check-configs.ts";
import { detailFields, monitorFilters, projectMonitorDetail, SortQuery } from "./monitor-detail.ts";
import { monitorSettings, optional, pick, usual, verbName } from "./monitor-input.ts";
import { monitorFields, projectMonitor } from "./monitors.ts";

/** Which run of a job it is about, so that several may be under way. */
const RunName = Type.String({
  pattern: "^[A-Za-z0-9._-]{1,64}$",
  description:
    "What the job calls this run, where several may be under way at the same time: the same at its start and its end, 1 to 64 letters, digits, dots, - or _. A UUID will do.",
});

/** What a job may say. */
export const HeartbeatInput = Type.Object({
  id: IdText,
  token: Type.String({
    description: "The service's `protocolConfig.token`; its holder can send heartbeats.",
  }),
  signal: Type.Optional(
    Type.String({
      description:
        "`start`, `fail`, `log`, or the exit code of the job: 0 is success, 1 to 255 are failures.",
      examples: ["start"],
    }),
  ),
  rid: Type.Optional(RunName),
  message: Type.Optional(Type.String()),
  cut: Type.Optional(Type.Boolean()),
});

/** GET /api/services/{id}/heartbeats. */
export const HeartbeatsQuery = Type.Object({
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1000,
      default: 100,
      description: "This many of the newest, and what came at the same moment as the last one.",
    }),
  ),
  before: Type.Optional(
    Type.String({
      format: "date-time",
      description: "Only what is older: send the last one's `timestamp` for the next page.",
    }),
  ),
});

const exitCode = nullable(
  Type.Integer({ minimum: 0, maximum: 255 }),
  "As the job reported it; null: it did not.",
);
const run = nullable(Type.String(), "What the job calls its run.");

/** What a job reported, or that it did not. */
export const HeartbeatEvent = Type.Array(
  Type.Object(
    {
      timestamp: Timestamp,
      signal: oneOf([...HEARTBEAT_SIGNALS, "missed"], {
        description: "What was reported; `missed`: nothing was, in time, or a run has not ended.",
      }),
      exitCode,
      run,
      runtime: ms("From the run's start to its end."),
      reason: fromOutside(nullable(Type.String(), "What is wrong, as a sentence.")),
      reasonFact: MessageSchema,
      message: fromOutside(
        nullable(
          Type.String(),
          "What the job sent along, for those who may change the service; null for all others.",
        ),
      ),
      messageCut: Type.Boolean({
        description: "True: it was longer than 10 kB, and only the beginning was stored.",
      }),
    },
    { title: "HeartbeatEvent" },
  ),
);

/** One of them. */
export const projectHeartbeat = (item: HeartbeatItem): Static<typeof HeartbeatEvent>[number] => ({
  timestamp: timestamp(item.at),
  signal: item.signal,
  exitCode: item.exitCode,
  run: item.run === "" ? null : item.run,
  runtime: item.runtimeMs,
  reason: sentenceOf(item.reason),
  reasonFact: item.reason,
  message: item.message,
  messageCut: item.isCut,
});

/** The state of a job that sends heartbeats. */
const HeartbeatDetail = Type.Object(
  {
    lastAt: nullable(Timestamp, "When the last signal arrived; null: none since it was made or resumed."),
    expectedAt: nullable(Timestamp, "When the next signal is due; late once the grace has passed, too."),
    runs: Type.Array(
      Type.Object({
        run,
        startedAt: Timestamp,
        lateAt: nullable(Timestamp, "When it has taken too long; null: that has been reported."),
      }),
      { description: "The runs that have started and not ended, the newest first." },
    ),
  },
  { title: "HeartbeatDetail" },
);

const projectHeartbeatState = (state: HeartbeatState): Static<typeof HeartbeatDetail> => ({
  lastAt: state.lastAt,
  expectedAt: timestampOrNull(state.expectedAt),
  runs: state.runs.map((open) => ({
    run: open.run === "" ? null : open.run,
    startedAt: timestamp(open.startedAt),
    lateAt: timestampOrNull(open.lateAt),
  })),
});

const nameField = Type.String({
  format: "name",
  description: "1 to 255 characters. The same target may be monitored twice only under different names.",
  examples: ["Database"],
});

export const Protocol = oneOf(
  CHECK_CONFIGS.map(({ type }) => type),
  { description: "What is spoken; decides what `protocolConfig` holds." },
);

/** The configuration of any kind of check. */
const ServiceConfig = Type.Object(optional(anyCheckFields), {
  title: "ServiceConfig",
  description:
    "What the protocol needs to know, as its own schema says (in ServiceCreate). It is replaced as a whole; but what is never returned stays where it is not sent again, unless the protocol, or what is done with it (where it is sent, and for what), changes.",
});

/** The settings that a kind of check has otherwise than most, as hints to forms. */
const usualSettings = (defaults: KindDefaults) =>
  Object.fromEntries(
    Object.entries(monitorSettings).flatMap(([name, schema]) => {
      const value = defaults[verbName(name) as keyof KindDefaults];
      return value === undefined ? [] : [[name, { ...schema, ...usual(value) }]];
    }),
  );

/** PUT /api/services/{id}: any subset. */
export const ServiceUpdate = Type.Object(
  {
    name: Type.Optional(nameField),
    protocol: Type.Optional(Protocol),
    protocolConfig: Type.Optional(ServiceConfig),
    ...optional(monitorSettings),
  },
  { title: "ServiceUpdate" },
);

/** POST /api/services: one shape for each protocol. */
export const ServiceCreate = Type.Unsafe<Static<typeof ServiceUpdate>>({
  ...Type.Object(
    {
      ...ServiceUpdate.properties,
      name: nameField,
      protocol: Protocol,
      protocolConfig: ServiceConfig,
    },
    { title: "ServiceCreate" },
  ),
  discriminator: { propertyName: "protocol" },
  oneOf: CHECK_CONFIGS.map(({ type, schema, defaults }) => ({
    type: "object",
    title: `${capital(type)}Service`,
    required: ["protocol", "protocolConfig"],
    properties: { protocol: Type.Literal(type), protocolConfig: schema, ...usualSettings(defaults) },
    // The fields beside these are the same for all.
    additionalProperties: true,
  })),
});

/** A body in the verbs' terms: every field that the schema declares. */
export function readServiceInput(body: Static<typeof ServiceUpdate>): MonitorInput {
  const { protocolConfig, ...given } = pick(Object.keys(ServiceUpdate.properties), body);
  const own = Object.fromEntries(Object.entries(given).map(([name, value]) => [verbName(name), value]));
  if (!protocolConfig) return own;
  const fields = CHECK_CONFIGS.find(({ type }) => type === body.protocol)?.fields ?? anyCheckFields;
  return { ...own, config: pick(Object.keys(fields), protocolConfig) };
}

/** GET /api/services. */
export const ServiceListQuery = Type.Object({ ...PageQuery, ...monitorFilters, sort: SortQuery });

const { id, uuid, name, ...sameFields } = monitorFields;

/** What list and detail have in common. */
const serviceFields = {
  id,
  uuid,
  name,
  protocol: Protocol,
  target: Type.String({
    description: "What is checked, as the protocol names it.",
    examples: ["db.example.com:5432"],
  }),
  ...sameFields,
  timeout: Type.Integer({ description: "Seconds.", examples: [10] }),
  consecutiveFailures: Type.Integer({
    minimum: 0,
    description: "Failed checks in a row, up to the last one.",
  }),
};

export const ServiceListItem = Type.Object(serviceFields, { title: "Service" });

/** Formats say what may be sent, and so does how much of something there has to be. */
const shownFields = Object.entries(
  anyCheckFields as Record<string, TSchema & { format?: string; minItems?: number }>,
)
  .filter(([, field]) => !("writeOnly" in field))
  .map(([name, { format: _, minItems: __, ...field }]) => [name, Type.Unsafe(field)] as const);
const { tags: _, parents: ___, ...shownSettings } = monitorSettings;
const { locations, ...shownDetail } = detailFields;

export const ServiceDetail = Type.Object(
  {
    ...serviceFields,
    ...shownSettings,
    locations,
    protocolConfig: Type.Object(optional(Object.fromEntries(shownFields)), {
      title: "ServiceConfigShown",
      description: "What was set of the protocol's configuration, without credentials.",
    }),
    ...shownDetail,
    heartbeat: Type.Optional(HeartbeatDetail),
  },
  { title: "ServiceDetail" },
);

/** DELETE of a service. */
export const DeletedService = Type.Object({ id: Type.Integer(), uuid }, { title: "DeletedService" });

/** A service as lists show it. `now` in milliseconds. */
export const projectService = (service: ShownMonitor, now: number): Static<typeof ServiceListItem> => ({
  ...projectMonitor(service, now),
  protocol: service.type,
  target: service.displayTarget,
  timeout: shownTimeout(service),
  consecutiveFailures: service.consecutiveFailures,
});

/** A service in full. `now` in milliseconds. */
export const projectServiceDetail = (detail: MonitorDetail, now: number): Static<typeof ServiceDetail> => ({
  ...projectMonitorDetail(detail, now),
  ...projectService(detail, now),
  protocolConfig: detail.settings.config as Record<string, unknown>,
  ...(detail.heartbeat && { heartbeat: projectHeartbeatState(detail.heartbeat) }),
});
