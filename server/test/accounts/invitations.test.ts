import { randomUUID } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { saveInvitation } from "../../src/accounts/queries/members.ts";
import { hashCode } from "../../src/accounts/spoken-code.ts";
import { runRetention } from "../../src/engine/results/retention.ts";
import { updateOrganization } from "../../src/platform/access/queries/organizations.ts";
import { lockUser } from "../../src/platform/access/queries/users.ts";
import { eventually } from "../harness/eventually.ts";
import { startTestServer } from "../harness/server.ts";
import { type EngineName, eachEngine } from "../harness/stores.ts";
import { countWaiting } from "../harness/waiting.ts";
import { openBrowser, PASSWORD, signedIn } from "./browser.ts";

/** A server with two people, each the owner of an organization of their own. */
async function start(engine: EngineName, more: { alone?: true } = {}) {
  let now = Date.now();
  const server = await startTestServer({
    engine,
    clock: { now: () => now },
    ...more,
  });
  onTestFinished(server.close);
  const people = [await signedIn(server), await signedIn(server)] as const;
  const [owner, guest] = await Promise.all(
    people.map(async ({ browser, email }) => {
      const { organization } = (await browser.send("GET", "/api/auth/me")).body.data;
      return { browser, email, organization: organization as { id: number; uuid: string; name: string } };
    }),
  );
  if (!owner || !guest) throw new Error("two people are needed");
  const at = `/api/organizations/${owner.organization.id}`;
  const invite = async (email = guest.email, role = "member") =>
    owner.browser.send("POST", `${at}/invitations`, { email, role });
  const pass = (ms: number) => void (now += ms);
  return { server, owner, guest, at, invite, pass };
}

