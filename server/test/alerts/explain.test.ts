import { randomUUIDv7 } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { insertMember } from "../../src/accounts/queries/members.ts";
import { insertUser } from "../../src/accounts/queries/users.ts";
import { createActiveWindows } from "../../src/monitors/maintenance/active-windows.ts";
import { followWindows } from "../../src/monitors/maintenance/apply-window.ts";
import { respond, status } from "../harness/behaviours.ts";
import { type EngineName, eachEngine } from "../harness/stores.ts";
import { startHttpTarget } from "../harness/targets.ts";
import { CHANNELS, startTelling } from "./channel-setup.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const STEP = { stepMs: 5_000 };

interface ChannelState {
  name: string | null;
  isOwn: boolean;
  state: string;
  why: string | null;
  wants: object | null;
  sentAt: string | null;
  nextAt: string | null;
  since: string | null;
}

async function start(engine: EngineName, config = {}) {
  const telling = await startTelling(engine, config);
  const { server, target, addMonitor, checkAll, pass, deliver, now } = telling;
  const add = async (name: string, settings: object = {}) => {
    const id = await addMonitor({ name, url: `https://${name.toLowerCase()}.example/`, ...settings });
    await checkAll([id], STEP, "ok");
    return id;
  };
  const addChannel = (name: string, settings: object = {}) =>
    telling.addChannel({ name, type: "mattermost", config: { url: target.url }, ...settings });
  const failing = async (answer: number) => {
    const other = await startHttpTarget();
    onTestFinished(other.close);
    other.set(status(answer));
    return other;
  };
  /** What the API says of each channel of the organization about an incident, the newest if none is named; by name. */
  const deliveries = async (incidentId?: number, key?: string): Promise<Record<string, ChannelState>> => {
    const id = incidentId ?? (await server.api("GET", "/api/incidents")).body.data[0].id;
    const path = `/api/incidents/${id}/deliveries`;
    const { body } = await server.api("GET", path, undefined, key ? { key } : {});
    return Object.fromEntries(body.channels.map((one: ChannelState) => [one.name ?? "own", one]));
  };
  return {
    ...{ ...telling, add, addChannel, failing, deliveries },
    down: (...ids: number[]) => checkAll(ids, STEP, "failed", "failed", "failed"),
    up: (...ids: number[]) => checkAll(ids, STEP, "ok", "ok"),
    async send(ms = MINUTE_MS) {
      await deliver();
      pass(ms);
      await deliver();
    },
    iso: (ms = 0) => new Date(now() + ms).toISOString(),
    set: (id: number, settings: object) => server.api("PUT", `${CHANNELS}/${id}`, settings),
  };
}

const NOTHING = { state: "none", wants: null, sentAt: null, nextAt: null, since: null };

