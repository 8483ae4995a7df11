import { expect, test } from "vitest";
import { deliverOutbox } from "../../src/alerts/deliver.ts";
import { CORRECTIONS } from "../../src/app/engine.ts";
import { TRANSPORTS } from "../../src/app/jobs.ts";
import { watchClock } from "../../src/engine/results/clock-watch.ts";
import { respond, status } from "../harness/behaviours.ts";
import { eachEngine } from "../harness/stores.ts";
import { HOUR_MS, MINUTE_MS, startAlerts } from "./setup.ts";

eachEngine("a channel that is refused", (engine) => {
  const start = async (settings: object = {}) => {
    const all = await startAlerts(engine);
    const channelId = await all.addChannel(settings);
    const [a, b] = [await all.add("Alpha"), await all.add("Beta")];
    all.target.set(status(404));
    const isEnabled = async () => (await all.channel(channelId)).enabled as boolean;
    return { ...all, channelId, a, b, isEnabled };
  };
  /** A day of nothing but 404 has disabled the channel. */
  const startDisabled = async (settings: object = {}) => {
    const all = await start(settings);
    await all.down(all.a);
    await all.wait(HOUR_MS / 2, 47);
    expect(await all.isEnabled()).toBe(true);
    await all.wait(HOUR_MS / 2, 5);
    expect(await all.isEnabled()).toBe(false);
    all.target.requests.splice(0);
    return all;
  };

  test.each(["mattermost", "webhook"])(
    "for a day in a row is disabled, tried once a day, and on again when it works, with all that is down: %s",
    async (type) => {
      const { b, up, down, deliver, wait, recover, target, titles, isEnabled } = await startDisabled({
        type,
      });
      await up(b);
      await down(b);
      await deliver();
      await wait(HOUR_MS / 2, 4 * 48);
      // Two outages, and one attempt a day.
      expect(target.requests.length).toBeGreaterThanOrEqual(3);
      expect(target.requests.length).toBeLessThanOrEqual(4);
      recover();
      await wait(HOUR_MS / 2, 49);
      expect(await isEnabled()).toBe(true);
      expect(titles().toSorted()).toEqual(["Alpha is down", "Beta is down"]);
      await wait(HOUR_MS / 2, 48);
      await up(b);
      await wait(MINUTE_MS, 2);
      expect(titles().slice(2)).toEqual(["Beta is up again"]);
    },
  );

  test("and disabled is notified of what goes down later, though what it was to be notified of is over", async () => {
    const { a, b, up, down, deliver, wait, recover, titles, isEnabled } = await startDisabled();
    await up(a);
    await deliver();
    recover();
    await up(b);
    await down(b);
    await wait(HOUR_MS / 2, 49);
    expect(await isEnabled()).toBe(true);
    expect(titles()).toEqual(["Beta is down"]);
  });

  test("once, and once more two days later, is not disabled", async () => {
    const { a, up, down, deliver, wait, recover, titles, isEnabled } = await start();
    await down(a);
    await deliver();
    await up(a);
    await deliver();
    await wait(HOUR_MS, 48);
    await down(a);
    await deliver();
    expect(await isEnabled()).toBe(true);
    recover();
    await wait(10 * MINUTE_MS, 3);
    expect(titles()).toEqual(["Alpha is down"]);
  });

  test("before and after a day of another failure is not disabled", async () => {
    const { a, down, deliver, wait, target, recover, titles, isEnabled } = await start();
    await down(a);
    await deliver();
    target.set(status(503));
    await wait(HOUR_MS / 2, 52);
    target.set(status(404));
    await wait(HOUR_MS / 2, 1);
    expect(target.requests.length).toBeGreaterThan(2);
    expect(await isEnabled()).toBe(true);
    recover();
    await wait(10 * MINUTE_MS, 6);
    expect(titles()).toEqual(["Alpha is down"]);
  });

  test("by its provider for good is disabled at once, and tried again each day with a real message", async () => {
    const { add, down, deliver, wait, target, recover, titles, channel, addChannel } =
      await startAlerts(engine);
    const id = await addChannel({ type: "slack" });
    const [a, b] = [await add("Alpha"), await add("Beta")];
    target.set(respond({ status: 404, body: "channel_not_found" }));
    await down(a);
    await deliver();
    expect(await channel(id)).toMatchObject({ enabled: false, disabledReason: expect.any(String) });
    await down(b);
    await deliver();
    target.requests.splice(0);
    await wait(HOUR_MS / 2, 47);
    expect(target.requests).toHaveLength(0);
    await wait(HOUR_MS / 2, 2);
    expect(target.requests).toHaveLength(1);
    expect((await channel(id)).enabled).toBe(false);
    recover();
    await wait(HOUR_MS / 2, 49);
    expect((await channel(id)).enabled).toBe(true);
    expect(titles().toSorted()).toEqual(["Alpha is down", "Beta is down"]);
  });
});

