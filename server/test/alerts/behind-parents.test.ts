import { expect, test } from "vitest";
import { status } from "../harness/behaviours.ts";
import { type EngineName, eachEngine } from "../harness/stores.ts";
import { CHANNELS } from "./channel-setup.ts";
import { HOUR_MS, MINUTE_MS, startAlerts } from "./setup.ts";

/** A chat, a switch, and what depends on it. */
async function startBehind(engine: EngineName, { channel = {}, parent = {}, child = {} } = {}) {
  const all = await startAlerts(engine);
  await all.addChannel({ reminder: "1h", ...channel });
  const router = await all.add("Switch", parent);
  const shop = await all.add("Payments", { parents: [await all.uuidOf(router)], ...child });
  const acknowledge = async () => {
    for (const { id } of await all.incidents())
      expect((await all.server.api("POST", `/api/incidents/${id}/acknowledge`)).status).toBe(200);
  };
  return { ...all, router, shop, acknowledge };
}

eachEngine("what is down behind another, whose outage was acknowledged before,", (engine) => {
  test.each([
    ["is more severe", { parent: { severity: "low" }, child: { severity: "critical" } }],
    ["is what the channel wants", { channel: { tags: ["shop"] }, child: { tags: ["shop"] } }],
  ])("is not acknowledged with it where it %s", async (_, settings) => {
    const { down, send, wait, pass, titles, texts, router, shop, acknowledge } = await startBehind(
      engine,
      settings,
    );
    await down(router);
    await send();
    await acknowledge();
    pass(MINUTE_MS);
    await down(shop);
    await send();
    expect(titles().at(-1)).toBe("Payments is down");
    expect(texts().at(-1)).not.toContain("Acknowledged");
    await wait(HOUR_MS, 2);
    expect(titles().at(-1)).toBe("Payments is still down");
  });

  test("is reminded of no more once it was acknowledged, too", async () => {
    const { down, send, wait, pass, titles, router, shop, acknowledge } = await startBehind(engine, {
      ...{ parent: { severity: "low" }, child: { severity: "critical" } },
    });
    await down(router);
    await send();
    await down(shop);
    await send();
    await acknowledge();
    pass(MINUTE_MS);
    await wait(HOUR_MS, 3);
    expect(titles().filter((title) => title.includes("still"))).toEqual([]);
  });
});

eachEngine("the end of what others are down behind", (engine) => {
  test("names what of them is still down", async () => {
    const { down, up, send, wait, look, titles, texts, router, shop } = await startBehind(engine);
    await down(router);
    await send(5_000);
    await down(shop);
    await send();
    await up(router);
    await look();
    await send();
    const end = titles().indexOf("Switch is up again");
    expect(texts()[end]).toContain("Still down: Payments");
    await down(shop);
    await wait(MINUTE_MS, 3);
    expect(titles().slice(end + 1)).toEqual(["Payments is down"]);
    await up(shop);
    await send();
    expect(titles().at(-1)).toBe("Payments is up again");
  });
});

eachEngine("what people wrote of an outage", (engine) => {
  test("is not sent to a channel that could not be reached before all was over", async () => {
    const { add, addChannel, down, up, send, wait, target, recover, incidents, server, titles } =
      await startAlerts(engine);
    await addChannel();
    const shop = await add("Payments");
    target.set(status(500));
    await down(shop);
    await send();
    const [incident] = await incidents();
    const path = `/api/incidents/${incident?.id}/updates`;
    expect((await server.api("POST", path, { message: "We are looking into it." })).status).toBe(201);
    await send();
    await up(shop);
    recover();
    await wait(HOUR_MS, 3);
    expect(titles()).toEqual([]);
  });
});

eachEngine("an acknowledgement of several outages", (engine) => {
  test("is said of the incident, and not of one of them", async () => {
    const { add, addPager, down, send, incidents, server, titles } = await startAlerts(engine);
    await addPager();
    const url = (name: string) => ({ url: `https://shared.example/${name}` });
    await down(await add("Alpha", url("a")), await add("Beta", { ...url("b"), severity: "low" }));
    await send();
    const [incident] = await incidents();
    expect((await server.api("POST", `/api/incidents/${incident?.id}/acknowledge`)).status).toBe(200);
    await send();
    expect(titles().at(-1)).toMatch(/^acknowledge: Alpha and 1 other monitor are down/);
  });
});

eachEngine("a test of a channel", (engine) => {
  test("makes the next alarm wait for nothing", async () => {
    const { add, addChannel, down, deliver, server, titles } = await startAlerts(engine);
    const channel = await addChannel();
    const shop = await add("Shop");
    expect((await server.api("POST", `${CHANNELS}/${channel}/test`)).status).toBe(200);
    await down(shop);
    await deliver();
    expect(titles().at(-1)).toBe("Shop is down");
  });
});
