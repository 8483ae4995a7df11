import { expect, test } from "vitest";
import { eachEngine } from "../harness/stores.ts";
import { CHANNELS } from "./channel-setup.ts";
import { MINUTE_MS, startAlerts } from "./setup.ts";

const shared = (path: string) => ({ url: `https://shared.example/${path}` });
const BOTH = "Alpha and Beta are down";

/** The receiver has a message, and the server does not know it yet. */
eachEngine("while a message is being sent:", (engine) => {
  /** Two monitors of one host that went down together. */
  const startTwo = async () => {
    const all = await startAlerts(engine);
    await all.addChannel();
    const a = await all.add("Alpha", shared("a"));
    const b = await all.add("Beta", shared("b"));
    await all.down(a, b);
    const act = async (action: string) => {
      const [incident] = await all.incidents();
      const { status } = await all.server.api("POST", `/api/incidents/${incident?.id}/${action}`, {});
      expect(status).toBe(200);
    };
    return { ...all, a, b, act };
  };
  const startOne = async () => {
    const all = await startAlerts(engine);
    const channelId = await all.addChannel();
    const a = await all.add("Alpha");
    await all.down(a);
    return { ...all, a, channelId };
  };
  /** A channel for critical monitors only, and one that depends on a switch; both are down. */
  const startBehind = async () => {
    const all = await startAlerts(engine);
    await all.addChannel({ severities: ["critical"] });
    const parent = await all.add("Switch", { severity: "low" });
    const parents = [await all.uuidOf(parent)];
    const child = await all.add("Payments", { severity: "critical", parents });
    await all.down(parent);
    await all.deliver();
    await all.down(child);
    return { ...all, parent, child };
  };

  test("the parent recovers, and its child is not announced a second time", async () => {
    const { parent, child, up, down, look, observe, sendWhile, wait, titles } = await startBehind();
    await sendWhile(async () => {
      await up(parent);
      await look();
      await down(child);
      await observe();
    });
    await wait(MINUTE_MS, 4);
    expect(titles()).toEqual(["Payments is down"]);
    await up(child);
    await wait(MINUTE_MS, 2);
    expect(titles()).toEqual(["Payments is down", "Payments is up again"]);
  });

  test("the parent and its child recover, and the end is sent", async () => {
    const { parent, child, up, down, look, observe, sendWhile, wait, titles } = await startBehind();
    await sendWhile(async () => {
      await up(parent);
      await look();
      await down(child);
      await observe();
      await up(child);
      await observe();
    });
    await wait(MINUTE_MS, 10);
    expect(titles()).toEqual(["Payments is down", "Payments is up again"]);
  });

  test("the incident is deleted and its monitor recovers, and the end is sent", async () => {
    const { a, up, observe, sendWhile, wait, titles, incidents, server } = await startOne();
    await sendWhile(async () => {
      const [incident] = await incidents();
      expect((await server.api("DELETE", `/api/incidents/${incident?.id}`)).status).toBe(200);
      await observe();
      await up(a);
      await observe();
    });
    await wait(MINUTE_MS, 5);
    expect(titles()).toEqual(["Alpha is down", "Alpha is up again"]);
  });

  test("the incident is split, and nothing of it is announced twice", async () => {
    const { a, b, up, sendWhile, wait, titles, act } = await startTwo();
    await sendWhile(() => act("split"));
    await wait(MINUTE_MS, 3);
    expect(titles()).toEqual([BOTH]);
    await up(a, b);
    await wait(MINUTE_MS, 3);
    expect(titles()[0]).toBe(BOTH);
    expect(titles().slice(1).toSorted()).toEqual(["Alpha is up again", "Beta is up again"]);
  });

  test("the incident is split and what was split off recovers, and each end is sent once", async () => {
    const { a, b, up, observe, sendWhile, wait, titles, act } = await startTwo();
    await sendWhile(async () => {
      await act("split");
      await observe();
      await up(b);
      await observe();
    });
    await wait(MINUTE_MS, 5);
    expect(titles()).toEqual([BOTH, "Beta is up again"]);
    await up(a);
    await wait(MINUTE_MS, 5);
    expect(titles()).toEqual([BOTH, "Beta is up again", "Alpha is up again"]);
  });

  test("a monitor recovers, and nothing says that it is up after it has gone down again", async () => {
    const { a, b, up, down, pass, observe, sendWhile, wait, titles } = await startTwo();
    await sendWhile(async () => {
      pass(30_000);
      await up(a);
      await observe();
      pass(10_000);
    });
    await down(a);
    await wait(0, 1);
    await wait(MINUTE_MS, 5);
    expect(titles()).toEqual([BOTH]);
    await up(b);
    await wait(MINUTE_MS, 5);
    expect(titles()).toEqual([BOTH, "Beta is up again"]);
  });

  test.each(["paused", "deleted"])("the monitor is %s, and nothing is said of it any more", async (how) => {
    const { a, observe, sendWhile, wait, titles, received, server } = await startOne();
    await sendWhile(async () => {
      const path = `/api/domains/${a}`;
      const { status } = await (how === "paused"
        ? server.api("PUT", path, { enabled: false })
        : server.api("DELETE", path));
      expect(status).toBe(200);
      await observe();
    });
    await wait(MINUTE_MS, 5);
    expect(titles()).toEqual(["Alpha is down"]);
    expect(JSON.stringify(received())).not.toContain("1970");
  });

  test("the channel is deleted, and it is sent nothing more", async () => {
    const { a, up, channelId, observe, sendWhile, wait, titles, server } = await startOne();
    await sendWhile(async () => {
      expect((await server.api("DELETE", `${CHANNELS}/${channelId}`)).status).toBe(200);
      await observe();
    });
    await up(a);
    await wait(MINUTE_MS, 5);
    expect(titles()).toEqual(["Alpha is down"]);
  });

  test("the server dies, the monitor recovers before another takes over, and the end is sent", async () => {
    const { a, up, sendAndDie, pass, wait, titles } = await startOne();
    await sendAndDie();
    expect(titles()).toEqual(["Alpha is down"]);
    pass(20_000);
    await up(a);
    await wait(0, 1);
    await wait(MINUTE_MS, 10);
    expect(titles()).toEqual(["Alpha is down", "Alpha is up again"]);
  });
});
