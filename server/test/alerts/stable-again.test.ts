import { expect, test } from "vitest";
import { respond, status } from "../harness/behaviours.ts";
import { eachEngine } from "../harness/stores.ts";
import { startTelling, type Telling } from "./channel-setup.ts";
import { openAlerts } from "./open-alerts.ts";

eachEngine("after a monitor has flapped", (engine) => {
  async function start() {
    const telling = await startTelling(engine);
    const eventsOf = async (id: number) => (await telling.deliveries(id)).map(({ event }) => event).reverse();
    return { ...telling, eventsOf };
  }
  const fail = ["failed", "failed", "failed"] as const;
  const recover = ["ok", "ok", "ok"] as const;
  const flap = ({ check }: Telling) =>
    check(...recover, ...fail.slice(1), "ok", "ok", "failed", "failed", "ok", "ok");
  const stayUp = ({ check }: Telling) => check(...Array(10).fill("ok"));

  test("one message and one notification say that it is stable again, and its alert is closed", async () => {
    const telling = await start();
    const { addChannel, deliver, received, server, eventsOf } = telling;
    const id = await addChannel();
    await flap(telling);
    await deliver();
    await stayUp(telling);
    await deliver();
    const all = ["monitor.down", "monitor.up", "monitor.down", "monitor.flapping"];
    expect(await eventsOf(id)).toEqual([...all, "monitor.settled"]);
    expect(received().at(-1)).toMatchObject({
      type: "monitor.settled",
      title: "Shop is stable again",
      text: expect.stringContaining("ten checks"),
      locations: [],
    });
    const notifications = (await server.api("GET", "/api/notifications")).body.data;
    expect(notifications.map(({ event }: { event: string }) => event).reverse()).toEqual([
      ...all,
      "monitor.settled",
    ]);
    expect(notifications[0]).toMatchObject({ type: "success", fact: { code: "notification.stable_up" } });
    expect(await openAlerts(server)).toEqual([]);
  });

  test("who was not notified that it flaps is notified of the end of its outage, or of nothing", async () => {
    const telling = await start();
    const { addChannel, deliver, eventsOf } = telling;
    const outages = await addChannel({ events: ["monitor.down", "monitor.up"] });
    const flaps = await addChannel({ events: ["monitor.flapping"] });
    const other = await addChannel({ events: ["monitor.stopped"] });
    await flap(telling);
    await deliver();
    const late = await addChannel();
    await stayUp(telling);
    await deliver();
    expect(await eventsOf(outages)).toEqual(["monitor.down", "monitor.up", "monitor.down", "monitor.up"]);
    expect(await eventsOf(flaps)).toEqual(["monitor.flapping", "monitor.settled"]);
    expect(await eventsOf(other)).toEqual([]);
    expect(await eventsOf(late)).toEqual([]);
  });

  test("a channel that refused the message that it flaps is not notified that it is stable again", async () => {
    const telling = await start();
    const { addChannel, deliver, target, eventsOf } = telling;
    const id = await addChannel({ events: ["monitor.flapping"] });
    target.set(status(400));
    await flap(telling);
    await deliver();
    target.set(respond());
    await stayUp(telling);
    await deliver();
    expect(await eventsOf(id)).toEqual(["monitor.flapping"]);
  });

  test("one that stays down is said to, and its recovery is notified", async () => {
    const telling = await start();
    const { addChannel, check, deliver, received, eventsOf } = telling;
    const id = await addChannel({ events: ["monitor.flapping", "monitor.up"] });
    await flap(telling);
    await deliver();
    await check(...Array(14).fill("failed"));
    await deliver();
    expect(received().at(-1)).toMatchObject({ type: "monitor.settled", title: "Shop stays down" });
    await check(...recover);
    await deliver();
    expect(await eventsOf(id)).toEqual(["monitor.flapping", "monitor.settled", "monitor.up"]);
  });

  test("an outage that began with it is notified once it stays, where the channel wants no flapping", async () => {
    const telling = await start();
    const { addChannel, check, deliver, received, eventsOf } = telling;
    const outages = await addChannel({ events: ["monitor.down", "monitor.up"] });
    const all = await addChannel();
    await check(...fail, ...Array(12).fill("failed"));
    await check(...recover.slice(1), "failed", "failed", "ok", "ok", "failed", "failed");
    await deliver();
    const before = ["monitor.down", "monitor.up", "monitor.down", "monitor.up"];
    expect(await eventsOf(outages)).toEqual(before);
    expect(await eventsOf(all)).toEqual([...before, "monitor.flapping"]);
    await check(...Array(12).fill("failed"));
    await deliver();
    expect(await eventsOf(outages)).toEqual([...before, "monitor.down"]);
    const last = received().slice(-2);
    expect(last.map(({ title }) => title).toSorted()).toEqual(["Shop is down", "Shop stays down"]);
    await check(...recover);
    await deliver();
    expect(await eventsOf(outages)).toEqual([...before, "monitor.down", "monitor.up"]);
    expect(await eventsOf(all)).toEqual([...before, "monitor.flapping", "monitor.settled", "monitor.up"]);
  });

  test.each([
    ["ok", "Shop is stable again"],
    ["failed", "Shop is down"],
  ] as const)("people who want only flapping are notified of how it ends (%s)", async (outcome, title) => {
    const telling = await start();
    const { addChannel, check, deliver, received, server, target } = telling;
    await addChannel({ type: "mattermost", config: { url: target.url }, events: ["monitor.flapping"] });
    await flap(telling);
    await deliver();
    await check(...Array(14).fill(outcome));
    await deliver();
    await check(...recover);
    await deliver();
    const titles = received().map(({ attachments }) => (attachments as { title: string }[])[0]?.title);
    expect(titles).toEqual(["Shop is flapping", title]);
    expect(await openAlerts(server)).toEqual([]);
  });
});
