import { expect, test } from "vitest";
import { sweepStale } from "../../src/pipeline.ts";
import { respond, status } from "../harness/behaviours.ts";
import { eachEngine } from "../harness/stores.ts";
import { CHANNELS, startTelling } from "./channel-setup.ts";

eachEngine("a monitor that nobody checks any more", (engine) => {
  async function start() {
    const telling = await startTelling(engine);
    const { addChannel, check, deliver, server, monitorId, deliveries } = telling;
    const program = await addChannel();
    const people = await addChannel({
      type: "ntfy",
      config: { server: telling.target.url, topic: "outages" },
    });
    await check("ok", "ok");
    return {
      ...telling,
      /** What programs and people are told, oldest first. */
      async heard() {
        await deliver();
        const eventsOf = async (id: number) => (await deliveries(id)).map(({ event }) => event).reverse();
        return [await eventsOf(program), await eventsOf(people)];
      },
      change: (change: object) => server.api("PUT", `/api/domains/${monitorId}`, change),
      openThreads: () =>
        server.ctx.store.db
          .selectFrom("channel_threads")
          .select("id")
          .where("closed_at", "is", null)
          .execute(),
    };
  }

  test("by a person's will: programs close their alert, people know it", async () => {
    const { check, heard, change, openThreads, received } = await start();
    await check("failed", "failed");
    expect(await heard()).toEqual([["monitor.down"], ["monitor.down"]]);
    expect((await change({ enabled: false })).status).toBe(200);
    expect(await heard()).toEqual([["monitor.down", "monitor.stopped"], ["monitor.down"]]);
    expect(received().at(-1)).toMatchObject({
      type: "monitor.stopped",
      text: expect.stringMatching(/^Monitoring of Shop ended at .*paused/i),
    });
    expect(await openThreads()).toEqual([]);
  });

  test("by a person's will, while messages fail: programs are told both, people neither", async () => {
    const { check, heard, change, pass, received, target, outbox } = await start();
    target.set(status(503));
    await check("failed", "failed");
    await heard();
    await change({ enabled: false });
    target.set(respond());
    const before = received().length;
    pass(60 * 60_000);
    await heard();
    pass(6_000);
    await heard();
    const told = received().slice(before);
    expect(told.map(({ type }) => type)).toEqual(["monitor.down", "monitor.stopped"]);
    const refused = (await outbox()).flatMap(({ failure }) => (failure ? JSON.parse(failure).code : []));
    expect(refused).toEqual(["delivery.unwatched"]);
  });

  test("by a person's will while nothing was known of it: its next outage is another story", async () => {
    const { server, pass, heard, change, openThreads } = await start();
    pass(60 * 60_000);
    await sweepStale(server.ctx);
    expect(await heard()).toEqual([["monitor.stopped"], ["monitor.stopped"]]);
    expect(await openThreads()).toHaveLength(2);
    await change({ enabled: false });
    expect(await openThreads()).toEqual([]);
  });

  test("by a person's will, outside of a channel's hours: its alert is closed all the same", async () => {
    const { server, addChannel, check, deliver, deliveries, change, now } = await start();
    const id = await addChannel();
    await check("failed", "failed");
    await deliver();
    const hour = new Date(now() + 6 * 3_600_000).toISOString().slice(11, 13);
    const hours = { from: `${hour}:00`, to: `${hour}:30` };
    expect((await server.api("PUT", `${CHANNELS}/${id}`, { hours })).status).toBe(200);
    await change({ enabled: false });
    await deliver();
    const told = (await deliveries(id)).map(({ event, state }) => [event, state]);
    expect(told.reverse()).toEqual([
      ["monitor.down", "sent"],
      ["monitor.stopped", "sent"],
    ]);
  });

  test("for a while: people and programs hear that it is up again", async () => {
    const { server, pass, check, heard, openThreads } = await start();
    pass(60 * 60_000);
    await sweepStale(server.ctx);
    await heard();
    await check("ok", "ok");
    expect(await heard()).toEqual(Array(2).fill(["monitor.stopped", "monitor.up"]));
    expect(await openThreads()).toEqual([]);
  });
});
