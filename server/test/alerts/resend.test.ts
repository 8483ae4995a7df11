import { expect, test } from "vitest";
import { respond, status } from "../harness/behaviours.ts";
import { type EngineName, eachEngine } from "../harness/stores.ts";
import { CHANNELS } from "./channel-setup.ts";
import { HOUR_MS, MINUTE_MS, startAlerts } from "./setup.ts";

/** Two monitors on one host, and what is needed to send a message of a channel's log again. */
async function start(engine: EngineName) {
  const all = await startAlerts(engine);
  const { server, deliveries } = all;
  const shared = (path: string) => ({ url: `https://shared.example/${path}` });
  const ids = { a: await all.add("Alpha", shared("a")), b: await all.add("Beta", shared("b")) };
  const resend = async (channelId: number, deliveryId: number) => {
    const path = `${CHANNELS}/${channelId}/deliveries/${deliveryId}/resend`;
    const { status: code, body } = await server.api("POST", path);
    return code === 200 ? "sent" : `${code} ${body.fact?.code}`;
  };
  return {
    ...{ ...all, ...ids, resend },
    /** The log, oldest first. */
    log: async (channelId: number) => (await deliveries(channelId)).toReversed(),
    /** Sends the n-th message of the log again, counted from 0, or from the end; the receiver's list begins anew. */
    async resendAt(channelId: number, at: number) {
      all.target.requests.splice(0);
      const id = (await deliveries(channelId)).toReversed().at(at)?.id ?? 0;
      const answer = await resend(channelId, id);
      await all.deliver();
      return answer;
    },
    state: async (channelId: number) => {
      const [{ id }] = (await server.api("GET", "/api/incidents")).body.data;
      const { body } = await server.api("GET", `/api/incidents/${id}/deliveries`);
      return body.channels.find((one: { id: number }) => one.id === channelId).state as string;
    },
  };
}

type Started = Awaited<ReturnType<typeof start>>;
const add = (all: Started, type: string) =>
  type === "pagerduty" ? all.addPager() : all.addChannel({ type });

