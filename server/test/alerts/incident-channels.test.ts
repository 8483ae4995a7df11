import { randomUUIDv7 } from "node:crypto";
import { expect, test } from "vitest";
import { insertMember } from "../../src/accounts/queries/members.ts";
import { insertUser } from "../../src/accounts/queries/users.ts";
import { channelKinds } from "../../src/alerts/channels/registry.ts";
import { openBrowser } from "../accounts/browser.ts";
import { respond } from "../harness/behaviours.ts";
import { eachEngine } from "../harness/stores.ts";
import { channelTokenIn, startTelling } from "./channel-setup.ts";
import { CASES, type HttpType } from "./channels/channel-cases.ts";
import { PUBLIC_URL } from "./mailing.ts";

const INCIDENTS = "/api/incidents";
const MINUTE_MS = 60_000;

eachEngine("an organization's channels, of incidents that people write about,", (engine) => {
  async function start() {
    const telling = await startTelling(engine);
    const { server, pass, deliver } = telling;
    const open = async (incident: object = {}) => {
      const created = await server.api("POST", INCIDENTS, { title: "Checkout fails", ...incident });
      expect(created.status).toBe(201);
      return created.body.data.id as number;
    };
    const update = (id: number, body: object) => server.api("POST", `${INCIDENTS}/${id}/updates`, body);
    /** Sends each by itself. */
    const send = async () => {
      await deliver();
      pass(MINUTE_MS);
    };
    return { ...telling, open, update, send };
  }

  test("are notified of one that is opened, of updates and of its end, as webhooks get it", async () => {
    const { addChannel, addMonitor, open, update, send, received, server } = await start();
    await addChannel();
    const shop = await addMonitor({ name: "Till", tags: ["shop"] });
    const id = await open({ severity: "high", description: "Cards are refused.", monitorIds: [shop] });
    await send();
    await update(id, { message: "The provider is on it.", status: "identified" });
    await send();
    await server.api("PUT", `${INCIDENTS}/${id}`, { status: "resolved" });
    await send();
    const same = { incidentId: id, monitor: null, severity: "high", url: `${PUBLIC_URL}/incidents/${id}` };
    expect(received()).toMatchObject([
      {
        ...{
          ...same,
          type: "incident.opened",
          title: "Incident: Checkout fails",
          text: "Cards are refused.",
        },
        acknowledgeUrl: expect.stringContaining("/acknowledge#"),
      },
      { ...same, type: "incident.updated", title: "Checkout fails: update", text: "The provider is on it." },
      { ...same, type: "incident.resolved", title: "Checkout fails: resolved", acknowledgeUrl: null },
    ]);
  });

  test("read an update with its lines and without the marks of Markdown, and see where a long one is cut", async () => {
    const { addChannel, open, update, send, received } = await start();
    await addChannel();
    const id = await open({ description: "Cards are **refused**.\n\nCash works." });
    await update(id, {
      message:
        "A **full queue** at [our provider](https://status.example/).\r\n\r\n- cards: slow\r\n- cash: fine",
    });
    await update(id, { message: "again and ".repeat(900) });
    await send();
    await send();
    await send();
    const [opened, updated, long] = received().map(({ text }) => String(text));
    expect(opened).toBe("Cards are refused.\n\nCash works.");
    expect(updated).toBe(
      "A full queue at our provider (https://status.example/).\n\n- cards: slow\n- cash: fine",
    );
    expect(long).toMatch(/^again and .* again…$|^again and .* and…$/);
    expect(long?.length).toBeGreaterThan(2_900);
  });

  test.each(Object.keys(CASES) as HttpType[])(
    "are notified of both by %s, and every type has a case",
    async (type) => {
      expect(Object.keys(CASES).length).toBe(Object.keys(channelKinds).length - 1);
      const { addChannel, open, update, send, target, deliveries } = await start();
      const { config, takes } = CASES[type];
      target.set(respond({ status: takes?.status ?? 200, body: takes?.body ?? "{}" }));
      const channel = await addChannel({ type, config: config(target.url) });
      const id = await open();
      await send();
      await update(id, { message: "It works.", status: "resolved" });
      await send();
      const notified = (await deliveries(channel)).map(({ event, state }) => `${event} ${state}`).reverse();
      expect(notified).toEqual(["incident.opened sent", "incident.resolved sent"]);
    },
  );

  test.each([
    ["discord", ["POST /api/webhooks/1/token?wait=true", "PATCH /api/webhooks/1/token/messages/815"]],
    ["opsgenie", ["POST /v2/alerts", "POST /v2/alerts/ALIAS/close?identifierType=alias"]],
  ] as const)("have one thread of it where %s can", async (type, requests) => {
    const { addChannel, open, update, send, target } = await start();
    const { config, takes } = CASES[type];
    target.set(respond({ status: 202, body: takes?.body ?? "{}" }));
    await addChannel({ type, config: config(target.url) });
    const id = await open();
    await send();
    await update(id, { message: "It works.", status: "resolved" });
    await send();
    const sent = target.requests.map(({ method, path }) =>
      `${method} ${path}`.replace(/vedette-[\w-]+/, "ALIAS"),
    );
    expect(sent).toEqual(requests);
  });

  async function startPager() {
    const started = await start();
    const { target, addChannel, received } = started;
    target.set(respond({ status: 202, body: "{}" }));
    await addChannel({ type: "pagerduty", config: CASES.pagerduty.config(target.url) });
    const actions = () => received().map(({ event_action: action }) => action);
    const keys = () => new Set(received().map(({ dedup_key: key }) => key)).size;
    return { ...started, actions, keys };
  }

  test("have one alert in PagerDuty, which is acknowledged and resolved with it", async () => {
    const { open, update, send, server, received, actions, keys } = await startPager();
    const id = await open({ severity: "high" });
    await send();
    await server.api("POST", `${INCIDENTS}/${id}/acknowledge`);
    await send();
    await update(id, { message: "We look into it." });
    await send();
    await update(id, { message: "It works.", status: "resolved" });
    await send();
    expect(actions()).toEqual(["trigger", "acknowledge", "trigger", "resolve"]);
    expect(keys()).toBe(1);
    expect(received()[0]).toMatchObject({ payload: { severity: "error" } });
  });

  test.each(["deleted", "merged"])("have no alert left in PagerDuty where it is %s", async (how) => {
    const { open, send, server, received, actions } = await startPager();
    const into = await open({ title: "Payments fail" });
    await send();
    const id = await open();
    await send();
    if (how === "deleted") await server.api("DELETE", `${INCIDENTS}/${id}`);
    else await server.api("POST", `${INCIDENTS}/${id}/merge`, { into });
    await send();
    expect(actions().filter((action) => action === "resolve")).toHaveLength(1);
    const [, opened] = received();
    expect(received().find(({ event_action: action }) => action === "resolve")).toMatchObject({
      dedup_key: opened?.["dedup_key"],
    });
  });

  test("have no alert in PagerDuty of what was over when it was reported", async () => {
    const { open, send, actions } = await startPager();
    await open({ status: "resolved" });
    await send();
    expect(actions()).toEqual([]);
  });

  test("are notified of what a person writes about an outage, pagers excepted, and the outage as itself alone", async () => {
    const { addChannel, check, update, send, server, actions, deliveries } = await startPager();
    const webhook = await addChannel();
    await check("ok", "ok", "failed", "failed", "failed");
    const [incident] = (await server.api("GET", INCIDENTS)).body.data;
    await send();
    await update(incident.id, { message: "We look into it." });
    await send();
    await check("ok", "ok", "ok");
    await send();
    const notified = (await deliveries(webhook)).map(({ event }) => event).reverse();
    expect(notified).toEqual(["monitor.down", "incident.updated", "monitor.up"]);
    expect(actions().filter((action) => action !== undefined)).toEqual(["trigger", "resolve"]);
  });

  test("are notified of what their filter lets through, and of what follows a beginning that they got", async () => {
    const { addChannel, addMonitor, open, update, send, server, deliveries } = await start();
    const till = await addMonitor({ name: "Till", tags: ["shop"] });
    const filters = {
      all: {},
      tagged: { tags: ["shop"] },
      otherTag: { tags: ["office"] },
      critical: { severities: ["critical"] },
      outages: { events: ["monitor.down", "monitor.up"] },
      ends: { events: ["incident.resolved"] },
    };
    const ids = new Map<string, number>();
    for (const [name, filter] of Object.entries(filters)) ids.set(name, await addChannel(filter));
    const id = await open({ severity: "critical", monitorIds: [till] });
    await send();
    await server.api("PUT", `${INCIDENTS}/${id}`, { severity: "low", monitorIds: [] });
    await update(id, { message: "It works.", status: "resolved" });
    await send();
    const notified: Record<string, string[]> = {};
    for (const [name, channel] of ids) {
      const sent = (await deliveries(channel)).filter(({ state }) => state === "sent");
      notified[name] = sent.map(({ event }) => event.replace("incident.", "")).reverse();
    }
    expect(notified).toEqual({
      all: ["opened", "resolved"],
      tagged: ["opened", "resolved"],
      otherTag: [],
      critical: ["opened", "resolved"],
      outages: [],
      ends: ["resolved"],
    });
  });

  test("acknowledge it by the link of the message", async () => {
    const { addChannel, open, send, received, server } = await start();
    await addChannel({ name: "On call" });
    const id = await open();
    await send();
    const token = channelTokenIn(String(received()[0]?.["acknowledgeUrl"]));
    const path = "/api/auth/acknowledgement/confirm";
    expect((await openBrowser(server).send("POST", path, { token }, { origin: PUBLIC_URL })).status).toBe(
      200,
    );
    const { data } = (await server.api("GET", `${INCIDENTS}/${id}`)).body;
    expect(data).toMatchObject({ acknowledgedByName: "On call" });
  });

  test("wait for their hours with it, unless it is critical, and become one message where they are many", async () => {
    const { addChannel, open, send, target, received, server } = await start();
    const config = { url: `${target.url}services/T0/B0/token` };
    const channel = await addChannel({ type: "slack", config, hours: { from: "20:00", to: "21:00" } });
    for (let each = 1; each <= 3; each += 1) await open({ title: `Fault ${each}` });
    await open({ title: "Tills are off", severity: "critical" });
    await send();
    expect(received().map(({ text }) => text)).toEqual(["Incident: Tills are off"]);
    await server.api("PUT", `/api/notifications/channels/${channel}`, { hours: {} });
    await send();
    expect(received().map(({ text }) => text)).toEqual([
      "Incident: Tills are off",
      "While messages were held: 3 incidents opened",
    ]);
  });

  test("reach a member's own webhook, but not that of who wrote", async () => {
    const { open, send, received, server, target, now } = await start();
    await server.api("PUT", "/api/notifications/settings", { webhookUrl: target.url });
    await open();
    await send();
    const { db } = server.ctx.store;
    const user = { uuid: randomUUIDv7(), email: "ada@vedette.test", name: "Ada", passwordHash: "" };
    const userId = (await insertUser(db, user, now())) ?? 0;
    const { organization } = server.person;
    const role = "member" as const;
    await insertMember(db, { userId, organizationId: organization.id, role }, now());
    const key = await server.createKey({ person: { userId, organization, role } });
    await server.api("POST", INCIDENTS, { title: "Payments fail" }, { key });
    await send();
    expect(received()).toMatchObject([{ type: "incident.opened", title: "Incident: Payments fail" }]);
  });
});
