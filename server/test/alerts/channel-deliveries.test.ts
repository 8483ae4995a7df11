import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { deliveryOf, toChannel } from "../../src/alerts/channels/delivery.ts";
import { testMessage } from "../../src/alerts/channels/message.ts";
import { readChannel } from "../../src/alerts/queries/channels.ts";
import { insertChannelDeliveries } from "../../src/alerts/queries/outbox.ts";
import { readEventsAfter } from "../../src/platform/database/events.ts";
import { hang, redirect, respond, status } from "../harness/behaviours.ts";
import { eachEngine } from "../harness/stores.ts";
import { startHttpTarget } from "../harness/targets.ts";
import { CHANNELS, startTelling } from "./channel-setup.ts";

const HOUR_MS = 3_600_000;

eachEngine("an organization's channels", (engine) => {
  const start = () => startTelling(engine);

  test("are notified of an outage and of its end, once each, signed", async () => {
    const { addChannel, check, deliver, received, target, server, monitorId } = await start();
    const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
    await addChannel({ config: { url: target.url, secret } });
    await check("ok", "ok", "failed", "failed", "failed");
    await Promise.all([deliver(), deliver()]);
    await check("ok", "ok", "ok");
    await deliver();
    await deliver();
    expect(received()).toMatchObject([
      {
        type: "monitor.down",
        title: "Shop is down",
        monitor: { id: monitorId, name: "Shop", severity: "high" },
        locations: ["local"],
        organization: { name: server.person.organization.name },
      },
      { type: "monitor.up", title: "Shop is up again", outageMs: 180_000, locations: [] },
    ]);
    const [first] = received();
    expect(first?.["text"]).toContain("The connection was refused.");
    const { headers, body } = target.requests[0] ?? { headers: {} as Record<string, string>, body: "" };
    const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
    const mac = createHmac("sha256", Buffer.alloc(32, 7)).update(signed).digest("base64");
    expect(headers["webhook-signature"]).toBe(`v1,${mac}`);
    const ids = target.requests.map((request) => request.headers["webhook-id"]);
    expect(new Set(ids).size).toBe(2);
  });

  test("are sent nothing that their filter leaves out, and the end of what they were notified of alone", async () => {
    const { addChannel, addMonitor, check, checkOf, deliver, deliveries } = await start();
    const all = await addChannel();
    const upOnly = await addChannel({ events: ["monitor.up"] });
    const critical = await addChannel({ severities: ["critical"] });
    const tagged = await addChannel({ tags: ["shop"] });
    const off = await addChannel({ enabled: false });
    await check("ok", "ok", "failed", "failed", "failed");
    await deliver();
    const late = await addChannel();
    const other = await addMonitor({ severity: "critical", tags: ["shop"] });
    await checkOf(other, "ok", "ok", "failed", "failed", "failed");
    await check("ok", "ok", "ok");
    await deliver();
    const eventsOf = async (id: number) => (await deliveries(id)).map(({ event }) => event).reverse();
    expect(await eventsOf(all)).toEqual(["monitor.down", "monitor.down", "monitor.up"]);
    expect(await eventsOf(upOnly)).toEqual([]);
    expect(await eventsOf(critical)).toEqual(["monitor.down"]);
    expect(await eventsOf(tagged)).toEqual(["monitor.down"]);
    expect(await eventsOf(off)).toEqual([]);
    expect(await eventsOf(late)).toEqual(["monitor.down"]);
  });

  test("that are programs are sent an end only after its beginning, however often that had to be tried", async () => {
    const { addChannel, check, deliver, received, target, pass, deliveries } = await start();
    const id = await addChannel();
    target.set(status(502));
    await check("ok", "ok", "failed", "failed", "failed");
    await deliver();
    await check("ok", "ok", "ok");
    await deliver();
    expect((await deliveries(id)).map(({ state }) => state)).toEqual(["waiting", "waiting"]);
    target.set(respond());
    pass(HOUR_MS);
    await deliver();
    const events = received().map(({ type }) => type);
    expect(events.slice(-2)).toEqual(["monitor.down", "monitor.up"]);
    expect((await deliveries(id)).map(({ state }) => state)).toEqual(["sent", "sent"]);
    const ids = target.requests.map(({ headers }) => headers["webhook-id"]);
    expect(ids[0]).toBe(ids[1]);
  });

  test("get all events of a monitor in order if programs, and what is so by then if people, at once when there is more", async () => {
    const { addChannel, check, deliver, received, target, pass } = await start();
    await addChannel();
    await addChannel({ type: "slack" });
    target.set(status(502));
    await check("ok", "ok", "failed", "failed", "failed");
    for (let tries = 0; tries < 5; tries += 1) {
      await deliver();
      pass(HOUR_MS / 6);
    }
    await deliver();
    target.set(respond());
    target.requests.splice(0);
    // What was tried in vain is not due for a while.
    await check("ok", "ok", "ok", "failed", "failed", "failed");
    for (let looks = 0; looks < 5; looks += 1) {
      await deliver();
      pass(6_000);
    }
    const program = received().flatMap(({ type }) => type ?? []);
    expect(program).toEqual(["monitor.down", "monitor.up", "monitor.down"]);
    const people = received().flatMap((body) => (body["type"] ? [] : JSON.stringify(body)));
    const said = people.map((text) => /Shop is (down|up again)/.exec(text)?.[1]);
    expect(said).toEqual(["down"]);
  });

  test.each([
    ["a program", {}],
    ["people", { type: "slack" }],
  ])("that are %s are not notified of the end of what never got there", async (_, settings) => {
    const { addChannel, check, deliver, target, received, deliveries, pass } = await start();
    const id = await addChannel(settings);
    target.set(status(400));
    await check("ok", "ok", "failed", "failed", "failed");
    await deliver();
    target.set(respond());
    await check("ok", "ok", "ok");
    await deliver();
    pass(HOUR_MS);
    await deliver();
    expect(received()).toHaveLength(1);
    expect((await deliveries(id)).map(({ event, state }) => `${event} ${state}`)).toEqual([
      "monitor.down failed",
    ]);
  });

  test.each([
    ["a program", {}, "monitor.down"],
    ["people", { type: "slack" }, "monitor.down"],
  ])("that are %s are notified anew of what was refused and goes on", async (_, settings, event) => {
    const { addChannel, check, deliver, target, deliveries, pass } = await start();
    const id = await addChannel(settings);
    target.set(status(400));
    await check("ok", "ok", "failed", "failed", "failed");
    await deliver();
    target.set(respond());
    pass(HOUR_MS);
    await deliver();
    await check("ok", "ok", "ok");
    await deliver();
    const log = (await deliveries(id)).map((one) => `${one.event} ${one.state}`).reverse();
    expect(log).toEqual([`${event} failed`, `${event} sent`, "monitor.up sent"]);
  });

  test("that hang delay no others", async () => {
    const { addChannel, check, received, deliver } = await start();
    const slow = await startHttpTarget({ handler: hang });
    for (let count = 0; count < 9; count += 1) await addChannel({ config: { url: slow.url } });
    await check("ok", "ok");
    await addChannel();
    await check("failed", "failed", "failed");
    const ending = new AbortController();
    const delivering = deliver(ending.signal);
    await expect.poll(received, { timeout: 20_000 }).toHaveLength(1);
    ending.abort();
    await delivering;
    await slow.close();
  });

  test("that are retried later delay no others, however many they are", async () => {
    const { addChannel, addMonitor, checkOf, received, deliver, pass } = await start();
    const away = await startHttpTarget({ handler: status(502) });
    for (let count = 0; count < 9; count += 1)
      await addChannel({ config: { url: away.url }, tags: ["shop"] });
    const shop = await addMonitor({ tags: ["shop"] });
    await checkOf(shop, "ok", "ok", "failed", "failed", "failed");
    for (let tries = 0; tries < 5; tries += 1) {
      await deliver();
      pass(HOUR_MS / 6);
    }
    // What is to be sent next is due, and has to wait for what was tried before.
    await checkOf(shop, "ok", "ok", "ok");
    await addChannel({ tags: ["bank"] });
    const bank = await addMonitor({ tags: ["bank"] });
    await checkOf(bank, "ok", "ok");
    await checkOf(bank, "failed", "failed", "failed");
    await deliver();
    expect(received().map(({ type }) => type)).toEqual(["monitor.down"]);
    await away.close();
  });

  test("are left alone for as long as they request", async () => {
    const { addChannel, addMonitor, check, checkOf, deliver, target, received, pass } = await start();
    await addChannel();
    target.set(respond({ status: 429, headers: { "retry-after": "600" } }));
    await check("ok", "ok", "failed", "failed", "failed");
    await deliver();
    target.set(respond());
    const other = await addMonitor();
    await checkOf(other, "ok", "ok", "failed", "failed", "failed");
    pass(60_000);
    await deliver();
    expect(received()).toHaveLength(1);
    pass(300_000);
    await deliver();
    expect(received()).toHaveLength(3);
  });

  test("that refuse for good are a mail to the owner in the owner's language, the reason too", async () => {
    const { addChannel, check, deliver, target, server, mail } = await start();
    const { db } = server.ctx.store;
    await db.updateTable("users").set({ language: "de" }).where("id", "=", server.person.userId).execute();
    await addChannel({ name: "Pager", type: "slack" });
    target.set(respond({ status: 410, body: "no longer here" }));
    await check("ok", "ok", "failed", "failed", "failed");
    await deliver();
    expect(mail.mails.map(({ headers }) => headers["subject"])).toEqual([
      "Der Kanal „Pager“ wurde deaktiviert",
    ]);
    const text = mail.mails[0]?.text;
    expect(text).toMatch(/nimmt von hier keine Nachrichten mehr an \(410\): no longer here/);
    expect(text).not.toContain("takes no more messages");
  });

  test("that refuse for good are turned off, and the owner is notified", async () => {
    const { addChannel, check, deliver, target, server, mail, outbox, deliveries } = await start();
    const id = await addChannel({ name: "Pager", type: "slack" });
    target.set(respond({ status: 410, body: "no longer here" }));
    await check("ok", "ok", "failed", "failed", "failed");
    await deliver();
    const { body } = await server.api("GET", `${CHANNELS}/${id}`);
    expect(body.data).toMatchObject({ enabled: false, disabledReasonFact: { code: "delivery.ended" } });
    expect(body.data).toMatchObject({ disabledAt: expect.any(String), disabledByName: null });
    expect(body.data.disabledReason).toContain("no longer here");
    const notifications = await server.api("GET", "/api/notifications");
    expect(notifications.body.data[0]).toMatchObject({ event: "channel.disabled", type: "error" });
    const events = await readEventsAfter(server.ctx.store.db, 0, 1_000);
    const [live] = events.filter(({ type }) => type === "notification").slice(-1);
    expect(JSON.parse(live?.payload ?? "{}")).toMatchObject({
      ...{ event: "channel.disabled", type: "error", kind: null, monitorName: null, monitorId: null },
      ...{
        uuid: notifications.body.data[0].uuid,
        fact: { code: "notification.channel_off", params: { name: "Pager" } },
      },
      message: expect.stringMatching(/^The channel Pager was disabled.*no longer here/),
    });
    expect(mail.mails.map(({ headers }) => headers["subject"])).toEqual(["The channel “Pager” was disabled"]);
    await check("ok", "ok", "ok");
    await deliver();
    expect(target.requests).toHaveLength(1);
    const [refused] = await deliveries(id);
    const resent = await server.api("POST", `${CHANNELS}/${id}/deliveries/${refused?.id}/resend`);
    expect([resent.status, resent.body.message]).toEqual([409, "The channel is turned off."]);
    target.set(respond());
    const again = await server.api("PUT", `${CHANNELS}/${id}`, { enabled: true });
    expect(again.body.data).toMatchObject({ enabled: true, disabledReason: null });
    expect((await outbox()).every(({ state }) => state !== "waiting")).toBe(true);
  });

  test("keep the log of each try with what was sent and answered, and send again on demand", async () => {
    const { addChannel, check, deliver, target, server, deliveries } = await start();
    const id = await addChannel({
      type: "slack",
      config: { url: `${target.url}services/T0/B0/secret-token` },
    });
    target.set(redirect("http://169.254.169.254/latest/meta-data"));
    await check("ok", "ok", "failed", "failed", "failed");
    await deliver();
    const [first] = await deliveries(id);
    expect(first).toMatchObject({ event: "monitor.down", subject: "Shop", state: "failed" });
    expect(first?.failure).toContain("a redirect (302), which is not followed");
    expect(JSON.stringify(first)).not.toContain("secret-token");
    expect(first?.attempts[0]?.request?.body).toContain("Shop is down");
    target.set(respond({ body: "ok" }));
    const path = `${CHANNELS}/${id}/deliveries/${first?.uuid}/resend`;
    expect((await server.api("POST", path)).body.data).toMatchObject({ state: "waiting" });
    expect((await server.api("POST", path)).status).toBe(409);
    await deliver();
    const [again] = await deliveries(id);
    expect(again).toMatchObject({ id: first?.id, state: "sent" });
    expect(again?.attempts.map(({ outcome }) => outcome)).toEqual(["refused", "sent"]);
  });

  test("list all that they were sent, or the page that is requested", async () => {
    const { addChannel, now, server } = await start();
    const { db } = server.ctx.store;
    const id = await addChannel();
    const channel = await readChannel(db, id);
    if (!channel) throw new Error("The channel is not there");
    const sent = Array.from({ length: 21 }, () =>
      deliveryOf({ ...toChannel(channel) }, testMessage(now()), now()),
    );
    await insertChannelDeliveries(db, sent, { now: now() });
    const listed = async (query: string) => {
      const { body } = await server.api("GET", `${CHANNELS}/${id}/deliveries${query}`);
      return [body.data.length, body.pagination?.total];
    };
    const [all] = await listed("");
    expect(all).toBeGreaterThan(20);
    expect(await listed("")).toEqual([all, undefined]);
    expect(await listed("?limit=5")).toEqual([5, all]);
    expect(await listed("?page=1")).toEqual([20, all]);
  });

  test("name an alert alike until it is over, and as no one else names one", async () => {
    const { addChannel, check, deliver, received, target, server } = await start();
    const id = await addChannel({ type: "pagerduty", config: { key: "k", server: target.url } });
    const { uuid } = (await server.api("GET", `${CHANNELS}/${id}`)).body.data;
    const goThroughOutage = async () => {
      await check("ok", "ok", "failed", "failed", "failed");
      await deliver();
      await check("ok", "ok", "ok");
      await deliver();
    };
    await goThroughOutage();
    await goThroughOutage();
    const keys = received().map(({ event_action: action, dedup_key: key }) => `${action} ${key}`);
    expect(received().map((event) => event["event_action"])).toEqual([
      "trigger",
      "resolve",
      "trigger",
      "resolve",
    ]);
    const [first, second] = [keys[0], keys[2]].map((key) => key?.split(" ")[1]);
    expect(keys).toEqual([`trigger ${first}`, `resolve ${first}`, `trigger ${second}`, `resolve ${second}`]);
    expect(second).not.toBe(first);
    // Other installations may notify the same service, and number their alerts as this one does.
    expect([first, second].every((key) => key?.includes(uuid))).toBe(true);
  });

  test("by e-mail are written to in their language, in one thread for each alert", async () => {
    const { addChannel, check, deliver, mail } = await start();
    await addChannel({ type: "email", config: { address: "oncall@vedette.test" }, language: "de" });
    await check("ok", "ok", "failed", "failed", "failed");
    await deliver();
    await check("ok", "ok", "ok");
    await deliver();
    const [down, up] = mail.mails;
    expect([down?.headers["subject"], up?.headers["subject"]]).toEqual([
      "Shop ist ausgefallen",
      "Shop funktioniert wieder",
    ]);
    expect(down?.to).toEqual(["oncall@vedette.test"]);
    expect(down?.html).toContain("In Vedette öffnen");
    expect(down?.headers["list-id"]).toMatch(/^<[\da-f-]{36}\.[\w.]+>$/);
    expect(up?.headers["references"]).toBe(down?.headers["references"]);
  });
});
