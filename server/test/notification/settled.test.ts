import { expect, test } from "vitest";
import { respond, status } from "../harness/behaviours.ts";
import { eachEngine } from "../harness/stores.ts";
import { startTelling, type Telling } from "./channel-setup.ts";

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

  test("one message and one notice say that it has settled, in the thread that told of it", async () => {
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
      title: "Shop has settled",
      text: expect.stringContaining("ten checks"),
      locations: [],
    });
    const notices = (await server.api("GET", "/api/notifications")).body.data;
    expect(notices.map(({ event }: { event: string }) => event).reverse()).toEqual([
      ...all,
      "monitor.settled",
    ]);
    expect(notices[0]).toMatchObject({ type: "success", fact: { code: "notice.settled_up" } });
    const open = await server.ctx.store.db
      .selectFrom("channel_threads")
      .select("id")
      .where("closed_at", "is", null)
      .execute();
    expect(open).toEqual([]);
  });

  test("who was not told that it flaps hears of the end of its outage, or nothing", async () => {
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

  test("a channel that refused to hear that it flaps is not told that it has settled", async () => {
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

  test("one that stays down is said to, and its recovery is told", async () => {
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

  test("an outage that began with it is told once it stays, to who does not hear of flapping", async () => {
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
    expect(received().at(-1)).toMatchObject({ title: expect.stringMatching(/^Shop (is down|stays down)$/) });
    await check(...recover);
    await deliver();
    expect(await eventsOf(outages)).toEqual([...before, "monitor.down", "monitor.up"]);
    expect(await eventsOf(all)).toEqual([...before, "monitor.flapping", "monitor.settled", "monitor.up"]);
  });
});
