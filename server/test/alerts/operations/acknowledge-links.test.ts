import { expect, test } from "vitest";
import { insertSession } from "../../../src/platform/access/queries/sessions.ts";
import { hashToken } from "../../../src/platform/access/random-tokens.ts";
import { openBrowser } from "../../accounts/browser.ts";
import { eachEngine } from "../../harness/stores.ts";
import { startTelling } from "../channel-setup.ts";
import { PUBLIC_URL } from "../mailing.ts";

const READ = "/api/auth/acknowledgement";
const CONFIRM = "/api/auth/acknowledgement/confirm";
const DAY_MS = 86_400_000;

eachEngine("the link of a message", (engine) => {
  const start = async (channel: object = {}) => {
    const telling = await startTelling(engine);
    const channelId = await telling.addChannel({ name: "On call", ...channel });
    const incident = async () => {
      const { data } = (await telling.server.api("GET", "/api/incidents")).body;
      return data[0];
    };
    const visitor = openBrowser(telling.server);
    const post = (path: string, token: string, reader: object = {}) =>
      visitor.send("POST", path, { token, ...reader }, { origin: PUBLIC_URL });
    const tokens = () =>
      telling.received().map(({ acknowledgeUrl }) => new URL(String(acknowledgeUrl)).hash.slice(1));
    return { ...telling, channelId, incident, post, tokens };
  };

  test("shows what the message said and nothing else, and acknowledges once, in the channel's name", async () => {
    const { check, deliver, tokens, post, incident, deliveries, channelId } = await start();
    await check("ok", "ok", "failed", "failed", "failed");
    await deliver();
    const [token = ""] = tokens();
    const read = await post(READ, token);
    expect(read.status).toBe(200);
    expect(Object.keys(read.body.data).sort()).toEqual([
      ...["acknowledgedAt", "acknowledgedByName", "asks", "incidentId", "monitors", "moreMonitors"],
      ...["resolvedAt", "state", "successor", "text", "title"],
    ]);
    const { id: incidentId } = await incident();
    expect(read.body.data).toMatchObject({ title: "Shop is down", state: "open", incidentId });
    expect(await incident()).toMatchObject({ acknowledgedAt: null });
    const [first, second] = await Promise.all([post(CONFIRM, token), post(CONFIRM, token)]);
    expect([first.status, second.status].sort()).toEqual([200, 422]);
    expect(await incident()).toMatchObject({ acknowledgedById: null, acknowledgedByName: "On call" });
    expect((await incident()).acknowledgedAt).not.toBeNull();
    expect((await post(READ, token)).body.data.state).toBe("acknowledged");
    expect(JSON.stringify(await deliveries(channelId))).not.toContain(token);
  });

  test("says it in its reader's language and zone, whatever those of the channel are", async () => {
    const { check, deliver, tokens, post } = await start({ language: "zh", timeZone: "UTC" });
    await check("ok", "ok", "failed", "failed", "failed");
    await deliver();
    const [token = ""] = tokens();
    const reader = { language: "de", timeZone: "Asia/Kolkata" };
    for (const path of [READ, CONFIRM]) {
      const { data } = (await post(path, token, reader)).body;
      expect(data.title).toMatch(/^Shop ist/);
      expect(data.text).toMatch(/GMT\+5:30/);
    }
    expect((await post(READ, token, { timeZone: "Mars" })).status).toBe(422);
  });

  test("acknowledges as the person who is signed in, and writes it into the audit log", async () => {
    const { check, deliver, tokens, server, incident } = await start();
    await check("ok", "ok", "failed", "failed", "failed");
    await deliver();
    const { person, ctx } = server;
    const { userId, organization } = person;
    const session = {
      tokenHash: hashToken("own"),
      userId,
      organizationId: organization.id,
      address: "",
      userAgent: "",
    };
    await insertSession(ctx.store.db, session, ctx.clock.now());
    const browser = openBrowser(server, "own");
    const done = await browser.send("POST", CONFIRM, { token: tokens()[0] }, { origin: PUBLIC_URL });
    expect(done.status).toBe(200);
    expect(await incident()).toMatchObject({ acknowledgedById: userId });
    const log = await server.api("GET", `/api/organizations/${person.organization.id}/audit-log`);
    expect(log.body.data[0]).toMatchObject({ action: "acknowledge incidents" });
  });

  test("acknowledges the incident into which the one that it reported was merged", async () => {
    const { check, deliver, tokens, post, server, incident } = await start();
    await check("ok", "ok", "failed", "failed", "failed");
    await deliver();
    const { id } = await incident();
    const merge = async (from: number) => {
      const into = (await server.api("POST", "/api/incidents", { title: "All of it" })).body.data.id;
      expect((await server.api("POST", `/api/incidents/${from}/merge`, { into })).status).toBe(200);
      return into as number;
    };
    const last = await merge(await merge(id));
    const [token = ""] = tokens();
    expect((await post(READ, token)).body.data).toMatchObject({
      ...{ state: "open", incidentId: last, successor: "merged", acknowledgedByName: null },
    });
    expect((await post(CONFIRM, token)).body.data.state).toBe("acknowledged");
    const { data } = (await server.api("GET", `/api/incidents/${last}`)).body;
    expect(data).toMatchObject({ acknowledgedByName: "On call" });
  });

  test("says who has it since when, once another person has acknowledged it", async () => {
    const { check, deliver, tokens, post, server, incident } = await start();
    await check("ok", "ok", "failed", "failed", "failed");
    await deliver();
    const { id } = await incident();
    await server.api("POST", `/api/incidents/${id}/acknowledge`);
    const { acknowledgedAt, acknowledgedByName } = await incident();
    expect(acknowledgedByName).not.toBeNull();
    const known = { state: "acknowledged", incidentId: id, successor: null, resolvedAt: null };
    expect((await post(READ, tokens()[0] ?? "")).body.data).toMatchObject({
      ...{ ...known, acknowledgedAt, acknowledgedByName },
    });
  });

  test("says when it was over, and leads to the incident that is open once the same is down again", async () => {
    const { check, deliver, tokens, post, incident } = await start();
    await check("ok", "ok", "failed", "failed", "failed");
    await deliver();
    const [token = ""] = tokens();
    await check("ok", "ok", "ok");
    const first = await incident();
    const over = { state: "resolved", resolvedAt: first.resolvedAt, acknowledgedByName: null };
    expect(first.resolvedAt).not.toBeNull();
    expect((await post(READ, token)).body.data).toMatchObject({
      ...{ ...over, incidentId: first.id, successor: null },
    });
    await check("failed", "failed", "failed");
    const second = await incident();
    expect(second.id).not.toBe(first.id);
    expect((await post(READ, token)).body.data).toMatchObject({
      ...{ ...over, incidentId: second.id, successor: "again" },
    });
  });

  test("acknowledges the incident of its own that its monitor's outage was given, which says who was notified", async () => {
    const { addMonitor, checkAll, deliver, received, tokens, post, server } = await start();
    const named = (name: string) => addMonitor({ name, url: `https://one.example/${name}` });
    const both = [await named("First"), await named("Second")] as const;
    await checkAll(both, "ok", "ok", "failed", "failed", "failed");
    await deliver();
    const [shared] = (await server.api("GET", "/api/incidents")).body.data;
    expect(shared.title).toBe("First and 1 other monitor are down");
    const split = await server.api("POST", `/api/incidents/${shared.id}/split`, { monitorId: both[1] });
    expect(split.status).toBe(200);
    const [own] = (await server.api("GET", `/api/incidents?monitor=${both[1]}`)).body.data;
    const notified = async (id: number) =>
      (await server.api("GET", `/api/incidents/${id}/deliveries`)).body.data.map(
        ({ subject, state }: { subject: string; state: string }) => `${subject}: ${state}`,
      );
    expect([await notified(shared.id), await notified(own.id)]).toEqual([["First: sent"], ["Second: sent"]]);
    const about = received().findIndex((sent) => JSON.stringify(sent).includes("Second is down"));
    const token = tokens()[about] ?? "";
    expect((await post(READ, token)).body.data).toMatchObject({ state: "open", incidentId: own.id });
    expect((await post(CONFIRM, token)).body.data.state).toBe("acknowledged");
    const acknowledged = async (id: number) =>
      (await server.api("GET", `/api/incidents/${id}`)).body.data.acknowledgedByName;
    expect([await acknowledged(shared.id), await acknowledged(own.id)]).toEqual([null, "On call"]);
  });

  test("acknowledges all that the message reported, which were separated since, and says of each what became of it", async () => {
    const { addMonitor, checkAll, deliver, mail, post, server } = await start({
      ...{ type: "email", config: { address: "oncall@vedette.test" } },
    });
    const named = (name: string) => addMonitor({ name, url: `https://one.example/${name}` });
    const all = [await named("First"), await named("Second"), await named("Third")];
    const [, second, third] = all;
    await checkAll(all, "ok", "ok", "failed", "failed", "failed");
    await deliver();
    const [{ id: shared }] = (await server.api("GET", "/api/incidents")).body.data;
    const [, token = ""] = /href="https:[^"]*\/acknowledge#([^"]+)"/.exec(mail.mails[0]?.html ?? "") ?? [];
    expect((await post(READ, token)).body.data).toMatchObject({
      ...{ incidentId: shared, monitors: [{ name: "First" }, { name: "Second" }, { name: "Third" }] },
    });
    await server.api("POST", `/api/incidents/${shared}/split`, { monitorId: second });
    await server.api("POST", `/api/incidents/${shared}/split`, { monitorId: third });
    const own = async (monitor: number | undefined) =>
      (await server.api("GET", `/api/incidents?monitor=${monitor}`)).body.data[0].id as number;
    const ids = [shared, await own(second), await own(third)];
    expect(new Set(ids).size).toBe(3);
    const each = (state: string, acknowledgedByName: string | null) =>
      ["First", "Second", "Third"].map((name, at) => ({
        ...{ name, incidentId: ids[at], state, acknowledgedByName },
      }));
    expect((await post(READ, token)).body.data).toMatchObject({
      ...{ title: "First, Second and Third are down", state: "open", incidentId: null },
      ...{ monitors: each("open", null), moreMonitors: 0 },
    });
    expect((await post(CONFIRM, token)).body.data).toMatchObject({
      ...{ state: "acknowledged", monitors: each("acknowledged", "On call") },
    });

    await checkAll(all, "ok", "ok", "ok");
    await checkAll([second ?? 0, third ?? 0], "failed", "failed", "failed");
    const again = await own(second);
    await server.api("POST", `/api/incidents/${again}/split`, { monitorId: third });
    const over = { acknowledgedByName: null };
    expect((await post(READ, token)).body.data).toMatchObject({
      ...{ state: "resolved", successor: "again", incidentId: null },
      monitors: [
        { name: "First", state: "resolved", incidentId: shared, ...over },
        { name: "Second", state: "again", incidentId: again, ...over },
        { name: "Third", state: "again", incidentId: await own(third), ...over },
      ],
    });
  });

  test("is beside one that leads to the incident", async () => {
    const { check, deliver, received, incident } = await start();
    await check("ok", "ok", "failed", "failed", "failed");
    await deliver();
    const { id } = await incident();
    expect(received().map(({ url }) => url)).toEqual([`${PUBLIC_URL}/incidents/${id}`]);
  });

  test("is worth nothing once it is a week old, or altered, or of another installation", async () => {
    const { check, deliver, tokens, post, pass } = await start();
    await check("ok", "ok", "failed", "failed", "failed");
    await deliver();
    const [token = ""] = tokens();
    const uuid = token.split(".")[0];
    for (const bad of [
      `${token}x`,
      `${uuid}.`,
      `${uuid}.${"A".repeat(43)}`,
      "x",
      token.replace(/^./, (c) => (c === "0" ? "1" : "0")),
    ]) {
      expect((await post(READ, bad)).status, bad).toBe(422);
      expect((await post(CONFIRM, bad)).status, bad).toBe(422);
    }
    pass(7 * DAY_MS);
    expect((await post(CONFIRM, token)).status).toBe(422);
  });

  test("of many events in one acknowledges them all, and is a link in mails", async () => {
    const { addMonitor, checkAll, deliver, mail, post, server } = await start({
      type: "email",
      config: { address: "oncall@vedette.test" },
    });
    const monitors: number[] = [];
    for (let count = 0; count < 11; count += 1) monitors.push(await addMonitor());
    await checkAll(monitors, "ok", "ok", "failed", "failed", "failed");
    await deliver();
    expect(mail.mails).toHaveLength(1);
    const [, token = ""] = /href="https:[^"]*\/acknowledge#([^"]+)"/.exec(mail.mails[0]?.html ?? "") ?? [];
    expect(mail.mails[0]?.html).toMatch(/<a href="https:[^"]*\/acknowledge#[^"]+"[^>]*>Acknowledge<\/a>/);
    expect((await post(CONFIRM, token)).body.data).toMatchObject({ state: "acknowledged" });
    const { data } = (await server.api("GET", "/api/incidents")).body;
    expect(
      data.every(
        ({ acknowledgedByName }: { acknowledgedByName: string }) => acknowledgedByName === "On call",
      ),
    ).toBe(true);

    await checkAll(monitors, "ok", "ok", "ok");
    expect((await post(READ, token)).body.data).toMatchObject({ state: "resolved", successor: null });
    await checkAll(monitors.slice(0, 1), "failed", "failed", "failed");
    const [{ id: incidentId }] = (await server.api("GET", "/api/incidents")).body.data;
    expect((await post(READ, token)).body.data).toMatchObject({ successor: "again", incidentId });
  });
});
