import { type Static, type TSchema, Type } from "typebox";
import { nullable, oneOf, Uuid } from "../../platform/operations/field.ts";
import { MEASURED_FROM_ZERO, METRIC_TYPES } from "../devices/metrics/usage.ts";

/** How many of a list one report may have: the server refuses more, so the agent cuts. */
export const MAX_ITEMS = {
  processes: 200,
  connections: 2_000,
  applications: 10_000,
  containers: 1_000,
} as const;

/** A machine with 256 processors has a metric for each. */
export const MAX_METRICS = 1_000;

/** Of mounts that do not answer. */
export const MAX_MOUNTS = 100;
/** Of a path, characters. */
export const MAX_PATH = 1_024;

const TEXT = "[^\\u0000-\\u001f\\u007f]";
const START = `(?:${METRIC_TYPES.join("|")})`;

/** What follows the first dot. */
const LONGEST = 200;

/** `cpu.usage`, `memory.used`, `disk./var.usage`, `network.eth0.rx` …; the middle is the device's own name. */
const METRIC_NAME = `^${START}\\.${TEXT}{1,${LONGEST}}$`;

const endingIn = (part: string) => `(?:${TEXT}{0,${LONGEST - part.length - 1}}\\.)?${part}`;

/** Those of them that are never below zero. No name of another length: a schema takes what fits any of its patterns. */
export const FROM_ZERO = `^${START}\\.(?:${MEASURED_FROM_ZERO.map(endingIn).join("|")})$`;

/** What one request may bring, unpacked. Older agents need not know: the answer says it. */
export const MAX_REPORT_BYTES = 2 * 1024 * 1024;
/** Metrics, texts and lists together: no more of them fit into so many bytes with their names. */
export const MAX_REPORT_VALUES = 200_000;
/** In one request. */
export const MAX_REPORTS = 100;

const text = (maxLength: number, description?: string) =>
  Type.String({ maxLength, ...(description && { description }) });
/** Without control characters. */
const plainText = (maxLength: number) =>
  Type.String({ minLength: 1, maxLength, pattern: "^[^\\u0000-\\u001f\\u007f]*$" });
/** An absolute path, of Windows as well, without control characters. */
const mountPath = Type.String({
  maxLength: MAX_PATH,
  pattern: "^(?:/|[A-Za-z]:)[^\\u0000-\\u001f\\u007f]*$",
});
/** Numbers of JSON are finite by themselves; NaN is no JSON. */
const amount = (description: string) => Type.Number({ minimum: 0, maximum: 1e18, description });
const count = (maximum: number, description: string) => Type.Integer({ minimum: 0, maximum, description });
const moment = (description: string) => Type.Integer({ minimum: 0, maximum: 8.64e15, description });
const closed = { additionalProperties: false } as const;

const System = Type.Object(
  {
    hostname: plainText(255),
    platform: text(40, "As Node calls it: `linux`, `darwin`, `win32` …"),
    os: text(255, "For people, e.g. `Debian GNU/Linux 13 (trixie)`."),
    kernel: text(255),
    architecture: text(40),
    cpu: text(255),
    cpuCores: count(100_000, "How many the system has."),
    totalMemory: amount("Bytes."),
    totalSwap: amount("Bytes."),
    totalDisk: amount("Bytes, of all real file systems."),
    bootedAt: moment("Milliseconds since 1970, by the device's clock."),
  },
  closed,
);

const Metrics = Type.Unsafe<Record<string, number>>({
  type: "object",
  description:
    "By name: `cpu.usage`, `disk./var.used` … Only temperatures, and what Vedette does not know by the last part of its name, may be below zero.",
  patternProperties: {
    [METRIC_NAME]: Type.Number({ minimum: -1e18, maximum: 1e18 }),
    [FROM_ZERO]: Type.Number({ minimum: 0 }),
  },
  maxProperties: MAX_METRICS,
  ...closed,
});

export const Process = Type.Object(
  {
    pid: count(2 ** 32, "The number of the process."),
    name: text(255),
    command: text(4_096, "Its command line; the agent masks secrets in it."),
    cpuPercent: Type.Number({
      minimum: 0,
      maximum: 1e6,
      description: "Of one core, since the previous look.",
    }),
    memoryMB: amount("Megabytes of 1,048,576 bytes."),
    status: text(40),
    user: text(255),
  },
  closed,
);

export const Connection = Type.Object(
  {
    localAddress: text(64),
    localPort: count(65_535, "The TCP or UDP port on the device."),
    remoteAddress: nullable(text(64)),
    remotePort: nullable(count(65_535, "Of the other end; null: there is no connection.")),
    protocol: oneOf(["tcp", "udp"]),
    status: text(40),
    processName: nullable(text(255)),
  },
  closed,
);

