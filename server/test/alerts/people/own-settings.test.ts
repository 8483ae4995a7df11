import { randomUUIDv7 } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { deleteMember, insertMember, updateMemberRole } from "../../../src/accounts/queries/members.ts";
import { insertUser, updateUser } from "../../../src/accounts/queries/users.ts";
import { confirmUserEmail } from "../../../src/alerts/queries/own-channels.ts";
import { status } from "../../harness/behaviours.ts";
import { type EngineName, eachEngine } from "../../harness/stores.ts";
import { startHttpTarget } from "../../harness/targets.ts";
import { CHANNELS, startTelling } from "../channel-setup.ts";
import { PUBLIC_URL, startMailing } from "../mailing.ts";

const SETTINGS = "/api/notifications/settings";
const HOUR_MS = 3_600_000;
const USUAL = {
  emailNotifications: true,
  browserNotifications: true,
  emailIncidents: true,
  emailDowntime: true,
  emailWeeklyReports: false,
  emailMonthlyReports: false,
  slackEnabled: false,
  webhookUrl: "",
  slackWebhookUrl: "",
  webhookSecret: null,
  quietHours: {},
};

async function start(engine: EngineName) {
  const telling = await startTelling(engine);
  const { server, mail } = telling;
  const set = (change: object, key?: string) =>
    server.api("PUT", SETTINGS, change, key === undefined ? {} : { key });
  await set({ emailNotifications: true });
  const addressOf = async (userId: number) =>
    (
      await server.ctx.store.db
        .selectFrom("users")
        .select("email")
        .where("id", "=", userId)
        .executeTakeFirstOrThrow()
    ).email;
  const mailed = (to: string) => mail.mails.filter((one) => one.to.includes(to));
  /** Another member of the organization. */
  const join = async (role: "viewer" | "member" | "admin") => {
    const { db } = server.ctx.store;
    const email = `${role}-${Math.random().toString(36).slice(2)}@vedette.test`;
    const uuid = randomUUIDv7();
    const userId = (await insertUser(db, { uuid, email, name: role, passwordHash: "" }, telling.now())) ?? 0;
    await confirmUserEmail(db, userId, telling.now());
    const { organization } = server.person;
    const organizationId = organization.id;
    await insertMember(db, { userId, organizationId, role }, telling.now());
    const person = { userId, organization, role };
    return { email, userId, organizationId, key: await server.createKey({ person }) };
  };
  const email = await addressOf(server.person.userId);
  return { ...telling, set, mailed, join, email };
}

