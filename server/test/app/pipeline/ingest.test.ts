import { expect, it } from "vitest";
import { ingestBatch } from "../../../src/app/pipeline.ts";
import { listResults } from "../../../src/engine/queries/results.ts";
import { resolveIncidents } from "../../../src/incidents/queries/automatic-incidents.ts";
import { eventually } from "../../harness/eventually.ts";
import { aReason } from "../../harness/reasons.ts";
import { eachEngine } from "../../harness/stores.ts";
import { failed, MINUTE, pipelineOn, probed, T0 } from "./setup.ts";

eachEngine("an outage that goes on after a while without checks", (engine) => {
  it("has lasted since its start: in the state, in the live stream, and in the incident", async () => {
    const on = await pipelineOn(engine);
    const id = await on.addMonitor();
    await on.ingest(probed(id, T0));
    await on.ingest(failed(id, T0 + MINUTE), failed(id, T0 + MINUTE + 2_000));
    expect(await on.state(id)).toMatchObject({ status: "down", status_since: T0 + MINUTE });
    on.clock.ms = T0 + 30 * MINUTE;
    await on.sweep();
    expect(await on.state(id)).toMatchObject({ status: "unknown", status_since: T0 + MINUTE });
    const sinceStart = { statusSince: new Date(T0 + MINUTE).toISOString() };
    expect((await on.events("status")).at(-1)).toMatchObject({ state: "unknown", ...sinceStart });
    await on.ingest(failed(id, T0 + 31 * MINUTE), failed(id, T0 + 31 * MINUTE + 2_000));
    expect(await on.state(id)).toMatchObject({ status: "down", status_since: T0 + MINUTE });
    const statuses = await on.events("status");
    expect(statuses.at(-1)).toMatchObject({ state: "down", ...sinceStart });
    expect((await on.transitions()).at(-1)).toMatchObject({ to_status: "down", at: T0 + 31 * MINUTE });
    expect(await on.incidents()).toMatchObject([{ started_at: T0 + MINUTE, resolved_at: null }]);
  });
});

