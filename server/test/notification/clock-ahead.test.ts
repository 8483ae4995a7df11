import { expect, test } from "vitest";
import { deliverOutbox } from "../../src/notification/deliver.ts";
import { watchClock } from "../../src/result/clock-watch.ts";
import { TRANSPORTS } from "../../src/transports.ts";
import { respond } from "../harness/behaviours.ts";
import { eachEngine } from "../harness/stores.ts";
import { startTelling } from "./channel-setup.ts";

const HOUR_MS = 3_600_000;

eachEngine("a clock that was hours ahead and is corrected", (engine) => {
  test("keeps no message back: neither one that nobody has tried, nor one that was refused, nor one under way", async () => {
    const telling = await startTelling(engine);
    const { server, target, addChannel, addMonitor, check, checkOf, deliver, pass, received } = telling;
    const { db } = server.ctx.store;
    // PostgreSQL's own clock is asked as well, and the test cannot set that one.
    pass(Date.now() - telling.now());
    let upMs = 0;
    const watch = watchClock(server.ctx, () => upMs);
    const [refused, underWay] = [await addChannel(), await addChannel()];
    await watch.look();
    await check("ok");
    pass(5 * HOUR_MS);
    await watch.look();
    target.set(respond({ status: 429, headers: { "retry-after": "60" } }));
    await check("failed", "failed");
    await deliver();
    await checkOf(await addMonitor({ name: "API" }), "ok", "failed", "failed");
    // As it stands where the server that has begun to send it is no more.
    await db
      .updateTable("outbox")
      .set({ leased_until: telling.now() + 120_000 })
      .where("channel_id", "=", underWay)
      .execute();
    target.set(respond({ status: 200 }));
    pass(-5 * HOUR_MS);
    upMs += 60_000;
    await deliver();
    const before = received().length;
    await watch.look();
    for (let round = 0; round < 4; round += 1) {
      await deliver();
      pass(60_000);
    }
    expect(received().length).toBeGreaterThan(before);
    expect((await telling.deliveries(refused)).map(({ state }) => state)).toEqual(["sent", "sent"]);
    expect((await telling.deliveries(underWay)).map(({ state }) => state)).toEqual(["sent", "sent"]);
  });
});

eachEngine("a clock that is more than a day ahead", (engine) => {
  test("gives up no message as late while it is doubted", async () => {
    const { server, addChannel, check, deliveries, pass, now, received } = await startTelling(engine);
    pass(Date.now() - now());
    const watch = watchClock(server.ctx, () => 0);
    const channel = await addChannel();
    await check("ok", "failed", "failed");
    await watch.look();
    pass(30 * HOUR_MS);
    await watch.look();
    const before = received().length;
    await deliverOutbox(server.ctx, TRANSPORTS, new AbortController().signal, watch);
    expect((await deliveries(channel)).map(({ state }) => state)).toEqual(["sent"]);
    expect(received().length).toBe(before + 1);
  });
});
