import { expect, test } from "vitest";
import { lockOrganization, updateOrganization } from "../../src/platform/access/queries/organizations.ts";
import { findUserByEmail } from "../../src/platform/access/queries/users.ts";
import { linkIn, PUBLIC_URL, startMailing } from "../alerts/mailing.ts";
import { eventually } from "../harness/eventually.ts";
import { eachEngine } from "../harness/stores.ts";
import { totpCode } from "../harness/totp.ts";
import { countWaiting } from "../harness/waiting.ts";
import { type Browser, held, openBrowser, PASSWORD } from "./browser.ts";

const DAY_MS = 86_400_000;
const GUEST = "guest@vedette.test";
const WORTHLESS = { invitation: [{ code: "account.invitation" }] };

eachEngine("invited people", (engine) => {
  async function start(config = {}) {
    const mailing = await startMailing(engine, { signup: "closed", ...config });
    const { server, mail, deliver } = mailing;
    const { organization } = server.person;
    const open = (): Browser => {
      const browser = openBrowser(server);
      return {
        ...browser,
        send: (method, path, body) => browser.send(method, path, body, { origin: PUBLIC_URL }),
      };
    };
    const at = `/api/organizations/${organization.id}`;
    const invite = (email = GUEST, role = "viewer") =>
      server.api("POST", `${at}/invitations`, { email, role });
    /** The code that the next mail's link ends in. */
    const invited = async (email = GUEST, role = "viewer"): Promise<string> => {
      await invite(email, role);
      await deliver();
      // Other mails may come at the same time.
      const own = mail.mails.splice(0).find(({ text }) => text.includes("/invitation"));
      return linkIn(own?.text ?? "").hash.slice(1);
    };
    const read = (invitation: string) => open().send("POST", "/api/auth/invitation", { invitation });
    const signUp = (invitation: string | undefined, more = {}, browser = open()) =>
      browser.send("POST", "/api/auth/sign-up", { email: GUEST, password: PASSWORD, invitation, ...more });
    const signIn = (invitation: string | undefined, more = {}, browser = open()) =>
      browser.send("POST", "/api/auth/sign-in", { email: GUEST, password: PASSWORD, invitation, ...more });
    /** A person with an account, in an organization of another owner's. */
    const member = async (email = GUEST) => {
      const other = await server.createOrganization();
      const key = await server.createKey({ person: { ...other, role: "owner" } });
      const path = `/api/organizations/${other.organization.id}/members`;
      const made = await server.api("POST", path, { email, role: "member", password: PASSWORD }, { key });
      expect(made.status).toBe(201);
      return { path: `${path}/${made.body.data.id}`, key };
    };
    const members = async () =>
      ((await server.api("GET", `${at}/members`)).body.data as { email: string; role: string }[]).filter(
        ({ email }) => email === GUEST,
      );
    return { ...mailing, at, open, invite, invited, read, signUp, signIn, member, members };
  }

  test("without an account make one by the mailed link, also where sign-up is closed, and are there at once", async () => {
    const { server, at, open, invite, deliver, mail, read, signUp } = await start();
    await invite(GUEST.toUpperCase());
    await deliver();
    const link = linkIn(mail.mails[0]?.text ?? "");
    expect([link.origin, link.pathname, link.search]).toEqual([PUBLIC_URL, "/invitation", ""]);
    const code = link.hash.slice(1);
    const { organization } = server.person;
    const said = await read(code);
    expect([said.status, said.body.data]).toMatchObject([
      200,
      { email: GUEST, role: "viewer", organizationName: organization.name, hasAccount: false },
    ]);
    expect((await signUp(undefined)).status).toBe(403);
    const browser = open();
    const made = await signUp(code.toLowerCase(), { name: "Gustav" }, browser);
    expect([made.status, made.body.data.organizationId]).toEqual([201, organization.id]);
    const me = (await browser.send("GET", "/api/auth/me")).body.data;
    expect(me).toMatchObject({
      user: { email: GUEST, name: "Gustav" },
      organization: { id: organization.id, role: "viewer" },
      organizations: [{ id: organization.id }],
    });
    const log = (await server.api("GET", `${at}/audit-log`)).body.data as {
      action: string;
      userId: number;
    }[];
    const own = log.filter(({ userId }) => userId === me.user.id).map(({ action }) => action);
    expect(own.toSorted()).toEqual(["accept invitation", "create account"]);
    const again = await signUp(code, { password: "another long password" });
    expect([again.status, again.body.facts]).toEqual([422, WORTHLESS]);
  });

  test("with an account join as they sign in, in any browser, and are in that organization", async () => {
    const { server, open, invited, read, signIn, member, members } = await start();
    await member();
    const code = await invited(GUEST, "admin");
    expect((await read(code)).body.data.hasAccount).toBe(true);
    const wrong = await signIn(code, { password: "battery horse correct" });
    expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([422, ["email"]]);
    const browser = open();
    expect((await signIn(code, {}, browser)).status).toBe(200);
    const me = (await browser.send("GET", "/api/auth/me")).body.data;
    expect([me.organization.id, me.organization.role, me.organizations.length]).toEqual([
      server.person.organization.id,
      "admin",
      2,
    ]);
    expect(await members()).toHaveLength(1);
    const again = await signIn(code);
    expect([again.status, again.body.facts]).toEqual([422, WORTHLESS]);
    // Not in the oldest of theirs.
    const newest = await server.createOrganization();
    const key = await server.createKey({ person: { ...newest, role: "owner" } });
    const path = `/api/organizations/${newest.organization.id}/invitations`;
    const third = (await server.api("POST", path, { email: GUEST, role: "viewer" }, { key })).body.data;
    expect((await signIn(third.code)).body.data.organizationId).toBe(newest.organization.id);
  });

  test("with two-factor sign-in join once its code is right, and lose nothing by a wrong one", async () => {
    const { open, invited, signIn, member, members, now } = await start();
    await member();
    const browser = open();
    await signIn(undefined, {}, browser);
    const { secret } = (await browser.send("POST", "/api/auth/totp", { password: PASSWORD })).body.data;
    const first = { code: totpCode(secret, now()) };
    expect((await browser.send("POST", "/api/auth/totp/confirm", first)).status).toBe(200);
    const code = await invited();
    for (const more of [{}, { code: "000000" }]) {
      const refused = await signIn(code, more);
      expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ["code"]]);
    }
    expect(await members()).toEqual([]);
    const right = { code: totpCode(secret, now() + 30_000) };
    // What the invitation is worth is said first, and uses no one-time code up.
    const guess = { ...right, password: "battery horse correct" };
    for (const more of [right, guess])
      expect((await signIn("AAAAA-AAAAA-AAAAA-AAAAA", more)).body.facts).toEqual(WORTHLESS);
    expect((await signIn(code, right)).status).toBe(200);
    expect(await members()).toHaveLength(1);
  });

  test("who belong to no organization any more cannot sign in, but with an invitation they can", async () => {
    const { server, invited, signIn, member } = await start();
    const { path, key } = await member();
    expect((await server.api("DELETE", path, undefined, { key })).status).toBe(200);
    expect((await signIn(undefined)).body.facts).toEqual({ email: [{ code: "account.homeless" }] });
    expect((await signIn(await invited())).status).toBe(200);
  });

  test("get the same answer for a code that was used, withdrawn or replaced, has expired, is not good any more, or never was", async () => {
    const { server, at, invite, invited, read, signIn, signUp, member, pass } = await start();
    const { db } = server.ctx.store;
    const used = await invited();
    await member();
    await signIn(used);
    const codes = ["AAAAA-AAAAA-AAAAA-AAAAA", "ü", used];
    const withdrawn = (await invite("b@vedette.test")).body.data;
    await server.api("DELETE", `${at}/invitations/${withdrawn.id}`);
    codes.push(withdrawn.code, (await invite("c@vedette.test")).body.data.code);
    await invite("c@vedette.test");
    const admin = (
      await server.api("POST", `${at}/members`, {
        email: "a@vedette.test",
        role: "admin",
        password: PASSWORD,
      })
    ).body.data;
    const person = { userId: admin.id, organization: server.person.organization, role: "admin" } as const;
    const key = await server.createKey({ person });
    const byAdmin = { email: "d@vedette.test", role: "viewer" };
    codes.push((await server.api("POST", `${at}/invitations`, byAdmin, { key })).body.data.code);
    await server.api("PUT", `${at}/members/${admin.id}`, { role: "viewer" });
    const reported = new Set<string>();
    const tryCode = async (code: string) => {
      for (const answer of [await read(code), await signUp(code), await signIn(code)]) {
        const { requestId: _, ...body } = answer.body;
        reported.add(JSON.stringify([answer.status, body]));
      }
    };
    for (const code of codes) await tryCode(code);
    const expired = (await invite("e@vedette.test")).body.data.code;
    pass(30 * DAY_MS);
    await tryCode(expired);
    expect([...reported].map((one) => JSON.parse(one)[0])).toEqual([422]);
    expect([...reported][0]).toContain("account.invitation");
    expect((await read("")).status).toBe(422);
    for (const email of ["b@vedette.test", "c@vedette.test", "d@vedette.test", "e@vedette.test"])
      expect(await findUserByEmail(db, email)).toBeUndefined();
  });

  test("are meant by their address: a code opens no account and no door for anybody else", async () => {
    const { invited, read, signIn, signUp, member, members } = await start();
    await member("outsider@vedette.test");
    const code = await invited();
    const outsider = { email: "outsider@vedette.test" };
    expect((await signIn(code, outsider)).body.facts).toEqual(WORTHLESS);
    expect((await signUp(code, { email: "person@vedette.test" })).body.facts).toEqual(WORTHLESS);
    expect((await signUp(code, { password: "short" })).body.errors).toHaveProperty("password");
    expect(await members()).toEqual([]);
    expect((await read(code)).status).toBe(200);
  });

  test("are one person: of two who follow the link at once one makes the account, and what fails uses nothing up", async () => {
    const { server, invited, member, members, read, signUp } = await start();
    const code = await invited();
    const late = await held(server, () => signUp(code));
    const both = await Promise.all([signUp(code), signUp(code)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 422]);
    expect((await late()).body.facts).toEqual(WORTHLESS);
    expect(await members()).toHaveLength(1);

    const email = "second@vedette.test";
    const second = await invited(email);
    const overtaken = await held(server, () => signUp(second, { email }));
    await member(email);
    expect((await overtaken()).body.facts).toEqual({ email: [{ code: "account.email_taken" }] });
    expect((await read(second)).body.data).toMatchObject({ email, hasAccount: true });
  });

  test("do not let in a person who had made an account with their address before", async () => {
    const { server, at, open, invited, signIn, mail, deliver } = await start({ signup: "open" });
    const outsider = open();
    const account = { email: GUEST, password: "not the guest's own" };
    expect((await outsider.send("POST", "/api/auth/sign-up", account)).status).toBe(201);
    const wanted = { name: "Everywhere", scopes: ["*:*"], allOrganizations: true };
    const key = (await outsider.send("POST", "/api/api-keys", wanted)).body.data.token;
    const seen = async () => (await server.api("GET", `${at}/members`, undefined, { key })).status;
    expect(await seen()).toBe(404);
    const code = await invited(GUEST, "admin");
    await open().send("POST", "/api/auth/password/forgot", { email: GUEST });
    await deliver();
    const token = linkIn(mail.mails.splice(0)[0]?.text ?? "").hash.slice(1);
    const reset = { token, password: PASSWORD };
    expect((await open().send("POST", "/api/auth/password/reset", reset)).status).toBe(200);
    expect((await signIn(code)).status).toBe(200);
    expect(await seen()).toBe(404);
    // It still does what it does in its own organization.
    const keys = await server.api("GET", "/api/api-keys", undefined, { key });
    expect([keys.status, keys.body.data]).toMatchObject([200, [{ allOrganizations: false }]]);
  });

  test("who are members by then stay what they are", async () => {
    const { server, at, invited, signIn, members } = await start();
    const code = await invited(GUEST, "admin");
    const body = { email: GUEST, role: "member", password: PASSWORD };
    expect((await server.api("POST", `${at}/members`, body)).status).toBe(201);
    expect((await signIn(code)).status).toBe(200);
    expect(await members()).toMatchObject([{ role: "member" }]);
    const [entry] = (await server.api("GET", `${at}/audit-log?action=accept+invitation`)).body.data;
    expect(entry).toMatchObject({ action: "accept invitation", after: null });
  });

  test("come from our own pages, and request no more than twenty invitations a minute", async () => {
    const { server, invited, read } = await start({ rateLimits: true });
    const body = { email: GUEST, password: PASSWORD, invitation: await invited() };
    const elsewhere = await openBrowser(server).send("POST", "/api/auth/sign-up", body, {
      origin: "https://elsewhere.test",
    });
    expect(elsewhere.status).toBe(403);
    expect(await findUserByEmail(server.ctx.store.db, GUEST)).toBeUndefined();
    for (let count = 0; count < 20; count += 1) expect((await read("7KQ2M")).status).toBe(422);
    expect((await read(body.invitation)).status).toBe(429);
  });

  test("are not taken in while the organization waits for its deletion, but are again once it stays", async () => {
    const { server, invited, read, signUp, now } = await start();
    const { db } = server.ctx.store;
    const { id } = server.person.organization;
    const code = await invited();
    await updateOrganization(db, id, { deletesAt: now() + DAY_MS }, now());
    for (const answer of [await read(code), await signUp(code)]) {
      expect([answer.status, answer.body.facts]).toEqual([422, WORTHLESS]);
    }
    await updateOrganization(db, id, { deletesAt: null }, now());
    const { late } = await server.ctx.store.transaction(async (trx) => {
      await lockOrganization(trx, id);
      await updateOrganization(trx, id, { deletesAt: now() + DAY_MS }, now());
      const sent = signUp(code);
      if (engine === "postgres") await eventually(() => countWaiting(db), Boolean);
      return { late: sent };
    });
    expect((await late).body.facts).toEqual(WORTHLESS);
    await updateOrganization(db, id, { deletesAt: null }, now());
    expect((await signUp(code)).status).toBe(201);
  });
});
