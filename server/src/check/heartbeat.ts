import { randomBytes } from "node:crypto";
import { type Static, Type } from "typebox";
import type { SecretHint } from "../secret/config-secrets.ts";
import type { PassiveKind } from "./check.ts";

const changers: SecretHint = { "x-secret": "changers" };
const GRACE_SECONDS = 60;

const heartbeatConfigSchema = Type.Object(
  {
    grace: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 86_400,
        default: GRACE_SECONDS,
        description:
          "Seconds that a heartbeat may come later than the check interval says before the monitor is down.",
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
      "Waits to be told: a job requests the monitor's address (GET, HEAD or POST) whenever it has run, and the monitor is down when a check interval and the grace have passed without. It stays unknown until the first heartbeat.",
  },
);

type HeartbeatConfig = Static<typeof heartbeatConfigSchema>;

/** A job that says when it has run. */
export const checkHeartbeat: PassiveKind<HeartbeatConfig> = {
  type: "heartbeat",
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
  },
};