eachEngine("a message about an outage is not sent again", (engine) => {
  test.each(["mattermost", "pagerduty"])(
    "after it was over, nor its end while it is down again: %s",
    async (type) => {
      const all = await start(engine);
      const { a, down, up, send, resendAt, titles, log } = all;
      const channel = await add(all, type);
      await down(a);
      await send();
      await up(a);
      await send();
      expect(await log(channel)).toHaveLength(2);
      expect(await resendAt(channel, 0)).toBe("409 delivery.recovered");
      expect(titles()).toEqual([]);
      await down(a);
      await send();
      expect(await resendAt(channel, 1)).toBe("409 delivery.down_again");
      expect(await resendAt(channel, 0)).toBe("409 delivery.followed");
      expect(titles()).toEqual([]);
    },
  );

  test("after it was over, though what follows has not been evaluated yet", async () => {
    const { addChannel, a, down, up, send, resendAt, titles } = await start(engine);
    const channel = await addChannel({ events: ["monitor.down"] });
    await down(a);
    await send();
    await up(a);
    expect(await resendAt(channel, 0)).toBe("409 delivery.recovered");
    expect(titles()).toEqual([]);
  });

  test("after others followed: what is still down, reminders", async () => {
    const { addChannel, a, b, down, up, deliver, send, wait, resendAt, titles, log } = await start(engine);
    const channel = await addChannel({ reminder: "15m" });
    await down(a);
    await deliver();
    await down(b);
    await send();
    expect(titles()).toEqual(["Alpha is down", "Beta is down"]);
    await up(b);
    await send();
    expect(await resendAt(channel, 1)).toBe("409 delivery.recovered");
    expect(await resendAt(channel, 0)).toBe("409 delivery.followed");
    await wait(15 * MINUTE_MS, 2);
    const events = (await log(channel)).map(({ event }) => event);
    expect(events.slice(-2)).toEqual(["reminder", "reminder"]);
    expect(await resendAt(channel, -2)).toBe("409 delivery.followed");
    // How long it has been down is another by now.
    expect(await resendAt(channel, -1)).toBe("409 delivery.changed");
    expect(titles()).toEqual([]);
  });

  test("after its incident was merged, or deleted", async () => {
    const { addChannel, add: addMonitor, down, send, resendAt, incidents, server, log } = await start(engine);
    const [a, b] = [await addMonitor("Gamma"), await addMonitor("Delta")];
    const channel = await addChannel();
    await down(a);
    await send(10 * MINUTE_MS);
    await down(b);
    await send();
    const idOf = async (name: string) => (await incidents()).find(({ title }) => title.includes(name))?.id;
    const [first, second] = [await idOf("Gamma"), await idOf("Delta")];
    expect((await server.api("POST", `/api/incidents/${second}/merge`, { into: first })).status).toBe(200);
    await send();
    const before = (await log(channel)).length;
    expect(await resendAt(channel, 1)).toBe("409 delivery.regrouped");
    await server.api("POST", `/api/incidents/${first}/updates`, { status: "resolved", message: "Over." });
    await send();
    expect((await server.api("DELETE", `/api/incidents/${first}`)).status).toBe(200);
    await send();
    expect(await resendAt(channel, 0)).toMatch(/^409 delivery\.(?:regrouped|followed)$/);
    expect((await log(channel)).length).toBeGreaterThanOrEqual(before);
  });

  test("by what people write: an update after another one, nor what is resolved", async () => {
    const { addChannel, server, send, resendAt, titles } = await start(engine);
    const channel = await addChannel();
    const made = await server.api("POST", "/api/incidents", { title: "Slow", severity: "high" });
    await send();
    const update = (text: string, state = "investigating") =>
      server.api("POST", `/api/incidents/${made.body.data.id}/updates`, { status: state, message: text });
    await update("We look into it.");
    await send();
    expect(await resendAt(channel, 0)).toBe("409 delivery.followed");
    expect(titles()).toEqual([]);
    expect(await resendAt(channel, 1)).toBe("sent");
    expect(titles()).toHaveLength(1);
    await update("Over.", "resolved");
    expect(await resendAt(channel, 1)).toBe("409 delivery.changed");
    await send();
    expect(await resendAt(channel, -1)).toBe("sent");
    expect(titles()).toHaveLength(1);
  });
});

eachEngine("a message that was refused and is sent again", (engine) => {
  test.each(["mattermost", "pagerduty", "webhook"])(
    "counts as received, so that no second one follows, but its end does: %s",
    async (type) => {
      const all = await start(engine);
      const { a, down, up, deliver, wait, target, recover, resendAt, titles, log, state } = all;
      const channel = await add(all, type);
      target.set(status(400));
      await down(a);
      await deliver();
      const [refused] = await log(channel);
      expect(refused?.state).toBe("failed");
      target.set(respond({ status: type === "pagerduty" ? 202 : 200, body: '{"status":"success"}' }));
      expect(await resendAt(channel, 0)).toBe("sent");
      expect(titles()).toHaveLength(1);
      expect(await state(channel)).toBe("notified");
      await wait(10 * MINUTE_MS, 12);
      expect(titles()).toHaveLength(1);
      expect((await log(channel)).map(({ uuid, state: is }) => [uuid, is])).toEqual([
        [refused?.uuid, "sent"],
      ]);
      if (type !== "pagerduty") recover();
      await up(a);
      await wait(MINUTE_MS, 1);
      expect(titles().at(-1)).toMatch(/Alpha is up again|^resolve/);
    },
  );

  test.each(["mattermost", "webhook"])("may be the end, once: %s", async (type) => {
    const { addChannel, a, down, up, send, deliver, wait, target, recover, resendAt, titles, state } =
      await start(engine);
    const channel = await addChannel({ type });
    await down(a);
    await send();
    target.set(status(400));
    await up(a);
    await deliver();
    recover();
    expect(await resendAt(channel, -1)).toBe("sent");
    await wait(10 * MINUTE_MS, 12);
    expect(titles()).toEqual(["Alpha is up again"]);
    expect(await state(channel)).toBe("resolved");
  });

  test.each(["mattermost", "webhook"])("is not where it is over: %s", async (type) => {
    const { addChannel, a, down, up, deliver, wait, target, recover, resendAt, titles } = await start(engine);
    const channel = await addChannel({ type });
    target.set(status(400));
    await down(a);
    await deliver();
    await up(a);
    await deliver();
    recover();
    expect(await resendAt(channel, 0)).toBe("409 delivery.recovered");
    await wait(10 * MINUTE_MS, 12);
    expect(titles()).toEqual([]);
  });

  test("says what is so by then", async () => {
    const { addChannel, a, b, down, deliver, observe, wait, target, recover, resendAt, titles } =
      await start(engine);
    const channel = await addChannel();
    target.set(status(400));
    await down(a);
    await deliver();
    recover();
    await down(b);
    await observe();
    expect(await resendAt(channel, 0)).toBe("sent");
    await wait(10 * MINUTE_MS, 3);
    expect(titles()).toHaveLength(1);
    expect(titles()[0]).toMatch(/Alpha.*Beta|Beta.*Alpha/);
  });
});

