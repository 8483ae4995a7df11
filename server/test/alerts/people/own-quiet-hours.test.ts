import { randomUUIDv7 } from "node:crypto";
import { expect, test } from "vitest";
import { deleteMember, insertMember } from "../../../src/accounts/queries/members.ts";
import { insertUser, updateUser } from "../../../src/accounts/queries/users.ts";
import { confirmUserEmail } from "../../../src/alerts/queries/own-channels.ts";
import { type EngineName, eachEngine } from "../../harness/stores.ts";
import { startTelling } from "../channel-setup.ts";

const SETTINGS = "/api/notifications/settings";
const HOUR_MS = 3_600_000;

/** A member whom mails reach, besides the owner, who gets none. */
async function start(engine: EngineName) {
  const telling = await startTelling(engine);
  const { server, mail, now } = telling;
  const { db } = server.ctx.store;
  const email = "member@vedette.test";
  const user = { uuid: randomUUIDv7(), email, name: "Member", passwordHash: "" };
  const userId = (await insertUser(db, user, now())) ?? 0;
  await confirmUserEmail(db, userId, now());
  const { organization } = server.person;
  const role = "member" as const;
  await insertMember(db, { userId, organizationId: organization.id, role }, now());
  const key = await server.createKey({ person: { userId, organization, role } });
  const set = async (change: object) => {
    const { status } = await server.api("PUT", SETTINGS, change, { key });
    expect(status).toBe(200);
  };
  const subjects = (to = email) =>
    mail.mails.filter((one) => one.to.includes(to)).map(({ headers }) => headers["subject"]);
  return { ...telling, db, userId, email, set, subjects };
}

eachEngine("a mailbox that a channel of the organization writes to, too", (engine) => {
  const HOURS = { from: "14:00", to: "20:00" };

  test("gets a person's own mail where the channel's has to wait for its hours, to the end of that outage", async () => {
    const { addChannel, check, deliver, pass, email, subjects } = await start(engine);
    await addChannel({ type: "email", config: { address: email }, hours: HOURS });
    await check("ok", "ok", "failed", "failed", "failed");
    await deliver();
    expect(subjects()).toEqual(["Shop is down"]);
    pass(2 * HOUR_MS);
    // The end comes before the channel has said what it held.
    await check("ok", "ok", "ok");
    await deliver();
    expect(subjects()).toEqual(["Shop is down", "Shop is up again"]);
  });

  test("gets one mail of what is critical, for which the channel does not wait", async () => {
    const { addChannel, addMonitor, checkOf, deliver, email, subjects } = await start(engine);
    await addChannel({ type: "email", config: { address: email }, hours: HOURS });
    const critical = await addMonitor({ name: "Till", severity: "critical" });
    await checkOf(critical, "ok", "ok", "failed", "failed", "failed");
    await deliver();
    expect(subjects()).toEqual(["Till is down"]);
  });
});

eachEngine("a person's quiet hours", (engine) => {
  test("last over midnight, by the clocks of that night, though these are put forward in it", async () => {
    const { set, check, deliver, pass, now, subjects } = await start(engine);
    const passTo = (time: string) => pass(Date.parse(time) - now());
    // 22:30 in Berlin, where that night's clocks go from 02:00 to 03:00.
    passTo("2027-03-27T21:25:00Z");
    await set({ quietHours: { from: "22:00", to: "07:00", timeZone: "Europe/Berlin" } });
    await check("ok", "ok", "failed", "failed", "failed");
    for (const time of ["2027-03-27T23:30:00Z", "2027-03-28T01:30:00Z", "2027-03-28T04:59:00Z"]) {
      passTo(time);
      await deliver();
      expect([time, subjects()]).toEqual([time, []]);
    }
    passTo("2027-03-28T05:00:00Z");
    await deliver();
    expect(subjects()).toEqual(["Shop is down"]);
  });

  test("hold what comes from each of two organizations, and who has left one is notified of the other alone", async () => {
    const { server, db, userId, set, addMonitor, checkAll, deliver, pass, now, subjects } =
      await start(engine);
    await set({ quietHours: { from: "11:00", to: "20:00", timeZone: "UTC" } });
    const elsewhere = await server.createOrganization();
    const organizationId = elsewhere.organization.id;
    await insertMember(db, { userId, organizationId, role: "member" }, now());
    const key = await server.createKey({ person: elsewhere });
    const body = { url: "https://theirs.example/", name: "Theirs" };
    const theirs = (await server.api("POST", "/api/domains", body, { key })).body.data.id as number;
    const ours = await addMonitor({ name: "Ours" });
    await checkAll([ours, theirs], "ok", "ok", "failed", "failed", "failed");
    await deliver();
    expect(subjects()).toEqual([]);
    pass(9 * HOUR_MS);
    await deliver();
    expect(subjects().toSorted()).toEqual(["Ours is down", "Theirs is down"]);
    await deleteMember(db, organizationId, userId);
    await checkAll([ours, theirs], "ok", "ok", "ok");
    await deliver();
    expect(subjects().slice(2)).toEqual(["Ours is up again"]);
  });

  test("end with a mail to the address that the person has by then", async () => {
    const { db, userId, email, set, check, deliver, pass, now, subjects } = await start(engine);
    await set({ quietHours: { from: "11:00", to: "20:00", timeZone: "UTC" } });
    await check("ok", "ok", "failed", "failed", "failed");
    await deliver();
    await updateUser(db, userId, { email: "moved@vedette.test" }, now());
    await confirmUserEmail(db, userId, now());
    pass(9 * HOUR_MS);
    await deliver();
    expect([subjects(email), subjects("moved@vedette.test")]).toEqual([[], ["Shop is down"]]);
  });
});
