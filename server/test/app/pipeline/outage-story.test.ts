import { expect, it, onTestFinished } from "vitest";
import { ingestBatch } from "../../../src/app/pipeline.ts";
import { activeKind } from "../../../src/checks/registry.ts";
import type { EgressGuard } from "../../../src/engine/probe/egress.ts";
import { Roster } from "../../../src/engine/probe/roster.ts";
import { Runner } from "../../../src/engine/probe/runner.ts";
import { nextRunMs } from "../../../src/engine/schedule/plan.ts";
import { startTelling, type Telling } from "../../alerts/channel-setup.ts";
import { eventually } from "../../harness/eventually.ts";
import { recordingLog } from "../../harness/recording-log.ts";
import { type EngineName, eachEngine } from "../../harness/stores.ts";
import { startHttpTarget } from "../../harness/targets.ts";

const INTERVAL_MS = 60_000;
const RECHECK_MS = 2_000;
const NO_GUARD: EgressGuard = { concerns: () => false, isCutOff: async () => false };

/** The probe on the test's clock: real connections, real results, and nothing happens until the clock is moved. */
async function startProbe({ server: { ctx }, now, pass }: Telling) {
  const log = recordingLog();
  let made = 0;
  let stored: Promise<unknown> = Promise.resolve();
  const runner: Runner = new Runner({
    location: "local",
    network: ctx.network,
    kindOf: activeKind,
    time: { now, synchronise() {} },
    lost: { totalMs: () => 0, brokeOffSince: () => false },
    guard: NO_GUARD,
    log,
    onResult(result) {
      stored = stored
        .then(() => ingestBatch(ctx, [result]))
        .then(({ rechecks }) => {
          for (const { monitorId } of rechecks) runner.recheck(monitorId);
          // A route follows its result by itself.
          if (result.route === undefined) made += 1;
        });
    },
  });
  onTestFinished(() => runner.stop(0));
  const roster = new Roster(ctx, { probe: runner, self: { id: "one" }, location: "local" });
  await roster.syncAll();
  const checked = async (count: number) => {
    await eventually(
      () => made,
      (ended) => ended === count,
    );
    await stored;
  };
  await checked(1);
  /** Moves the clock, to where a check is due, and waits until its result is stored; returns when that was. */
  const checkAfter = async (ms: number): Promise<number> => {
    const before = made;
    pass(ms);
    // So that the runner looks at the clock.
    runner.assign([]);
    await checked(before + 1);
    return now();
  };
  return {
    checkAfter,
    /** Moves the clock to the next run of the schedule. */
    checkOnGrid: (monitorId: number) => checkAfter(nextRunMs(monitorId, INTERVAL_MS, now()) - now()),
  };
}

async function outageOnSteppedClock(engine: EngineName) {
  const telling = await startTelling(engine);
  const { server, addMonitor, addChannel, target: receiver, deliver, pass } = telling;
  await server.ctx.store.db.deleteFrom("monitors").where("id", "=", telling.monitorId).execute();
  const shop = await startHttpTarget();
  onTestFinished(shop.close);
  const monitorId = await addMonitor({ url: shop.url, checkInterval: INTERVAL_MS / 1000 });
  for (const path of ["a", "b"]) await addChannel({ config: { url: `${receiver.url}${path}` } });
  await addChannel({ type: "slack", config: { url: `${receiver.url}slack` } });
  await addChannel({ type: "email", config: { address: "oncall@vedette.test" } });
  const { db } = server.ctx.store;
  const rows = (table: "incidents" | "notifications" | "transitions") =>
    db.selectFrom(table).selectAll().orderBy("id").execute();
  return {
    ...{ telling, shop, monitorId, rows, ...(await startProbe(telling)) },
    status: async () => (await server.api("GET", `/api/domains/${monitorId}`)).body.data.state as string,
    /** Sends what is due now, and what waits a few seconds for more of its kind. */
    async deliverAll() {
      await deliver();
      pass(6_000);
      await deliver();
    },
    /** How many messages of each channel so far. */
    reported: () => ({
      ...Object.fromEntries(
        ["a", "b", "slack"].map((path) => [
          path,
          receiver.requests.filter((request) => request.path === `/${path}`).length,
        ]),
      ),
      mail: telling.mail.mails.length,
    }),
  };
}

eachEngine("one outage, step by step from the check to the messages", (engine) => {
  it("is one incident with its true times, and one message a channel for its beginning and one for its end", async () => {
    const story = await outageOnSteppedClock(engine);
    const { telling, shop, monitorId, checkAfter, checkOnGrid, status, rows, reported, deliverAll } = story;
    expect(await status()).toBe("up");
    await checkOnGrid(monitorId);
    await shop.refuse();
    const failedAt = await checkOnGrid(monitorId);
    // Suspect: nothing is said before it is confirmed.
    expect(await status()).toBe("up");
    await telling.deliver();
    expect(await rows("incidents")).toEqual([]);
    expect(reported()).toEqual({ a: 0, b: 0, slack: 0, mail: 0 });
    const confirmedAt = await checkAfter(RECHECK_MS);
    expect(await status()).toBe("down");
    const [opened, ...others] = await rows("incidents");
    expect(others).toEqual([]);
    expect(opened).toMatchObject({ status: "open", started_at: failedAt, detected_at: confirmedAt });
    await deliverAll();
    await deliverAll();
    expect(reported()).toEqual({ a: 1, b: 1, slack: 1, mail: 1 });
    await checkOnGrid(monitorId);
    await shop.listen();
    const passedAt = await checkOnGrid(monitorId);
    expect(await status()).toBe("down");
    const recoveredAt = await checkAfter(RECHECK_MS);
    expect(await status()).toBe("up");
    await deliverAll();
    await deliverAll();
    expect(reported()).toEqual({ a: 2, b: 2, slack: 2, mail: 2 });
    expect(await rows("incidents")).toMatchObject([
      { status: "resolved", started_at: failedAt, detected_at: confirmedAt, resolved_at: passedAt },
    ]);
    expect((await rows("notifications")).map(({ event }) => event)).toEqual(["monitor.down", "monitor.up"]);
    expect((await rows("transitions")).map((row) => [row.to_status, row.at, row.detected_at])).toEqual([
      ["up", expect.any(Number), expect.any(Number)],
      ["down", failedAt, confirmedAt],
      ["up", passedAt, recoveredAt],
    ]);
  });
});
