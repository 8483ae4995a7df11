import { addToRollups } from "../../src/engine/queries/rollups.ts";
import { insertTransitions } from "../../src/engine/queries/transitions.ts";
import { insertAffectedServices } from "../../src/incidents/queries/affected-services.ts";
import { insertIncidents } from "../../src/incidents/queries/incident-changes.ts";
import type { Status } from "../../src/platform/monitor-defaults.ts";
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

/** A server whose clock is stopped. */
export const reportServer = (options: Omit<TestServerOptions, "clock">): Promise<TestServer> =>
  startTestServer({ ...options, clock: { now: () => NOW } as TestServerOptions["clock"] & object });

/** What became of a monitor, and when; milliseconds. */
export type History = [at: number, status: Status, more?: "maintenance"][];
/** A passed check of so many milliseconds, or one that failed. */
export type Check = [at: number, ms: number | "failed"];

interface ReportedOutages {
  name?: string;
  kind?: "domain" | "service" | "device";
  history?: History;
  checks?: Check[];
  person?: TestPerson;
  /** Percent, and of how many days. */
  objective?: { percent: number; days: number };
}

/** A monitor of the server's person, with that history and those checks. Gives its number. */
export async function addMonitor(server: TestServer, reported: ReportedOutages): Promise<number> {
  const { name = "Shop", kind = "domain", history = [], checks = [], person = server.person } = reported;
  const { db } = server.ctx.store;
  const organizationId = person.organization.id;
  const type = kind === "domain" ? "http" : kind === "service" ? "tcp" : "agent";
  // The store numbers it: others add monitors to the same server.
  const { id: _, ...row } = monitorRow(0, { name, kind, type, uuid: crypto.randomUUID() });
  const { id } = await db
    .insertInto("monitors")
    .values({
      ...row,
      organization_id: organizationId,
      ...(reported.objective && {
        objective: reported.objective.percent,
        objective_days: reported.objective.days,
      }),
    } as never)
    .returning("id")
    .executeTakeFirstOrThrow();
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

interface ReportedIncident {
  title: string;
  startedAt: number;
  lastedMs?: number;
  acknowledgedMs?: number;
  severity?: "low" | "medium" | "high" | "critical";
  affects?: string[];
  mergedIntoId?: number;
  person?: TestPerson;
}

/** An incident as it is stored. Without `lastedMs` it goes on. */
export async function addIncident(server: TestServer, reported: ReportedIncident): Promise<number> {
  const { title, startedAt, lastedMs, acknowledgedMs, severity = "high", affects = [] } = reported;
  const { db } = server.ctx.store;
  const organizationId = (reported.person ?? server.person).organization.id;
  const [[, id] = ["", 0]] = await insertIncidents(
    db,
    [
      {
        ...{ uuid: crypto.randomUUID(), organizationId, monitorId: null, automatic: false, title },
        ...{
          titleMessage: null,
          description: "",
          descriptionMessage: null,
          status: "open",
          severity,
          impact: "minor",
        },
        ...{ startedAt, detectedAt: startedAt },
      } as never,
    ],
    startedAt,
  );
  await db
    .updateTable("incidents")
    .set({
      resolved_at: lastedMs === undefined ? null : startedAt + lastedMs,
      status: lastedMs === undefined ? "open" : "resolved",
      acknowledged_at: acknowledgedMs === undefined ? null : startedAt + acknowledgedMs,
      merged_into: reported.mergedIntoId ?? null,
    })
    .where("id", "=", id)
    .execute();
  const affectedServices = affects.map((name) => ({ monitorId: null, name }));
  await insertAffectedServices(db, [{ id, organizationId, affectedServices }]);
  return id;
}
