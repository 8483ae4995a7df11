import { type Static, Type } from "typebox";
import { isSameSecret } from "../account/token.ts";
import type { PassiveKind } from "../check/check.ts";
import { checkKind } from "../check/registry.ts";
import type { HeartbeatSignal } from "../check/told-types.ts";
import { notFound } from "../errors.ts";
import { openConfig } from "../secret/sealed-config.ts";
import { findAssignment } from "../store/queries/incident-changes.ts";
import type { Before } from "../verb/verb.ts";
import { verb } from "../verb/verb.ts";
import { readId, Timestamp, timestamp, withId } from "../wire/field.ts";
import { HeartbeatEvent, HeartbeatInput, HeartbeatsQuery, projectHeartbeat } from "../wire/heartbeats.ts";
import { readHeartbeatLog } from "./heartbeat-log.ts";
import { MONITOR_KIND_FACTS } from "./kinds.ts";
import { findOfKind } from "./require-monitor.ts";
import { storeSignal, type ToldSignal } from "./store-signal.ts";

const MAX_EXIT_CODE = 255;

/**
 * Whoever knows the token says how the job is doing; it is stored, in a transaction of its own, when this resolves.
 * Throws 404 for any other, and for what is no signal.
 */
export const tellHeartbeat = verb({
  by: "anyone",
  resource: null,
  action: "read",
  input: HeartbeatInput,
  output: Type.Object(
    {
      receivedAt: Timestamp,
      counted: Type.Boolean({ description: "False while the service is paused." }),
    },
    { title: "Heartbeat" },
  ),
  prepare: tell,
  run: async (_ctx, _input, told) => told,
});

async function tell(ctx: Before<"anyone">, input: Static<typeof HeartbeatInput>) {
  const { monitor, passive, config } = await findTold(ctx, input);
  const told = readSignal(input.signal);
  if (told === null) throw notFound();
  const now = ctx.clock.now();
  const receivedAt = timestamp(now);
  if (!monitor.enabled) return { receivedAt, counted: false };
  await storeSignal(ctx, {
    ...told,
    monitor,
    at: now,
    run: input.rid ?? "",
    message: input.message ?? null,
    isCut: input.cut ?? false,
    maxRunMs: passive.maxRunSeconds(config as never) * 1000,
    address: ctx.visitor.address,
  });
  return { receivedAt, counted: true };
}

interface FoundHeartbeat extends Pick<PassiveKind, "passive"> {
  monitor: ToldSignal["monitor"] & { enabled: boolean };
  config: object;
}

/** The monitor of that address. Throws 404, alike for whatever is wrong with it. */
async function findTold(
  ctx: Before<"anyone">,
  { id, token }: Static<typeof HeartbeatInput>,
): Promise<FoundHeartbeat> {
  const ref = readId(id);
  const monitor = ref && (await findAssignment(ctx.store.db, ref));
  const kind = monitor && checkKind(monitor.type);
  if (!monitor || !kind || !("passive" in kind)) throw notFound();
  const config = openConfig(ctx.secrets, monitor);
  const wanted = kind.passive.token(config as never);
  if (wanted === null || !isSameSecret(token, wanted)) throw notFound();
  return { monitor, passive: kind.passive, config };
}

/** What the last part of the address says; null for what is none. */
function readSignal(text = ""): { signal: HeartbeatSignal; exitCode: number | null } | null {
  if (text === "") return { signal: "ok", exitCode: null };
  if (text === "start" || text === "fail" || text === "log") return { signal: text, exitCode: null };
  if (!/^\d{1,3}$/.test(text) || Number(text) > MAX_EXIT_CODE) return null;
  return { signal: Number(text) === 0 ? "ok" : "fail", exitCode: Number(text) };
}

const { resource, feature } = MONITOR_KIND_FACTS.service;

/** What the job of a heartbeat has told, newest first (readHeartbeatLog). */
export const listHeartbeats = verb({
  resource,
  feature,
  action: "read",
  input: withId(HeartbeatsQuery),
  output: HeartbeatEvent,
  find: findOfKind("service"),
  async run(ctx, { before, limit = 100 }, { id }) {
    const page = { before: before === undefined ? undefined : Date.parse(before), limit };
    return (await readHeartbeatLog(ctx, id, page)).map(projectHeartbeat);
  },
});
