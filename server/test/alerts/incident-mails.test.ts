import { randomUUIDv7 } from "node:crypto";
import { expect, test } from "vitest";
import { insertMember } from "../../src/accounts/queries/members.ts";
import { insertUser, updateUser } from "../../src/accounts/queries/users.ts";
import { confirmUserEmail } from "../../src/alerts/queries/own-channels.ts";
import type { Language } from "../../src/platform/i18n/render.ts";
import { openBrowser } from "../accounts/browser.ts";
import { type EngineName, eachEngine } from "../harness/stores.ts";
import { channelTokenIn, startTelling } from "./channel-setup.ts";
import { PUBLIC_URL } from "./mailing.ts";

const SETTINGS = "/api/notifications/settings";
const EMAIL = "reader@vedette.test";
const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

/** A member who gets mails about what the owner writes. */
async function start(engine: EngineName) {
  const telling = await startTelling(engine);
  const { server, mail, now } = telling;
  const { db } = server.ctx.store;
  const user = { uuid: randomUUIDv7(), email: EMAIL, name: "Reader", passwordHash: "" };
  const userId = (await insertUser(db, user, now())) ?? 0;
  await confirmUserEmail(db, userId, now());
  const { organization } = server.person;
  const role = "member" as const;
  await insertMember(db, { userId, organizationId: organization.id, role }, now());
  const key = await server.createKey({ person: { userId, organization, role } });
  const set = async (change: object) =>
    expect((await server.api("PUT", SETTINGS, change, { key })).status).toBe(200);
  const speak = (language: Language) => updateUser(db, userId, { language }, now());
  const open = async (title: string, severity = "low") =>
    (await server.api("POST", "/api/incidents", { title, severity })).body.data.id as number;
  const update = (id: number, body: object) => server.api("POST", `/api/incidents/${id}/updates`, body);
  const mailed = () => mail.mails.filter(({ to }) => to.includes(EMAIL));
  const subjects = () => mailed().map(({ headers }) => headers["subject"]);
  return { ...telling, set, speak, open, update, mailed, subjects };
}

eachEngine("mails about incidents", (engine) => {
  test("say in one what is written more than ten times within a minute, and lead to that incident", async () => {
    const { open, update, deliver, mailed, subjects, pass } = await start(engine);
    const id = await open("Checkout fails");
    await deliver();
    expect(subjects()).toEqual(["Incident: Checkout fails"]);
    for (let each = 1; each <= 40; each += 1) await update(id, { message: `Try ${each}` });
    for (let each = 0; each < 10; each += 1) {
      pass(5 * SECOND_MS);
      await deliver();
    }
    expect(subjects()).toEqual(["Incident: Checkout fails", "1 incident updated"]);
    expect(mailed()[1]?.text).toContain(
      "1 incident was updated at 12:00 (UTC):\n• Checkout fails (low severity)",
    );
    expect(mailed()[1]?.text).toMatch(new RegExp(`/incidents/${id}\\b`));
    expect(mailed()[1]?.text).not.toContain("/acknowledge#");
  });

  test("call an outage's incident what it is by then, in the reader's language, and say its title once", async () => {
    const { server, addMonitor, checkAll, update, deliver, mailed, set, speak, pass, subjects } =
      await start(engine);
    await set({ emailDowntime: false });
    await speak("de");
    const id = await addMonitor({ name: "Shop" });
    await checkAll([id], "ok", "ok", "failed", "failed", "failed");
    const [incident] = (await server.api("GET", "/api/incidents")).body.data;
    await update(incident.id, { message: "Wir sehen nach.", status: "investigating" });
    await deliver();
    pass(MINUTE_MS);
    await update(incident.id, { message: "Es läuft wieder.", status: "resolved" });
    await deliver();
    expect(subjects()).toEqual(["Shop ist ausgefallen: Update", "Shop war ausgefallen: behoben"]);
    const [, last] = mailed();
    const { text, html } = last as NonNullable<typeof last>;
    expect(text.match(/Shop/g)).toHaveLength(1);
    expect(text).toMatch(/^Shop war ausgefallen: behoben\s+Es läuft wieder\./);
    expect(text).toMatch(/Seit: 12:03 \(UTC\)\s+Dauer: 3 Minuten/);
    expect(html).toMatch(/<h1 [^>]*>Shop war ausgefallen: behoben<\/h1>/);
  });

  test("say in one that a group was separated to whom it had not named what joined it", async () => {
    const { server, addMonitor, checkAll, deliver, subjects, pass } = await start(engine);
    const ids: number[] = [];
    for (let each = 1; each <= 14; each += 1) {
      ids.push(await addMonitor({ url: `https://one.example/${each}` }));
    }
    const [first = 0, ...others] = ids;
    await checkAll(ids, "ok", "ok");
    await checkAll([first], { stepMs: 5 * SECOND_MS }, "failed", "failed");
    await deliver();
    await checkAll(others, { stepMs: 5 * SECOND_MS }, "failed", "failed");
    await deliver();
    const before = subjects().length;
    const [incident] = (await server.api("GET", "/api/incidents")).body.data;
    await server.api("POST", `/api/incidents/${incident.id}/split`, {});
    for (let each = 0; each < 4; each += 1) {
      await deliver();
      pass(15 * SECOND_MS);
    }
    expect(subjects().length - before).toBe(1);
  });

  test("acknowledge the outages that they report, and not what people opened meanwhile", async () => {
    const { server, addMonitor, checkAll, open, deliver, mailed, subjects } = await start(engine);
    const ids: number[] = [];
    for (let each = 1; each <= 11; each += 1) ids.push(await addMonitor({ url: `https://${each}.example/` }));
    await checkAll(ids, "ok", "ok", "failed", "failed", "failed");
    const opened = await open("Checkout fails");
    await deliver();
    expect(subjects()).toEqual(["11 monitors are down, 1 incident opened"]);
    const token = channelTokenIn(mailed()[0]?.text ?? "");
    const path = "/api/auth/acknowledgement/confirm";
    const done = await openBrowser(server).send("POST", path, { token }, { origin: PUBLIC_URL });
    expect(done.status).toBe(200);
    const { data } = (await server.api("GET", "/api/incidents")).body;
    const waiting = data.filter(({ acknowledgedAt }: { acknowledgedAt: string | null }) => !acknowledgedAt);
    expect(waiting.map(({ id }: { id: number }) => id)).toEqual([opened]);
  });

  test("wait for the end of quiet hours though these are all week, report the newest then, and do not wait if critical", async () => {
    const { set, open, update, deliver, subjects, pass } = await start(engine);
    const days = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
    await set({ quietHours: { days } });
    const id = await open("Checkout fails");
    await open("Tills are off", "critical");
    await update(id, { message: "We look into it." });
    await update(id, { message: "The provider has fixed it.", status: "resolved" });
    for (let each = 0; each < 3; each += 1) {
      await deliver();
      pass(9 * 60 * MINUTE_MS);
    }
    expect(subjects()).toEqual(["Incident: Tills are off"]);
    await set({ quietHours: {} });
    await deliver();
    expect(subjects()).toEqual(["Incident: Tills are off", "Checkout fails: resolved"]);
  });
});