eachEngine("invitations", (engine) => {
  test("make no one a member who has not accepted, in both families", async () => {
    const { owner, guest, at, invite } = await start(engine);
    const invitation = await invite(guest.email.toUpperCase());
    expect([invitation.status, invitation.body.data]).toMatchObject([
      201,
      { email: guest.email, role: "member" },
    ]);
    expect((await owner.browser.send("GET", `${at}/members`)).body.data).toHaveLength(1);
    const mine = await guest.browser.send("GET", "/v2/invitations");
    expect(mine.body.data).toMatchObject([
      { organization_name: owner.organization.name, role: "member", uuid: invitation.body.data.uuid },
    ]);
    const accept = () =>
      guest.browser.send("POST", `/v2/invitations/${invitation.body.data.uuid}/accept`, {
        code: invitation.body.data.code,
      });
    expect((await accept()).body.data).toMatchObject({ id: owner.organization.id, role: "member" });
    expect((await accept()).status).toBe(404);
    expect((await owner.browser.send("GET", `${at}/members`)).body.data).toHaveLength(2);
    expect((await owner.browser.send("GET", `${at}/invitations`)).body.data).toEqual([]);
    const moved = await guest.browser.send("PUT", "/api/auth/organization", {
      organization: String(owner.organization.id),
    });
    expect(moved.body.data.organization.role).toBe("member");
    expect((await invite()).body.errors.email).toEqual(["This person is a member already."]);
  });

  test("can be declined, taken back and replaced, and end after 30 days", async () => {
    const { owner, guest, invite, pass } = await start(engine);
    const mine = async () => (await guest.browser.send("GET", "/api/invitations")).body.data;
    const first = (await invite()).body.data;
    expect((await guest.browser.send("POST", `/api/invitations/${first.id}/decline`)).status).toBe(200);
    expect(await mine()).toEqual([]);
    const second = (await invite()).body.data;
    expect((await invite(guest.email, "viewer")).body.data).toMatchObject({ id: second.id, role: "viewer" });
    expect(await mine()).toMatchObject([{ role: "viewer" }]);
    const v2 = `/v2/organizations/${owner.organization.uuid}/invitations/${second.uuid}`;
    expect((await owner.browser.send("DELETE", v2)).body.data).toEqual({ id: second.id });
    expect((await guest.browser.send("POST", `/api/invitations/${second.id}/accept`, second)).status).toBe(
      404,
    );
    await invite();
    pass(30 * 86_400_000 - 1);
    expect(await mine()).toHaveLength(1);
    pass(1);
    // The session has been idle for as long.
    await guest.browser.send("POST", "/api/auth/sign-in", { email: guest.email, password: PASSWORD });
    expect(await mine()).toEqual([]);
  });

  test("are answered alike whether or not the e-mail address has an account", async () => {
    const { guest, invite } = await start(engine);
    const shape = (answer: { status: number; body: { data: Record<string, unknown> } }) => {
      const { id: _, uuid, email, code, ...rest } = answer.body.data;
      return { status: answer.status, rest, types: [typeof uuid, typeof email, typeof code] };
    };
    expect(shape(await invite("nobody@vedette.test"))).toEqual(shape(await invite(guest.email)));
    expect((await invite("not an address")).body.errors).toHaveProperty("email");
  });

  test("are for the invited person alone, and not for a key", async () => {
    const { server, invite } = await start(engine);
    const { id, uuid, code } = (await invite()).body.data;
    const outsider = await signedIn(server);
    for (const path of [`/api/invitations/${id}/accept`, `/api/invitations/${uuid}/decline`]) {
      expect((await outsider.browser.send("POST", path, { code })).status).toBe(404);
      expect((await server.api("POST", path, { code })).status).toBe(403);
    }
    expect((await outsider.browser.send("GET", "/api/invitations")).body.data).toEqual([]);
  });

  test("give no more than the one who made them may give when they are accepted", async () => {
    const { server, owner, guest, at, invite } = await start(engine);
    const admin = await signedIn(server);
    const asAdmin = (await invite(admin.email, "admin")).body.data;
    await admin.browser.send("POST", `/api/invitations/${asAdmin.id}/accept`, { code: asAdmin.code });
    const byAdmin = (role: string) =>
      admin.browser.send("POST", `${at}/invitations`, { email: guest.email, role });
    expect((await byAdmin("owner")).body.message).toBe("Only an owner may make or change an owner.");
    const invited = (await byAdmin("viewer")).body.data;
    const adminId = (await admin.browser.send("GET", "/api/auth/me")).body.data.user.id;
    await owner.browser.send("PUT", `${at}/members/${adminId}`, { role: "viewer" });
    expect((await byAdmin("viewer")).status).toBe(403);
    expect(
      (await guest.browser.send("POST", `/api/invitations/${invited.id}/accept`, { code: invited.code }))
        .status,
    ).toBe(404);
    expect((await guest.browser.send("GET", "/api/invitations")).body.data).toEqual([]);
  });

  test("are accepted with the code that the inviter was shown, not with an address that anybody may claim", async () => {
    const { server, owner, guest, invite } = await start(engine);
    const email = "new.admin@vedette.test";
    const { id, code } = (await invite(email, "admin")).body.data;
    expect(code).toMatch(/^([2-9A-HJ-NP-Z]{5}-){3}[2-9A-HJ-NP-Z]{5}$/);
    // Another organization makes an account with the very address that was invited.
    const account = { email, role: "member", password: PASSWORD };
    const elsewhere = `/api/organizations/${guest.organization.id}/members`;
    expect((await guest.browser.send("POST", elsewhere, account)).status).toBe(201);
    const claimant = openBrowser(server);
    await claimant.send("POST", "/api/auth/sign-in", { email, password: PASSWORD });
    const accept = (body?: object) => claimant.send("POST", `/api/invitations/${id}/accept`, body);
    for (const body of [{}, { code: "" }, { code: "AAAAA-AAAAA-AAAAA-AAAAA" }, { code: "ü" }]) {
      const refused = await accept(body);
      expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ["code"]]);
    }
    const listed = await owner.browser.send("GET", `/api/organizations/${owner.organization.id}/invitations`);
    expect(
      JSON.stringify([listed.body, (await claimant.send("GET", "/api/invitations")).body]),
    ).not.toContain("code");
    const replaced = (await invite(email, "viewer")).body.data.code;
    expect((await accept({ code })).status).toBe(422);
    expect((await accept({ code: ` ${replaced.toLowerCase().replaceAll("-", " ")} ` })).status).toBe(200);
  });

  test("are not accepted with a code that is being replaced", async () => {
    const { server, owner, guest, at, invite } = await start(engine);
    const { id, code } = (await invite(guest.email, "admin")).body.data;
    const { db } = server.ctx.store;
    const [own] = (await owner.browser.send("GET", `${at}/members`)).body.data;
    const by = { organizationId: owner.organization.id, invitedBy: own.id, expiresAt: Date.now() + 60_000 };
    const another = { ...by, uuid: randomUUID(), email: guest.email, codeHash: hashCode("another") };
    const accepting = await server.ctx.store.transaction(async (trx) => {
      await saveInvitation(trx, { ...another, role: "viewer" }, Date.now());
      const answer = guest.browser.send("POST", `/api/invitations/${id}/accept`, { code });
      // Until it waits for this one; with SQLite it does not begin before.
      if (engine === "postgres") await eventually(() => countWaiting(db), Boolean);
      return { answer };
    });
    expect((await accepting.answer).body.success).toBe(false);
    expect((await owner.browser.send("GET", `${at}/members`)).body.data).toHaveLength(1);
    expect((await owner.browser.send("GET", `${at}/invitations`)).body.data).toMatchObject([{ id }]);
  });

  test("are bounded in number, and forgotten once they have ended", async () => {
    const { server, owner, invite, pass } = await start(engine, { alone: true });
    for (let n = 0; n < 200; n += 1) await invite(`guest${n}@vedette.test`);
    const refused = await invite("one.more@vedette.test");
    expect([refused.status, refused.body.message]).toEqual([
      403,
      "An organization can have 200 open invitations. Withdraw one that is no longer needed.",
    ]);
    expect((await invite("guest0@vedette.test", "viewer")).status).toBe(201);
    pass(30 * 86_400_000);
    await owner.browser.send("POST", "/api/auth/sign-in", { email: owner.email, password: PASSWORD });
    expect((await invite("one.more@vedette.test")).status).toBe(201);
    await runRetention(server.ctx, { rawDaysOf: () => 7 });
    const rows = await server.ctx.store.db.selectFrom("invitations").select("email").execute();
    expect(rows).toEqual([{ email: "one.more@vedette.test" }]);
  });

  test("are the only way in for a person who has an account", async () => {
    const { owner, guest, at } = await start(engine);
    const body = { email: guest.email, role: "member", password: PASSWORD };
    const added = await owner.browser.send("POST", `${at}/members`, body);
    expect([added.status, Object.keys(added.body.errors)]).toEqual([422, ["email"]]);
    expect((await owner.browser.send("GET", `${at}/members`)).body.data).toHaveLength(1);
  });

  test("and what became of them are in the organization's activity", async () => {
    const { owner, guest, at, invite } = await start(engine);
    const { id, code } = (await invite()).body.data;
    await guest.browser.send("POST", `/api/invitations/${id}/accept`, { code });
    await guest.browser.send("DELETE", `${at}/membership`);
    const { data } = (await owner.browser.send("GET", "/api/dashboard/recent-activity?type=change&limit=3"))
      .body;
    expect(data.map(({ message }: { message: string }) => message.replace(/^\S+ /, ""))).toEqual([
      "left the organization.",
      `joined the organization ${owner.organization.name} as member.`,
      `invited ${guest.email} as member.`,
    ]);
  });
});

