import { randomUUIDv7 } from "node:crypto";
import { expect, test } from "vitest";
import { deleteMember, insertMember } from "../../src/accounts/queries/members.ts";
import { insertUser, updateUser } from "../../src/accounts/queries/users.ts";
import { confirmUserEmail } from "../../src/alerts/queries/own-channels.ts";
import { mailReports } from "../../src/reports/mails/mail-reports.ts";
import { PUBLIC_URL, startMailing } from "../alerts/mailing.ts";
import { type EngineName, eachEngine } from "../harness/stores.ts";
import { DAY, HOUR, MINUTE, makeDomain, setHistory } from "../monitors/domains/factories.ts";
import { addIncident } from "./world.ts";

const SETTINGS = "/api/notifications/settings";
/** The clock of these tests begins on Sunday, 22 November 2026, at noon. */
const MONDAY_AT_EIGHT = Date.UTC(2026, 10, 23, 8);
const LAST_WEEK = Date.UTC(2026, 10, 16);

async function start(engine: EngineName, config: Parameters<typeof startMailing>[1] = {}) {
  const mailing = await startMailing(engine, config);
  const { server, mail, deliver, now, pass } = mailing;
  const { db } = server.ctx.store;
  const set = (change: object, key?: string) =>
    server.api("PUT", SETTINGS, change, key === undefined ? {} : { key });
  const lookOnce = (isSkewSuspected = false, aheadMs = 0) =>
    mailReports(server.ctx, { isSkewSuspected, aheadMs: () => aheadMs });
  const { organization } = server.person;
  return {
    ...mailing,
    db,
    set,
    organization,
    until: (at: number) => pass(at - now()),
    /** Of two replicas. */
    async look({ isSkewSuspected = false, aheadMs = 0 } = {}) {
      await Promise.all([lookOnce(isSkewSuspected, aheadMs), lookOnce(isSkewSuspected, aheadMs)]);
      await deliver();
    },
    mailed: () =>
      mail.mails
        .filter(({ headers }) => /report|week|Woche|周报|October|November|: /.test(headers["subject"] ?? ""))
        .map(({ to, headers, text }) => ({ to, subject: headers["subject"], headers, text })),
    async join(zone: { language?: "de" | "zh"; timeZone?: string } = {}) {
      const email = `reader-${Math.random().toString(36).slice(2)}@vedette.test`;
      const uuid = randomUUIDv7();
      const userId = (await insertUser(db, { uuid, email, name: "Reader", passwordHash: "" }, now())) ?? 0;
      await confirmUserEmail(db, userId, now());
      await updateUser(db, userId, zone, now());
      await insertMember(db, { userId, organizationId: organization.id, role: "viewer" }, now());
      const person = { userId, organization, role: "viewer" as const };
      return { email, userId, key: await server.createKey({ person }) };
    },
    async watch() {
      const { id } = await makeDomain(server, { name: "Shop <b>", objective: 99.9 });
      await setHistory(server.ctx.store, id, [
        [LAST_WEEK - 20 * DAY, "up"],
        [LAST_WEEK + DAY, "down"],
        [LAST_WEEK + DAY + 30 * MINUTE, "up"],
      ]);
      return id;
    },
  };
}

