import { expect, test } from "vitest";
import { eachEngine } from "../harness/stores.ts";
import { startGroup } from "./group-setup.ts";

const HOUR_MS = 3_600_000;
const HOURS = { from: "08:00", to: "20:00" };

eachEngine("a channel whose hours have ended", (engine) => {
  /** Shop is of low severity, Bank graver; in an hour, or in some seconds, the channel's hours are over. */
  const start = async (when: "by night" | "just before") => {
    const group = await startGroup(engine);
    const { server, ids, pass } = group;
    await server.api("PUT", `/api/domains/${ids[0]}`, { severity: "low" });
    const [{ id }] = (await server.api("GET", "/api/notifications/channels")).body.data;
    await server.api("PUT", `/api/notifications/channels/${id}`, { hours: HOURS });
    const end = Date.UTC(2026, 10, 22, 20);
    pass(end - server.ctx.clock.now() + (when === "by night" ? 60_000 : -20_000));
    /** What is sent from now on; `morning`: once the hours have begun again. */
    const told = async (at: "now" | "morning" = "now") => {
      const before = group.titles().length;
      if (at === "morning") {
        await group.send();
        pass(12 * HOUR_MS);
      }
      for (let each = 0; each < 4; each += 1) await group.send();
      return group.titles().slice(before);
    };
    return { ...group, told };
  };

  test("is told at once that what it knows of is up again, though something graver of it waits", async () => {
    const { ids, check, told } = await start("just before");
    await check(ids.slice(0, 1), "failed");
    expect(await told()).toEqual(["Shop is down"]);
    await check(ids.slice(1, 2), "failed");
    expect(await told()).toEqual([]);
    await check(ids.slice(0, 2), "ok");
    expect(await told()).toEqual(["Shop and Bank are up again"]);
    expect(await told("morning")).toEqual([]);
  });

  test("is told in the morning of what is down by then, and not of what is up", async () => {
    const { ids, check, told } = await start("by night");
    await check(ids.slice(1, 2), "failed");
    await check(ids.slice(2), "failed");
    await check(ids.slice(1, 2), "ok");
    expect(await told("morning")).toEqual(["Cards is down"]);
    await check(ids.slice(2), "ok");
    expect(await told()).toEqual(["Bank and Cards are up again"]);
  });

  test("is told of what is down where something graver of it is up", async () => {
    const { ids, check, told } = await start("by night");
    await check(ids.slice(0, 1), "failed");
    await check(ids.slice(1, 2), "failed");
    await check(ids.slice(1, 2), "ok");
    expect(await told("morning")).toEqual(["Shop is down"]);
  });

  test("is told of each of two that people have separated", async () => {
    const { ids, check, told, act, target } = await start("by night");
    await check(ids.slice(0, 1), "failed");
    await check(ids.slice(1, 2), "failed");
    await act("split");
    expect(await told("morning")).toEqual(["While messages were held: 2 monitors are down"]);
    expect(target.requests.at(-1)?.body).toMatch(/(?=.*Shop \(low)(?=.*Bank \(high)/);
  });

  test("is told nothing of what was separated from what it knows of, and is up", async () => {
    const { ids, check, told, act } = await start("just before");
    await check(ids.slice(0, 1), "failed");
    expect(await told()).toEqual(["Shop is down"]);
    await check(ids.slice(1, 2), "failed");
    await act("split");
    await check(ids.slice(1, 2), "ok");
    expect(await told()).toEqual([]);
    expect(await told("morning")).toEqual([]);
    await check(ids.slice(0, 1), "ok");
    expect(await told()).toEqual(["Shop is up again"]);
  });

  test("is told of what is down where what was separated from it is up", async () => {
    const { ids, check, told, act } = await start("by night");
    await check(ids.slice(0, 1), "failed");
    await check(ids.slice(1, 2), "failed");
    await act("split");
    await check(ids.slice(1, 2), "ok");
    expect(await told("morning")).toEqual(["Shop is down"]);
  });
});
