import { expect, test } from "vitest";
import { eachEngine } from "../harness/stores.ts";
import { startGroup } from "./group-setup.ts";

const HOUR_MS = 3_600_000;
const HOURS = { from: "08:00", to: "20:00" };

eachEngine("a channel whose hours have ended", (engine) => {
  /** Shop is of low severity, Bank of a higher one; in an hour, or in some seconds, the channel's hours are over. */
  const start = async (when: "by night" | "just before") => {
    const group = await startGroup(engine);
    const { server, ids, pass } = group;
    await server.api("PUT", `/api/domains/${ids[0]}`, { severity: "low" });
    const [{ id }] = (await server.api("GET", "/api/notifications/channels")).body.data;
    await server.api("PUT", `/api/notifications/channels/${id}`, { hours: HOURS });
    const end = Date.UTC(2026, 10, 22, 20);
    pass(end - server.ctx.clock.now() + (when === "by night" ? 60_000 : -20_000));
    /** What is sent from now on; `morning`: once the hours have begun again. */
    const sent = async (at: "now" | "morning" = "now") => {
      const before = group.titles().length;
      if (at === "morning") {
        await group.send();
        pass(12 * HOUR_MS);
      }
      for (let each = 0; each < 4; each += 1) await group.send();
      return group.titles().slice(before);
    };
    return { ...group, sent };
  };

  test("is sent at once that what it was notified of is up again, and nothing of something more severe that was held", async () => {
    const { ids, check, sent } = await start("just before");
    await check(ids.slice(0, 1), "failed");
    expect(await sent()).toEqual(["Shop is down"]);
    await check(ids.slice(1, 2), "failed");
    expect(await sent()).toEqual([]);
    await check(ids.slice(0, 2), "ok");
    expect(await sent()).toEqual(["Shop is up again"]);
    expect(await sent("morning")).toEqual([]);
  });

  test("is notified in the morning of what is down by then, and of what was down meanwhile", async () => {
    const { ids, check, send, sent, posts } = await start("by night");
    await check(ids.slice(1, 2), "failed");
    await check(ids.slice(2), "failed");
    await send();
    await check(ids.slice(1, 2), "ok");
    expect(await sent("morning")).toEqual(["Cards is down"]);
    expect(posts().at(-1)?.text).toContain("Had problems while messages were held: Bank.");
    await check(ids.slice(2), "ok");
    expect(await sent()).toEqual(["Cards is up again"]);
  });

  test("is notified of what is down where something more severe of it is up", async () => {
    const { ids, check, sent } = await start("by night");
    await check(ids.slice(0, 1), "failed");
    await check(ids.slice(1, 2), "failed");
    await check(ids.slice(1, 2), "ok");
    expect(await sent("morning")).toEqual(["Shop is down"]);
  });

  test("is notified of each of two that people have separated", async () => {
    const { ids, check, sent, act, target } = await start("by night");
    await check(ids.slice(0, 1), "failed");
    await check(ids.slice(1, 2), "failed");
    await act("split");
    expect(await sent("morning")).toEqual(["While messages were held: 2 monitors are down"]);
    expect(target.requests.at(-1)?.body).toMatch(/(?=.*Shop \(low)(?=.*Bank \(high)/);
  });

  test("is sent nothing of what was separated from what it was notified of, and is up", async () => {
    const { ids, check, sent, act } = await start("just before");
    await check(ids.slice(0, 1), "failed");
    expect(await sent()).toEqual(["Shop is down"]);
    await check(ids.slice(1, 2), "failed");
    await act("split");
    await check(ids.slice(1, 2), "ok");
    expect(await sent()).toEqual([]);
    expect(await sent("morning")).toEqual(["Shop is still down"]);
    await check(ids.slice(0, 1), "ok");
    expect(await sent()).toEqual(["Shop is up again"]);
  });

  test("is notified of what is down where what was separated from it is up", async () => {
    const { ids, check, sent, act } = await start("by night");
    await check(ids.slice(0, 1), "failed");
    await check(ids.slice(1, 2), "failed");
    await act("split");
    await check(ids.slice(1, 2), "ok");
    expect(await sent("morning")).toEqual(["Shop is down"]);
  });
});
