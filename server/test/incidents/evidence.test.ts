import { expect, it, onTestFinished } from "vitest";
import { ingestBatch } from "../../src/app/pipeline.ts";
import type { HttpEvidence } from "../../src/checks/evidence.ts";
import type { ProbeResult } from "../../src/engine/probe/link.ts";
import { createEvidenceMemory } from "../../src/incidents/evidence.ts";
import { followParents } from "../../src/monitors/find-members.ts";
import { saveParents } from "../../src/monitors/queries/monitor-changes.ts";
import { insertMany } from "../../src/platform/database/bulk.ts";
import { failed, MINUTE, probed, T0 } from "../app/pipeline/setup.ts";
import { startTestServer } from "../harness/server.ts";
import { eachEngine } from "../harness/stores.ts";
import { addMonitor, colleague, serverOn } from "./setup.ts";

const someEvidence = (content: string): HttpEvidence => ({
  method: "GET",
  url: "https://shop.example/",
  statusText: "Service Unavailable",
  headers: [["server", "nginx"]],
  headerCount: 3,
  body: { encoding: "text", content, cut: false },
  redirects: [{ statusCode: 301, url: "https://shop.example/" }],
  addresses: ["192.0.2.1", "192.0.2.2"],
  certificate: {
    subject: "CN=shop.example",
    issuer: "CN=CA",
    names: ["shop.example"],
    notBefore: T0,
    notAfter: T0 + MINUTE,
    fingerprint: "ab",
    valid: true,
  },
});

/** A failure that carries what was seen. */
const telling = (id: number, at: number, content: string, more: Partial<ProbeResult> = {}): ProbeResult =>
  failed(id, at, { statusCode: 503, evidence: someEvidence(content), ...more });

// biome-ignore lint/suspicious/noExplicitAny: any answer of the API
type Json = any;

