import type { Status } from "../../src/status/state.ts";
import { insertMany } from "../../src/store/bulk.ts";
import { addToRollups } from "../../src/store/queries/rollups.ts";
import { insertTransitions } from "../../src/store/queries/transitions.ts";
import { makeResult } from "../harness/results.ts";
import { monitorRow } from "../harness/rows.ts";
import {
  startTestServer,
  type TestPerson,
  type TestServer,
  type TestServerOptions,
} from "../harness/server.ts";

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
/** Monday, 2 November 2026, noon. */
export const NOW = Date.UTC(2026, 10, 2, 12);

/** A server whose clock stands still. */
export const reportServer = (options: Omit<TestServerOptions, "clock">): Promise<TestServer> =>
  startTestServer({ ...options, clock: { now: () => NOW } as TestServerOptions["clock"] & object });

/** What became of a monitor, and when; milliseconds. */
export type History = [at: number, status: Status, more?: "maintenance"][];
/** A passed check of so many milliseconds, or one that failed. */
export type Check = [at: number, ms: number | "failed"];

interface Told {
  name?: string;
  kind?: "domain" | "service" | "device";
  history?: History;
  checks?: Check[];
  person?: TestPerson;
  /** Percent, and of how many days. */
  objective?: { percent: number; days: number };
}

/** A monitor of the server's person, with that history and those checks. Gives its number. */
export async function addMonitor(server: TestServer, told: Told): Promise<number> {
  const { name = "Shop", kind = "domain", history = [], checks = [], person = server.person } = told;
  const { db } = server.ctx.store;
  const organizationId = person.organization.id;
  const id = await nextId(server);
  const type = kind === "domain" ? "http" : kind === "service" ? "tcp" : "agent";
  await insertMany(db, "monitors", [
    {
      ...monitorRow(id, { name, kind, type, uuid: crypto.randomUUID() }),
      organization_id: organizationId,
      ...(told.objective && { objective: told.objective.percent, objective_days: told.objective.days }),
    },
  ]);
  let fromStatus: Status = "unknown";
  const rows = history.map(([at, toStatus, more]) => {
    const row = { fromStatus, toStatus, at, detectedAt: at, maintenance: more === "maintenance" };
    fromStatus = toStatus;
    return { ...row, organizationId, monitorId: id, reason: null, locationId: null };
  });
  await insertTransitions(db, rows);
  await server.ctx.store.transaction((trx) =>
    addToRollups(
      trx,
      checks.map(([scheduledAt, ms]) =>
        makeResult({
          ...{ monitorId: id, scheduledAt },
          ...(ms === "failed" ? { outcome: 1, totalUs: null } : { totalUs: ms * 1000 }),
        }),
      ),
    ),
  );
  return id;
}

async function nextId({ ctx }: TestServer): Promise<number> {
  const { most } = await ctx.store.db
    .selectFrom("monitors")
    .select((select) => select.fn.max<number | null>("id").as("most"))
    .executeTakeFirstOrThrow();
  return Number(most ?? 0) + 1;
}
