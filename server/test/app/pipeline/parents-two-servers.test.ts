import { expect, inject, it, onTestFinished } from "vitest";
import { ingestBatch } from "../../../src/app/pipeline.ts";
import { followParents } from "../../../src/monitors/find-members.ts";
import { saveParents } from "../../../src/monitors/queries/monitor-changes.ts";
import { openStore } from "../../../src/platform/database/open.ts";
import { createTestDatabase } from "../../harness/stores.ts";
import { failed, MINUTE, pipelineOn, probed, T0 } from "./setup.ts";

const ROUNDS = 50;

/** Two servers on one PostgreSQL: a router, and a shop behind it. */
async function twoServers() {
  const { location, remove } = await createTestDatabase("postgres");
  onTestFinished(remove);
  const [first, second] = [await openStore(location), await openStore(location)];
  onTestFinished(() => second.close());
  const on = await pipelineOn("postgres", first);
  const router = await on.addMonitor("router");
  const shop = await on.addMonitor("shop");
  await saveParents(on.db, shop, [router]);
  const servers = [on.ctx, { ...on.ctx, store: second }] as const;
  const deadlocks = async () => {
    const answer = await first.pool?.query(
      "select deadlocks from pg_stat_database where datname = current_database()",
    );
    return Number(answer?.rows[0].deadlocks);
  };
  return { ...on, router, shop, servers, deadlocks };
}

it.skipIf("missing" in inject("postgres"))(
  "a parent and what is behind it that go down on different servers at once are one incident, and nothing blocks",
  async () => {
    const { router, shop, servers, clock, incidents, affected, state, deadlocks } = await twoServers();
    const own = (id: number) => ({ address: `192.0.2.${id}` });
    for (let round = 0; round < ROUNDS; round += 1) {
      const at = T0 + round * 30 * MINUTE;
      const isReversed = round % 2 === 1;
      const pair = isReversed ? [shop, router] : [router, shop];
      const onBoth = async (results: (id: number) => Parameters<typeof ingestBatch>[1]) => {
        await Promise.all(servers.map((ctx, index) => ingestBatch(ctx, results(pair[index] as number))));
        await Promise.all(servers.map((ctx) => followParents(ctx)));
      };
      clock.ms = at;
      await onBoth((id) => [probed(id, at - MINUTE), probed(id, at - MINUTE + 1_000)]);
      clock.ms = at + 3_000;
      await onBoth((id) => [failed(id, at, own(id)), failed(id, at + 2_000, own(id))]);
      const open = (await incidents()).filter(({ status }) => status !== "resolved");
      expect([round, open.length]).toEqual([round, 1]);
      const members = (await affected()).filter(({ incident_id: id }) => id === open[0]?.id).length;
      const held = (await state(shop)).suppressed_by === router;
      expect([round, members + (held ? 1 : 0)]).toEqual([round, 2]);
      clock.ms = at + MINUTE + 2_000;
      await onBoth((id) => [probed(id, at + MINUTE), probed(id, at + MINUTE + 1_000)]);
      expect((await incidents()).filter(({ status }) => status !== "resolved")).toEqual([]);
    }
    expect(await deadlocks()).toBe(0);
  },
  120_000,
);