eachEngine("a clock that was a day ahead, and is set back", (engine) => {
  const start = async () => {
    const all = await startAlerts(engine);
    const { server, pass, now, down } = all;
    // PostgreSQL's own clock is read as well, and the test cannot set that one.
    pass(Date.now() - now());
    let upMs = 0;
    const watch = watchClock(server.ctx, CORRECTIONS, () => upMs);
    await all.addChannel();
    await watch.look();
    const go = async (stepMs: number, times = 1) => {
      for (let step = 0; step < times; step += 1) {
        pass(stepMs);
        upMs += stepMs;
        await watch.look();
        await deliverOutbox(server.ctx, TRANSPORTS, new AbortController().signal, watch);
      }
    };
    const fail = async (id: number) => {
      await down(id);
      upMs += 15_000;
      await go(1_000);
    };
    const set = async (ms: number) => {
      pass(ms);
      await watch.look();
    };
    return { ...all, go, fail, set };
  };

  test("holds back nothing that was to be sent with others a minute later", async () => {
    const { add, go, set, fail, titles } = await start();
    const a = await add("Alpha", { url: "https://shared.example/a" });
    const b = await add("Beta", { url: "https://shared.example/b" });
    await go(1_000);
    await set(24 * HOUR_MS);
    await fail(a);
    await fail(b);
    expect(titles()).toEqual(["Alpha is down"]);
    await set(-24 * HOUR_MS);
    await go(MINUTE_MS, 3);
    expect(titles()).toEqual(["Alpha is down", "Beta is down"]);
    await go(MINUTE_MS, 60);
    expect(titles()).toHaveLength(2);
  });

  test("holds back nothing that was refused while it was ahead", async () => {
    const { add, go, set, fail, target, recover, titles } = await start();
    const a = await add("Alpha");
    await go(1_000);
    await set(24 * HOUR_MS);
    target.set(status(503));
    await fail(a);
    await set(-24 * HOUR_MS);
    recover();
    await go(MINUTE_MS, 3);
    expect(titles()).toEqual(["Alpha is down"]);
    await go(MINUTE_MS, 60);
    expect(titles()).toHaveLength(1);
  });
});