export const Application = Type.Object(
  {
    name: text(255),
    version: text(255),
    publisher: nullable(text(255)),
    installPath: nullable(text(1_024)),
    size: nullable(amount("Bytes.")),
    isRunning: Type.Boolean(),
  },
  closed,
);

export const Container = Type.Object(
  { id: text(64), name: text(255), image: text(512), state: text(40), status: text(255) },
  closed,
);

/** A list that may be cut where it is long. */
const snapshot = <Item extends TSchema>(item: Item, maxItems: number) =>
  Type.Object(
    {
      total: count(10_000_000, "How many there are, also of those that are not sent."),
      items: Type.Array(item, { maxItems }),
    },
    closed,
  );

const Report = Type.Object(
  {
    sequence: Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description:
        "Grows by one with each report of an installation; one that is known already changes nothing.",
    }),
    at: moment(
      "When it was collected, by the clock of `sentAt`. A later time counts as that, one more than 25 hours earlier as 25 hours earlier.",
    ),
    system: Type.Optional(System),
    metrics: Type.Optional(Metrics),
    unresponsiveMounts: Type.Optional(
      Type.Array(mountPath, {
        maxItems: MAX_MOUNTS,
        description:
          "Where file systems are mounted of which `metrics` say nothing because they did not answer; absent: all of them did.",
      }),
    ),
    processes: Type.Optional(snapshot(Process, MAX_ITEMS.processes)),
    connections: Type.Optional(snapshot(Connection, MAX_ITEMS.connections)),
    applications: Type.Optional(snapshot(Application, MAX_ITEMS.applications)),
    containers: Type.Optional(snapshot(Container, MAX_ITEMS.containers)),
  },
  { ...closed, title: "AgentReport" },
);

/** POST /api/agent/report. */
export const AgentReports = Type.Object(
  {
    agent: Type.Object(
      {
        version: text(40),
        instance: Type.String({ ...Uuid, description: "Of this installation, made when it was." }),
        machineId: nullable(text(64), "A digest of the machine's own id; copies of a machine share it."),
        bootId: text(64, "Until the machine starts again."),
        run: Type.String({ ...Uuid, description: "Until the agent starts again." }),
      },
      closed,
    ),
    sentAt: moment("When this was sent, by the device's clock: how far that is off is found by it."),
    dropped: Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: "Reports given up since the agent started, because more waited than it keeps.",
    }),
    reports: Type.Array(Report, {
      minItems: 1,
      maxItems: MAX_REPORTS,
      description: "In the order of `sequence`.",
    }),
  },
  { ...closed, title: "AgentReports" },
);
export type AgentReports = Static<typeof AgentReports>;
export type AgentReport = Static<typeof Report>;

const seconds = (description: string) => Type.Integer({ minimum: 5, description });

/** The answer to reports. */
export const AgentAnswer = Type.Object(
  {
    acknowledged: Type.Integer({ description: "Everything up to this sequence is stored." }),
    serverTime: moment("Milliseconds since 1970."),
    intervals: Type.Object(
      {
        metrics: seconds("Seconds between two reports."),
        processes: seconds("Seconds between two reports with processes and containers."),
        connections: seconds("Seconds between two reports with connections."),
        applications: seconds("Seconds between two reports with applications."),
      },
      { description: "How often the server wants a report." },
    ),
    limits: Type.Object({
      bodyBytes: Type.Integer({ description: "Of one request, unpacked." }),
      reports: Type.Integer({ description: "In one request." }),
    }),
  },
  { title: "AgentAnswer" },
);
export type AgentAnswer = Static<typeof AgentAnswer>;

const shortText = (maxLength: number) => Type.String({ maxLength });

/** POST /api/agent/enroll: a machine that is to become a device. */
export const AgentEnrollment = Type.Object(
  {
    instance: Type.String({ ...Uuid, description: "Of this installation of the agent, made when it was." }),
    machineId: nullable(shortText(64)),
    hostname: {
      ...plainText(255),
      // Not spaces alone: it is to be a name.
      pattern: "^[^\\S\\u0000-\\u001f]*[^\\s\\u0000-\\u001f\\u007f][^\\u0000-\\u001f\\u007f]*$",
      description: "What the device is to be called.",
    },
    platform: shortText(40),
    architecture: shortText(40),
  },
  { additionalProperties: false, title: "AgentEnrollment" },
);

/** What it is answered. */
export const AgentEnrolled = Type.Object(
  {
    deviceId: Uuid,
    token: Type.String({ description: "What it reports with from now on; shown only this once." }),
  },
  { title: "AgentEnrolled" },
);