eachEngine("what the API says of each channel about an incident:", (engine) => {
  test("what its filter wants instead, by severity, tags and events, in both families", async () => {
    const { server, add, addChannel, deliveries, down, send } = await start(engine);
    await addChannel("Grave", { severities: ["critical"] });
    await addChannel("Payments", { tags: ["payments"] });
    await addChannel("Slow", { events: ["monitor.degraded"] });
    await addChannel("Grave payments", { severities: ["critical", "high"], tags: ["payments"] });
    const id = await add("Shop", { severity: "low", tags: ["web"] });
    await down(id);
    const expected = {
      Grave: { ...NOTHING, why: "severity", wants: { severities: ["critical"] } },
      Payments: { ...NOTHING, why: "tags", wants: { tags: ["payments"] } },
      Slow: { ...NOTHING, why: "event", wants: { events: ["monitor.degraded"] } },
      "Grave payments": {
        ...{ ...NOTHING, why: "severity" },
        wants: { severities: ["critical", "high"], tags: ["payments"] },
      },
    };
    // Before and after what is to be sent has been sent.
    expect(await deliveries()).toMatchObject(expected);
    await send();
    expect(await deliveries()).toMatchObject(expected);
    const incident = (await server.api("GET", "/api/incidents")).body.data[0].id;
    const v2 = (await server.api("GET", `/v2/incidents/${incident}/deliveries`)).body;
    expect(v2.channels.find(({ name }: ChannelState) => name === "Grave")).toMatchObject({
      is_own: false,
      wants: { severities: ["critical"] },
      next_at: null,
    });
  });

  test("that only several parts of a filter together leave it out", async () => {
    const { add, addChannel, deliveries, down, send } = await start(engine);
    await addChannel("Grave payments", { severities: ["critical"], tags: ["payments"] });
    const url = (path: string) => ({ url: `https://shared.example/${path}` });
    const ids = [
      await add("Shop", { ...url("shop"), severity: "critical" }),
      await add("Billing", { ...url("billing"), severity: "low", tags: ["payments"] }),
    ];
    await down(...ids);
    await send();
    expect((await deliveries())["Grave payments"]).toMatchObject({
      why: "severity",
      wants: { severities: ["critical"], tags: ["payments"] },
    });
  });

  test("that it is off, and disabled by the other side, since when, and when the daily attempt is", async () => {
    const { add, addChannel, deliveries, down, send, set, iso, failing, pass, deliver } = await start(engine);
    const off = await addChannel("Night shift");
    const offAt = iso();
    await set(off, { enabled: false });
    const gone = await failing(404);
    gone.set(respond({ status: 403, body: "invalid_auth" }));
    await addChannel("Old chat", { type: "slack", config: { url: gone.url } });
    pass(MINUTE_MS);
    const id = await add("Shop");
    await down(id);
    const disabledAt = iso();
    await deliver();
    await send();
    const found = await deliveries();
    expect(found["Night shift"]).toMatchObject({ ...NOTHING, why: "off", since: offAt });
    expect(found["Old chat"]).toMatchObject({
      ...NOTHING,
      why: "disabled",
      since: disabledAt,
      nextAt: expect.any(String),
    });
    const next = Date.parse(found["Old chat"]?.nextAt ?? "") - Date.parse(disabledAt);
    expect(next).toBeGreaterThan(23 * HOUR_MS);
    expect(next).toBeLessThan(25 * HOUR_MS);
  });

  test("that it was notified before it was switched off, and is sent nothing more", async () => {
    const { add, addChannel, deliveries, down, send, set, iso } = await start(engine);
    const channel = await addChannel("On call");
    const id = await add("Shop");
    await down(id);
    const sentAt = iso();
    await send();
    await set(channel, { enabled: false });
    expect((await deliveries())["On call"]).toMatchObject({
      state: "none",
      why: "off",
      sentAt,
      since: iso(),
    });
  });

  test("that its address is not confirmed", async () => {
    const { server, add, deliveries, down, send } = await start(engine);
    const channel = { name: "Office", type: "email", config: { address: "office@else.example" } };
    expect((await server.api("POST", CHANNELS, channel)).status).toBe(201);
    await down(await add("Shop"));
    await send();
    expect((await deliveries())["Office"]).toMatchObject({ ...NOTHING, why: "unconfirmed" });
  });

  test("until when its quiet hours hold a message, and that all was up again before they ended", async () => {
    const { add, addChannel, deliveries, down, up, send, pass } = await start(engine);
    await addChannel("By day", { hours: { from: "08:00", to: "09:00" }, timeZone: "UTC" });
    const id = await add("Shop");
    await down(id);
    const held = { state: "waiting", why: "quiet_hours", nextAt: "2026-11-23T08:00:00.000Z", sentAt: null };
    expect((await deliveries())["By day"]).toMatchObject(held);
    await send();
    expect((await deliveries())["By day"]).toMatchObject(held);
    await up(id);
    await send();
    expect((await deliveries())["By day"]).toMatchObject({ ...NOTHING, why: "recovered_unnotified" });
    pass(24 * HOUR_MS);
    await send();
    expect((await deliveries())["By day"]).toMatchObject({ ...NOTHING, why: "recovered_unnotified" });
  });

  test("that what is down is in maintenance", async () => {
    const { server, add, addChannel, deliveries, down, send, deliver } = await start(engine);
    const id = await add("Shop");
    await down(id);
    await deliver();
    server.ctx.windows = createActiveWindows(server.ctx);
    const windows = followWindows(server.ctx, server.ctx.windows, () => {});
    await server.api("POST", "/api/maintenance", { title: "Work", monitorIds: [id], duration: 3_600 });
    windows.changed();
    await windows.look();
    await addChannel("On call");
    await send();
    expect((await deliveries())["On call"]).toMatchObject({ ...NOTHING, why: "maintenance" });
  });

  test("that it was notified of the monitor behind which others are, or of those by themselves", async () => {
    const { server, add, addChannel, deliveries, down, send } = await start(engine);
    await addChannel("On call");
    await addChannel("Shops", { tags: ["shop"] });
    const parent = await add("Switch");
    const { uuid } = (await server.api("GET", `/api/domains/${parent}`)).body.data;
    const child = await add("Payments", { tags: ["shop"], parents: [uuid] });
    await down(parent);
    await send();
    expect(await deliveries()).toMatchObject({
      "On call": { state: "notified", why: null },
      Shops: { ...NOTHING, why: "tags", wants: { tags: ["shop"] } },
    });
    await down(child);
    await send();
    expect(await deliveries()).toMatchObject({
      "On call": { state: "notified", why: null },
      Shops: { state: "notified", why: "tags", sentAt: expect.any(String) },
    });
    const [{ id }] = (await server.api("GET", "/api/incidents")).body.data;
    const { suppressed } = (await server.api("GET", `/api/incidents/${id}`)).body.data;
    expect(suppressed).toMatchObject([{ name: "Payments" }]);
  });

  test("when it is tried next after an attempt that failed: a chat, a pager, a program", async () => {
    const { add, addChannel, deliveries, down, deliver, iso, now, failing } = await start(engine);
    const away = await failing(503);
    await addChannel("Chat", { config: { url: away.url } });
    await addChannel("Program", { type: "webhook", config: { url: away.url } });
    const id = await add("Shop");
    await down(id);
    for (const name of ["Chat", "Program"]) {
      expect((await deliveries())[name]).toMatchObject({ state: "waiting", why: "sending", sentAt: null });
    }
    await deliver();
    await deliver();
    const found = await deliveries();
    for (const name of ["Chat", "Program"]) {
      expect(found[name]).toMatchObject({ state: "waiting", why: "failing", sentAt: null });
      expect(Date.parse(found[name]?.nextAt ?? "")).toBeGreaterThan(now());
      expect(found[name]?.nextAt && found[name].nextAt < iso(MINUTE_MS)).toBe(true);
    }
  });

  test("that it was notified, what joined and waits for the rest, and that all of it is over", async () => {
    const { server, add, addChannel, deliveries, down, up, deliver, send, pass, iso } = await start(engine);
    await addChannel("On call");
    await addChannel("Program", { type: "webhook" });
    const url = (path: string) => ({ url: `https://shared.example/${path}` });
    const [a, b] = [await add("Shop", url("shop")), await add("Wiki", url("wiki"))];
    await down(a);
    await deliver();
    const sentAt = iso();
    const notified = { state: "notified", why: null, sentAt, nextAt: null, wants: null, since: null };
    expect(await deliveries()).toMatchObject({ "On call": notified, Program: notified });
    await down(b);
    await deliver();
    expect((await deliveries())["On call"]).toMatchObject({
      ...{ state: "waiting", why: "group_interval", sentAt },
      nextAt: new Date(Date.parse(sentAt) + MINUTE_MS).toISOString(),
    });
    pass(MINUTE_MS);
    await deliver();
    await up(a, b);
    await send();
    const over = { state: "resolved", why: null, sentAt: expect.any(String), nextAt: null };
    expect(await deliveries()).toMatchObject({ "On call": over, Program: over });
    const [{ id }] = (await server.api("GET", "/api/incidents")).body.data;
    const known = (await deliveries(id))["Program"]?.sentAt;
    // A later outage says nothing of this one, and a channel that is added later was not there.
    pass(HOUR_MS);
    await addChannel("New", { type: "webhook" });
    await down(a);
    await send();
    const later = await deliveries(id);
    expect(later["Program"]).toMatchObject({ ...over, sentAt: known });
    expect(later["New"]).toMatchObject({ ...NOTHING, why: "added_later" });
  });

  test("that what waits is tried when the pause is over that the other side has requested", async () => {
    const { server, target, add, addChannel, deliveries, down, deliver, pass, iso } = await start(engine);
    const channel = await addChannel("Program", { type: "webhook" });
    target.set(respond({ status: 429, headers: { "retry-after": "3600" } }));
    const [a, b] = [await add("Shop"), await add("Wiki")];
    await down(a);
    const until = iso(HOUR_MS);
    await deliver();
    await down(b);
    await deliver();
    pass(MINUTE_MS);
    const waiting = (await server.api("GET", `${CHANNELS}/${channel}/deliveries`)).body.data;
    expect(waiting).toMatchObject([{ event: "monitor.down" }, { event: "monitor.down" }]);
    const [{ id }] = (await server.api("GET", "/api/incidents")).body.data;
    const ofIncident = (await server.api("GET", `/api/incidents/${id}/deliveries`)).body.data;
    expect([...waiting, ...ofIncident].map(({ again }: { again: string }) => again)).toEqual([
      until,
      until,
      until,
    ]);
    expect((await deliveries())["Program"]).toMatchObject({ state: "waiting", nextAt: until });
  });

  test("when the next reminder is", async () => {
    const { add, addChannel, deliveries, down, deliver, iso } = await start(engine);
    await addChannel("On call", { reminder: "1h" });
    await down(await add("Shop"));
    await deliver();
    expect((await deliveries())["On call"]).toMatchObject({ state: "notified", nextAt: iso(HOUR_MS) });
  });

  test("that a new channel is reminded of what is critical only", async () => {
    const { add, addChannel, deliveries, down, deliver, iso } = await start(engine);
    await addChannel("On call");
    await down(await add("Shop", { severity: "critical" }));
    await deliver();
    expect((await deliveries())["On call"]).toMatchObject({ state: "notified", nextAt: iso(4 * HOUR_MS) });
  });

  test("that a channel of the organization writes to a person's own address, to that person only", async () => {
    const { server, add, addChannel, deliveries, down, send, now } = await start(engine);
    const email = "mira@vedette.test";
    const { db } = server.ctx.store;
    const { organization } = server.person;
    const user = { uuid: randomUUIDv7(), email, name: "Mira", passwordHash: "" };
    const userId = (await insertUser(db, user, now())) ?? 0;
    await insertMember(db, { userId, organizationId: organization.id, role: "member" }, now());
    const key = await server.createKey({ person: { userId, organization, role: "member" } });
    await addChannel("Team", { type: "email", config: { address: email } });
    await down(await add("Shop"));
    await send();
    expect(await deliveries(undefined, key)).toMatchObject({
      own: { ...NOTHING, isOwn: true, why: "shared_mail" },
      Team: { state: "notified" },
    });
    expect(Object.keys(await deliveries())).not.toContain("Mira");
  });
});
