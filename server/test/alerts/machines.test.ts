import { expect, onTestFinished, test } from "vitest";
import { deliverOutbox } from "../../src/alerts/deliver.ts";
import { backupStore, restoreStore } from "../../src/app/backup.ts";
import { TRANSPORTS } from "../../src/app/jobs.ts";
import { openStore } from "../../src/platform/database/open.ts";
import { status } from "../harness/behaviours.ts";
import { database, temporaryFile } from "../harness/databases.ts";
import { eachEngine } from "../harness/stores.ts";
import { HOUR_MS, MINUTE_MS, startAlerts } from "./setup.ts";

eachEngine("a webhook is sent the end of an outage once,", (engine) => {
  /** It was sent the outage, and answers 503 from then on. */
  const start = async () => {
    const all = await startAlerts(engine);
    await all.addChannel({ type: "webhook", reminder: "15m" });
    const a = await all.add("Alpha");
    await all.down(a);
    await all.send();
    expect(all.titles()).toEqual(["Alpha is down"]);
    all.target.set(status(503));
    return { ...all, a };
  };

  test("after a reminder and the end itself were given up", async () => {
    const { a, up, wait, recover, titles } = await start();
    await wait(5 * MINUTE_MS, 4);
    await up(a);
    await wait(HOUR_MS / 2, 50);
    recover();
    await wait(HOUR_MS / 2, 96);
    expect(titles()).toEqual(["Alpha is up again"]);
  });

  test("after a reminder was refused for good", async () => {
    const { a, up, deliver, wait, target, recover, titles } = await start();
    await wait(15 * MINUTE_MS, 1);
    await up(a);
    target.set(status(400));
    await deliver();
    await wait(HOUR_MS, 1);
    recover();
    await wait(HOUR_MS / 2, 20);
    expect(titles()).toEqual(["Alpha is up again"]);
  });

  test("after the outage was acknowledged, and the reminder and the end were refused", async () => {
    const { a, up, observe, wait, target, recover, titles, incidents, server } = await start();
    await wait(5 * MINUTE_MS, 4);
    const [incident] = await incidents();
    await server.api("POST", `/api/incidents/${incident?.id}/acknowledge`, {});
    await wait(0, 1);
    await up(a);
    await observe();
    target.set(status(400));
    await wait(HOUR_MS, 1);
    recover();
    await wait(HOUR_MS / 2, 96);
    expect(titles()).toEqual(["Alpha is up again"]);
  });

  test("and no reminder meanwhile, after two hours without an answer that counts", async () => {
    const { a, up, wait, target, recover, titles } = await start();
    await up(a);
    await wait(5 * MINUTE_MS, 24);
    const tried = target.requests.map(({ body }) => JSON.parse(body).type);
    expect(new Set(tried.slice(1))).toEqual(new Set(["monitor.up"]));
    recover();
    await wait(5 * MINUTE_MS, 30);
    expect(titles()).toEqual(["Alpha is up again"]);
  });
});

eachEngine("a backup that is restored brings along", (engine) => {
  /** Moves everything to another database by a backup; `wait` is of the server there. */
  const start = async () => {
    const [source, other, file] = [await database(engine), await database(engine), temporaryFile()];
    const store = await openStore(source);
    onTestFinished(() => store.close());
    const all = await startAlerts(engine, {}, store);
    const move = async () => {
      await backupStore(source, file);
      await restoreStore(other, file);
      const restored = await openStore(other);
      onTestFinished(() => restored.close());
      const ctx = { ...all.ctx, store: restored };
      return async (stepMs: number, times: number) => {
        for (let step = 0; step < times; step += 1) {
          all.pass(stepMs);
          await deliverOutbox(ctx, TRANSPORTS, new AbortController().signal);
        }
      };
    };
    return { ...all, move };
  };

  test("the end of an outage that a webhook has not been sent", async () => {
    const { add, addChannel, down, up, send, deliver, target, recover, titles, move } = await start();
    await addChannel({ type: "webhook" });
    const a = await add("Alpha");
    await down(a);
    await send();
    target.set(status(503));
    await up(a);
    await deliver();
    const wait = await move();
    recover();
    await wait(10 * MINUTE_MS, 10);
    expect(titles()).toEqual(["Alpha is up again"]);
  });

  test.each(["webhook", "mattermost"])("an outage that hours hold back from a %s", async (type) => {
    const { add, addChannel, down, send, pass, titles, move } = await start();
    await addChannel({ type, hours: { from: "08:00", to: "20:00" }, timeZone: "UTC" });
    const a = await add("Alpha");
    pass(10 * HOUR_MS);
    await down(a);
    await send();
    expect(titles()).toEqual([]);
    const wait = await move();
    await wait(HOUR_MS / 2, 19);
    expect(titles()).toEqual([]);
    await wait(HOUR_MS / 2, 2);
    expect(titles()).toEqual(["Alpha is down"]);
  });
});

