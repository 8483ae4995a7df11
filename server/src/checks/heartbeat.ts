import { randomBytes } from "node:crypto";
import { type Static, Type } from "typebox";
import type { SecretHint } from "../platform/secrets/config-secrets.ts";
import { HEARTBEAT_TYPE } from "../platform/signalled-types.ts";
import type { PassiveKind } from "./check.ts";

const changers: SecretHint = { "x-secret": "changers" };
const GRACE_SECONDS = 60;
const WEEK_SECONDS = 604_800;

const heartbeatConfigSchema = Type.Object(
  {
    cron: Type.Optional(
      Type.String({
        maxLength: 100,
        format: "cron",
        description:
          "When the job runs, as a cron expression of five fields such as `0 3 * * 1-5`. The check interval then follows from it (the longest time between two runs) and need not be set. Without it, the job is expected once every check interval.",
        examples: ["0 3 * * *"],
      }),
    ),
    timeZone: Type.Optional(
      Type.String({
        maxLength: 64,
        format: "time-zone",
        default: "UTC",
        description: "The time zone of `cron`, by its name in the IANA database.",
        examples: ["Europe/Berlin"],
      }),
    ),
    grace: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 86_400,
        default: GRACE_SECONDS,
        description:
          "Seconds that a heartbeat may be late before the monitor is down. A run that has started in time may take `maxRuntime` instead.",
      }),
    ),
    maxRuntime: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: WEEK_SECONDS,
        description:
          "Seconds that a run may take, where the job says when it starts (/start). Without it, as long as the grace.",
      }),
    ),
    token: Type.Optional(
      Type.String({
        pattern: "^[A-Za-z0-9_-]{22,64}$",
        description:
          "The secret part of the address that takes the heartbeats, /api/heartbeats/{id}/{token}: 22 to 64 letters, digits, - or _. Made at random when it is not given. Shown to those who may change the monitor.",
        ...changers,
      }),
    ),
  },
  {
    additionalProperties: false,
    title: "Heartbeat",
    description:
      "Waits for a job, which requests the monitor's address (GET, HEAD or POST) whenever it has run. The monitor is down when nothing comes in time, by interval or cron expression, or when the job says that it failed. It stays unknown until the first heartbeat.",
  },
);

type HeartbeatConfig = Static<typeof heartbeatConfigSchema>;

export const checkHeartbeat: PassiveKind<HeartbeatConfig> = {
  type: HEARTBEAT_TYPE,
  phases: [],
  configSchema: heartbeatConfigSchema,
  target: () => "heartbeat",
  defaults: { confirmations: 1, recoveries: 1 },
  complete: (config, stored) => ({
    ...config,
    token: config.token ?? stored.token ?? randomBytes(24).toString("base64url"),
  }),
  passive: {
    graceSeconds: ({ grace = GRACE_SECONDS }) => grace,
    token: ({ token = "" }) => token,
    cron: ({ cron, timeZone = "UTC" }) => (cron === undefined ? null : { cron, timeZone }),
    maxRunSeconds: ({ maxRuntime, grace = GRACE_SECONDS }) => maxRuntime ?? grace,
  },
};