eachEngine("leaving an organization", (engine) => {
  test("ends the membership and its keys, and moves the sessions to another organization", async () => {
    const { server, owner, guest, at, invite } = await start(engine);
    const { id, code } = (await invite()).body.data;
    await guest.browser.send("POST", `/api/invitations/${id}/accept`, { code });
    await guest.browser.send("PUT", "/api/auth/organization", {
      organization: String(owner.organization.id),
    });
    const made = await guest.browser.send("POST", "/api-keys", { name: "x", scopes: ["read:*"] });
    const key = made.body.data.token as string;
    const left = await guest.browser.send(
      "DELETE",
      `/v2/organizations/${owner.organization.uuid}/membership`,
    );
    expect([left.status, left.body.data]).toEqual([200, { id: owner.organization.id }]);
    const me = (await guest.browser.send("GET", "/api/auth/me")).body.data;
    expect(me.organization.id).toBe(guest.organization.id);
    expect((await server.api("GET", "/api/domains", undefined, { key })).status).toBe(401);
    expect((await guest.browser.send("DELETE", `${at}/membership`)).status).toBe(404);
    expect((await owner.browser.send("GET", `${at}/members`)).body.data).toHaveLength(1);
  });

  test("is refused to the last owner, and to whom would belong nowhere", async () => {
    const { owner, at, server } = await start(engine);
    await owner.browser.send("POST", "/api/organizations", { name: "Second" });
    const last = await owner.browser.send("DELETE", `${at}/membership`);
    expect([last.status, last.body.message]).toEqual([
      409,
      "This is the organization's last owner. Make another member an owner first.",
    ]);
    const body = { email: "new@vedette.test", role: "member", password: PASSWORD };
    await owner.browser.send("POST", `${at}/members`, body);
    const member = openBrowser(server);
    await member.send("POST", "/api/auth/sign-in", { email: body.email, password: PASSWORD });
    const only = await member.send("DELETE", `${at}/membership`);
    expect([only.status, only.body.message]).toEqual([
      409,
      "This is your only organization. Create or join another one first.",
    ]);
  });

  test("is refused after a request for the deletion of the other", async () => {
    const { server, guest, at, invite } = await start(engine);
    const { db, transaction } = server.ctx.store;
    const { id, code } = (await invite()).body.data;
    await guest.browser.send("POST", `/api/invitations/${id}/accept`, { code });
    const { user } = (await guest.browser.send("GET", "/api/auth/me")).body.data;
    const { leaving } = await transaction(async (trx) => {
      // As deleteOrganization does.
      await updateOrganization(trx, guest.organization.id, { deletesAt: Date.now() + 1e9 }, Date.now());
      await lockUser(trx, user.id);
      const sent = guest.browser.send("DELETE", `${at}/membership`);
      if (engine === "postgres") await eventually(() => countWaiting(db), Boolean);
      return { leaving: sent };
    });
    expect((await leaving).status).toBe(409);
  });
});