eachEngine("a webhook that is switched on while a monitor flaps", (engine) => {
  test("is sent which incident that is of", async () => {
    const { add, addChannel, set, down, up, send, incidents, received, deliveries } =
      await startAlerts(engine);
    const first = await addChannel({ type: "webhook", name: "First" });
    const a = await add("Alpha");
    for (let turn = 0; turn < 3; turn += 1) {
      await down(a);
      await up(a);
    }
    await down(a);
    await send();
    expect((await deliveries(first)).map(({ event }) => event)).toContain("monitor.flapping");
    await set(first, { enabled: false });
    const count = received().length;
    await addChannel({ type: "webhook", name: "Second" });
    await send();
    const [incident] = await incidents();
    expect(received().slice(count)).toMatchObject([{ type: "monitor.flapping", incidentId: incident?.id }]);
  });
});

eachEngine("a webhook that refuses the beginning of an outage", (engine) => {
  test("is not sent its end, though both went into the outbox at the same time", async () => {
    const { add, addChannel, down, up, observe, deliver, wait, target, recover, titles } =
      await startAlerts(engine);
    await addChannel({ type: "webhook" });
    const a = await add("Alpha");
    // No server follows events meanwhile.
    await down(a);
    await up(a);
    await observe();
    target.set(status(400));
    await deliver();
    expect(titles()).toEqual(["Alpha is down"]);
    recover();
    await wait(MINUTE_MS, 30);
    expect(titles()).toEqual([]);
  });
});

eachEngine("what people say of an incident", (engine) => {
  test("reaches a webhook in order, though it refused the beginning once", async () => {
    const { addChannel, target, server, deliver, wait, recover, received } = await startAlerts(engine);
    await addChannel({ type: "webhook" });
    target.set(status(400));
    const report = { title: "Checkout is slow", severity: "critical" };
    const made = await server.api("POST", "/api/incidents", report);
    await deliver();
    expect(received().map(({ type }) => type)).toEqual(["incident.opened"]);
    recover();
    await wait(10 * MINUTE_MS, 10);
    expect(received().map(({ type }) => type)).toEqual(["incident.opened"]);
    const update = { status: "resolved", message: "Over." };
    await server.api("POST", `/api/incidents/${made.body.data.id}/updates`, update);
    await wait(10 * MINUTE_MS, 4);
    expect(received().map(({ type }) => type)).toEqual(["incident.opened", "incident.resolved"]);
  });
});

eachEngine("a pager", (engine) => {
  test("has every alert of an incident acknowledged, also of one that was merged into it", async () => {
    const { add, addPager, down, pass, deliver, wait, incidents, server, received } =
      await startAlerts(engine);
    await addPager({ reminder: "15m" });
    const [a, b] = [await add("Alpha"), await add("Beta")];
    await down(a);
    pass(2 * MINUTE_MS);
    await down(b);
    await deliver();
    const actions = () => received().map((sent) => sent["event_action"]);
    const keys = () => received().map((sent) => sent["dedup_key"]);
    expect(actions()).toEqual(["trigger", "trigger"]);
    const idOf = async (name: string) => (await incidents()).find(({ title }) => title.includes(name))?.id;
    const [ofA, ofB] = [await idOf("Alpha"), await idOf("Beta")];
    expect((await server.api("POST", `/api/incidents/${ofB}/merge`, { into: ofA })).status).toBe(200);
    await deliver();
    expect((await server.api("POST", `/api/incidents/${ofA}/acknowledge`, {})).status).toBe(200);
    await wait(10 * MINUTE_MS, 6);
    expect(actions().slice(2)).toEqual(["acknowledge", "acknowledge"]);
    expect(keys().slice(2).toSorted()).toEqual(keys().slice(0, 2).toSorted());
  });
});