eachEngine("a message that arrived and is sent again while it is still so", (engine) => {
  test.each(["mattermost", "pagerduty"])("is tried once, and the end follows: %s", async (type) => {
    const all = await start(engine);
    const { a, down, up, send, wait, target, resendAt, titles, log, state } = all;
    const channel = await add(all, type);
    await down(a);
    await send();
    const [first] = titles();
    expect(await resendAt(channel, 0)).toBe("sent");
    expect(titles()).toEqual([first]);
    expect(await state(channel)).toBe("notified");
    const works = respond({ status: type === "pagerduty" ? 202 : 200, body: '{"status":"success"}' });
    target.set(status(503));
    expect(await resendAt(channel, 0)).toBe("sent");
    const [failed] = await log(channel);
    expect(failed).toMatchObject({ state: "failed", failure: expect.stringContaining("503") });
    target.set(works);
    await wait(MINUTE_MS, 60);
    expect(titles()).toEqual([first]);
    await up(a);
    await send();
    expect(titles()).toHaveLength(2);
    expect(await resendAt(channel, -1)).toBe("sent");
    expect(titles()).toHaveLength(1);
    expect(await state(channel)).toBe("resolved");
  });

  test("comes before what happens meanwhile", async () => {
    const { addChannel, a, down, up, send, sendWhile, wait, resend, log, titles, target } =
      await start(engine);
    const channel = await addChannel();
    await down(a);
    await send();
    target.requests.splice(0);
    const [first] = await log(channel);
    expect(await resend(channel, first?.id ?? 0)).toBe("sent");
    await sendWhile(() => up(a));
    await wait(10 * MINUTE_MS, 6);
    expect(titles()).toEqual(["Alpha is down", "Alpha is up again"]);
  });
});

eachEngine("a webhook", (engine) => {
  test("may have each event that it got repeated, with its id and time, which changes nothing else", async () => {
    const { addChannel, a, down, up, send, wait, resendAt, received, target, state } = await start(engine);
    const channel = await addChannel({ type: "webhook" });
    await down(a);
    await send();
    const idOf = () => target.requests[0]?.headers["webhook-id"];
    const [event, id] = [received()[0], idOf()];
    await up(a);
    await send();
    expect(await resendAt(channel, 0)).toBe("sent");
    expect([received()[0], idOf()]).toEqual([event, id]);
    expect(await state(channel)).toBe("resolved");
    await wait(HOUR_MS / 2, 4);
    expect(received()).toHaveLength(1);
  });

  test("gets what happens, while what is repeated is refused", async () => {
    const { addChannel, a, down, up, send, wait, resendAt, titles, target, recover } = await start(engine);
    const channel = await addChannel({ type: "webhook" });
    await down(a);
    await send();
    await up(a);
    await send();
    for (const refusal of [503, 400]) {
      await wait(HOUR_MS, 3);
      target.set(status(refusal));
      expect(await resendAt(channel, 0)).toBe("sent");
      await down(a);
      recover();
      await wait(1_000, 2);
      expect(titles()[0]).toBe("Alpha is down");
      await up(a);
      await wait(MINUTE_MS, 10);
      expect(titles().filter((title) => title === "Alpha is up again")).toHaveLength(1);
    }
  });
});
