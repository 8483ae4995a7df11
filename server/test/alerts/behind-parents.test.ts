import { expect, test } from "vitest";
import { openBrowser } from "../accounts/browser.ts";
import { status } from "../harness/behaviours.ts";
import { type EngineName, eachEngine } from "../harness/stores.ts";
import { CHANNELS } from "./channel-setup.ts";
import { PUBLIC_URL } from "./mailing.ts";
import { HOUR_MS, MINUTE_MS, STEP, startAlerts } from "./setup.ts";

const SEVERE = { parent: { severity: "low" }, child: { severity: "critical" } };
const OF_SHOP = { channel: { tags: ["shop"] }, child: { tags: ["shop"] } };

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
  /** The switch goes down and is acknowledged; a minute later what depends on it goes down. */
  const downAfterAcknowledgement = async () => {
    await all.down(router);
    await all.send();
    await acknowledge();
    all.pass(MINUTE_MS);
    await all.down(shop);
    await all.send();
  };
  return { ...all, router, shop, acknowledge, downAfterAcknowledgement };
}

eachEngine("what is down behind another", (engine) => {
  test("is not acknowledged with it where it is more severe", async () => {
    const { wait, titles, texts, downAfterAcknowledgement } = await startBehind(engine, SEVERE);
    await downAfterAcknowledgement();
    expect(titles().at(-1)).toBe("Payments is down");
    expect(texts().at(-1)).not.toContain("Acknowledged");
    await wait(HOUR_MS, 2);
    expect(titles().at(-1)).toBe("Payments is still down");
  });

  test("is acknowledged with it where it is as severe, also to a channel that wants it alone", async () => {
    const { wait, titles, downAfterAcknowledgement } = await startBehind(engine, OF_SHOP);
    await downAfterAcknowledgement();
    expect(titles()).toEqual(["Payments is down"]);
    await wait(HOUR_MS, 3);
    expect(titles()).toEqual(["Payments is down"]);
  });

  test("acknowledges that outage by the link of its message", async () => {
    const { down, send, wait, titles, router, shop, received, server, incidents } = await startBehind(
      engine,
      OF_SHOP,
    );
    await down(router);
    await send();
    await down(shop);
    await send();
    const [, token = ""] = /\/acknowledge#([\w.-]+)/.exec(JSON.stringify(received())) ?? [];
    const link = async (path: string) =>
      (
        await openBrowser(server).send(
          "POST",
          `/api/auth/acknowledgement${path}`,
          { token },
          { origin: PUBLIC_URL },
        )
      ).body.data;
    expect(await link("")).toMatchObject({ state: "open", monitors: [{ name: "Switch", state: "open" }] });
    expect(await link("/confirm")).toMatchObject({ state: "acknowledged" });
    expect(await incidents()).toMatchObject([{ acknowledgedAt: expect.any(String) }]);
    await wait(HOUR_MS, 3);
    expect(titles()).toEqual(["Payments is down"]);
  });

  test("has an outage of its own once it is made the more severe of the two", async () => {
    const { down, send, look, deliver, checkAll, server, router, shop, incidents, acknowledge } =
      await startBehind(engine);
    await down(router);
    await deliver();
    await acknowledge();
    await down(shop);
    await send();
    expect(await incidents()).toHaveLength(1);
    await server.api("PUT", `/api/domains/${shop}`, { severity: "critical" });
    await look();
    await checkAll([router, shop], STEP, "failed", "failed", "failed");
    await deliver();
    expect(await incidents()).toMatchObject([
      { affected: [{ name: "Switch" }, { name: "Payments", acknowledged: false }] },
    ]);
  });

  test("is reminded of no more once it was acknowledged, too", async () => {
    const { down, send, wait, pass, titles, router, shop, acknowledge } = await startBehind(engine, {
      ...SEVERE,
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

eachEngine("a monitor that a parent no longer holds back", (engine) => {
  test("is checked at once, however far apart its checks are", async () => {
    const { down, up, look, router, shop, server } = await startBehind(engine, {
      child: { checkInterval: 3600 },
    });
    await down(router);
    await down(shop);
    const rechecks = () =>
      server.ctx.store.db.selectFrom("events").select("payload").where("type", "=", "recheck").execute();
    const before = (await rechecks()).length;
    await up(router);
    await look();
    const wanted = (await rechecks()).slice(before).map(({ payload }) => JSON.parse(payload).monitorId);
    expect(wanted).toContain(shop);
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

eachEngine("a pager that lists what is down behind an acknowledged parent", (engine) => {
  test("is called anew for what is still down when the parent is up again", async () => {
    const { add, addPager, down, up, look, send, incidents, server, received, uuidOf, titles } =
      await startAlerts(engine);
    await addPager();
    const parent = await add("Switch");
    const child = await add("Wiki", { parents: [await uuidOf(parent)] });
    await down(parent);
    await down(child);
    await send();
    const [incident] = await incidents();
    expect((await server.api("POST", `/api/incidents/${incident?.id}/acknowledge`)).status).toBe(200);
    await send();
    const before = titles().length;
    await up(parent);
    await look();
    await down(child);
    await send();
    const sent = titles().slice(before);
    expect(sent.filter((title) => title.startsWith("trigger: Wiki is down:"))).toHaveLength(1);
    expect(sent.filter((title) => title.startsWith("resolve"))).toHaveLength(1);
    const keys = (received() as { event_action?: string; dedup_key?: string }[])
      .slice(before)
      .map(({ event_action: action, dedup_key: key }) => `${action} ${key}`);
    expect(new Set(keys.map((one) => one.split(" ")[1])).size).toBe(2);
    await up(child);
    await send();
    expect(
      titles()
        .slice(before)
        .filter((title) => title.startsWith("resolve")),
    ).toHaveLength(2);
  });
});

eachEngine("an acknowledgement of a part of what is down", (engine) => {
  test("is not sent to a pager, which would escalate the rest no further", async () => {
    const { add, addPager, addChannel, down, send, server, received, titles } = await startAlerts(engine);
    await addChannel({ name: "On call" });
    const url = (name: string) => ({ url: `https://shared.example/${name}` });
    const [a, b] = [
      await add("Alpha", { ...url("a"), severity: "low" }),
      await add("Beta", { ...url("b"), severity: "critical" }),
    ];
    await down(a);
    await send(5_000);
    const [, token = ""] = /\/acknowledge#([\w.-]+)/.exec(JSON.stringify(received())) ?? [];
    await addPager();
    await down(b);
    await send();
    const path = "/api/auth/acknowledgement/confirm";
    await openBrowser(server).send("POST", path, { token }, { origin: PUBLIC_URL });
    await send();
    expect(titles().filter((title) => title.startsWith("acknowledge"))).toEqual([]);
    const [incident] = (await server.api("GET", "/api/incidents")).body.data;
    await server.api("POST", `/api/incidents/${incident.id}/acknowledge`);
    await send();
    expect(titles().filter((title) => title.startsWith("acknowledge"))).toHaveLength(1);
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
