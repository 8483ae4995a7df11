import { onTestFinished } from "vitest";
import { insertResults } from "../../../src/engine/queries/results.ts";
import { addToRollups } from "../../../src/engine/queries/rollups.ts";
import { insertTransitions } from "../../../src/engine/queries/transitions.ts";
import type { StoredResult } from "../../../src/engine/results/stored-result.ts";
import type { Store } from "../../../src/platform/database/store.ts";
import type { MonitorStateTable } from "../../../src/platform/database/tables/monitors.ts";
import type { Status } from "../../../src/platform/monitor-defaults.ts";
import { startTestServer, type TestServer, type TestServerOptions } from "../../harness/server.ts";

/** A moment in the middle of a day, an hour and five minutes, so that rounding to buckets shows. */
export const NOW = Date.UTC(2026, 10, 21, 12, 2, 30);
export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** A server whose clock is stopped at NOW, closed with the test. */
export async function serve(options: TestServerOptions): Promise<TestServer> {
  const server = await startTestServer({ clock: { now: () => NOW }, ...options });
  onTestFinished(server.close);
  return server;
}

/** The same with an engine that only notes, in `changedIds`, which monitors it was notified about. */
export async function serveWithChanges(
  options: TestServerOptions,
): Promise<{ server: TestServer; changedIds: number[] }> {
  const changedIds: number[] = [];
  const server = await serve({
    startEngine: async (ctx) => ({
      ...ctx.engine,
      monitorChanged: (id) => void changedIds.push(id),
      stop: async () => {},
    }),
    ...options,
  });
  return { server, changedIds };
}

/** Creates a domain through the API and returns its number and uuid. */
export async function makeDomain(
  server: TestServer,
  body: Record<string, unknown> = {},
  key?: string,
): Promise<{ id: number; uuid: string }> {
  const answer = await server.api(
    "POST",
    "/api/domains",
    { url: "https://shop.test", ...body },
    key ? { key } : {},
  );
  if (answer.status !== 201) {
    const [problem] = server.problems as { fields: { err?: unknown } }[];
    throw new Error(JSON.stringify(answer.body), { cause: problem?.fields.err });
  }
  return answer.body.data;
}

/** A location, made unless another test has, and its number. */
export async function makeLocation(store: Store, code: string): Promise<number> {
  const known = await store.db
    .selectFrom("locations")
    .select("id")
    .where("code", "=", code)
    .executeTakeFirst();
  if (known) return known.id;
  const row = await store.db
    .insertInto("locations")
    .values({ code, name: code, created_at: NOW })
    .returning("id")
    .executeTakeFirstOrThrow();
  return row.id;
}

/** Stores checks with their roll-ups, as the pipeline does. */
export async function observe(store: Store, results: StoredResult[]): Promise<void> {
  await store.transaction(async (trx) => addToRollups(trx, await insertResults(trx, results)));
}

/** Makes the monitor's present state what the test needs. */
export async function setState(
  store: Store,
  monitorId: number,
  change: Partial<MonitorStateTable>,
): Promise<void> {
  await store.db.updateTable("monitor_states").set(change).where("monitor_id", "=", monitorId).execute();
}

/** Writes confirmed changes of status: `[time, status]`, oldest first. */
export async function setHistory(
  store: Store,
  monitorId: number,
  changes: readonly (readonly [at: number, status: Status])[],
): Promise<void> {
  const { organization_id: organizationId } = await store.db
    .selectFrom("monitors")
    .select("organization_id")
    .where("id", "=", monitorId)
    .executeTakeFirstOrThrow();
  let fromStatus: Status = "unknown";
  const rows = changes.map(([at, toStatus]) => {
    const row = { organizationId, monitorId, fromStatus, toStatus, at, detectedAt: at };
    fromStatus = toStatus;
    return { ...row, reason: null, locationId: null, maintenance: false };
  });
  await store.transaction((trx) => insertTransitions(trx, rows));
}

/** The certificate that the monitor's last check showed. */
export async function setCertificate(
  store: Store,
  monitorId: number,
  certificate: { valid: boolean; expiresAt: number; issuer?: string; report?: object },
): Promise<void> {
  const { valid, expiresAt, issuer = "Test CA", report = { chain: [], invalidReason: null } } = certificate;
  await store.db
    .insertInto("certificates")
    .values({
      monitor_id: monitorId,
      valid: valid ? 1 : 0,
      expires_at: expiresAt,
      issuer,
      fingerprint: "ab",
      report: JSON.stringify(report),
      seen_at: NOW,
    })
    .execute();
}
