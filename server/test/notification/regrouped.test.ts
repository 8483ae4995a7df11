import { expect, test } from "vitest";
import { eachEngine } from "../harness/stores.ts";
import { startGroup } from "./group-setup.ts";

eachEngine("channels, once the monitor that spoke for others does so no more", (engine) => {
  /** Shop is down, was told, and others have joined it silently; Vault is elsewhere. */
  const start = () =>
    startDown(async ({ ids, check, send, titles }) => {
      await check(ids.slice(0, 1), "failed");
      await send();
      await check(ids.slice(1), "failed");
      await send();
      expect(titles()).toEqual(["Shop is down"]);
    });
  /** All are down, and were told together. */
  const startTogether = () =>
    startDown(async ({ ids, check, send, titles }) => {
      await check(ids, "failed");
      await send();
      expect(titles()).toEqual(["Shop, Bank and Cards are down"]);
    });
  const startDown = async (goDown: (group: Awaited<ReturnType<typeof startGroup>>) => Promise<void>) => {
    const group = await startGroup(engine);
    const { addMonitor, check, server, titles } = group;
    const vault = await addMonitor({ name: "Vault", url: "https://two.example/vault" });
    await check([vault], "ok");
    await goDown(group);
    const openThreads = async () => {
      const { db } = server.ctx.store;
      const rows = await db
        .selectFrom("channel_threads")
        .select("monitor_id as monitorId")
        .where("closed_at", "is", null)
        .orderBy("monitor_id")
        .execute();
      return rows.map(({ monitorId }) => monitorId);
    };
    /** What they are told from now on. */
    const since = () => {
      const before = titles().length;
      return () => titles().slice(before).toSorted();
    };
    return { ...group, vault, openThreads, since };
  };

  test("are told of what joined silently and is separated after its incident was merged", async () => {
    const { ids, vault, check, send, remind, act, incidents, since } = await start();
    await check([vault], "failed");
    await send();
    const [shop, other] = await incidents();
    await act("merge", { into: other.id }, shop.id);
    const told = since();
    await act("split", { monitorId: ids[1] }, other.id);
    await send();
    expect(told()).toEqual(["Bank is down"]);
    await remind();
    await send();
    expect(told()).toContain("Bank is still down");
    await check(ids.slice(1, 2), "ok");
    await send();
    expect(told()).toContain("Bank is up again");
  });

  test("hear the end of the first, which is up already, when all are separated", async () => {
    const { ids, check, send, act, openThreads, since } = await start();
    await check(ids.slice(0, 1), "ok");
    await send();
    const told = since();
    await act("split");
    await send();
    expect(told()).toEqual(["Bank is down", "Cards is down", "Shop is up again"]);
    expect(await openThreads()).toEqual(ids.slice(1));
    await check(ids.slice(1), "ok");
    await send();
    expect(told().slice(0, 3)).toEqual(["Bank is down", "Bank is up again", "Cards is down"]);
    expect(await openThreads()).toEqual([]);
  });

  test("hear the end of the first, which is up already, when it is separated", async () => {
    const { ids, check, send, act, openThreads, since } = await start();
    await check(ids.slice(0, 1), "ok");
    const told = since();
    await act("split", { monitorId: ids[0] });
    await send();
    expect(told()).toEqual(["Bank and Cards are down", "Shop is up again"]);
    expect(await openThreads()).toEqual(ids.slice(1, 2));
  });

  test("hear the end of those that stay where all of them are up already", async () => {
    const { ids, check, send, act, openThreads, since } = await start();
    await check(ids.slice(0, 2), "ok");
    const told = since();
    await act("split", { monitorId: ids[2] });
    await send();
    expect(told()).toEqual(["Cards is down", "Shop and Bank are up again"]);
    expect(await openThreads()).toEqual(ids.slice(2));
  });

  test("hear no end of what is down once more", async () => {
    const { ids, check, send, act, since } = await start();
    await check(ids.slice(0, 1), "ok");
    // Longer ago than what it could join.
    for (let each = 0; each < 15; each += 1) await check(ids.slice(1), "failed");
    await check(ids.slice(0, 1), "failed");
    await send();
    const told = since();
    await act("split");
    await send();
    expect(told()).toEqual(["Bank is down", "Cards is down"]);
  });

  test.each(["pausing", "deleting"])("are told of what is still down after %s the first one", async (how) => {
    const { ids, check, send, remind, server, openThreads, since } = await start();
    const path = `/api/domains/${ids[0]}`;
    const told = since();
    const { status } =
      how === "pausing"
        ? await server.api("PUT", path, { enabled: false })
        : await server.api("DELETE", path);
    expect(status).toBe(200);
    await send();
    expect(told()).toEqual(["Bank and Cards are down"]);
    expect(await openThreads()).toEqual(ids.slice(1, 2));
    await remind();
    await send();
    expect(told()).toContain("Bank is still down");
    await check(ids.slice(1), "ok");
    await send();
    expect(told()).toContain("Bank and Cards are up again");
    expect(await openThreads()).toEqual([]);
  });

  test("are not told of it after pausing the first one where somebody has acknowledged all, but hear its end", async () => {
    const { ids, check, send, act, server, since } = await start();
    await act("acknowledge");
    const told = since();
    await server.api("PUT", `/api/domains/${ids[0]}`, { enabled: false });
    await send();
    expect(told()).toEqual([]);
    await check(ids.slice(1), "ok");
    await send();
    expect(told()).toEqual(["Bank and Cards are up again"]);
  });

  const remove = async ({ server, incidents }: Awaited<ReturnType<typeof start>>) => {
    const [{ id }] = await incidents();
    expect((await server.api("DELETE", `/api/incidents/${id}`)).status).toBe(200);
  };

  test("hear the end of each after their incident was deleted", async () => {
    const group = await startTogether();
    const { ids, check, send, openThreads, since } = group;
    const told = since();
    await remove(group);
    await send();
    expect(told()).toEqual([]);
    await check(ids, "ok");
    await send();
    expect(told()).toEqual(["Bank is up again", "Cards is up again", "Shop is up again"]);
    expect(await openThreads()).toEqual([]);
  });

  test("are told of what joined silently, and of the end of the first, when their incident is deleted", async () => {
    const group = await start();
    const { ids, check, send, openThreads, since } = group;
    await check(ids.slice(0, 1), "ok");
    await send();
    const told = since();
    await remove(group);
    await send();
    expect(told()).toEqual(["Bank is down", "Cards is down", "Shop is up again"]);
    expect(await openThreads()).toEqual(ids.slice(1));
  });

  test("hear the end of all that they were told of, when its incident is merged into another one", async () => {
    const { ids, vault, check, send, act, incidents, openThreads, since } = await start();
    await check(ids.slice(0, 1), "ok");
    await check([vault], "failed");
    await send();
    const [shop, other] = await incidents();
    const told = since();
    await act("merge", { into: other.id }, shop.id);
    await send();
    expect(told()).toEqual([]);
    await check([...ids.slice(1), vault], "ok");
    await send();
    expect(told()).toEqual(["Vault, Shop, Bank and 1 other monitor are up again"]);
    expect(await openThreads()).toEqual([]);
  });
});
