import { expect, it, onTestFinished } from "vitest";
import { ingestBatch } from "../../../src/app/pipeline.ts";
import type { ProbeResult } from "../../../src/engine/probe/link.ts";
import { followParents } from "../../../src/monitors/find-members.ts";
import { saveParents } from "../../../src/monitors/queries/monitor-changes.ts";
import { failed, probed, T0 } from "../../app/pipeline/setup.ts";
import { startTestServer } from "../../harness/server.ts";
import { type EngineName, eachEngine } from "../../harness/stores.ts";
import { addMonitor } from "../setup.ts";

const SECOND = 1_000;

/** A shop behind a router, both of them up. */
async function shopBehindRouter(engine: EngineName) {
  const clock = { ms: T0, now: () => clock.ms };
  const server = await startTestServer({ engine, alone: true, clock });
  onTestFinished(server.close);
  const router = await addMonitor(server, server.person, "Router");
  const shop = await addMonitor(server, server.person, "Shop");
  await saveParents(server.ctx.store.db, shop, [router]);
  const ingest = async (...results: ProbeResult[]) => {
    for (const result of results) {
      clock.ms = Math.max(clock.ms, result.scheduledAt + 2);
      await ingestBatch(server.ctx, [result]);
    }
    await followParents(server.ctx);
  };
  const at = (seconds: number) => T0 + seconds * SECOND;
  await ingest(...[0, 60, 120].flatMap((second) => [probed(router, at(second)), probed(shop, at(second))]));
  return { server, router, shop, ingest, at, clock };
}

eachEngine("GET /api/incidents/{id}/explain of what was held back", (engine) => {
  const held = async (waits: boolean) => {
    const on = await shopBehindRouter(engine);
    const { router, shop, ingest, at } = on;
    if (waits) {
      await ingest(failed(router, at(180)), failed(shop, at(181)), failed(shop, at(183)));
      await ingest(failed(router, at(185)));
    } else {
      await ingest(failed(router, at(180)), failed(router, at(182)));
      await ingest(failed(shop, at(185)), failed(shop, at(187)));
    }
    await ingest(
      failed(router, at(240)),
      failed(shop, at(245)),
      probed(router, at(300)),
      probed(router, at(302)),
    );
    await ingest(failed(shop, at(305)), failed(shop, at(307)), probed(shop, at(365)), probed(shop, at(367)));
    const incidents = (await on.server.api("GET", "/api/incidents")).body.data;
    const { id } = incidents.find(({ title }: { title: string }) => title.startsWith("Shop "));
    const explain = async (query = "") =>
      (await on.server.api("GET", `/api/incidents/${id}/explain${query}`)).body.data.outages[0];
    return { ...on, explain };
  };

  it("says since when and why it was held back, when it was released, and when it was confirmed anew", async () => {
    const { explain } = await held(false);
    const outage = await explain();
    expect([outage.isReproduced, outage.notes]).toEqual([true, []]);
    const because = "The connection was refused.";
    expect(outage.transitions.map(({ message }: { message: string }) => message)).toEqual([
      `Down: 2 failures in a row at the Vedette server, 2 needed. First failure 2026-11-21 09:03:05 UTC. ${because}`,
      `Held back since 2026-11-21 09:03:07 UTC: Router, which it depends on, was down. ${because}`,
      "Released 2026-11-21 09:05:02 UTC: nothing that it depends on was down any more. From then on it took a fresh confirmation.",
      `Confirmed anew 2026-11-21 09:05:07 UTC: notifications were sent. ${because}`,
      "Up again: 2 successes in a row at the Vedette server, 2 needed. First success 2026-11-21 09:06:05 UTC.",
    ]);
    expect(outage.transitions[3].votes).toMatchObject([{ vote: "failing", failures: 2 }]);
  });

  it("knows what other settings would have done of what came after it was released", async () => {
    const { explain } = await held(false);
    const said = async (query: string) => (await explain(query)).whatIf.sentences[0].message;
    expect(await said("?confirmations=1")).toContain("detected 2 seconds earlier");
    expect(await said("?confirmations=2")).toContain("detected at the same moment");
    expect((await explain("?confirmations=1")).whatIf.alarms).toBe(1);
  });

  it("does not say that the course differs when the parent was waited for first", async () => {
    const { explain } = await held(true);
    const outage = await explain();
    expect([outage.isReproduced, outage.notes]).toEqual([true, []]);
    expect(outage.transitions[1].message).toMatch(/^Held back since 2026-11-21 09:03:05 UTC: Router/);
  });

  it("still says that it differs when the results give another course", async () => {
    const { explain, server, shop } = await held(false);
    await server.ctx.store.db
      .updateTable("monitors")
      .set({ confirmations: 10 })
      .where("id", "=", shop)
      .execute();
    const outage = await explain();
    expect([outage.isReproduced, outage.notes[0].fact.code]).toEqual([false, "explain.differs"]);
  });
});
