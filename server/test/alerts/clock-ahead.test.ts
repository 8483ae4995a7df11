import { expect, test } from "vitest";
import { deliverOutbox } from "../../src/alerts/deliver.ts";
import { followAlertEvents } from "../../src/alerts/inbox.ts";
import type { Outcome } from "../../src/alerts/outbox.ts";
import { CORRECTIONS } from "../../src/app/engine.ts";
import { TRANSPORTS } from "../../src/app/jobs.ts";
import { watchClock } from "../../src/engine/results/clock-watch.ts";
import { msg } from "../../src/platform/i18n/message.ts";
import { respond } from "../harness/behaviours.ts";
import { eachEngine } from "../harness/stores.ts";
import { startTelling } from "./channel-setup.ts";

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** A server whose clock is right, with a channel that has been sent nothing yet; `go` lets some minutes pass. */
async function besideAnother(engine: Parameters<typeof startTelling>[0]) {
  const telling = await startTelling(engine);
  const { server, pass, now } = telling;
  pass(Date.now() - now());
  let upMs = 0;
  const watch = watchClock(server.ctx, CORRECTIONS, () => upMs);
  const channel = await telling.addChannel();
  await watch.look();
  const send = () => deliverOutbox(server.ctx, TRANSPORTS, new AbortController().signal, watch);
  const go = async (minutes: number) => {
    for (let minute = 0; minute < minutes; minute += 1) {
      pass(MINUTE_MS);
      upMs += MINUTE_MS;
      await watch.look();
      await send();
    }
  };
  const states = async () => (await telling.deliveries(channel)).map(({ state }) => state);
  const outbox = server.ctx.store.db.updateTable("outbox").where("channel_id", "=", channel);
  /** Writes what is due into the outbox, and sends nothing of it. */
  const write = () => followAlertEvents(server.ctx);
  return { ...telling, channel, watch, send, go, states, outbox, write };
}