eachEngine("a person's notification settings", (engine) => {
  test("are the usual until they say otherwise, and any part of them may be changed and sent back", async () => {
    const { server } = await startMailing(engine);
    const { status: code, body } = await server.api("GET", SETTINGS);
    expect(code).toBe(200);
    expect(body.data).toMatchObject(USUAL);
    expect(body.data.targets).toMatchObject([{ type: "email", problem: null }]);
    const quietHours = { days: ["monday"], from: "22:00", to: "07:00", timeZone: "Europe/Berlin" };
    const change = { emailDowntime: false, quietHours, webhookUrl: "https://hooks.example.com/vedette" };
    const changed = await server.api("PUT", SETTINGS, change);
    expect(changed.body).toMatchObject({
      success: true,
      data: { ...USUAL, ...change, webhookSecret: expect.stringMatching(/^whsec_/) },
    });
    const back = await server.api("PUT", SETTINGS, changed.body.data);
    expect(back.body.data).toEqual(changed.body.data);
    const v2 = await server.api("GET", "/v2/notifications/settings");
    expect(v2.body.data).toMatchObject({ email_downtime: false, webhook_url: change.webhookUrl });
    const none = await server.api("PUT", SETTINGS, { quietHours: {}, webhookUrl: null });
    expect(none.body.data).toMatchObject({ quietHours: {}, webhookUrl: "", webhookSecret: null });
  });

  test("name every field that is wrong (422), and take no address that the guard refuses", async () => {
    const { server } = await startMailing(engine);
    const bad = {
      webhookUrl: "http://169.254.169.254/latest",
      slackWebhookUrl: "ftp://hooks.example.com/",
      quietHours: { from: "22:00", to: "22:00" },
    };
    const refused = await server.api("PUT", SETTINGS, bad);
    expect(refused.status).toBe(422);
    expect(Object.keys(refused.body.errors).sort()).toEqual([
      "quietHours.to",
      "slackWebhookUrl",
      "webhookUrl",
    ]);
    for (const [field, value] of [
      ["emailDowntime", "yes"],
      ["webhookSecret", "short"],
    ] as const) {
      const answer = await server.api("PUT", SETTINGS, { [field]: value });
      expect([field, answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([field, 422, [field]]);
    }
    const unknown = await server.api("PUT", "/v2/notifications/settings", { email_down: true });
    expect([unknown.status, Object.keys(unknown.body.errors)]).toEqual([422, ["email_down"]]);
    const nowhere = await server.api("POST", `${SETTINGS}/test`, { type: "slack" });
    expect([nowhere.status, Object.keys(nowhere.body.errors)]).toEqual([422, ["type"]]);
    expect((await server.api("GET", SETTINGS)).body.data).toMatchObject(USUAL);
  });

  test("are for any role and the person alone, request a scope, and keep their secrets", async () => {
    const { server, set, join, now } = await start(engine);
    const viewer = await join("viewer");
    const slackWebhookUrl = "https://hooks.slack.com/services/open-sesame";
    const own = await set({ slackWebhookUrl, webhookUrl: "https://hooks.example.com/a" }, viewer.key);
    expect(own.status).toBe(200);
    expect(own.body.data.slackWebhookUrl).toBe("https://hooks.slack.com/********");
    expect(own.body.data).not.toHaveProperty("webhookSecret");
    const stored = await set({ slackWebhookUrl: own.body.data.slackWebhookUrl }, viewer.key);
    expect(stored.body.data.targets).toMatchObject([{}, { target: "hooks.slack.com" }, {}]);
    expect((await server.api("GET", SETTINGS)).body.data).toMatchObject({ webhookUrl: "" });
    const owner = await set({ webhookUrl: "https://hooks.example.com/b" });
    const secret = owner.body.data.webhookSecret;
    expect((await set({ webhookSecret: null })).body.data.webhookSecret).not.toBe(secret);
    const reading = await server.createKey({ scopes: ["read:notifications"] });
    expect((await set({ emailDowntime: true }, reading)).status).toBe(403);
    expect((await server.api("GET", SETTINGS, undefined, { key: reading })).status).toBe(200);
    const { data: read } = (await server.api("GET", SETTINGS, undefined, { key: reading })).body;
    expect(read).toMatchObject({ webhookUrl: "https://hooks.example.com/********" });
    expect(read).not.toHaveProperty("webhookSecret");
    const other = await server.createKey({ scopes: ["read:domains"] });
    expect((await server.api("GET", SETTINGS, undefined, { key: other })).status).toBe(403);
    expect((await server.api("GET", SETTINGS, undefined, { key: null })).status).toBe(401);
    expect((await server.api("GET", "/api/notifications/channels")).body.data).toEqual([]);
    const { db } = server.ctx.store;
    const rows = [
      await db.selectFrom("notification_settings").selectAll().execute(),
      await db.selectFrom("channels").selectAll().execute(),
      await db.selectFrom("audit_log").selectAll().execute(),
    ];
    expect(JSON.stringify(rows)).not.toContain("open-sesame");
    expect(now()).toBeGreaterThan(0);
  });

  test("are changed by no key of one organization where the person has several: they hold in all (403)", async () => {
    const { server, set, join, now } = await start(engine);
    const member = await join("member");
    expect((await set({ emailDowntime: false }, member.key)).status).toBe(200);
    const elsewhere = await server.createOrganization();
    const organizationId = elsewhere.organization.id;
    await insertMember(server.ctx.store.db, { userId: member.userId, organizationId, role: "member" }, now());
    expect((await set({ webhookUrl: "https://evil.example.com/" }, member.key)).status).toBe(403);
    const { organization } = server.person;
    const person = { userId: member.userId, organization, role: "member" as const };
    const everywhere = await server.createKey({ person, allOrganizations: true });
    expect((await set({ emailDowntime: true }, everywhere)).status).toBe(200);
  });

  test("give viewers no access inside the network", async () => {
    const { server, set, join, target } = await start(engine);
    const viewer = await join("viewer");
    const refused = await set({ webhookUrl: target.url }, viewer.key);
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ["webhookUrl"]]);
    const member = await join("member");
    const tried = async () =>
      (await server.api("POST", `${SETTINGS}/test`, { type: "webhook" }, { key: member.key })).body.data;
    await set({ webhookUrl: target.url }, member.key);
    expect((await tried()).accepted).toBe(true);
    const seen = target.requests.length;
    await updateMemberRole(server.ctx.store.db, member.organizationId, member.userId, "viewer");
    expect((await tried()).accepted).toBe(false);
    expect(target.requests).toHaveLength(seen);
  });

  test("are changed by who may only look on now, though an address of before leads inside", async () => {
    const { server, set, join, target } = await start(engine);
    const member = await join("member");
    const { body } = await set({ webhookUrl: target.url }, member.key);
    await updateMemberRole(server.ctx.store.db, member.organizationId, member.userId, "viewer");
    const off = await set({ emailDowntime: false }, member.key);
    expect([off.status, off.body.data?.emailDowntime]).toEqual([200, false]);
    const { webhookUrl } = body.data;
    expect((await set({ webhookUrl, emailDowntime: true }, member.key)).status).toBe(200);
    expect((await set({ webhookUrl: `${webhookUrl}other` }, member.key)).status).toBe(422);
  });

  test("mail an outage and its end to those who want it, once, with a link that acknowledges as them", async () => {
    const { set, check, deliver, mailed, email, join, addChannel } = await start(engine);
    const [viewer, member] = [await join("viewer"), await join("member")];
    await set({ emailDowntime: false }, member.key);
    const shared = await join("member");
    await addChannel({ type: "email", config: { address: shared.email } });
    await check("ok", "ok", "failed", "failed", "failed");
    await deliver();
    await check("ok", "ok", "ok");
    await deliver();
    const subjects = (to: string) => mailed(to).map(({ headers }) => headers["subject"]);
    expect(subjects(email)).toEqual(["Shop is down", "Shop is up again"]);
    expect(subjects(viewer.email)).toEqual(["Shop is down", "Shop is up again"]);
    expect(subjects(shared.email)).toEqual(["Shop is down", "Shop is up again"]);
    expect(subjects(member.email)).toEqual([]);
    expect(mailed(email)[0]?.text).toContain("/acknowledge#");
    expect(mailed(viewer.email)[0]?.text).not.toContain("/acknowledge#");
    const settings = `${PUBLIC_URL}/settings/notifications`;
    const [own, channels] = [mailed(viewer.email)[0], mailed(shared.email)[0]];
    expect([own?.text, own?.headers["list-unsubscribe"]]).toEqual([
      expect.stringContaining(settings),
      `<${settings}>`,
    ]);
    expect([channels?.text, channels?.headers["list-unsubscribe"]]).toEqual([
      expect.not.stringContaining(settings),
      undefined,
    ]);
  });

  test("mail in the language and zone of the browser that was used last, until others are chosen", async () => {
    const { server, check, deliver, mailed, join } = await start(engine);
    const { db } = server.ctx.store;
    const { email, userId } = await join("member");
    const change = (some: Parameters<typeof updateUser>[2]) =>
      updateUser(db, userId, some, server.ctx.clock.now());
    await change({ seenLanguage: "de", seenTimeZone: "Asia/Kolkata" });
    await check("ok", "ok", "failed", "failed", "failed");
    await deliver();
    expect(mailed(email)[0]?.text).toMatch(/^Shop ist ausgefallen\n.*GMT\+5:30/s);
    await change({ language: "en", timeZone: "Europe/Berlin" });
    await check("ok", "ok", "ok");
    await deliver();
    expect(mailed(email).at(-1)?.headers["subject"]).toBe("Shop is up again");
  });

  test("send nothing to who has left, not even what waits already, and what they get follows their address", async () => {
    const { server, check, deliver, mailed, join } = await start(engine);
    const member = await join("member");
    await check("ok", "ok", "failed", "failed", "failed");
    await deleteMember(server.ctx.store.db, member.organizationId, member.userId);
    await deliver();
    expect(mailed(member.email)).toEqual([]);
    await insertMember(
      server.ctx.store.db,
      { userId: member.userId, organizationId: member.organizationId, role: "member" },
      0,
    );
    await check("ok", "ok", "ok");
    await deliver();
    expect(mailed(member.email)).toEqual([]);
  });

  test("hold what comes in quiet hours, but for what is critical, and say afterwards what is still true", async () => {
    const { set, check, checkOf, addMonitor, deliver, mailed, email, pass } = await start(engine);
    const critical = await addMonitor({ name: "Till", severity: "critical" });
    await set({ quietHours: { from: "11:00", to: "20:00", timeZone: "UTC" } });
    await check("ok", "ok", "failed", "failed", "failed");
    await checkOf(critical, "ok", "ok", "failed", "failed", "failed");
    await deliver();
    expect(mailed(email).map(({ headers }) => headers["subject"])).toEqual(["Till is down"]);
    await checkOf(critical, "ok", "ok", "ok");
    await deliver();
    expect(mailed(email)).toHaveLength(2);
    pass(9 * HOUR_MS);
    await deliver();
    expect(
      mailed(email)
        .map(({ headers }) => headers["subject"])
        .slice(2),
    ).toEqual(["Shop is down"]);
  });

  test("let no summary of what quiet hours held be mailed once downtime is turned off", async () => {
    const { set, addMonitor, checkAll, deliver, mailed, email, pass } = await start(engine);
    await set({ quietHours: { from: "11:00", to: "20:00", timeZone: "UTC" } });
    const ids = [await addMonitor(), await addMonitor(), await addMonitor()];
    await checkAll(ids, "ok", "ok", "failed", "failed", "failed");
    await deliver();
    await set({ emailDowntime: false });
    pass(9 * HOUR_MS);
    await deliver();
    expect(mailed(email)).toEqual([]);
  });

  test("reach Slack and a webhook with its signature, and stop where that is gone for good", async () => {
    const { server, set, check, deliver, target, received, mail, email } = await start(engine);
    const slack = await startHttpTarget();
    onTestFinished(slack.close);
    await set({
      emailDowntime: false,
      slackEnabled: true,
      slackWebhookUrl: slack.url,
      webhookUrl: target.url,
    });
    const tried = await server.api("POST", `${SETTINGS}/test`, { type: "slack" });
    expect(tried.body.data).toMatchObject({ accepted: true });
    await check("ok", "ok", "failed", "failed", "failed");
    await deliver();
    expect(received()).toMatchObject([{ type: "monitor.down", monitor: { name: "Shop" } }]);
    expect(target.requests[0]?.headers).toHaveProperty("webhook-signature");
    expect(slack.requests).toHaveLength(2);
    slack.set(status(410));
    await check("ok", "ok", "ok");
    await deliver();
    const { targets } = (await server.api("GET", SETTINGS)).body.data;
    expect(targets).toMatchObject([
      {},
      { type: "slack", problem: expect.stringContaining("410") },
      { type: "webhook", problem: null },
    ]);
    await deliver();
    expect(mail.mails.filter(({ to }) => to.includes(email))).toHaveLength(1);
    const again = await set({ slackEnabled: true });
    expect(again.body.data.targets[1]).toMatchObject({ problem: null });
  });

  test("mail what others write about incidents, and not what one wrote oneself", async () => {
    const { server, set, join, deliver, mailed, email, pass } = await start(engine);
    const [reader, indifferent] = [await join("viewer"), await join("viewer")];
    await set({ emailIncidents: false }, indifferent.key);
    const { body } = await server.api("POST", "/api/incidents", {
      title: "Checkout fails",
      description: "Cards are refused.",
    });
    await deliver();
    await server.api("POST", `/api/incidents/${body.data.id}/updates`, {
      message: "The provider has fixed it.",
      status: "resolved",
    });
    pass(5_000);
    await deliver();
    const [opened, resolved] = mailed(reader.email);
    expect(opened?.headers["subject"]).toBe("Incident: Checkout fails");
    expect(opened?.text).toContain("Cards are refused.");
    expect(resolved?.headers["subject"]).toBe("Checkout fails: resolved");
    expect(resolved?.headers["references"]).toBe(opened?.headers["references"]);
    expect([...mailed(email), ...mailed(indifferent.email)]).toEqual([]);
  });

  test("are no channels to anybody, themselves included, where they may change none", async () => {
    const { server, now } = await start(engine);
    const { organization, userId } = server.person;
    const { db } = server.ctx.store;
    const home = { ...(await server.createOrganization()), userId };
    const role = "owner" as const;
    await insertMember(db, { userId, organizationId: home.organization.id, role }, now());
    const made = await server.api("POST", CHANNELS, {
      name: "Ops",
      type: "webhook",
      config: { url: "https://hooks.example.com/ops" },
    });
    const key = await server.createKey({ person: home, allOrganizations: true });
    await updateMemberRole(db, organization.id, userId, "viewer");
    const own = await db
      .selectFrom("channels")
      .select(["id", "uuid"])
      .where("user_id", "is not", null)
      .executeTakeFirstOrThrow();
    const change = async (id: string | number) =>
      (await server.api("PUT", `${CHANNELS}/${id}`, { name: "Mine" }, { key })).status;
    expect(await change(made.body.data.id)).toBe(403);
    for (const id of [own.id, own.uuid, 999_999]) expect([id, await change(id)]).toEqual([id, 404]);
  });
});

eachEngine("without a mail server", (engine) => {
  test("nothing is queued that could not be sent, and the settings say so", async () => {
    const { server, check, outbox } = await startTelling(engine, { smtp: null });
    await server.api("PUT", SETTINGS, { emailNotifications: true });
    const { targets } = (await server.api("GET", SETTINGS)).body.data;
    expect(targets).toMatchObject([{ type: "email", problemFact: { code: "mail.off" } }]);
    await check("ok", "ok", "failed", "failed", "failed");
    expect(await outbox()).toEqual([]);
  });
});
