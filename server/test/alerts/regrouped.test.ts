import { expect, test } from "vitest";
import { eachEngine } from "../harness/stores.ts";
import { startGroup } from "./group-setup.ts";
import { openAlerts } from "./open-alerts.ts";

eachEngine("channels, once their incident is made up of other monitors", (engine) => {
  /** Shop is down, as was notified, and others have joined it just now; Vault is elsewhere. */
  const start = () =>
    startDown(async ({ ids, check, send, titles }) => {
      await check(ids.slice(0, 1), "failed");
      await send();
      await check(ids.slice(1), "failed");
      await send();
      expect(titles()).toEqual(["Shop is down"]);
    });
  /** All are down, and were notified together. */
  const startTogether = () =>
    startDown(async ({ ids, check, send, titles }) => {
      await check(ids, "failed");
      await send();
      expect(titles()).toEqual(["Shop, Bank and Cards are down"]);
    });
  const startDown = async (goDown: (group: Awaited<ReturnType<typeof startGroup>>) => Promise<void>) => {
    const group = await startGroup(engine);
    const { addMonitor, check, posts, server } = group;
    const vault = await addMonitor({ name: "Vault", url: "https://two.example/vault" });
    await check([vault], "ok");
    await goDown(group);
    /** What is sent from now on. */
    const since = () => {
      const before = posts().length;
      const texts = () => posts().slice(before);
      return {
        titles: () => texts().map(({ title }) => title),
        texts: () => texts().map(({ text }) => text),
      };
    };
    return { ...group, vault, open: () => openAlerts(server), since };
  };

  test("are notified of what joined and is separated after its incident was merged", async () => {
    const { ids, vault, check, send, remind, act, incidents, since } = await start();
    await check([vault], "failed");
    await send();
    const [shop, other] = await incidents();
    await act("merge", { into: other.id }, shop.id);
    const sent = since();
    await act("split", { monitorId: ids[1] }, other.id);
    await send();
    expect(sent.titles()).toEqual(["Bank is down"]);
    await remind();
    await send();
    expect(sent.titles()).toContain("Bank is still down");
    await check(ids.slice(1, 2), "ok");
    await send();
    expect(sent.titles()).toContain("Bank is up again");
  });

  test("are sent the end of the first with the others, and nothing more when all are separated", async () => {
    const { ids, check, send, act, open, since } = await start();
    const sent = since();
    await check(ids.slice(0, 1), "ok");
    await send();
    expect(sent.titles()).toEqual(["Bank and Cards are down"]);
    expect(sent.texts()[0]).toContain("Recovered: Shop.");
    await act("split");
    await send();
    expect(sent.titles()).toHaveLength(1);
    expect(await open()).toEqual(ids.slice(1));
    await check(ids.slice(1), "ok");
    await send();
    await send();
    expect(sent.titles().slice(1)).toEqual(["Bank is up again", "Cards is up again"]);
    expect(await open()).toEqual([]);
  });

  test("are sent the end of the first, which is up already, when it is separated", async () => {
    const { ids, check, send, act, open, since } = await start();
    await check(ids.slice(0, 1), "ok");
    const sent = since();
    await act("split", { monitorId: ids[0] });
    await send();
    await send();
    expect(sent.titles()).toEqual(["Bank and Cards are down"]);
    expect(sent.texts()[0]).toContain("Recovered: Shop.");
    expect(await open()).toEqual(ids.slice(1));
  });

  test("are sent the end of those that stay where all of them are up already", async () => {
    const { ids, check, send, act, open, since } = await startTogether();
    await check(ids.slice(0, 2), "ok");
    const sent = since();
    await act("split", { monitorId: ids[2] });
    await send();
    await send();
    expect(sent.titles()).toEqual(["Shop and Bank are up again"]);
    expect(await open()).toEqual(ids.slice(2));
  });

  test("are sent no end of what is down once more", async () => {
    const { ids, check, send, sendUpdate, act, open, since } = await startTogether();
    const sent = since();
    await check(ids.slice(0, 1), "ok");
    await send();
    // Longer ago than what it could join.
    for (let each = 0; each < 15; each += 1) await check(ids.slice(1), "failed");
    await check(ids.slice(0, 1), "failed");
    await send();
    await act("split");
    await sendUpdate();
    expect(sent.titles()).toEqual([]);
    expect(await open()).toEqual(ids);
  });

  test.each(["pausing", "deleting"])(
    "are notified of what is still down after %s the first one",
    async (how) => {
      const { ids, check, send, remind, server, open, since } = await start();
      const path = `/api/domains/${ids[0]}`;
      const sent = since();
      const { status } =
        how === "pausing"
          ? await server.api("PUT", path, { enabled: false })
          : await server.api("DELETE", path);
      expect(status).toBe(200);
      await send();
      expect(sent.titles()).toEqual(["Bank and Cards are down"]);
      expect(await open()).toEqual(ids.slice(1));
      await remind();
      expect(sent.titles()[1]).toBe("Bank and Cards are still down");
      await check(ids.slice(1), "ok");
      await send();
      expect(sent.titles().slice(2)).toEqual(["Bank and Cards are up again"]);
      expect(await open()).toEqual([]);
    },
  );

  test("are sent the end of the others alone, after pausing the first one where all are acknowledged", async () => {
    const { ids, check, send, remind, act, server, since } = await startTogether();
    await act("acknowledge");
    const sent = since();
    await server.api("PUT", `/api/domains/${ids[0]}`, { enabled: false });
    await send();
    await remind();
    expect(sent.titles()).toEqual([]);
    await check(ids.slice(1), "ok");
    await send();
    expect(sent.titles()).toEqual(["Bank and Cards are up again"]);
  });

  const remove = async ({ server, incidents }: Awaited<ReturnType<typeof start>>) => {
    const [{ id }] = await incidents();
    expect((await server.api("DELETE", `/api/incidents/${id}`)).status).toBe(200);
  };

  test("are sent the end of each after their incident was deleted", async () => {
    const group = await startTogether();
    const { ids, check, send, open, since } = group;
    const sent = since();
    await remove(group);
    await send();
    expect(sent.titles()).toEqual([]);
    await check(ids, "ok");
    for (let each = 0; each < ids.length; each += 1) await send();
    expect(sent.titles()).toEqual(["Shop is up again", "Bank is up again", "Cards is up again"]);
    expect(await open()).toEqual([]);
  });

  test("are notified of what joined, and of the end of the first, when their incident is deleted", async () => {
    const group = await start();
    const { ids, check, send, open, since } = group;
    const sent = since();
    await check(ids.slice(0, 1), "ok");
    await remove(group);
    for (let each = 0; each < ids.length; each += 1) await send();
    expect(sent.titles().toSorted()).toEqual(["Bank is down", "Cards is down", "Shop is up again"]);
    expect(await open()).toEqual(ids.slice(1));
  });

  test("are sent the end of all that they were notified of, when its incident is merged into another one", async () => {
    const { ids, vault, check, send, act, incidents, open, since } = await startTogether();
    await check([vault], "failed");
    await send();
    await check(ids.slice(0, 1), "ok");
    const [shop, other] = await incidents();
    const sent = since();
    await act("merge", { into: other.id }, shop.id);
    await send();
    expect(sent.titles()).toEqual(["Shop is up again"]);
    await check([...ids.slice(1), vault], "ok");
    await send();
    expect(sent.titles().slice(1)).toEqual(["Bank, Cards and Vault are up again"]);
    expect(await open()).toEqual([]);
  });
});