eachEngine("reports by mail", (engine) => {
  test("come at eight on Monday, once from two servers, and report the week before", async () => {
    const { set, watch, look, until, mailed, server } = await start(engine);
    await watch();
    await set({ emailWeeklyReports: true });
    until(MONDAY_AT_EIGHT - 1);
    await look();
    expect(mailed()).toEqual([]);
    until(MONDAY_AT_EIGHT);
    await look();
    await look();
    const [mail, ...more] = mailed();
    expect(more).toEqual([]);
    const { name, uuid } = server.person.organization;
    expect(mail?.subject).toBe(`${name}: the week from November 16 to November 22, 2026`);
    expect(mail?.headers["list-unsubscribe"]).toBe(`<${PUBLIC_URL}/settings/notifications>`);
    const lines = (mail?.text ?? "").split(/\r?\n/);
    expect(lines).toEqual(
      expect.arrayContaining([
        "Weekly report: November 16 to November 22, 2026",
        // 30 minutes of 168 hours.
        "• Domains (1): 99.702% up (before: 100%), 1 outage, 30 min down in all",
        "• Shop <b>: 99.702% up, 1 outage, 30 min down",
        "• No incidents.",
        "• Shop <b>: 13 min of 43 min left (99.9% in 30 days)",
        `${PUBLIC_URL}/reports?range=custom&from=2026-11-16&to=2026-11-22&organization=${uuid}`,
      ]),
    );
  });

  test("say what the report of the same time says", async () => {
    const { set, watch, look, until, mailed, server } = await start(engine);
    await watch();
    await set({ emailWeeklyReports: true });
    until(MONDAY_AT_EIGHT + MINUTE);
    await look();
    const query = "from=2026-11-16T00:00:00Z&to=2026-11-23T00:00:00Z";
    const { body } = await server.api("GET", `/api/reports/domains?${query}`);
    const { total, items } = body.data;
    expect(mailed()[0]?.text).toContain(
      `${total.uptimePercentage}% up (before: 100%), ${total.outages} outage`,
    );
    expect(items[0]).toMatchObject({ name: "Shop <b>", downSeconds: 1800 });
  });

  test("come late after a restart, once, and not when nobody could learn anything from them", async () => {
    const { set, watch, look, until, mailed } = await start(engine);
    await watch();
    await set({ emailWeeklyReports: true, emailMonthlyReports: true });
    until(MONDAY_AT_EIGHT + 2 * DAY);
    await look();
    await look();
    expect(mailed()).toHaveLength(1);
    // The first of December at eight, and no server for four days.
    until(Date.UTC(2026, 11, 1, 8) + 4 * DAY);
    await look();
    expect(mailed()).toHaveLength(1);
  });

  test("come on the first of the month about the month", async () => {
    const { set, watch, look, until, mailed, server } = await start(engine);
    await watch();
    await set({ emailMonthlyReports: true });
    until(Date.UTC(2026, 11, 1, 7, 59));
    await look();
    expect(mailed()).toEqual([]);
    until(Date.UTC(2026, 11, 1, 8));
    await look();
    expect(mailed().map(({ subject }) => subject)).toEqual([
      `${server.person.organization.name}: November 2026`,
    ]);
    expect(mailed()[0]?.text).toMatch(/&from=2026-11-01&to=2026-11-30\b/);
  });

  test("come on each reader's own clocks and in their language", async () => {
    const { set, watch, join, look, until, mailed } = await start(engine);
    await watch();
    const berlin = await join({ language: "de", timeZone: "Europe/Berlin" });
    const shanghai = await join({ language: "zh", timeZone: "Asia/Shanghai" });
    for (const { key } of [berlin, shanghai]) await set({ emailWeeklyReports: true }, key);
    until(Date.UTC(2026, 10, 23, 0));
    await look();
    expect(mailed().map(({ to }) => to)).toEqual([[shanghai.email]]);
    expect(mailed()[0]?.text).toContain("周报");
    until(Date.UTC(2026, 10, 23, 7));
    await look();
    const german = mailed()[1];
    expect([german?.to, german?.headers["content-language"]]).toEqual([[berlin.email], "de"]);
    // Half an hour of the week that began an hour earlier than in UTC.
    expect(german?.text.replaceAll("\u00a0", " ")).toContain(
      "• Domains (1): 99,702 % verfügbar (davor: 100 %), 1 Ausfall, zusammen 30 Min.",
    );
  });

  test("are not sent twice after a move to another zone", async () => {
    const { set, watch, look, until, mailed, db, server } = await start(engine);
    await watch();
    await set({ emailWeeklyReports: true });
    until(MONDAY_AT_EIGHT);
    await look();
    await updateUser(db, server.person.userId, { timeZone: "America/New_York" }, MONDAY_AT_EIGHT);
    until(MONDAY_AT_EIGHT + 6 * HOUR);
    await look();
    expect(mailed()).toHaveLength(1);
  });

  test("are for those who want them by then: a switch, mails at all, and no clock that cannot be right", async () => {
    const { set, watch, join, look, until, mailed, pass } = await start(engine);
    await watch();
    const silent = await join();
    await set({ emailWeeklyReports: true, emailNotifications: false }, silent.key);
    const late = await join();
    await join();
    until(MONDAY_AT_EIGHT);
    pass(MINUTE);
    await set({ emailWeeklyReports: true }, late.key);
    await look({ isSkewSuspected: true });
    await look();
    expect(mailed()).toEqual([]);
    pass(7 * DAY);
    await look();
    expect(mailed().map(({ to }) => to)).toEqual([[late.email]]);
  });

  test("report nothing that a person may not see: no member, no reports, an organization that ends", async () => {
    const { set, watch, join, look, until, mailed, db, organization, pass } = await start(engine);
    await watch();
    const gone = await join();
    await set({ emailWeeklyReports: true }, gone.key);
    await deleteMember(db, organization.id, gone.userId);
    await set({ emailWeeklyReports: true });
    const change = (columns: object) =>
      db.updateTable("organizations").set(columns).where("id", "=", organization.id).execute();
    await change({ reports: 0 });
    until(MONDAY_AT_EIGHT);
    await look();
    await change({ reports: 1, deletes_at: MONDAY_AT_EIGHT + 30 * DAY });
    await look();
    expect(mailed()).toEqual([]);
    await change({ deletes_at: null });
    pass(MINUTE);
    await look();
    expect(mailed()).toHaveLength(1);
  });

  test("are not sent to an address that is not confirmed, where anybody may sign up", async () => {
    const { set, watch, look, until, mailed, db, server } = await start(engine, { signup: "open" });
    await watch();
    await set({ emailWeeklyReports: true });
    const confirmed = (at: number | null) =>
      db
        .updateTable("users")
        .set({ email_confirmed_at: at })
        .where("id", "=", server.person.userId)
        .execute();
    await confirmed(null);
    until(MONDAY_AT_EIGHT);
    await look();
    expect(mailed()).toEqual([]);
    await confirmed(MONDAY_AT_EIGHT);
    await look();
    expect(mailed()).toHaveLength(1);
  });

  test("wait for the end of the week on a server whose clock is ahead of the others", async () => {
    const { set, watch, look, until, mailed } = await start(engine);
    await watch();
    await set({ emailWeeklyReports: true });
    until(MONDAY_AT_EIGHT + HOUR);
    await look({ aheadMs: 2 * HOUR });
    expect(mailed()).toEqual([]);
    await look({ aheadMs: HOUR });
    expect(mailed()).toHaveLength(1);
  });

  test("are not sent to an address that another person took while the report was read", async () => {
    const { set, watch, until, db, server, deliver, mailed } = await start(engine, { signup: "open" });
    await watch();
    await set({ emailWeeklyReports: true });
    const { userId } = server.person;
    until(MONDAY_AT_EIGHT);
    const { store } = server.ctx;
    const readInWorker = (async (name: never, query: never) => {
      const taken = { email: `taken-${userId}@vedette.test`, email_confirmed_at: null };
      await db.updateTable("users").set(taken).where("id", "=", userId).execute();
      return store.readInWorker(name, query);
    }) as typeof store.readInWorker;
    await mailReports(
      { ...server.ctx, store: { ...store, readInWorker } },
      { isSkewSuspected: false, aheadMs: () => 0 },
    );
    await deliver();
    expect(mailed()).toEqual([]);
  });

  test("name the most severe of many incidents, the longest first, and how many more there were", async () => {
    const { set, look, until, mailed, server } = await start(engine);
    await set({ emailWeeklyReports: true });
    const minor = Array.from({ length: 9 }, (_, n) => ({
      ...{ title: `Minor ${n}`, severity: "low" as const },
      lastedMs: (n + 1) * MINUTE,
    }));
    const severe = [
      { title: "Severe", severity: "critical" as const, lastedMs: 2 * MINUTE },
      { title: "Longer", severity: "critical" as const, lastedMs: 3 * MINUTE },
    ];
    for (const one of [...minor, ...severe])
      await addIncident(server, { ...one, startedAt: LAST_WEEK + DAY });
    until(MONDAY_AT_EIGHT);
    await look();
    const text = mailed()[0]?.text ?? "";
    const named = [...text.matchAll(/• (Longer|Severe|Minor \d)/g)].map(([, title]) => title);
    expect(named).toEqual([...["Longer", "Severe"], ...[8, 7, 6, 5, 4, 3, 2, 1].map((n) => `Minor ${n}`)]);
    expect(text).toContain("• and 1 more incident");
  });

  test("are not sent about nothing", async () => {
    const { set, look, until, mailed } = await start(engine);
    await set({ emailWeeklyReports: true });
    until(MONDAY_AT_EIGHT);
    await look();
    expect(mailed()).toEqual([]);
  });

  test("say in the settings when the next ones come", async () => {
    const { set, server, db } = await start(engine);
    await updateUser(db, server.person.userId, { timeZone: "Europe/Berlin" }, 0);
    const { body } = await set({ emailWeeklyReports: true });
    expect(body.data.reports).toEqual({
      ...{ weeklyAt: "2026-11-23T07:00:00.000Z", monthlyAt: null, timeZone: "Europe/Berlin" },
    });
    const off = await set({ emailNotifications: false, reports: body.data.reports });
    expect([off.status, off.body.data.reports.weeklyAt]).toEqual([200, null]);
  });

  test("say no time where none is sent: without reports, or an address that is known to be theirs", async () => {
    const { set, server, db, organization } = await start(engine, { signup: "open" });
    const weeklyAt = async () => (await set({ emailWeeklyReports: true })).body.data.reports.weeklyAt;
    await confirmUserEmail(db, server.person.userId, 1);
    expect(await weeklyAt()).toBe("2026-11-23T08:00:00.000Z");
    const change = (columns: object) =>
      db.updateTable("organizations").set(columns).where("id", "=", organization.id).execute();
    await change({ reports: 0 });
    expect(await weeklyAt()).toBeNull();
    await change({ reports: 1 });
    const unconfirmed = { email_confirmed_at: null };
    await db.updateTable("users").set(unconfirmed).where("id", "=", server.person.userId).execute();
    expect(await weeklyAt()).toBeNull();
  });
});