eachEngine("a clock that was hours ahead and is corrected", (engine) => {
  test("keeps no message back: neither an untried one, nor one that was refused, nor one under way", async () => {
    const telling = await startTelling(engine);
    const { server, target, addChannel, addMonitor, check, checkOf, deliver, pass, received } = telling;
    const { db } = server.ctx.store;
    // PostgreSQL's own clock is read as well, and the test cannot set that one.
    pass(Date.now() - telling.now());
    let upMs = 0;
    const watch = watchClock(server.ctx, CORRECTIONS, () => upMs);
    const [refused, underWay] = [await addChannel(), await addChannel()];
    await watch.look();
    await check("ok");
    pass(5 * HOUR_MS);
    await watch.look();
    target.set(respond({ status: 429, headers: { "retry-after": "60" } }));
    await check("failed", "failed");
    await deliver();
    await checkOf(await addMonitor({ name: "API" }), "ok", "failed", "failed");
    await followAlertEvents(server.ctx);
    // As it is where the server that has begun to send it is no more.
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
  test("neither sends nor gives up what would be too late while it is doubted, and holds up nothing else", async () => {
    const { check, checkOf, addMonitor, target, pass, states, send } = await besideAnother(engine);
    target.set(respond({ status: 503 }));
    await check("ok", "failed", "failed");
    await send();
    await check("ok", "ok");
    pass(30 * HOUR_MS);
    target.set(respond({ status: 200 }));
    const before = target.requests.length;
    await send();
    expect(await states()).toEqual(["waiting", "waiting"]);
    expect(target.requests.length).toBe(before);
    await checkOf(await addMonitor({ name: "API" }), "ok", "failed", "failed");
    await send();
    expect(await states()).toEqual(["sent", "waiting", "waiting"]);
    pass(-30 * HOUR_MS);
    for (let round = 0; round < 3; round += 1) {
      await send();
      pass(MINUTE_MS);
    }
    expect(await states()).toEqual(["sent", "sent", "sent"]);
  });

  test("gives nothing up that was being sent when it was set", async () => {
    const { server, check, pass, states, watch } = await besideAnother(engine);
    await check("ok", "failed", "failed");
    const send = async (): Promise<Outcome> => {
      pass(48 * HOUR_MS);
      return { is: "postponed", why: msg("delivery.error") };
    };
    const transports = { ...TRANSPORTS, channel: { send } };
    await deliverOutbox(server.ctx, transports, new AbortController().signal, watch);
    expect(watch.isSkewSuspected).toBe(true);
    expect(await states()).toEqual(["waiting"]);
  });
});

eachEngine("a week without a server", (engine) => {
  /** Some monitors went down a week ago, without a notification. */
  async function afterAWeek(count: number) {
    const telling = await startTelling(engine);
    const { server, pass, now, addChannel, addMonitor, checkAll, received } = telling;
    pass(Date.now() - 7 * 24 * HOUR_MS - now());
    await watchClock(server.ctx, CORRECTIONS, () => 0).look();
    const channel = await addChannel({ type: "mattermost", config: { url: telling.target.url } });
    const ids: number[] = [];
    while (ids.length < count) ids.push(await addMonitor());
    await checkAll(ids, "ok", "failed", "failed");
    const before = received().length;
    pass(Date.now() - now());
    let upMs = 0;
    const watch = watchClock(server.ctx, CORRECTIONS, () => upMs);
    const send = () => deliverOutbox(server.ctx, TRANSPORTS, new AbortController().signal, watch);
    const states = async () =>
      new Set((await telling.deliveries(channel)).map(({ state, event }) => [event, state].join(" ")));
    const passAnHour = () => {
      upMs += HOUR_MS;
      pass(HOUR_MS);
    };
    const recover = () => checkAll(ids, "ok", "ok", "ok");
    return { send, states, passAnHour, recover, sent: () => received().length - before };
  }

  test("notifies once of what was down before and is not known to be up, at the start", async () => {
    const { send, states, passAnHour, sent } = await afterAWeek(1);
    await send();
    expect(await states()).toEqual(new Set(["monitor.down sent"]));
    passAnHour();
    await send();
    expect(sent()).toBe(1);
  });

  test("does so in one message of many", async () => {
    const { send, states, passAnHour, sent } = await afterAWeek(12);
    await send();
    passAnHour();
    await send();
    expect(await states()).toEqual(new Set(["digest sent"]));
    expect(sent()).toBe(1);
  });

  test("does not notify of what is found to be up before anything is sent", async () => {
    const { send, states, passAnHour, sent, recover } = await afterAWeek(1);
    await recover();
    await send();
    passAnHour();
    await send();
    expect(await states()).toEqual(new Set());
    expect(sent()).toBe(0);
  });
});

eachEngine("another server", (engine) => {
  const aheadMs = 20 * HOUR_MS;
  // Without PostgreSQL there is no other.
  const beside = engine === "postgres" ? test : () => {};

  test("that is no more, and was hours ahead, keeps no channel waiting by what it had begun to send", async () => {
    const { check, outbox, now, go, states, write } = await besideAnother(engine);
    await check("ok", "failed", "failed");
    await write();
    const until = now() + aheadMs;
    await outbox.set({ attempts: 1, leased_until: until, next_try_at: until }).execute();
    await check("ok", "ok");
    await go(2);
    expect(await states()).toEqual(["waiting", "waiting"]);
    await go(3);
    expect(await states()).toEqual(["sent", "sent"]);
  });

  test("that was hours ahead keeps nothing waiting that it wrote, tried in vain, or paused a channel for", async () => {
    const { server, check, outbox, now, go, states, channel, write } = await besideAnother(engine);
    const until = now() + aheadMs;
    await check("ok", "failed", "failed");
    await write();
    await outbox.set({ created_at: now() + 3 * HOUR_MS, next_try_at: now() + 3 * HOUR_MS }).execute();
    await go(1);
    expect(await states()).toEqual(["sent"]);
    await check("ok", "ok");
    await write();
    await outbox.where("state", "=", "waiting").set({ attempts: 1, next_try_at: until }).execute();
    await go(1);
    expect(await states()).toEqual(["sent", "sent"]);
    await server.ctx.store.db
      .updateTable("channels")
      .set({ held_until: until })
      .where("id", "=", channel)
      .execute();
    await check("failed", "failed");
    await go(1);
    expect(await states()).toEqual(["sent", "sent", "sent"]);
  });

  test("does not shorten the day after which a channel is tried that the other side disabled", async () => {
    const { server, now, go, channel } = await besideAnother(engine);
    const held_until = now() + 23 * HOUR_MS;
    const channels = server.ctx.store.db.updateTable("channels").where("id", "=", channel);
    await channels.set({ enabled: 0, disabled_reason: '{"code":"delivery.ended"}', held_until }).execute();
    await go(1);
    const rows = server.ctx.store.db.selectFrom("channels").select("held_until").where("id", "=", channel);
    expect(await rows.execute()).toEqual([{ held_until }]);
  });

  beside("that is hours ahead gives up nothing that by the database's clock is not too late", async () => {
    const { server, check, outbox, target, pass, now, states, write } = await besideAnother(engine);
    await check("ok", "failed", "failed");
    await write();
    await outbox.set({ gives_up_at: now() + HOUR_MS }).execute();
    const other = { ...server.ctx, clock: { now: () => now() + 2 * HOUR_MS } };
    const watch = watchClock(other, CORRECTIONS, () => 0);
    const send = () => deliverOutbox(other, TRANSPORTS, new AbortController().signal, watch);
    target.set(respond({ status: 503 }));
    await send();
    expect(await states()).toEqual(["waiting"]);
    target.set(respond({ status: 200 }));
    pass(MINUTE_MS);
    await send();
    expect(await states()).toEqual(["sent"]);
  });

  beside("is taken nothing away from at the start of one whose clock is hours behind", async () => {
    const { server, check, outbox, pass, now, write } = await besideAnother(engine);
    await check("ok", "failed", "failed");
    await write();
    const until = now() + MINUTE_MS;
    await outbox.set({ attempts: 1, leased_until: until, next_try_at: until }).execute();
    pass(-3 * HOUR_MS);
    await watchClock(server.ctx, CORRECTIONS, () => 0).look();
    const [row] = await server.ctx.store.db
      .selectFrom("outbox")
      .select("leased_until")
      .where("leased_until", "is not", null)
      .execute();
    expect(Number(row?.leased_until)).toBe(until);
  });
});
