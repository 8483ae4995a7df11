import { expect, test } from "vitest";
import { runRetention } from "../../src/engine/results/retention.ts";
import { respond } from "../harness/behaviours.ts";
import { eachEngine } from "../harness/stores.ts";
import { startTelling } from "./channel-setup.ts";
import { CASES, type HttpType } from "./channels/channel-cases.ts";

const DAY_MS = 86_400_000;

eachEngine("when a person acknowledges", (engine) => {
  async function start(type: HttpType) {
    const telling = await startTelling(engine);
    const { addChannel, target, server, deliver, pass } = telling;
    target.set(respond({ status: 202, body: CASES[type].takes?.body ?? "{}" }));
    const config = CASES[type].config(target.url);
    const channelId = await addChannel({ type, config, events: ["monitor.down", "monitor.up"] });
    const acknowledge = async () => {
      const [{ id }] = (await server.api("GET", "/api/incidents")).body.data;
      const { status } = await server.api("POST", `/api/incidents/${id}/acknowledge`);
      // People are not notified of two things at a time.
      pass(10_000);
      await deliver();
      return status;
    };
    return { ...telling, channelId, acknowledge };
  }

  test("PagerDuty's alert is acknowledged, once, and resolved when it is over", async () => {
    const { check, deliver, received, acknowledge } = await start("pagerduty");
    await check("ok", "ok", "failed", "failed", "failed");
    await deliver();
    expect([await acknowledge(), await acknowledge()]).toEqual([200, 200]);
    await check("ok", "ok", "ok");
    await deliver();
    const actions = received().map(({ event_action: action }) => action);
    expect(actions).toEqual(["trigger", "acknowledge", "resolve"]);
    expect(new Set(received().map(({ dedup_key: key }) => key)).size).toBe(1);
  });

  test.each(["into it", "the other way"])(
    "PagerDuty's alert is acknowledged with the incident that is merged %s",
    async (way) => {
      const { check, deliver, received, acknowledge, server, pass } = await start("pagerduty");
      await check("ok", "ok", "failed", "failed", "failed");
      await deliver();
      const [outage] = (await server.api("GET", "/api/incidents")).body.data;
      const known = (await server.api("POST", "/api/incidents", { title: "The host is gone" })).body.data;
      expect(await acknowledge()).toBe(200);
      const [from, to] = way === "into it" ? [known.id, outage.id] : [outage.id, known.id];
      expect((await server.api("POST", `/api/incidents/${from}/merge`, { into: to })).status).toBe(200);
      pass(10_000);
      await deliver();
      expect(received().map(({ event_action: action }) => action)).toEqual(["trigger", "acknowledge"]);
    },
  );

  test("a message that waited says so of the incident that it was merged into, however often", async () => {
    const { check, deliver, received, server, target, pass } = await start("webhook");
    await check("ok", "ok", "failed", "failed", "failed");
    target.set(respond({ status: 503 }));
    await deliver();
    let [{ id }] = (await server.api("GET", "/api/incidents")).body.data;
    for (const title of ["The host is gone", "All of it"]) {
      const into = (await server.api("POST", "/api/incidents", { title })).body.data.id;
      expect((await server.api("POST", `/api/incidents/${id}/merge`, { into })).status).toBe(200);
      id = into;
    }
    target.set(respond({ status: 200 }));
    pass(3_600_000);
    expect((await server.api("POST", `/api/incidents/${id}/acknowledge`)).status).toBe(200);
    await deliver();
    const { acknowledgedByName } = (await server.api("GET", `/api/incidents/${id}`)).body.data;
    expect(received().at(-1)).toMatchObject({ type: "monitor.down", acknowledgedBy: acknowledgedByName });
  });

  test("Opsgenie's alert is acknowledged by its alias", async () => {
    const { check, deliver, target, received, acknowledge } = await start("opsgenie");
    await check("ok", "ok", "failed", "failed", "failed");
    await deliver();
    await acknowledge();
    const alias = String(received()[0]?.["alias"]);
    expect(target.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "POST /v2/alerts",
      `POST /v2/alerts/${alias}/acknowledge?identifierType=alias`,
    ]);
    expect(received()[1]?.["note"]).toContain("has acknowledged that Shop is down.");
  });

  test("Discord has it above the message that reported it, until it is over", async () => {
    const { check, deliver, target, received, acknowledge } = await start("discord");
    await check("ok", "ok", "failed", "failed", "failed");
    await deliver();
    await acknowledge();
    await check("ok", "ok", "ok");
    await deliver();
    expect(target.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "POST /api/webhooks/1/token?wait=true",
      "PATCH /api/webhooks/1/token/messages/815",
      "PATCH /api/webhooks/1/token/messages/815",
    ]);
    const [notified, acknowledged, over] = received();
    expect(notified).not.toHaveProperty("content");
    expect(acknowledged?.["content"]).toContain("has acknowledged that Shop is down.");
    expect(acknowledged).not.toHaveProperty("embeds");
    expect(over).toMatchObject({ content: "", embeds: [{ title: "Shop is up again" }] });
  });

  test("a chat is answered in its thread, and a channel that was not notified is sent no acknowledgement", async () => {
    const { check, deliver, received, acknowledge, addChannel, target, deliveries } = await start("telegram");
    const webhook = await addChannel();
    await check("ok", "ok", "failed", "failed", "failed");
    await deliver();
    const late = await addChannel({ type: "pagerduty", config: CASES.pagerduty.config(target.url) });
    await acknowledge();
    const last = received().findLast(({ chat_id: chat }) => chat !== undefined);
    expect(last?.["text"]).toContain("Shop: acknowledged");
    expect(last).toHaveProperty("reply_parameters");
    expect((await deliveries(webhook)).map(({ event }) => event)).toEqual(["monitor.down"]);
    // It is brought up to date with what is down.
    expect((await deliveries(late)).map(({ event }) => event)).toEqual(["monitor.down"]);
  });

  test("no alert is acknowledged by an incident that is about something else", async () => {
    const { check, deliver, received, server, monitorId } = await start("pagerduty");
    await check("ok", "ok", "failed", "failed", "failed");
    await deliver();
    const { data } = (
      await server.api("POST", "/api/incidents", {
        title: "Prices are wrong",
        monitorIds: [monitorId],
      })
    ).body;
    expect((await server.api("POST", `/api/incidents/${data.id}/acknowledge`)).status).toBe(200);
    await deliver();
    expect(received().map(({ event_action: action }) => action)).toEqual(["trigger"]);
  });

  test("an alert is stored as long as its messages: 30 days from its end, and open ones for good", async () => {
    const { check, deliver, pass, addMonitor, checkOf, server } = await start("pagerduty");
    await check("ok", "ok", "failed", "failed", "failed");
    await deliver();
    await check("ok", "ok", "ok");
    await deliver();
    const open = await addMonitor();
    await checkOf(open, "ok", "ok", "failed", "failed", "failed");
    await deliver();
    const alerts = async () =>
      (await server.ctx.store.db.selectFrom("alerts").select("state").orderBy("id").execute()).map(
        ({ state }) => state,
      );
    const trim = () => runRetention(server.ctx, { rawDaysOf: () => 90 });
    pass(29 * DAY_MS);
    await trim();
    expect(await alerts()).toEqual(["resolved", "firing"]);
    pass(DAY_MS);
    expect((await trim()).rows.alerts).toBe(1);
    expect(await alerts()).toEqual(["firing"]);
  });
});
