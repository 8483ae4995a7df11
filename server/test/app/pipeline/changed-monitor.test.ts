import { sql } from "kysely";
import { expect, it } from "vitest";
import { ingestBatch } from "../../../src/app/pipeline.ts";
import type { CertificateReport } from "../../../src/checks/certificate.ts";
import { saveCertificates } from "../../../src/engine/queries/certificates.ts";
import { lockStates } from "../../../src/engine/queries/states.ts";
import { openIncidents } from "../../../src/incidents/apply-outage-events.ts";
import type { Db } from "../../../src/platform/database/schema.ts";
import { eventually } from "../../harness/eventually.ts";
import type { TestServer } from "../../harness/server.ts";
import { eachEngine } from "../../harness/stores.ts";
import { makeDomain, NOW, SECOND, serve } from "../../monitors/domains/factories.ts";
import { failed, probed } from "./setup.ts";

const aCertificate = (fingerprint: string): CertificateReport => ({
  valid: true,
  invalidCode: null,
  invalidReason: null,
  expiresAt: NOW + 86_400 * SECOND,
  issuer: fingerprint,
  fingerprint,
  chain: [],
});

const stateOf = (server: TestServer, id: number) =>
  server.ctx.store.db
    .selectFrom("monitor_states")
    .selectAll()
    .where("monitor_id", "=", id)
    .executeTakeFirstOrThrow();

const revisionOf = async (server: TestServer, id: number): Promise<number> => {
  const { db } = server.ctx.store;
  const row = db.selectFrom("monitors").select("revision").where("id", "=", id);
  return (await row.executeTakeFirstOrThrow()).revision;
};

eachEngine("results of a monitor that is changed meanwhile", (engine) => {
  it("say nothing about it when they are of its former address; history keeps them", async () => {
    const server = await serve({ engine, alone: true });
    const { ctx } = server;
    const { id } = await makeDomain(server);
    await ingestBatch(ctx, [probed(id, NOW - SECOND, { revision: 1 })]);
    await server.api("PUT", `/v2/domains/${id}`, { url: "http://elsewhere.test" });
    const [revision, before] = [await revisionOf(server, id), await stateOf(server, id)];
    const former = { revision: revision - 1, certificate: aCertificate("former") };
    const late = [failed(id, NOW + 1, former), failed(id, NOW + 2, former)];
    expect((await ingestBatch(ctx, late)).rechecks).toEqual([]);
    expect(await stateOf(server, id)).toEqual(before);
    expect(await ctx.store.db.selectFrom("certificates").selectAll().execute()).toEqual([]);
    expect(await ctx.store.db.selectFrom("results").select("scheduled_at").execute()).toHaveLength(3);
    await ingestBatch(ctx, [failed(id, NOW + 3, { revision }), failed(id, NOW + 4, { revision })]);
    expect(await stateOf(server, id)).toMatchObject({ status: "down", last_check_at: NOW + 4 });
  });

  it("go on counting after changes that leave the check what it is", async () => {
    const server = await serve({ engine, alone: true });
    const { id } = await makeDomain(server, { checkInterval: 3_600 });
    await ingestBatch(server.ctx, [probed(id, NOW - 3_000 * SECOND, { revision: 1 })]);
    const { status_since: since } = await stateOf(server, id);
    const change = { name: "Another", check_interval: 10, timeout: 5 };
    expect((await server.api("PUT", `/v2/domains/${id}`, change)).status).toBe(200);
    expect(await stateOf(server, id)).toMatchObject({ status: "up", stale_at: NOW + 25 * SECOND });
    await ingestBatch(server.ctx, [probed(id, NOW + SECOND, { revision: 1 })]);
    const after = await stateOf(server, id);
    expect([after.status, after.status_since, after.last_check_at]).toEqual(["up", since, NOW + SECOND]);
  });

  // SQLite has one writer: there are no deadlocks.
  const onPostgres = engine === "postgres" ? it : () => {};
  onPostgres("are applied under the settings that the change they waited for has made", async () => {
    const server = await serve({ engine, alone: true });
    const { store } = server.ctx;
    const { id } = await makeDomain(server, { checkInterval: 3_600 });
    const changedMeanwhile = async (change: {
      name?: string;
      interval_seconds?: number;
      deleted_at?: number;
    }) => {
      const { reading } = await store.transaction(async (trx) => {
        await lockStates(trx, [id]);
        const reading = store.transaction((other) => lockStates(other, [id]));
        await eventually(
          () => waiting(store.db),
          (count) => count === 1,
        );
        await trx.updateTable("monitors").set(change).where("id", "=", id).execute();
        return { reading };
      });
      return reading;
    };
    expect(await changedMeanwhile({ name: "Renamed", interval_seconds: 60 })).toMatchObject([
      { name: "Renamed", config: { intervalMs: 60_000 } },
    ]);
    expect(await changedMeanwhile({ deleted_at: NOW })).toEqual([]);
  });

  onPostgres("never wait for the change in a circle, whatever both of them write", async () => {
    const server = await serve({ engine, alone: true });
    const { store } = server.ctx;
    const { id } = await makeDomain(server);
    await ingestBatch(server.ctx, [probed(id, NOW, { certificate: aCertificate("old") })]);
    const url = `/v2/domains/${id}`;
    for (const [method, change] of [
      ["PUT", { url: "http://elsewhere.test", enabled: false }],
      ["PUT", { enabled: true }],
      ["DELETE", undefined],
    ] as const) {
      const answer = await store.transaction(async (trx) => {
        await lockStates(trx, [id]);
        const changing = server.api(method, url, change);
        await eventually(
          () => waiting(store.db),
          (count) => count === 1,
        );
        await saveCertificates(trx, [{ monitorId: id, seenAt: NOW + 1, report: aCertificate("new") }]);
        const outage = { uuid: crypto.randomUUID(), monitorId: id, monitorName: "a", startedAt: NOW };
        const { id: organizationId } = server.person.organization;
        const more = { organizationId, severity: "high", detectedAt: NOW, reason: null, causes: [] } as const;
        await openIncidents(trx, [{ ...outage, ...more }], NOW);
        return { changing };
      });
      expect((await answer.changing).status).toBe(200);
    }
  });
});

/** Sessions of this database that wait for a lock. Not read within a transaction: that sees one moment only. */
async function waiting(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
  return Number(rows[0]?.count);
}
