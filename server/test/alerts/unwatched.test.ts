import { expect, test } from "vitest";
import { sweepStale } from "../../src/app/pipeline.ts";
import { respond, status } from "../harness/behaviours.ts";
import { eachEngine } from "../harness/stores.ts";
import { CHANNELS, startTelling } from "./channel-setup.ts";
import { CASES } from "./channels/channel-cases.ts";
import { openAlerts } from "./open-alerts.ts";
import { startAlerts } from "./setup.ts";

eachEngine("a monitor that is no longer checked", (engine) => {
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
      /** What programs and people are sent, oldest first. */
      async sent() {
        await deliver();
        const eventsOf = async (id: number) => (await deliveries(id)).map(({ event }) => event).reverse();
        return [await eventsOf(program), await eventsOf(people)];
      },
      change: (change: object) => server.api("PUT", `/api/domains/${monitorId}`, change),
      open: () => openAlerts(server),
    };
  }

  test("by a person's will: programs close their alert, people know it", async () => {
    const { check, sent, change, open, received } = await start();
    await check("failed", "failed");
    expect(await sent()).toEqual([["monitor.down"], ["monitor.down"]]);
    expect((await change({ enabled: false })).status).toBe(200);
    expect(await sent()).toEqual([["monitor.down", "monitor.stopped"], ["monitor.down"]]);
    expect(received().at(-1)).toMatchObject({
      type: "monitor.stopped",
      text: expect.stringMatching(/^Monitoring of Shop ended at .*paused/i),
    });
    expect(await open()).toEqual([]);
  });

  test("by a person's will, while messages fail: programs are sent both, people neither", async () => {
    const { check, sent, change, pass, received, target, outbox } = await start();
    target.set(status(503));
    await check("failed", "failed");
    await sent();
    await change({ enabled: false });
    target.set(respond());
    const before = received().length;
    pass(60 * 60_000);
    await sent();
    pass(6_000);
    await sent();
    const messages = received().slice(before);
    expect(messages.map(({ type }) => type)).toEqual(["monitor.down", "monitor.stopped"]);
    const refused = (await outbox()).flatMap(({ failure }) => (failure ? JSON.parse(failure).code : []));
    expect(refused).toEqual(["delivery.over"]);
  });

  test("by a person's will while nothing was known of it: its next outage is another story", async () => {
    const { server, monitorId, pass, sent, change, open } = await start();
    pass(60 * 60_000);
    await sweepStale(server.ctx);
    expect(await sent()).toEqual([["monitor.stopped"], ["monitor.stopped"]]);
    expect(await open()).toEqual([monitorId]);
    await change({ enabled: false });
    expect(await sent()).toEqual([["monitor.stopped", "monitor.stopped"], ["monitor.stopped"]]);
    expect(await open()).toEqual([]);
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
    const messages = (await deliveries(id)).map(({ event, state }) => [event, state]);
    expect(messages.reverse()).toEqual([
      ["monitor.down", "sent"],
      ["monitor.stopped", "sent"],
    ]);
  });

  test.each(["paused", "deleted"])("by a person's will: a pager's alert is closed as %s", async (how) => {
    const { server, addChannel, check, deliver, change, received, monitorId, target } = await start();
    await addChannel({ type: "opsgenie", config: CASES.opsgenie.config(target.url) });
    await check("failed", "failed");
    await deliver();
    if (how === "paused") await change({ enabled: false });
    else expect((await server.api("DELETE", `/api/domains/${monitorId}`)).status).toBe(200);
    await deliver();
    const notes = received().flatMap(({ note }) => (typeof note === "string" ? note : []));
    expect(notes).toEqual([
      expect.stringMatching(/^Shop is no longer monitored\nMonitoring of Shop ended at .*/),
    ]);
    expect(notes[0]).toContain(how);
  });

  test("for a while: people and programs are sent that it is up again", async () => {
    const { server, pass, check, sent, open } = await start();
    pass(60 * 60_000);
    await sweepStale(server.ctx);
    await sent();
    await check("ok", "ok");
    expect(await sent()).toEqual(Array(2).fill(["monitor.stopped", "monitor.up"]));
    expect(await open()).toEqual([]);
  });
});

eachEngine("a pager whose alert has a monitor that is paused while it is down", (engine) => {
  test("is not sent that it recovered, beside what else goes down", async () => {
    const { add, addPager, down, send, server, received } = await startAlerts(engine);
    await addPager();
    const url = (name: string) => ({ url: `https://shared.example/${name}` });
    const [a, b] = [await add("Alpha", url("a")), await add("Beta", url("b"))];
    await down(a);
    await send(5_000);
    await down(b);
    expect((await server.api("PUT", `/api/domains/${a}`, { enabled: false })).status).toBe(200);
    await send();
    const sent = JSON.stringify(received().at(-1));
    expect(sent).toContain("Beta is down");
    expect(sent).toContain("No longer monitored: Alpha.");
    expect(sent).not.toContain("Recovered");
  });
});
