import { expect, test } from "vitest";
import { eachEngine } from "../harness/stores.ts";
import { startGroup } from "./group-setup.ts";

eachEngine("channels, of outages that are separated", (engine) => {
  const start = () => startGroup(engine);

  test("are sent no more of what is acknowledged than that it is up, and are reminded of none of it", async () => {
    const { ids, titles, check, send, sendUpdate, remind, incidents, act } = await start();
    await check(ids.slice(0, 1), "failed");
    await send();
    await check(ids.slice(1), "failed");
    await sendUpdate();
    const begun = ["Shop is down", "Bank and Cards are down"];
    expect(titles()).toEqual(begun);
    await act("acknowledge");
    const [{ acknowledgedAt, acknowledgedById, acknowledgedByName }] = await incidents();
    await act("split");
    const parts = await incidents();
    expect(parts).toHaveLength(3);
    expect(acknowledgedAt).not.toBeNull();
    for (const part of parts)
      expect(part).toMatchObject({ acknowledgedAt, acknowledgedById, acknowledgedByName });
    await send();
    await remind();
    expect(titles()).toEqual(begun);
    await check(ids, "ok");
    for (let each = 0; each < ids.length; each += 1) await send();
    expect(titles().slice(2)).toEqual(["Shop is up again", "Bank is up again", "Cards is up again"]);
  });

  test("are not notified again of what a message about all of it said, but reminded of each and sent its end", async () => {
    const { ids, titles, check, send, remind, act } = await start();
    await check(ids, "failed");
    await send();
    expect(titles()).toEqual(["Shop, Bank and Cards are down"]);
    await act("split");
    await send();
    expect(titles()).toHaveLength(1);
    await remind();
    expect(titles().slice(1)).toEqual(["Shop is still down", "Bank is still down", "Cards is still down"]);
    await check(ids, "ok");
    for (let each = 0; each < ids.length; each += 1) await send();
    expect(titles().slice(4)).toEqual(["Shop is up again", "Bank is up again", "Cards is up again"]);
  });

  test("are not notified again of the more severe one that they were notified of after the first", async () => {
    const { addMonitor, ids, posts, titles, check, send, sendUpdate, act } = await start();
    const vault = await addMonitor({ name: "Vault", url: "https://one.example/vault", severity: "critical" });
    await check([vault], "ok");
    await check(ids.slice(0, 1), "failed");
    await send();
    await check([vault], "failed");
    await send();
    const sent = ["Shop is down", "Vault is down"];
    expect(titles()).toEqual(sent);
    expect(posts()[1]?.text).toContain("Still down: Shop.");
    await act("split");
    await sendUpdate();
    expect(titles()).toEqual(sent);
  });

  test("are notified of what joined since, and a new channel of all of it, though it is acknowledged", async () => {
    const { ids, addChannel, deliver, titles, check, send, sendUpdate, act } = await start();
    await check(ids.slice(0, 1), "failed");
    await send();
    await check(ids.slice(1), "failed");
    await act("acknowledge");
    await addChannel();
    await deliver();
    expect(titles()).toEqual(["Shop is down", "Shop, Bank and Cards are down"]);
    await act("split", { monitorId: ids[1] });
    await send();
    expect(titles().slice(2)).toEqual(["Bank is down"]);
    await sendUpdate();
    expect(titles().slice(3)).toEqual(["Cards is down"]);
  });

  test("are notified of what joined while the message about the first was on its way", async () => {
    const { ids, titles, check, send, sendWhile, act } = await start();
    await check(ids.slice(0, 1), "failed");
    await sendWhile(() => check(ids.slice(1, 2), "failed"));
    await send();
    expect(titles()).toEqual(["Shop is down"]);
    await act("split");
    await send();
    expect(titles()).toEqual(["Shop is down", "Bank is down"]);
    await check(ids.slice(1, 2), "ok");
    await send();
    expect(titles()).toEqual(["Shop is down", "Bank is down", "Bank is up again"]);
  });

  test("are notified, and reminded, of what joined after the others were acknowledged", async () => {
    const { ids, titles, check, send, remind, incidents, act } = await start();
    await check(ids.slice(0, 1), "failed");
    await send();
    await act("acknowledge");
    await check(ids.slice(1, 2), "failed");
    await act("split");
    const [shop, bank] = await incidents();
    expect(shop.acknowledgedAt).not.toBeNull();
    expect(bank).toMatchObject({ acknowledgedAt: null, acknowledgedById: null });
    await send();
    await remind();
    expect(titles()).toEqual(["Shop is down", "Bank is down", "Bank is still down"]);
  });

  test("are notified, and reminded, of what is left where only what was acknowledged leaves", async () => {
    const { ids, titles, check, send, remind, incidents, act } = await start();
    await check(ids.slice(0, 1), "failed");
    await send();
    await act("acknowledge");
    await check(ids.slice(1, 2), "failed");
    await act("split", { monitorId: ids[0] });
    const [bank, shop] = await incidents();
    expect(shop.acknowledgedAt).not.toBeNull();
    expect(bank).toMatchObject({ monitorId: ids[1], acknowledgedAt: null, acknowledgedById: null });
    await send();
    await remind();
    expect(titles()).toEqual(["Shop is down", "Bank is down", "Bank is still down"]);
  });

  test.each([0, 1])(
    "are sent one end of what went down together and was merged into what people opened (%i is up last)",
    async (last) => {
      const { ids, titles, check, send, incidents, act, server } = await start();
      await check(ids.slice(0, 2), "failed");
      await send();
      const opened = { title: "Checkout is slow", severity: "high" };
      const { body } = await server.api("POST", "/api/incidents", opened);
      await send();
      expect(await incidents()).toHaveLength(2);
      await act("merge", { into: body.data.id });
      await send();
      await check(ids.slice(1 - last, 2 - last), "ok");
      await send();
      await check(ids.slice(last, last + 1), "ok");
      await send();
      expect(titles().filter((title) => /Shop|Bank/.test(title))).toEqual([
        "Shop and Bank are down",
        last === 0 ? "Bank and Shop are up again" : "Shop and Bank are up again",
      ]);
    },
  );

  test("are notified of what is still down, and of nothing that went down and up unnoticed", async () => {
    const { ids, titles, check, send, remind, act } = await start();
    await check(ids.slice(0, 1), "failed");
    await send();
    await check(ids.slice(1), "failed");
    await check(ids.slice(1, 2), "ok");
    await send();
    await act("split", { monitorId: ids[0] });
    await send();
    await remind();
    expect(titles()).toEqual(["Shop is down", "Cards is down", "Cards is still down", "Shop is still down"]);
    await check(ids.slice(2), "ok");
    await send();
    expect(titles().slice(4)).toEqual(["Cards is up again"]);
  });

  test("are notified of what joined, also where something was merged into it since", async () => {
    const { addMonitor, ids, titles, check, send, incidents, act, server } = await start();
    const vault = await addMonitor({ name: "Vault", url: "https://two.example/vault" });
    await check([vault], "ok");
    await check(ids.slice(0, 1), "failed");
    await send();
    await act("acknowledge");
    await check(ids.slice(1, 2), "failed");
    await check([vault], "failed");
    await send();
    const [shop, other] = await incidents();
    await server.api("POST", `/api/incidents/${other.id}/merge`, { into: shop.id });
    await act("split", { monitorId: ids[1] });
    await send();
    expect(titles()).toContain("Bank is down");
    expect((await incidents()).at(-1)).toMatchObject({ monitorId: ids[1], acknowledgedAt: null });
  });

  test("keep quiet about what people had merged with what was acknowledged", async () => {
    const { addMonitor, ids, check, send, incidents, act, server } = await start();
    const vault = await addMonitor({ name: "Vault", url: "https://two.example/vault" });
    await check([vault], "ok");
    await check(ids.slice(0, 1), "failed");
    await act("acknowledge");
    await check([vault], "failed");
    await send();
    const [shop, other] = await incidents();
    await act("merge", { into: other.id });
    const split = await server.api("POST", `/api/incidents/${other.id}/split`, {});
    expect(split.status).toBe(200);
    const { acknowledgedAt } = shop;
    expect(acknowledgedAt).not.toBeNull();
    const parts = (await incidents()).filter(({ id }: { id: number }) => id !== shop.id);
    expect(parts).toMatchObject([{ acknowledgedAt }, { acknowledgedAt }]);
  });

  test("are not reminded of what people had said is resolved, which can be reopened by itself", async () => {
    const { ids, titles, check, send, remind, incidents, act, server } = await start();
    await check(ids.slice(0, 2), "failed");
    await send();
    const [{ id }] = await incidents();
    expect((await server.api("PUT", `/api/incidents/${id}`, { status: "resolved" })).status).toBe(200);
    await act("split");
    const [shop, bank] = await incidents();
    expect(shop.resolvedAt).not.toBeNull();
    expect(bank).toMatchObject({ status: "resolved", resolvedAt: shop.resolvedAt });
    await remind();
    const sent = ["Shop and Bank are down", "Shop and 1 other monitor were down: resolved"];
    expect(titles()).toEqual(sent);
    expect((await server.api("POST", `/api/incidents/${bank.id}/reopen`, {})).status).toBe(200);
    await remind();
    await remind();
    expect(titles()).toEqual([...sent, "Bank is down: update", "Bank is still down"]);
  });
});
