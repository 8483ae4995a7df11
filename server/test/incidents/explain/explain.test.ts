import fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";
import { ingestBatch, sweepStale } from "../../../src/app/pipeline.ts";
import type { ProbeResult } from "../../../src/engine/probe/link.ts";
import { runPacking } from "../../../src/engine/results/pack-results.ts";
import { nextRunMs } from "../../../src/engine/schedule/plan.ts";
import { failed, MINUTE, probed, T0 } from "../../app/pipeline/setup.ts";
import { startTestServer } from "../../harness/server.ts";
import { eachEngine } from "../../harness/stores.ts";
import { addMonitor } from "../setup.ts";

const SECOND = 1_000;
const HOUR = 60 * MINUTE;

eachEngine("GET /api/incidents/{id}/explain", (engine) => {
  async function start() {
    const clock = { ms: T0, now: () => clock.ms };
    const server = await startTestServer({ engine, alone: true, clock });
    onTestFinished(server.close);
    /** Each result comes in when its check has ended. */
    const ingest = async (...results: ProbeResult[]) => {
      for (const result of results) {
        clock.ms = Math.max(clock.ms, result.scheduledAt + 2);
        await ingestBatch(server.ctx, [result]);
      }
    };
    const explain = async (query = "") => {
      const [{ id }] = (await server.api("GET", "/api/incidents")).body.data;
      return (await server.api("GET", `/api/incidents/${id}/explain${query}`)).body.data;
    };
    return { server, clock, ingest, explain };
  }

  /** Up, then failing at T0 + 5 min with a recheck 2 s later, and up again two minutes later. */
  const oneOutage = (id: number) => [
    ...[0, 1, 2, 3, 4].map((minute) => probed(id, T0 + minute * MINUTE)),
    ...[0, 2, 60].map((second) => failed(id, T0 + 5 * MINUTE + second * SECOND)),
    ...[120, 122].map((second) => probed(id, T0 + 5 * MINUTE + second * SECOND)),
  ];

  it("says in message descriptors and words what was behind each change, with the rechecks", async () => {
    const { server, ingest, explain } = await start();
    const id = await addMonitor(server, server.person, "Shop");
    await ingest(...oneOutage(id));
    const { outages, notes } = await explain();
    expect(notes).toEqual([]);
    expect(outages).toMatchObject([
      { name: "Shop", monitorId: id, kind: "domain", isReproduced: true, notes: [], whatIf: null },
    ]);
    const [down, up] = outages[0].transitions;
    expect(down).toMatchObject({
      from: "up",
      to: "down",
      at: "2026-11-21T09:05:00.000Z",
      detectedAt: "2026-11-21T09:05:02.002Z",
      message:
        "Down: 2 failures in a row at the Vedette server, 2 needed. First failure 2026-11-21 09:05:00 UTC. The connection was refused.",
      locationsFailing: 1,
      failingNeeded: 1,
      votes: [{ location: "local", vote: "failing", failures: 2, since: "2026-11-21T09:05:00.000Z" }],
      results: [
        { state: "down", isRecheck: false, sincePrevious: MINUTE, message: "The connection was refused." },
        { state: "down", isRecheck: true, sincePrevious: 2 * SECOND },
      ],
    });
    expect(up.message).toBe(
      "Up again: 2 successes in a row at the Vedette server, 2 needed. First success 2026-11-21 09:07:00 UTC.",
    );
  });

  it("calls a recheck what the rules requested, and not what somebody had made out of turn", async () => {
    const { server, ingest, explain } = await start();
    const id = await addMonitor(server, server.person, "Shop");
    const run = nextRunMs(id, MINUTE, T0);
    const at = (seconds: number) => run + seconds * SECOND;
    await ingest(
      ...[0, 60].map((second) => probed(id, at(second))),
      ...[70, 90, 120].map((second) => failed(id, at(second))),
    );
    await ingest(probed(id, at(180)), probed(id, at(200)));
    const [down] = (await explain()).outages[0].transitions;
    expect(down.results).toMatchObject([
      // A person pressed a button.
      { isRecheck: false, sincePrevious: 10 * SECOND },
      { isRecheck: true, sincePrevious: 20 * SECOND },
    ]);
  });

  it("takes a check of the grid for regular, though a recheck was requested", async () => {
    const { server, ingest, explain } = await start();
    const id = await addMonitor(server, server.person, "Shop");
    const run = nextRunMs(id, MINUTE, T0);
    await ingest(probed(id, run), failed(id, run + 50 * SECOND), failed(id, run + MINUTE));
    const [down] = (await explain()).outages[0].transitions;
    expect(down.results).toMatchObject([
      { isRecheck: false },
      { isRecheck: false, sincePrevious: 10 * SECOND },
    ]);
  });

  it("names the locations behind a quorum, and what it needed", async () => {
    const { server, ingest, explain } = await start();
    const id = await addMonitor(server, server.person, "Shop");
    const at = (second: number, location: string, make = probed) =>
      make(id, T0 + second * SECOND, { location });
    await ingest(...["a", "b", "c"].map((location, index) => at(index, location)));
    await ingest(
      at(60, "a", failed),
      at(61, "b", failed),
      at(62, "a", failed),
      at(62.5, "c"),
      at(63, "b", failed),
    );
    const [degraded, down] = (await explain()).outages[0].transitions;
    expect(degraded.message).toContain("1 of 3 locations failing, 2 needed for an outage");
    expect(down).toMatchObject({
      message:
        "Down: 2 of 3 locations failing, 2 needed. First failure 2026-11-21 09:01:00 UTC from a. The connection was refused.",
      locationsHeard: 3,
      votes: [{ vote: "failing" }, { vote: "failing" }, { location: "c", vote: "ok" }],
    });
  });

  it("says in a sentence what other settings would have done", async () => {
    const { server, ingest, explain } = await start();
    const id = await addMonitor(server, server.person, "Shop");
    await ingest(...oneOutage(id));
    const courses = [
      ["confirmations=3", "detected 2 seconds later", 1],
      ["confirmations=1", "detected 2 seconds earlier", 1],
      ["confirmations=5", "detected 6 seconds later", 1],
      ["quorum=2", "no alarm at all", 0],
      ["recoveries=2", "detected at the same moment", 1],
    ] as const;
    for (const [query, said, alarms] of courses) {
      const { whatIf } = (await explain(`?${query}`)).outages[0];
      expect([query, whatIf.sentences[0].message]).toEqual([query, expect.stringContaining(said)]);
      expect([query, whatIf.alarms]).toEqual([query, alarms]);
    }
  });

  it("answers 422 to settings that cannot be, naming the field, in both families", async () => {
    const { server, ingest } = await start();
    const id = await addMonitor(server, server.person, "Shop");
    await ingest(...oneOutage(id));
    const [incident] = (await server.api("GET", "/api/incidents")).body.data;
    for (const query of ["confirmations=0", "confirmations=11", "recoveries=x", "quorum=0", "quorum=1.5"]) {
      for (const family of ["/api", "/v2"]) {
        const { status, body } = await server.api(
          "GET",
          `${family}/incidents/${incident.id}/explain?${query}`,
        );
        expect([status, Object.keys(body.errors)]).toEqual([422, [query.split("=")[0]]]);
      }
    }
  });

  it("reads packed results as well, and says so when they are gone", async () => {
    const { server, clock, ingest, explain } = await start();
    const id = await addMonitor(server, server.person, "Shop");
    await ingest(...oneOutage(id));
    const before = await explain("?confirmations=3");
    clock.ms = T0 + 4 * HOUR;
    expect((await runPacking(server.ctx)).results).toBe(10);
    expect(await explain("?confirmations=3")).toEqual(before);
    await server.ctx.store.db.deleteFrom("packs").execute();
    const [outage] = (await explain("?confirmations=3")).outages;
    expect(outage).toMatchObject({ isReproduced: false, whatIf: null });
    expect(outage.notes[0].fact.code).toBe("explain.no_results");
    expect(outage.transitions[0]).toMatchObject({
      message: "Down since 2026-11-21 09:05:00 UTC. The connection was refused.",
      votes: [],
    });
  });

  it("replays what was recorded, whatever came, for every outage", async () => {
    const { server, clock, ingest } = await start();
    const steps = fc.array(
      fc.record({
        waitMs: fc.integer({ min: 500, max: 40_000 }),
        location: fc.constantFrom("a", "b", "c"),
        failed: fc.boolean(),
      }),
      { minLength: 30, maxLength: 60 },
    );
    let explained = 0;
    for (const course of fc.sample(steps, { numRuns: 6, seed: 7 })) {
      const id = await addMonitor(server, server.person, `site-${explained}-${clock.ms}`);
      for (const { waitMs, location, failed: isFailed } of course) {
        await sweepStale(server.ctx);
        await ingest((isFailed ? failed : probed)(id, clock.ms + waitMs, { location }));
      }
      const { body } = await server.api("GET", `/api/incidents?monitor=${id}`);
      for (const incident of body.data) {
        const { outages } = (await server.api("GET", `/api/incidents/${incident.id}/explain`)).body.data;
        expect(outages).toMatchObject([{ isReproduced: true, notes: [] }]);
        explained += 1;
      }
    }
    expect(explained).toBeGreaterThan(4);
  }, 240_000);
});