eachEngine("a batch of results", (engine) => {
  it("makes a new monitor up with its first success, and stores what the check saw", async () => {
    const on = await pipelineOn(engine);
    const id = await on.addMonitor();
    await on.ingest(probed(id, T0 + 500));
    const state = await on.state(id);
    expect(state).toMatchObject({
      status: "up",
      status_since: T0 + 500,
      last_check_at: T0 + 500,
      last_outcome: 0,
      last_status_code: 200,
      last_total_us: 1_500,
      consecutive_failures: 0,
      stale_at: T0 + 500 + 130_000,
    });
    expect(JSON.parse(state.last_result ?? "")).toMatchObject({ location: "local", address: "127.0.0.1" });
    expect(await on.transitions()).toMatchObject([{ from_status: "unknown", to_status: "up", at: T0 + 500 }]);
  });

  it("requests a recheck after a first failure, and is not down yet", async () => {
    const on = await pipelineOn(engine);
    const id = await on.addMonitor();
    await on.ingest(probed(id, T0));
    expect(await on.ingest(failed(id, T0 + MINUTE))).toEqual([{ monitorId: id, location: "local" }]);
    expect(await on.state(id)).toMatchObject({ status: "up", consecutive_failures: 1, last_outcome: 1 });
  });

  it("opens one incident with its first update, once the failure is confirmed", async () => {
    const on = await pipelineOn(engine);
    const id = await on.addMonitor("shop", { severity: "critical" });
    await on.ingest(probed(id, T0), failed(id, T0 + MINUTE));
    await on.ingest(failed(id, T0 + MINUTE + 200));
    const [incident, ...more] = await on.incidents();
    expect(more).toEqual([]);
    expect(incident).toMatchObject({
      monitor_id: id,
      organization_id: on.organizationId,
      automatic: 1,
      title: "shop is down",
      description: "shop has not been working since 2026-11-21 09:01:00 UTC. The connection was refused.",
      status: "open",
      severity: "critical",
      impact: "major",
      started_at: T0 + MINUTE,
      detected_at: T0 + MINUTE + 200,
      resolved_at: null,
    });
    expect(await on.updates()).toMatchObject([
      { incident_id: incident?.id, user_id: null, status: "open", message: incident?.description },
    ]);
    expect(await on.affected()).toMatchObject([
      { incident_id: incident?.id, organization_id: on.organizationId, monitor_id: id, name: "shop" },
    ]);
  });

  it("notifies people once, with what, since when and why", async () => {
    const on = await pipelineOn(engine);
    const id = await on.addMonitor("shop");
    await on.ingest(probed(id, T0), failed(id, T0 + MINUTE), failed(id, T0 + MINUTE + 200));
    const [incident] = await on.incidents();
    expect(await on.notifications()).toMatchObject([
      {
        event: "monitor.down",
        type: "error",
        monitor_id: id,
        incident_id: incident?.id,
        message: "shop has been down since 2026-11-21 09:01:00 UTC. The connection was refused.",
        idempotency_key: expect.stringContaining(`monitor.down:${incident?.uuid}:`),
      },
    ]);
  });

  it("resolves the incident with the duration in words, once the recovery is confirmed", async () => {
    const on = await pipelineOn(engine);
    const id = await on.addMonitor("shop");
    await on.ingest(probed(id, T0), failed(id, T0 + MINUTE), failed(id, T0 + 2 * MINUTE));
    await on.ingest(probed(id, T0 + 3 * MINUTE));
    expect(await on.incidents()).toMatchObject([{ status: "open" }]);
    await on.ingest(probed(id, T0 + 4 * MINUTE));
    expect(await on.incidents()).toMatchObject([{ status: "resolved", resolved_at: T0 + 3 * MINUTE }]);
    expect((await on.updates()).at(-1)).toMatchObject({
      status: "resolved",
      message: "shop works again. It was down for 2 minutes.",
    });
    expect((await on.notifications()).at(-1)).toMatchObject({
      event: "monitor.up",
      type: "success",
      message: "shop has been up again since 2026-11-21 09:03:00 UTC, after 2 minutes.",
    });
  });

  it("that comes again changes nothing at all", async () => {
    const on = await pipelineOn(engine);
    const id = await on.addMonitor();
    const batch = [probed(id, T0), failed(id, T0 + MINUTE), failed(id, T0 + 2 * MINUTE)];
    await on.ingest(...batch);
    const before = await on.everything();
    const wakes = on.wakes();
    expect(await on.ingest(...batch)).toEqual([]);
    expect(await on.ingest(...batch.slice(1), ...batch)).toEqual([]);
    expect(await on.everything()).toEqual(before);
    expect(on.wakes()).toBe(wakes);
  });

  it("counts a result once that is in it twice", async () => {
    const on = await pipelineOn(engine);
    const id = await on.addMonitor();
    await on.ingest(probed(id, T0), failed(id, T0 + MINUTE), failed(id, T0 + MINUTE));
    expect(await on.state(id)).toMatchObject({ status: "up", consecutive_failures: 1 });
  });

  it("amends history with a late result, and leaves status and last check alone", async () => {
    const on = await pipelineOn(engine);
    const id = await on.addMonitor();
    await on.ingest(probed(id, T0 + 5 * MINUTE));
    const before = await on.state(id);
    await on.ingest(failed(id, T0 + MINUTE), failed(id, T0 + 2 * MINUTE));
    expect(await on.state(id)).toEqual(before);
    expect(await on.incidents()).toEqual([]);
    expect((await on.everything()).results).toHaveLength(3);
  });

  it("is applied in the order of time, whatever order it came in", async () => {
    const on = await pipelineOn(engine);
    const id = await on.addMonitor();
    await on.ingest(failed(id, T0 + 2 * MINUTE), probed(id, T0), failed(id, T0 + MINUTE));
    expect(await on.state(id)).toMatchObject({ status: "down", status_since: T0 + MINUTE });
  });

  it("may hold a whole outage and the next: both incidents are written, one stays open", async () => {
    const on = await pipelineOn(engine);
    const id = await on.addMonitor();
    const at = (second: number) => T0 + second * 1_000;
    await on.ingest(
      ...[1, 2].map((s) => failed(id, at(s))),
      ...[3, 4].map((s) => probed(id, at(s))),
      ...[5, 6].map((s) => failed(id, at(s))),
    );
    expect((await on.incidents()).map(({ status }) => status)).toEqual(["resolved", "open"]);
    expect((await on.notifications()).map(({ event }) => event)).toEqual([
      "monitor.down",
      "monitor.up",
      "monitor.down",
    ]);
  });

  it("drops results of monitors that are unknown or deleted, and keeps the rest", async () => {
    const on = await pipelineOn(engine);
    const [left, gone] = [await on.addMonitor(), await on.addMonitor()];
    await on.pause(gone, "deleted");
    await on.db.updateTable("monitors").set({ deleted_at: T0 }).where("id", "=", gone).execute();
    await on.ingest(probed(left, T0), probed(gone, T0), probed(987_654, T0));
    const rows = await on.db.selectFrom("results").select("monitor_id").execute();
    expect(rows).toEqual([{ monitor_id: left }]);
  });

  it("creates locations that it has not seen before, and names one in the history", async () => {
    const on = await pipelineOn(engine);
    const id = await on.addMonitor();
    await on.ingest(...["oslo", "rome"].map((location) => probed(id, T0, { location })));
    await on.ingest(...[1, 2].map((n) => failed(id, T0 + n * MINUTE, { location: "oslo" })));
    const locations = await on.db.selectFrom("locations").select(["id", "code"]).orderBy("code").execute();
    expect(locations.map(({ code }) => code)).toEqual(["oslo", "rome"]);
    expect((await on.transitions()).at(-1)).toMatchObject({
      to_status: "degraded",
      location_id: locations[0]?.id,
    });
  });

  it("keeps a probe's own fault as a result, and decides nothing by it", async () => {
    const on = await pipelineOn(engine);
    const id = await on.addMonitor();
    await on.ingest(probed(id, T0));
    const before = await on.state(id);
    await on.ingest(...[1, 2].map((n) => failed(id, T0 + n * 1_000, { verdict: "probe_fault" })));
    expect(await on.state(id)).toEqual(before);
    expect((await on.everything()).results).toHaveLength(3);
  });

  it("keeps the newest certificate, not one that came late", async () => {
    const on = await pipelineOn(engine);
    const id = await on.addMonitor();
    const certificate = (issuer: string) => ({
      valid: issuer === "new",
      invalidCode: null,
      invalidReason: null,
      expiresAt: T0 + 86_400_000,
      issuer,
      fingerprint: issuer,
      chain: [],
    });
    await on.ingest(probed(id, T0 + MINUTE, { certificate: certificate("old") }));
    await on.ingest(
      probed(id, T0 + 2 * MINUTE, { certificate: certificate("new") }),
      probed(id, T0 + 3 * MINUTE),
    );
    await on.ingest(probed(id, T0, { certificate: certificate("ancient") }));
    const rows = await on.db.selectFrom("certificates").selectAll().execute();
    expect(rows).toMatchObject([
      { monitor_id: id, valid: 1, issuer: "new", seen_at: T0 + 2 * MINUTE, expires_at: T0 + 86_400_000 },
    ]);
    expect(JSON.parse(rows[0]?.report ?? "")).toEqual(certificate("new"));
  });

  it("goes to the live stream of its organization only: one event a batch, one a change", async () => {
    const on = await pipelineOn(engine);
    const other = await on.addOrganization();
    const [a, b] = [await on.addMonitor("a"), await on.addMonitor("b")];
    const c = await on.addMonitor("c", { organizationId: other });
    await on.ingest(...[a, b, c].map((id) => probed(id, T0)));
    const results = await on.events("results");
    expect(results.map(({ organizationId, results: each }) => [organizationId, each.length])).toEqual([
      [on.organizationId, 2],
      [other, 1],
    ]);
    expect(results[0].results[0]).toMatchObject({
      monitorId: a,
      status: "up",
      state: "up",
      responseTime: 1.5,
    });
    expect(await on.events("status")).toHaveLength(3);
    await on.ingest(failed(a, T0 + MINUTE), failed(a, T0 + 2 * MINUTE));
    expect(await on.events("incident")).toMatchObject([{ monitorId: a, status: "open" }]);
    expect(await on.events("notification")).toMatchObject([{ monitorId: a, type: "error" }]);
    expect((await on.events("status")).at(-1)).toEqual({
      organizationId: on.organizationId,
      monitorId: a,
      uuid: expect.any(String),
      kind: "domain",
      name: "a",
      from: "up",
      status: "down",
      state: "down",
      statusSince: new Date(T0 + MINUTE).toISOString(),
      detectedAt: new Date(T0 + 2 * MINUTE).toISOString(),
      reason: "The connection was refused.",
      reasonFact: aReason("refused", "The connection was refused."),
      location: "local",
    });
    expect(on.wakes()).toBe(2);
  });

  it("takes the sentences of an older probe, or its queue, for messages that say nothing else", async () => {
    const on = await pipelineOn(engine);
    const id = await on.addMonitor();
    const old = { reasonCode: "timeout", reason: "Timed out after 10 s." } as object;
    const known = { code: "timeout.text", params: { text: "Timed out after 10 s." } };
    await on.ingest(probed(id, T0), failed(id, T0 + MINUTE, old), failed(id, T0 + 2 * MINUTE, old));
    const range = { monitorId: id, from: T0, to: T0 + 60 * MINUTE, limit: 9, order: "asc" } as const;
    expect((await listResults(on.db, range)).map(({ reason }) => reason)).toEqual([null, known, known]);
    expect((await on.events("status")).at(-1)).toMatchObject({
      reason: "Timed out after 10 s.",
      reasonFact: known,
    });
  });

  it("keeps what a passed check has to say", async () => {
    const on = await pipelineOn(engine);
    const id = await on.addMonitor();
    const message = { code: "protocol.text", params: { text: "version 15.8" } };
    await on.ingest(probed(id, T0, { message }));
    const range = { monitorId: id, from: T0, to: T0 + 60 * MINUTE, limit: 9, order: "asc" } as const;
    expect(await listResults(on.db, range)).toMatchObject([{ reason: null, message }]);
  });

  it("opens an incident for each of many monitors at once, and resolves them all", async () => {
    const on = await pipelineOn(engine);
    const ids: number[] = [];
    for (let i = 0; i < 300; i += 1) ids.push(await on.addMonitor());
    await on.ingest(...ids.map((id) => failed(id, T0 + 1_000)));
    await on.ingest(...ids.map((id) => failed(id, T0 + 2_000)));
    expect(await on.incidents()).toHaveLength(300);
    await on.ingest(...ids.flatMap((id) => [probed(id, T0 + 3_000), probed(id, T0 + 4_000)]));
    const incidents = await on.incidents();
    expect(new Set(incidents.map(({ resolved_at }) => resolved_at))).toEqual(new Set([T0 + 3_000]));
    expect(new Set((await on.notifications()).map(({ incident_id }) => incident_id)).size).toBe(300);
  });

  it("opens exactly one incident when several processes report the same outage at once", async () => {
    const on = await pipelineOn(engine);
    const id = await on.addMonitor();
    await on.ingest(probed(id, T0));
    on.clock.ms = T0 + 2 * MINUTE;
    const places = ["local", "oslo", "rome", "bern"];
    await Promise.all(
      places.flatMap((location) => [
        on.ingest(failed(id, T0 + MINUTE, { location }), failed(id, T0 + 2 * MINUTE, { location })),
        on.ingest(failed(id, T0 + 2 * MINUTE, { location }), failed(id, T0 + MINUTE, { location })),
      ]),
    );
    expect(await on.incidents()).toHaveLength(1);
    expect((await on.notifications()).filter(({ event }) => event === "monitor.down")).toHaveLength(1);
    const moves = (await on.transitions()).map(({ from_status, to_status }) => [from_status, to_status]);
    for (const [i, [from]] of moves.entries()) expect(from).toBe(moves[i - 1]?.[1] ?? "unknown");
  });

  it("waits for another process that is in the midst of the same monitor, and builds on what it did", async () => {
    const on = await pipelineOn(engine);
    const id = await on.addMonitor();
    await on.ingest(probed(id, T0));
    on.clock.ms = T0 + 2_000;
    const held = on.holdTransaction();
    const first = ingestBatch(held.ctx, [failed(id, T0 + 1_000)]);
    await held.reached;
    const second = ingestBatch(on.ctx, [failed(id, T0 + 2_000)]);
    if (engine === "postgres") await eventually(on.countWaiting, (waiting) => waiting > 0);
    held.release();
    await Promise.all([first, second]);
    expect(await on.state(id)).toMatchObject({ status: "down", consecutive_failures: 2 });
  });

  it("leaves nothing behind when one of its statements fails", async () => {
    const on = await pipelineOn(engine);
    const id = await on.addMonitor();
    await on.ingest(probed(id, T0));
    const before = await on.everything();
    const broken = failed(id, T0 + MINUTE, {
      statusCode: "no number" as never,
      reason: undefined as never,
      location: null as never,
    });
    await expect(on.ingest(probed(id, T0 + 1), broken)).rejects.toThrow();
    expect(await on.everything()).toEqual(before);
  });

  it("does not reopen an incident that a person resolved while the outage goes on", async () => {
    const on = await pipelineOn(engine);
    const id = await on.addMonitor();
    await on.ingest(failed(id, T0 + 1_000), failed(id, T0 + 2_000));
    const [incident] = await on.incidents();
    await resolveIncidents(on.db, [{ id: incident?.id ?? 0, resolvedAt: T0 + 2_500 }], T0 + 2_500);
    await on.ingest(failed(id, T0 + 3_000));
    await on.ingest(probed(id, T0 + 4_000), probed(id, T0 + 5_000));
    expect(await on.incidents()).toMatchObject([{ resolved_at: T0 + 2_500 }]);
    expect((await on.notifications()).at(-1)).toMatchObject({ event: "monitor.up" });
  });
});
