import { expect, test } from "vitest";
import { updateUser } from "../../src/accounts/queries/users.ts";
import { findUser } from "../../src/platform/access/queries/users.ts";
import { startMailing } from "../alerts/mailing.ts";
import { eachEngine } from "../harness/stores.ts";
import { sessionOf } from "./browser.ts";

eachEngine("an invitation", (engine) => {
  async function start() {
    const mailing = await startMailing(engine);
    const { server, mail, deliver } = mailing;
    const at = `/api/organizations/${server.person.organization.id}/invitations`;
    const invite = (email = "guest@vedette.test", role = "member") => server.api("POST", at, { email, role });
    const received = async () => {
      await deliver();
      return mail.mails.splice(0);
    };
    return { ...mailing, at, invite, received };
  }

  test("goes to the person by mail, with a code of its own and until when it is valid", async () => {
    const { server, invite, received } = await start();
    const { status, body } = await invite();
    expect([status, body.data.sent]).toEqual([201, true]);
    const [mail, ...others] = await received();
    expect([mail?.to, others]).toEqual([["guest@vedette.test"], []]);
    const { name } = server.person.organization;
    expect(mail?.headers["subject"]).toContain(`invites you to ${name}`);
    for (const part of ["as member", "https://vedette.test/invitation#", "December 22, 2026"]) {
      expect(mail?.text).toContain(part);
    }
    expect(mail?.text).not.toContain(body.data.code);
  });

  test("speaks the language of whom it is for, in their time zone, else that of the inviter's browser", async () => {
    const { server, at, received } = await start();
    const guest = await server.createOrganization();
    const { db } = server.ctx.store;
    await updateUser(db, guest.userId, { language: "de", timeZone: "Asia/Tokyo" }, 0);
    const email = (await findUser(db, guest.userId))?.email;
    await server.api("POST", at, { email, role: "viewer" });
    const [german] = await received();
    expect(german?.text).toContain("als Betrachter");
    expect(german?.text).toContain("22. Dezember 2026 um 21:00 GMT+9");
    const headers = { "accept-language": "zh-Hans-CN" };
    await server.api("POST", at, { email: "nobody@vedette.test", role: "viewer" }, { headers });
    expect((await received())[0]?.headers["subject"]).toContain("邀请您加入");
  });

  test("is sent again with a new code and its full time, in both families", async () => {
    const { server, at, invite, received, pass } = await start();
    const first = (await invite()).body.data;
    pass(86_400_000);
    const again = await server.api("POST", `${at}/${first.id}/resend`);
    expect(again.status).toBe(200);
    expect(again.body.data).toMatchObject({
      uuid: first.uuid,
      email: first.email,
      role: first.role,
      sent: true,
    });
    expect(again.body.data.code).not.toBe(first.code);
    expect(Date.parse(again.body.data.expiresAt)).toBe(Date.parse(first.expiresAt) + 86_400_000);
    const { organization } = server.person;
    const v2 = `/v2/organizations/${organization.uuid}/invitations/${first.uuid}/resend`;
    expect((await server.api("POST", v2)).body.data).toMatchObject({ sent: true });
    // The first of them had not been sent in its day.
    expect(await received()).toHaveLength(2);
    expect((await server.api("POST", `${at}/999999/resend`)).status).toBe(404);
    const viewer = await server.createKey({ scopes: ["read:*"] });
    expect((await server.api("POST", `${at}/${first.id}/resend`, undefined, { key: viewer })).status).toBe(
      403,
    );
  });

  test("is not called sent where mail cannot reach its address", async () => {
    const { invite, outbox } = await start();
    const { status, body } = await invite("ada@[192.0.2.1]");
    expect([status, body.data.sent]).toEqual([201, false]);
    expect(await outbox()).toEqual([]);
  });

  test("does not fill an inbox: the sixth within the hour is refused, and changes nothing", async () => {
    const { server, at, invite, received, pass } = await start();
    const { id } = (await invite()).body.data;
    for (let sent = 1; sent < 5; sent += 1) {
      expect((await server.api("POST", `${at}/${id}/resend`)).status).toBe(200);
    }
    const before = (await server.api("GET", at)).body.data;
    pass(1_000);
    const refused = await invite();
    expect([refused.status, refused.body.fact.code]).toEqual([429, "mail.many"]);
    expect((await server.api("GET", at)).body.data).toEqual(before);
    expect((await invite("another@vedette.test")).status).toBe(201);
    expect(await received()).toHaveLength(6);
    // Another organization is founded in a moment.
    const key = await server.createKey({ allOrganizations: true });
    const founded = await server.api("POST", "/api/organizations", { name: "Another" }, { key });
    const there = `/api/organizations/${founded.body.data.id}/invitations`;
    const guest = { email: "guest@vedette.test", role: "member" };
    const unsent = { sent: false, notSentReasonFact: { code: "mail.many" } };
    expect((await server.api("POST", there, guest, { key })).body.data).toMatchObject(unsent);
    expect(await received()).toEqual([]);
    pass(3_600_000);
    expect((await invite()).status).toBe(201);
  });

  test("that may not be sent is not sent: to a member, and as a role that the inviter may not give", async () => {
    const { server, at, received } = await start();
    const admin = await server.createKey({ person: await adminOf(server) });
    const owner = await server.api(
      "POST",
      at,
      { email: "guest@vedette.test", role: "owner" },
      { key: admin },
    );
    expect(owner.status).toBe(403);
    const browser = await sessionOf(server, server.person);
    const asOwner = { email: "guest@vedette.test", role: "owner" };
    const made = await browser.send("POST", at, asOwner, { origin: "https://vedette.test" });
    const { id } = made.body.data;
    await received();
    const again = await server.api("POST", `${at}/${id}/resend`, undefined, { key: admin });
    expect(again.status).toBe(403);
    expect(await received()).toEqual([]);
  });

  async function adminOf(server: Awaited<ReturnType<typeof start>>["server"]) {
    const { organization } = server.person;
    const path = `/api/organizations/${organization.id}/members`;
    const email = "admin@vedette.test";
    const body = { email, role: "admin", password: "correct horse battery" };
    const { id } = (await server.api("POST", path, body)).body.data;
    return { userId: id, organization, role: "admin" as const };
  }
});
