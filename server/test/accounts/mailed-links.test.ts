import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { deliverOutbox } from "../../src/alerts/deliver.ts";
import { lockAddress } from "../../src/alerts/queries/outbox.ts";
import { confirmUserEmail } from "../../src/alerts/queries/own-channels.ts";
import { TRANSPORTS } from "../../src/app/jobs.ts";
import { linkIn, PUBLIC_URL, startMailing, tokenIn } from "../alerts/mailing.ts";
import { eventually } from "../harness/eventually.ts";
import { startTestServer } from "../harness/server.ts";
import { eachEngine } from "../harness/stores.ts";
import { totpCode } from "../harness/totp.ts";
import { countWaiting } from "../harness/waiting.ts";
import { type Browser, held, openBrowser, PASSWORD } from "./browser.ts";

const HOUR_MS = 3_600_000;
const NEW_PASSWORD = "battery horse correct";
const FROM_US = { origin: PUBLIC_URL };

eachEngine("mailed links", (engine) => {
  async function start(config = {}) {
    const mailing = await startMailing(engine, config);
    const { server, mail, deliver } = mailing;
    const open = (): Browser => {
      const browser = openBrowser(server);
      return { ...browser, send: (method, path, body) => browser.send(method, path, body, FROM_US) };
    };
    let counter = 0;
    const person = async () => {
      const browser = open();
      const email = `person${(counter += 1)}@vedette.test`;
      const made = await browser.send("POST", "/api/auth/sign-up", {
        email,
        password: PASSWORD,
        name: "Ada",
      });
      expect(made.status).toBe(201);
      // The confirmation of the address is tested elsewhere (own-address.test.ts).
      await confirmUserEmail(server.ctx.store.db, made.body.data.userId, mailing.now());
      await server.ctx.store.db.deleteFrom("outbox").where("event", "=", "confirmation").execute();
      return { browser, email };
    };
    const visitor = open();
    const forgot = (email: string, more = {}) =>
      visitor.send("POST", "/api/auth/password/forgot", { email, ...more });
    const reset = (token: string, password = NEW_PASSWORD) =>
      visitor.send("POST", "/api/auth/password/reset", { token, password });
    const confirm = (token: string) => visitor.send("POST", "/api/auth/email/confirm", { token });
    const signIn = async (email: string, password: string, code?: string) =>
      open().send("POST", "/api/auth/sign-in", { email, password, ...(code && { code }) });
    /** What has come since the last time. */
    const received = async () => {
      await deliver();
      return mail.mails.splice(0);
    };
    const token = async () => tokenIn((await received())[0]?.text ?? "");
    return { ...mailing, open, person, forgot, reset, confirm, signIn, received, token };
  }

  test("go to no address that is requested with the old password while that is changed", async () => {
    const { server, person, received } = await start();
    const { browser } = await person();
    const change = { email: "thief@vedette.test", password: PASSWORD };
    const finish = await held(server, () => browser.send("POST", "/api/auth/email", change));
    const own = { currentPassword: PASSWORD, password: NEW_PASSWORD };
    expect((await browser.send("PUT", "/api/auth/password", own)).status).toBe(200);
    const { status, body } = await finish();
    expect([status, body.facts]).toEqual([422, { password: [{ code: "account.password" }] }]);
    expect(await received()).toEqual([]);
  });

  test("let in who has forgotten a password, once, and end the sessions of before", async () => {
    const { person, forgot, reset, signIn, received, server } = await start();
    const { browser, email } = await person();
    expect((await forgot(email.toUpperCase())).status).toBe(200);
    const [mail, ...others] = await received();
    expect([mail?.to, others]).toEqual([[email], []]);
    expect(mail?.headers["subject"]).toBe("Choose a new password");
    const link = linkIn(mail?.text ?? "");
    expect(link.origin + link.pathname).toBe(`${PUBLIC_URL}/reset-password`);
    expect(mail?.html).toContain(`href="${link.href}"`);
    const token = link.hash.slice(1);
    const stored = await server.ctx.store.db.selectFrom("mailed_tokens").selectAll().execute();
    expect(JSON.stringify(stored)).not.toContain(token);

    expect((await reset(token, "short")).body.errors).toHaveProperty("password");
    expect((await reset(token)).status).toBe(200);
    expect((await browser.send("GET", "/api/auth/me")).status).toBe(401);
    expect((await signIn(email, PASSWORD)).status).toBe(422);
    expect((await signIn(email, NEW_PASSWORD)).status).toBe(200);
    expect((await reset(token, "yet another password")).body.facts).toEqual({
      token: [{ code: "account.link" }],
    });
    expect((await signIn(email, NEW_PASSWORD)).status).toBe(200);
  });

  test("are used by one of two who follow the same at once", async () => {
    const { person, forgot, reset, token } = await start();
    const { email } = await person();
    await forgot(email);
    const own = await token();
    const both = await Promise.all([reset(own), reset(own, "yet another password")]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 422]);
  });

  test("end after an hour, with another link's use, and with a change of the password", async () => {
    const { person, forgot, reset, token, pass } = await start();
    const { browser, email } = await person();
    await forgot(email);
    const late = await token();
    pass(HOUR_MS);
    expect((await reset(late)).status).toBe(422);
    await forgot(email);
    const first = await token();
    await forgot(email);
    const second = await token();
    await browser.send("PUT", "/api/auth/password", { currentPassword: PASSWORD, password: NEW_PASSWORD });
    expect((await reset(second)).status).toBe(422);
    await forgot(email);
    const third = await token();
    await forgot(email);
    const fourth = await token();
    // Of several requests the last one counts.
    expect((await reset(third, PASSWORD)).status).toBe(422);
    expect((await reset(fourth, PASSWORD)).status).toBe(200);
    for (const used of [first, second, third, fourth, "made-up", "x".repeat(100)]) {
      expect((await reset(used)).status).toBe(422);
    }
    expect((await reset("x".repeat(101))).body.errors).toHaveProperty("token");
  });

  test("leave two-factor sign-in as it is", async () => {
    const { person, forgot, reset, signIn, token, now } = await start();
    const { browser, email } = await person();
    const { secret } = (await browser.send("POST", "/api/auth/totp", { password: PASSWORD })).body.data;
    await browser.send("POST", "/api/auth/totp/confirm", { code: totpCode(secret, now() - 30_000) });
    await forgot(email);
    await reset(await token());
    expect((await signIn(email, NEW_PASSWORD)).body.errors).toHaveProperty("code");
    expect((await signIn(email, NEW_PASSWORD, totpCode(secret, now()))).status).toBe(200);
  });

  test("are answered for alike, and after the same time, whether or not there is an account", async () => {
    const waits: number[] = [];
    const { server, person, forgot, received } = await start();
    Object.assign(server.ctx.clock, { wait: async (ms: number) => void waits.push(ms) });
    const { email } = await person();
    const [known, unknown] = [await forgot(email), await forgot("nobody@vedette.test")];
    const shape = ({ status, body, headers }: typeof known) => ({
      status,
      body,
      headers: [...headers.keys()].toSorted(),
    });
    expect(shape(known)).toEqual(shape(unknown));
    expect(waits).toHaveLength(2);
    for (const wait of waits) expect(wait).toBeGreaterThan(0);
    expect((await received()).map(({ to }) => to)).toEqual([[email]]);
    expect((await forgot("nowhere")).body.errors).toHaveProperty("email");
  });

  test("never lead to the host that a request names", async () => {
    const { server, person, received } = await start();
    const { email } = await person();
    const headers = { host: "evil.test", "x-forwarded-host": "evil.test", origin: PUBLIC_URL };
    await server.api("POST", "/api/auth/password/forgot", { email }, { key: null, headers });
    const [mail] = await received();
    expect(mail?.raw).not.toContain("evil.test");
    const foreign = await server.api(
      "POST",
      "/api/auth/password/forgot",
      { email },
      { key: null, headers: { origin: "https://evil.test" } },
    );
    expect(foreign.status).toBe(403);
  });

  test("are sent five times an hour at most, known or not", async () => {
    const { person, forgot, received } = await start({ rateLimits: true });
    const { email } = await person();
    for (const [whose, mails] of [
      [email, 5],
      ["nobody@vedette.test", 0],
    ] as const) {
      const statuses: number[] = [];
      for (let count = 0; count < 5; count += 1) statuses.push((await forgot(whose)).status);
      expect(statuses).toEqual([200, 200, 200, 200, 200]);
      expect(await received()).toHaveLength(mails);
      const refused = await forgot(whose);
      expect([refused.status, Number(refused.headers.get("retry-after"))]).toEqual([429, expect.any(Number)]);
    }
  });

  test("go to one address that people want to have ten times an hour at most, whichever people", async () => {
    const { person, received } = await start({ rateLimits: true });
    const people = [await person(), await person()] as const;
    const statuses: number[] = [];
    for (let count = 0; count < 11; count += 1) {
      const { browser } = people[count % 2] as (typeof people)[0];
      const change = { email: count < 5 ? "victim@else.test" : "Victim@Else.test", password: PASSWORD };
      statuses.push((await browser.send("POST", "/api/auth/email", change)).status);
    }
    expect(statuses).toEqual([...Array(10).fill(200), 429]);
    expect(await received()).toHaveLength(10);
    const change = { email: "other@else.test", password: PASSWORD };
    expect((await people[0].browser.send("POST", "/api/auth/email", change)).status).toBe(200);
  });

  test("speak the language that was requested, and rather the one that the person chose", async () => {
    const { server, person, forgot, received } = await start();
    const { browser, email } = await person();
    const subject = async () => (await received()).map(({ headers }) => headers["subject"]);
    await forgot(email, { language: "de" });
    expect(await subject()).toEqual(["Neues Passwort wählen"]);
    const headers = { "accept-language": "zh-TW,fr;q=0.9,zh-CN;q=0.8,en;q=0.7", origin: PUBLIC_URL };
    await server.api("POST", "/api/auth/password/forgot", { email }, { key: null, headers });
    expect(await subject()).toEqual(["设置新密码"]);
    await browser.send("PATCH", "/api/auth/me", { language: "de" });
    await forgot(email, { language: "zh" });
    expect(await subject()).toEqual(["Neues Passwort wählen"]);
    expect((await forgot(email, { language: "tlh" })).status).toBe(422);
  });

  test("give somebody another address once it is confirmed there, and notify the old one", async () => {
    const { person, confirm, signIn, received, reset, forgot, token } = await start();
    const { browser, email } = await person();
    const changeTo = (to: string, password = PASSWORD) =>
      browser.send("POST", "/api/auth/email", { email: to, password });
    expect((await changeTo("ada@new.test", "wrong")).body.facts).toEqual({
      password: [{ code: "account.password" }],
    });
    expect((await changeTo(email.toUpperCase())).body.facts).toEqual({
      email: [{ code: "account.own_email" }],
    });
    for (const address of ["nowhere", "<ada@new.test>", "ada@[192.0.2.1]"]) {
      expect((await changeTo(address)).body.errors).toHaveProperty("email");
    }
    expect((await changeTo("Ada@New.test")).status).toBe(200);
    const [request] = await received();
    expect([request?.to, request?.headers["subject"]]).toEqual([
      ["ada@new.test"],
      "Confirm your new e-mail address",
    ]);
    expect((await signIn(email, PASSWORD)).status).toBe(200);
    await forgot(email);
    const toOldAddress = await token();

    const confirmed = await confirm(tokenIn(request?.text ?? ""));
    expect([confirmed.status, confirmed.body.data]).toEqual([200, { email: "ada@new.test" }]);
    const [reported] = await received();
    expect([reported?.to, reported?.text.includes("ada@new.test")]).toEqual([[email], true]);
    expect((await signIn(email, PASSWORD)).status).toBe(422);
    expect((await signIn("ada@new.test", PASSWORD)).status).toBe(200);
    expect((await confirm(tokenIn(request?.text ?? ""))).status).toBe(422);
    expect((await reset(toOldAddress)).status).toBe(422);
    const { user } = (await browser.send("GET", "/api/auth/me")).body.data;
    expect(user.email).toBe("ada@new.test");
  });

  test("do not take an address that another person has, and say so only to who reads its mail", async () => {
    const { person, confirm, received } = await start();
    const [one, other] = [await person(), await person()];
    const changeTo = (email: string) =>
      one.browser.send("POST", "/api/auth/email", { email, password: PASSWORD });
    expect((await changeTo("free@vedette.test")).body).toEqual((await changeTo(other.email)).body);
    const mails = await received();
    const tokens = new Map(mails.map(({ to, text }) => [to[0], tokenIn(text)]));
    // Of two that were requested the last one counts.
    expect((await confirm(tokens.get("free@vedette.test") ?? "")).body.facts.token).toEqual([
      { code: "account.link" },
    ]);
    expect((await confirm(tokens.get(other.email) ?? "")).body.facts.token).toEqual([
      { code: "account.email_taken" },
    ]);
    expect((await one.browser.send("GET", "/api/auth/me")).body.data.user.email).toBe(one.email);
  });

  test("give an address to one of two who confirm it at the same instant, and the other the answer of a later one", async () => {
    const { person, confirm, received, signIn } = await start();
    const people = [await person(), await person()];
    for (const { browser } of people) {
      await browser.send("POST", "/api/auth/email", { email: "one@new.test", password: PASSWORD });
    }
    const tokens = (await received()).map(({ text }) => tokenIn(text));
    const answers = await Promise.all(tokens.map(confirm));
    const reported = answers.map(({ status, body }) => [status, body.facts?.token?.[0].code]);
    expect(reported.toSorted()).toEqual([
      [200, undefined],
      [422, "account.email_taken"],
    ]);
    // Nothing half done: the other one keeps the address.
    const old = await Promise.all(people.map(({ email }) => signIn(email, PASSWORD)));
    expect(old.map(({ status }) => status).toSorted()).toEqual([200, 422]);
  });

  // One writes at a time in SQLite.
  if (engine === "postgres")
    test("wait for the old address before they hold the person", async () => {
      const { server, person, confirm, token } = await start();
      const { browser, email } = await person();
      await browser.send("POST", "/api/auth/email", { email: "ada@new.test", password: PASSWORD });
      const mailed = await token();
      const { db } = server.ctx.store;
      const { confirming } = await db.transaction().execute(async (trx) => {
        await lockAddress(trx, email);
        const sent = confirm(mailed);
        await eventually(() => countWaiting(db), Boolean);
        // The confirmation request writes to the person: held by the other, both would wait for ever.
        await sql`select id from users where email = ${email} for update nowait`.execute(trx);
        return { confirming: sent };
      });
      expect((await confirming).status).toBe(200);
    });

  test("for one purpose are good for no other", async () => {
    const { person, forgot, confirm, reset, token } = await start();
    const { browser, email } = await person();
    await forgot(email);
    expect((await confirm(await token())).status).toBe(422);
    await browser.send("POST", "/api/auth/email", { email: "ada@new.test", password: PASSWORD });
    expect((await reset(await token())).status).toBe(422);
  });

  test("are recorded in every organization of the person's, once they were followed", async () => {
    const { server, person, forgot, reset, token } = await start();
    const { browser, email } = await person();
    await browser.send("POST", "/api/organizations", { name: "Second" });
    await forgot(email);
    await reset(await token());
    const rows = await server.ctx.store.db
      .selectFrom("audit_log")
      .select(["organization_id", "user_id", "subject"])
      .where("action", "=", "reset password by mail")
      .execute();
    expect(new Set(rows.map((row) => row.organization_id)).size).toBe(2);
    expect(new Set(rows.map((row) => row.subject))).toEqual(new Set([email]));
  });

  test("are not sent where no mail server or no address is configured, which is said", async () => {
    for (const [config, code] of [
      [{ smtp: null }, "mail.off"],
      [{ publicUrl: null }, "mail.no_address"],
    ] as const) {
      const { server, mail } = await startMailing(engine, config);
      const answer = await server.api(
        "POST",
        "/api/auth/password/forgot",
        { email: "a@b.test" },
        { key: null },
      );
      expect([answer.status, answer.body.fact]).toEqual([403, { code }]);
      const state = await server.api("GET", "/api/auth/state", undefined, { key: null });
      expect(state.body.data.mail).toBe(false);
      const at = `/api/organizations/${server.person.organization.id}/invitations`;
      const invited = await server.api("POST", at, { email: "guest@vedette.test", role: "member" });
      expect([invited.status, invited.body.data.sent]).toEqual([201, false]);
      await deliverOutbox(server.ctx, TRANSPORTS, new AbortController().signal);
      expect(mail.mails).toEqual([]);
    }
  });

  test("need a session: a key changes no address", async () => {
    const server = await startTestServer({ engine });
    onTestFinished(server.close);
    const body = { email: "ada@new.test", password: PASSWORD };
    expect((await server.api("POST", "/api/auth/email", body)).status).toBe(403);
  });
});
