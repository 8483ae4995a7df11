import { onTestFinished } from "vitest";
import { ingestBatch, sweepStale } from "../../../src/app/pipeline.ts";
import { checkHeartbeat } from "../../../src/checks/heartbeat.ts";
import type { Break } from "../../../src/engine/status/late-signals.ts";
import { createState } from "../../../src/engine/status/monitor-states.ts";
import { missSignals } from "../../../src/monitors/miss-signals.ts";
import { insertMonitor } from "../../../src/monitors/queries/monitors.ts";
import type { Context } from "../../../src/platform/context.ts";
import { cronGaps } from "../../../src/platform/formats/cron.ts";
import { sealConfig } from "../../../src/platform/secrets/secret-box.ts";
import { startTestServer } from "../../harness/server.ts";
import type { EngineName } from "../../harness/stores.ts";

export const T0 = Date.UTC(2026, 10, 21, 9);
export const [INTERVAL, GRACE] = [300_000, 60_000];
export const TOKEN = "a-token-of-the-right-length";

/** A server with a clock of the test's own, whose engine stores signals and looks for missed ones. */
export async function serverWithHeartbeat(
  engine: EngineName,
  {
    rateLimits = false,
    ...settings
  }: { rateLimits?: boolean; cron?: string; timeZone?: string; maxRuntime?: number } = {},
) {
  const clock = { ms: T0, now: () => clock.ms };
  const store = { isAway: false };
  const server = await startTestServer({
    engine,
    clock,
    config: { rateLimits },
    startEngine: async (ctx) => ({
      ...ctx.engine,
      accept: async (results, prepareResults) => {
        if (store.isAway) throw Object.assign(new Error("away"), { code: "ECONNREFUSED" });
        await ingestBatch(ctx, results, undefined, prepareResults);
      },
      stop: async () => {},
    }),
  });
  onTestFinished(server.close);
  const { ctx } = server;
  const config = checkHeartbeat.complete?.({ grace: GRACE / 1000, token: TOKEN, ...settings }, {}) ?? {};
  const intervalSeconds = settings.cron === undefined ? INTERVAL / 1000 : cronGaps(settings.cron).longest;
  const { id, uuid } = await addMonitor(ctx, server.person.organization.id, config, intervalSeconds);
  const state = async () => {
    const [row] = await ctx.store.db
      .selectFrom("monitor_states")
      .selectAll()
      .where("monitor_id", "=", id)
      .execute();
    return row?.status;
  };
  return {
    server,
    ctx,
    clock,
    store,
    id,
    uuid,
    state,
    signal: (method = "GET", path = `/api/heartbeats/${uuid}/${TOKEN}`) =>
      fetch(server.url + path, { method }),
    /** What follows the token in the address. */
    say: (rest: string, body?: NonNullable<RequestInit["body"]>) =>
      fetch(
        `${server.url}/api/heartbeats/${uuid}/${TOKEN}${rest}`,
        body === undefined ? {} : { method: "POST", body },
      ),
    address: `/api/heartbeats/${uuid}`,
    /** As a process does that was unreachable at these times. */
    look: async (...breaks: Break[]) => {
      const missed = await missSignals(ctx, breaks, (results, prepareResults) =>
        ingestBatch(ctx, results, undefined, prepareResults),
      );
      await sweepStale(ctx);
      return missed;
    },
    results: async () => {
      const rows = await ctx.store.db.selectFrom("results").selectAll().orderBy("scheduled_at").execute();
      return rows.map(({ scheduled_at, outcome }) => [scheduled_at - T0, outcome]);
    },
    notifications: async () => {
      const rows = await ctx.store.db.selectFrom("notifications").select("event").orderBy("id").execute();
      return rows.map(({ event }) => event);
    },
  };
}

async function addMonitor(ctx: Context, organizationId: number, config: object, intervalSeconds: number) {
  const uuid = crypto.randomUUID();
  const monitor = {
    ...{ uuid, organizationId, kind: "service" as const, type: "heartbeat", name: "nightly backup" },
    ...{ target: "heartbeat", displayTarget: "heartbeat", enabled: true, locations: null, tags: [] },
    ...{ intervalSeconds, timeoutSeconds: GRACE / 1000, recheckDelaySeconds: 2 },
    ...{ confirmations: 1, recoveries: 1, severity: "high" as const },
    ...sealConfig(ctx.secrets, checkHeartbeat.configSchema, config),
  };
  return ctx.store.transaction(async (trx) => {
    const id = await insertMonitor(trx, monitor, T0);
    await createState(trx, id, T0);
    return { id, uuid };
  });
}