eachEngine("an incident that people open", (engine) => {
  const report = { title: "Checkout is slow", severity: "critical" };
  const start = async () => {
    const all = await startAlerts(engine);
    const open = async () => {
      const { status: code, body } = await all.server.api("POST", "/api/incidents", report);
      expect(code).toBe(201);
      return body.data.id as number;
    };
    const resolve = async (id: number) => {
      const update = { status: "resolved", message: "Over." };
      expect((await all.server.api("POST", `/api/incidents/${id}/updates`, update)).status).toBe(201);
    };
    return { ...all, open, resolve };
  };
  const OPENED = "Incident: Checkout is slow";
  const RESOLVED = "Checkout is slow: resolved";

  test("while a channel is off is sent to it when it is on again", async () => {
    const { addChannel, set, open, resolve, deliver, wait, titles } = await start();
    const channel = await addChannel();
    await set(channel, { enabled: false });
    const id = await open();
    await deliver();
    await set(channel, { enabled: true });
    await wait(MINUTE_MS, 10);
    expect(titles()).toEqual([OPENED]);
    await resolve(id);
    await wait(MINUTE_MS, 2);
    expect(titles()).toEqual([OPENED, RESOLVED]);
  });

  test("and close while it is off leaves nothing open there", async () => {
    const { addChannel, set, open, resolve, deliver, wait, titles } = await start();
    const channel = await addChannel();
    const id = await open();
    await deliver();
    await set(channel, { enabled: false });
    await resolve(id);
    await deliver();
    expect(titles()).toEqual([OPENED]);
    await set(channel, { enabled: true });
    await wait(MINUTE_MS, 10);
    expect(titles()).toEqual([OPENED, RESOLVED]);
  });

  test("and close while it is off, unseen there, is not mentioned", async () => {
    const { addChannel, set, open, resolve, deliver, wait, titles } = await start();
    const channel = await addChannel();
    await set(channel, { enabled: false });
    await resolve(await open());
    await deliver();
    await set(channel, { enabled: true });
    await wait(MINUTE_MS, 10);
    expect(titles()).toEqual([]);
  });

  test("and close while a pager is off closes its alert when it is on again", async () => {
    const { addPager, set, open, resolve, deliver, wait, received } = await start();
    const channel = await addPager();
    const id = await open();
    await deliver();
    await set(channel, { enabled: false });
    await resolve(id);
    await deliver();
    await set(channel, { enabled: true });
    await wait(MINUTE_MS, 10);
    expect(received().map((sent) => sent["event_action"])).toEqual(["trigger", "resolve"]);
    expect(new Set(received().map((sent) => sent["dedup_key"])).size).toBe(1);
  });
});

eachEngine("an outage that begins while a channel is off", (engine) => {
  test("is sent when it is on again, though the channel knows of an earlier one of the same monitor", async () => {
    const { addChannel, add, down, up, send, wait, titles, server } = await startAlerts(engine);
    const channelId = await addChannel();
    const toggle = (enabled: boolean) =>
      server.api("PUT", `/api/notifications/channels/${channelId}`, { enabled });
    const store = await add("Store");
    await down(store);
    await send();
    await toggle(false);
    await up(store);
    await wait(HOUR_MS, 24);
    await down(store);
    await send();
    expect(titles()).toEqual(["Store is down"]);
    await toggle(true);
    await send();
    expect(titles()).toEqual(["Store is down", "Store is down"]);
    await up(store);
    await send();
    expect(titles().slice(2)).toEqual(["Store is up again"]);
  });
});

eachEngine("messages that were tried in vain and become one", (engine) => {
  test("are logged as part of it, and a channel's last message is the one that is still to get there", async () => {
    const all = await startAlerts(engine);
    const channelId = await all.addChannel();
    const ids: number[] = [];
    for (let number = 1; number <= 11; number += 1) ids.push(await all.add(`Site${number}`));
    all.target.set(status(503));
    for (const id of ids) {
      await all.down(id);
      await all.deliver();
    }
    await all.wait(15 * MINUTE_MS, 4);
    const path = `/api/notifications/channels/${channelId}/deliveries`;
    type Logged = { event: string; state: string; failureFact: { code: string } | null };
    const log: Logged[] = (await all.server.api("GET", path)).body.data;
    const codes = (state: string) =>
      new Set(log.flatMap((one) => (one.state === state ? (one.failureFact?.code ?? []) : [])));
    expect(log.filter(({ state }) => state === "waiting").map(({ event }) => event)).toEqual(["digest"]);
    expect(codes("failed")).toEqual(new Set(["delivery.merged"]));
    expect((await all.channel(channelId)).lastDelivery).toMatchObject({
      event: "digest",
      state: "waiting",
      failureFact: { code: "delivery.failed" },
    });
  });
});
