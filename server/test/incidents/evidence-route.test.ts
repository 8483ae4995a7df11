import { expect, it, onTestFinished } from "vitest";
import { ingestBatch } from "../../src/app/pipeline.ts";
import type { Route } from "../../src/checks/route.ts";
import type { ProbeResult } from "../../src/engine/probe/link.ts";
import { createEvidenceMemory } from "../../src/incidents/evidence.ts";
import { failed, MINUTE, probed, T0 } from "../app/pipeline/setup.ts";
import { startTestServer } from "../harness/server.ts";
import { eachEngine } from "../harness/stores.ts";
import { addMonitor } from "./setup.ts";

const ROUTE: Route = {
  hops: [
    { hop: 1, address: "private", ms: 0 },
    { hop: 2, address: null, ms: null },
    { hop: 3, address: "192.0.2.1", ms: 12.5 },
  ],
  isReached: false,
  problem: null,
};

const EVIDENCE = {
  ...{ method: "GET", url: "https://shop.example/", statusText: "", headers: [], headerCount: 0, body: null },
  ...{ redirects: [], addresses: ["192.0.2.1"], certificate: null },
};

// biome-ignore lint/suspicious/noExplicitAny: any answer of the API
type Json = any;

eachEngine("the route to a failed target", (engine) => {
  async function start() {
    const clock = { ms: T0, now: () => clock.ms };
    const server = await startTestServer({ engine, alone: true, clock });
    onTestFinished(server.close);
    server.ctx.evidence = createEvidenceMemory();
    const id = await addMonitor(server, server.person, "Shop");
    const ingest = async (...results: ProbeResult[]) => {
      clock.ms = Math.max(clock.ms, ...results.map(({ scheduledAt }) => scheduledAt + 2));
      return ingestBatch(server.ctx, results);
    };
    const telling = (at: number, more: Partial<ProbeResult> = {}) =>
      failed(id, at, { evidence: EVIDENCE, ...more });
    const evidence = async (): Promise<Json[]> => {
      const [incident] = (await server.api("GET", "/api/incidents")).body.data;
      return (await server.api("GET", `/api/incidents/${incident.id}/evidence`)).body.data.evidence;
    };
    const rows = async () => (await server.ctx.store.db.selectFrom("results").selectAll().execute()).length;
    return { server, id, ingest, telling, evidence, rows };
  }

  const [BEGUN, CONFIRMED] = [T0 + MINUTE, T0 + MINUTE + 2_000];

  it("joins what is kept of an outage that was reported before it came, and is no result", async () => {
    const { server, id, ingest, telling, evidence, rows } = await start();
    await ingest(probed(id, T0));
    await ingest(telling(BEGUN));
    await ingest(telling(CONFIRMED));
    expect((await evidence())[1]).toMatchObject({ route: [], routeReached: null, routeMessage: null });
    const [states, count] = [
      await server.ctx.store.db.selectFrom("monitor_states").selectAll().execute(),
      await rows(),
    ];
    expect(await ingest(failed(id, CONFIRMED, { route: ROUTE }))).toEqual({ rechecks: [], awaited: [] });
    expect(await server.ctx.store.db.selectFrom("monitor_states").selectAll().execute()).toEqual(states);
    expect(await rows()).toBe(count);
    const [first, confirmation] = await evidence();
    expect(first.route).toEqual([]);
    expect(confirmation).toMatchObject({
      route: ROUTE.hops,
      routeReached: false,
      routeMessage: null,
      routeFact: null,
    });
    await ingest(
      probed(id, T0 + 2 * MINUTE, { route: ROUTE }),
      failed(id, T0 + 2 * MINUTE, { location: "fra" }),
    );
    expect(await rows()).toBe(count + 1);
  });

  it("waits with what was seen where the outage is yet to be reported, and may come in its batch", async () => {
    const { id, ingest, telling, evidence } = await start();
    await ingest(probed(id, T0));
    await ingest(telling(BEGUN), failed(id, BEGUN, { route: { ...ROUTE, hops: [] } }));
    await ingest(
      failed(id, CONFIRMED, { route: ROUTE }),
      telling(CONFIRMED),
      failed(id, CONFIRMED, { route: ROUTE }),
    );
    const seen = await evidence();
    expect(seen.map(({ route }) => route.length)).toEqual([0, 3]);
    expect(seen[0]).toMatchObject({
      routeReached: false,
      routeMessage: "The route is not known: no router on the way answered.",
      routeFact: { code: "route.silent" },
    });
  });

  it("says why there is none", async () => {
    const { server, id, ingest, telling, evidence } = await start();
    await ingest(probed(id, T0), telling(BEGUN), telling(CONFIRMED));
    for (const problem of ["missing", "forbidden", "unsent", "busy"] as const) {
      await ingest(failed(id, CONFIRMED, { route: { hops: [], isReached: false, problem } }));
      const [, { routeMessage, routeFact, routeReached }] = await evidence();
      expect([routeFact.code, routeReached]).toEqual([`route.${problem}`, null]);
      expect(routeMessage).toMatch(/^The (route was not traced|probe (cannot|may not) trace routes): /);
    }
    await server.api(
      "DELETE",
      `/api/incidents/${(await server.api("GET", "/api/incidents")).body.data[0].id}`,
    );
    expect(await server.ctx.store.db.selectFrom("evidence").selectAll().execute()).toEqual([]);
  });

  it("is refused where it is not what a trace may find, or of an unknown failure", async () => {
    const { id, ingest, telling, evidence } = await start();
    await ingest(probed(id, T0), telling(BEGUN), telling(CONFIRMED));
    const hop = (more: object) => ({ ...ROUTE, hops: [{ hop: 1, address: "192.0.2.1", ms: 1, ...more }] });
    const hostile: unknown[] = [
      ...[null, "text", {}, { ...ROUTE, more: 1 }, { ...ROUTE, problem: "x" }],
      ...[hop({ hop: 31 }), hop({ address: "<b>" }), hop({ ms: -1 }), hop({ ms: "1" }), hop({ more: 1 })],
      { ...ROUTE, hops: Array(31).fill({ hop: 1, address: null, ms: null }) },
    ];
    for (const route of hostile) await ingest(failed(id, CONFIRMED, { route: route as Route }));
    await ingest(failed(id, CONFIRMED + 1, { route: ROUTE }));
    await ingest(failed(id, CONFIRMED, { location: "fra", route: ROUTE }));
    await ingest(probed(id, CONFIRMED, { route: ROUTE }));
    expect((await evidence()).map(({ route }) => route)).toEqual([[], []]);
  });
});