eachEngine("GET /api/incidents/{id}/evidence", (engine) => {
  async function start() {
    const clock = { ms: T0, now: () => clock.ms };
    const server = await startTestServer({ engine, alone: true, clock });
    onTestFinished(server.close);
    server.ctx.evidence = createEvidenceMemory();
    const ingest = async (...results: ProbeResult[]) => {
      for (const result of results) {
        clock.ms = Math.max(clock.ms, result.scheduledAt + 2);
        await ingestBatch(server.ctx, [result]);
      }
    };
    const incidents = async (): Promise<Json[]> => (await server.api("GET", "/api/incidents")).body.data;
    const evidence = async (id: number, query = ""): Promise<Json> =>
      (await server.api("GET", `/api/incidents/${id}/evidence${query}`)).body.data;
    const add = (name: string) => addMonitor(server, server.person, name);
    return { server, clock, ingest, incidents, evidence, add };
  }

  it("shows what the first failure saw and the one that confirmed it, in both families", async () => {
    const { server, ingest, incidents, evidence, add } = await start();
    const id = await add("Shop");
    await ingest(probed(id, T0), telling(id, T0 + MINUTE, "one"), telling(id, T0 + MINUTE + 2_000, "two"));
    const [incident] = await incidents();
    const { evidence: seen, omitted } = await evidence(incident.id);
    expect(seen.map(({ moment, body }: Json) => [moment, body.content])).toEqual([
      ["first", "one"],
      ["confirmation", "two"],
    ]);
    expect(omitted).toBe(0);
    expect(seen[0]).toMatchObject({
      name: "Shop",
      monitorId: id,
      at: "2026-11-21T09:01:00.000Z",
      location: "local",
      message: "The connection was refused.",
      statusCode: 503,
      statusText: "Service Unavailable",
      headers: [{ name: "server", value: "nginx" }],
      headersOmitted: 2,
      redirects: [{ statusCode: 301, url: "https://shop.example/" }],
      address: "127.0.0.1",
      addresses: ["192.0.2.1", "192.0.2.2"],
      certificate: { subject: "CN=shop.example", startsAt: "2026-11-21T09:00:00.000Z", valid: true },
    });
    const v2 = await server.api("GET", `/v2/incidents/${incident.uuid}/evidence`);
    expect(v2.body.data.evidence[1]).toMatchObject({ moment: "confirmation", headers_omitted: 2 });
  });

  it("keeps nothing of failures that open no incident, nor of those while it is open", async () => {
    const { server, ingest, incidents, evidence, add } = await start();
    const id = await add("Shop");
    await ingest(probed(id, T0), telling(id, T0 + MINUTE, "blip"), probed(id, T0 + MINUTE + 2_000));
    const later = T0 + 10 * MINUTE;
    await ingest(
      probed(id, later),
      telling(id, later + MINUTE, "one"),
      telling(id, later + MINUTE + 2_000, "two"),
    );
    await ingest(telling(id, later + 2 * MINUTE, "three", { requests: ["someone"] }));
    const [incident] = await incidents();
    const contents = (await evidence(incident.id)).evidence.map(({ body }: Json) => body.content);
    expect(contents).toEqual(["one", "two"]);
    expect(await server.ctx.store.db.selectFrom("evidence").selectAll().execute()).toHaveLength(2);
    const results = await server.ctx.store.db.selectFrom("events").select("payload").execute();
    expect(JSON.stringify(results)).toContain("someone");
    expect(JSON.stringify(results)).not.toContain("Service Unavailable");
  });

  it("is stored of an outage that waited for what it depends on", async () => {
    const { server, clock, ingest, incidents, evidence, add } = await start();
    const [id, router] = [await add("Shop"), await add("Router")];
    await saveParents(server.ctx.store.db, id, [router]);
    await ingest(probed(id, T0), probed(router, T0), failed(router, T0 + MINUTE));
    await ingest(telling(id, T0 + MINUTE, "one"), telling(id, T0 + MINUTE + 2_000, "two"));
    expect(await incidents()).toEqual([]);
    clock.ms += 2 * MINUTE;
    await followParents(server.ctx);
    const [incident] = await incidents();
    const contents = (await evidence(incident.id)).evidence.map(({ body }: Json) => body.content);
    expect(contents).toEqual(["one", "two"]);
  });

  it("goes with its monitor through splitting and merging, and away with the incident", async () => {
    const { server, clock, incidents, evidence, add } = await start();
    const ids = [await add("Shop"), await add("Blog")];
    await server.ctx.store.db.updateTable("monitors").set({ target: "https://shop.example/" }).execute();
    for (const second of [0, 2]) {
      clock.ms = T0 + second * 1_000 + 2;
      await ingestBatch(
        server.ctx,
        ids.map((id) => telling(id, T0 + second * 1_000, `${id} at ${second}`)),
      );
    }
    const [group] = await incidents();
    const names = async (id: number, query = "") => [
      ...new Set((await evidence(id, query)).evidence.map(({ name }: Json) => name)),
    ];
    expect((await names(group.id)).toSorted()).toEqual(["Blog", "Shop"]);
    expect(await names(group.id, `?monitor=${ids[1]}`)).toEqual(["Blog"]);
    for (const monitor of ["unknown", "987654"]) {
      const unknown = await server.api("GET", `/v2/incidents/${group.id}/evidence?monitor=${monitor}`);
      expect([unknown.status, Object.keys(unknown.body.errors)]).toEqual([422, ["monitor"]]);
    }
    await server.api("POST", `/api/incidents/${group.id}/split`, { monitorId: ids[1] });
    const own = (await incidents()).find(({ id }: Json) => id !== group.id);
    expect([await names(group.id), await names(own.id)]).toEqual([["Shop"], ["Blog"]]);
    await server.api("POST", `/api/incidents/${own.id}/merge`, { into: group.id });
    expect((await names(group.id)).toSorted()).toEqual(["Blog", "Shop"]);
    expect(await names(own.id)).toEqual([]);
    await server.api("DELETE", `/api/incidents/${group.id}`);
    expect(await server.ctx.store.db.selectFrom("evidence").selectAll().execute()).toEqual([]);
  });

  it("is stored of a monitor's newest hundred outages", async () => {
    const { server, ingest, add } = await start();
    const { db } = server.ctx.store;
    const [id, other] = [await add("Shop"), await add("Blog")];
    const outage = (monitor: number, at: number) => [
      probed(monitor, at),
      telling(monitor, at + MINUTE, "one"),
      telling(monitor, at + MINUTE + 2_000, "two"),
    ];
    await ingest(...outage(other, T0), ...outage(id, T0));
    await ingest(probed(id, T0 + 2 * MINUTE), probed(id, T0 + 3 * MINUTE), probed(id, T0 + 4 * MINUTE));
    const first = await db
      .selectFrom("affected_services")
      .selectAll()
      .where("monitor_id", "=", id)
      .executeTakeFirstOrThrow();
    const { id: _, ...outageOf } = first;
    const between = Array.from({ length: 98 }, () => ({ ...outageOf, outage_ended_at: T0 + 2 * MINUTE }));
    await insertMany(db, "affected_services", between);
    const seenOf = (monitor: number) =>
      db
        .selectFrom("evidence")
        .innerJoin("affected_services", "affected_services.id", "evidence.affected_service_id")
        .select(["affected_services.id", "moment"])
        .where("monitor_id", "=", monitor)
        .execute();
    await ingest(...outage(id, T0 + 60 * MINUTE));
    // The hundredth: what the first one saw is still there.
    expect(await seenOf(id)).toHaveLength(4);
    await ingest(probed(id, T0 + 62 * MINUTE), probed(id, T0 + 63 * MINUTE), probed(id, T0 + 64 * MINUTE));
    await ingest(...outage(id, T0 + 120 * MINUTE));
    const stored = await seenOf(id);
    expect(stored).toHaveLength(4);
    expect(stored.map((row) => row.id)).not.toContain(first.id);
    expect(await seenOf(other)).toHaveLength(2);
  });

  it("shows twenty monitors of a large incident, and says how many more there are", async () => {
    const { server, ingest, incidents, evidence, add } = await start();
    const ids = await Promise.all(Array.from({ length: 22 }, (_, index) => add(`Shop ${index}`)));
    await server.ctx.store.db.updateTable("monitors").set({ target: "https://shop.example/" }).execute();
    await ingest(probed(ids[0] as number, T0));
    for (const at of [T0 + 1_000, T0 + 3_000])
      await ingestBatch(
        server.ctx,
        ids.map((id) => telling(id, at, "x")),
      );
    const [incident] = await incidents();
    const { evidence: seen, omitted } = await evidence(incident.id);
    expect(new Set(seen.map(({ name }: Json) => name)).size).toBe(20);
    expect(omitted).toBe(2);
  });

  it("is refused where it is not what a check may have seen, and the incident opens all the same", async () => {
    const { ingest, incidents, evidence, add } = await start();
    const id = await add("Shop");
    const hostile = [
      { ...someEvidence("x"), more: "x" },
      { ...someEvidence("x".repeat(5_000)) },
      "text",
      null,
    ];
    await ingest(probed(id, T0));
    let at = T0 + MINUTE;
    for (const evil of hostile) {
      await ingest(telling(id, at, "", { evidence: evil as never }));
      at += 1_000;
    }
    const [incident] = await incidents();
    expect(await evidence(incident.id)).toEqual({ evidence: [], omitted: 0 });
  });

  it("holds nothing up where it cannot be stored", async () => {
    const { server, ingest, incidents, evidence, add } = await start();
    const id = await add("Shop");
    const take = () => {
      throw new Error("out of order");
    };
    server.ctx.evidence = { note: () => {}, has: () => true, take };
    await ingest(probed(id, T0), telling(id, T0 + MINUTE, "one"), telling(id, T0 + MINUTE + 2_000, "two"));
    const [incident] = await incidents();
    expect(await evidence(incident.id)).toEqual({ evidence: [], omitted: 0 });
  });

  it("is for those who may read the incident", async () => {
    const { server, ingest, incidents, add } = await start();
    const id = await add("Shop");
    await ingest(probed(id, T0), telling(id, T0 + MINUTE, "one"), telling(id, T0 + MINUTE + 2_000, "two"));
    const [{ id: incident }] = await incidents();
    const paths = [`/api/incidents/${incident}/evidence`, `/v2/incidents/${incident}/evidence`];
    const outsider = await server.createKey({ person: await server.createOrganization() });
    const reader = await server.createKey({ scopes: ["read:incidents"] });
    const other = await server.createKey({ scopes: ["read:domains"] });
    for (const path of paths) {
      const status = async (key: string | null) => (await server.api("GET", path, undefined, { key })).status;
      expect(await status(null)).toBe(401);
      expect(await status(outsider)).toBe(404);
      expect(await status(other)).toBe(403);
      expect(await status(reader)).toBe(200);
      expect(await status(await colleague(server))).toBe(200);
    }
    const unknown = await server.api("GET", "/api/incidents/999999/evidence");
    expect(unknown.status).toBe(404);
  });

  it("needs the plan that incidents need", async () => {
    const free = await serverOn(engine, { plan: "free" });
    expect((await free.api("GET", "/api/incidents/1/evidence")).status).toBe(403);
    const pro = await serverOn(engine, { plan: "pro" });
    expect((await pro.api("GET", "/api/incidents/1/evidence")).status).toBe(404);
    expect((await pro.api("GET", "/v2/incidents/1/evidence")).status).toBe(403);
  });
});
