import { randomUUIDv7 } from "node:crypto";
import { expect, test } from "vitest";
import { deleteMember, insertMember } from "../../../src/accounts/queries/members.ts";
import { insertUser } from "../../../src/accounts/queries/users.ts";
import { type Browser, openBrowser } from "../../accounts/browser.ts";
import { status } from "../../harness/behaviours.ts";
import { eachEngine } from "../../harness/stores.ts";
import { CHANNELS, channelTokenIn, startTelling } from "../channel-setup.ts";
import { tokenIn } from "../mailing.ts";

const SETTINGS = "/api/notifications/settings";
const LINK = "/api/auth/acknowledgement";
const DAY_MS = 86_400_000;
const OUTSIDER = "outsider@elsewhere.test";
const PASSWORD = "correct horse battery";

eachEngine("the address of an account that anybody may have made", (engine) => {
  const start = async (config: object = {}) => {
    const telling = await startTelling(engine, config);
    const { server, mail, deliver, checkOf } = telling;
    const origin = server.ctx.config.publicUrl ?? server.url;
    const visitor = openBrowser(server);
    const subjects = () => mail.mails.splice(0).map(({ headers }) => headers["subject"]);
    const send = (browser: Browser, method: string, path: string, body?: object) =>
      browser.send(method, path, body, { origin });
    return {
      ...telling,
      visitor,
      send,
      /** A person makes an account with that address, whose mail they need not read. */
      async signUp(email = OUTSIDER, more: object = {}) {
        const browser = openBrowser(server);
        const made = await send(browser, "POST", "/api/auth/sign-up", { email, password: PASSWORD, ...more });
        expect(made.status).toBe(201);
        return browser;
      },
      /** The subjects of what has been mailed since the last call. */
      async mailed() {
        await deliver();
        return subjects();
      },
      /** The token of the confirmation request, which is the only mail. */
      async confirmationToken() {
        await deliver();
        const mails = mail.mails.splice(0);
        expect(mails.map(({ headers }) => headers["subject"])).toEqual(["May Vedette write to you?"]);
        return channelTokenIn(mails[0]?.text ?? "");
      },
      confirm: (token: string) => visitor.send("POST", `${LINK}/confirm`, { token }, { origin }),
      problem: async (browser: Browser) =>
        (await send(browser, "GET", SETTINGS)).body.data.targets[0].problemFact?.code ?? null,
      /** A monitor of theirs goes down, or comes up again. */
      async monitor(browser: Browser) {
        const url = `https://theirs${Math.random()}.example/`;
        const { id } = (await send(browser, "POST", "/api/domains", { url, name: "Theirs" })).body.data;
        return {
          fails: () => checkOf(id, "ok", "ok", "failed", "failed", "failed"),
          recovers: () => checkOf(id, "ok", "ok", "ok"),
        };
      },
    };
  };

  test("is sent one confirmation request and nothing about monitors until its link was used, and then what comes next", async () => {
    const { signUp, confirmationToken, monitor, mailed, problem, confirm, visitor, send } = await start();
    const outsider = await signUp();
    const token = await confirmationToken();
    expect(await problem(outsider)).toBe("settings.unconfirmed");
    const theirs = await monitor(outsider);
    await theirs.fails();
    await send(outsider, "POST", "/api/incidents", { title: "Checkout fails", description: "Cards." });
    expect(await mailed()).toEqual([]);
    const tried = await send(outsider, "POST", `${SETTINGS}/test`, { type: "email" });
    expect(tried.body.data).toMatchObject({ accepted: false, answerFact: { code: "delivery.unconfirmed" } });

    const read = await send(visitor, "POST", LINK, { token });
    expect(read.body.data).toMatchObject({ asks: "confirm", state: "open" });
    expect(read.body.data.text).toContain(OUTSIDER);
    expect(await problem(outsider)).toBe("settings.unconfirmed");
    expect((await confirm(token)).body.data.state).toBe("acknowledged");
    expect((await confirm(token)).status).toBe(422);
    expect(await problem(outsider)).toBe(null);
    // They are not notified of the end of an outage that they were not notified of.
    await theirs.recovers();
    expect(await mailed()).toEqual([]);
    await theirs.fails();
    expect(await mailed()).toEqual(["Theirs is down"]);
  });

  test("gets another request from whoever has the account, three times a day at most", async () => {
    const { signUp, confirmationToken, send, confirm, problem, pass } = await start();
    const outsider = await signUp();
    const first = await confirmationToken();
    const again = () => send(outsider, "POST", `${SETTINGS}/confirmation`);
    expect((await again()).body.data.targets[0].problemFact.code).toBe("settings.unconfirmed");
    await confirmationToken();
    expect((await again()).status).toBe(200);
    await confirmationToken();
    expect((await again()).status).toBe(429);
    pass(DAY_MS);
    expect((await again()).status).toBe(200);
    await confirmationToken();
    // Each of them is good for its seven days.
    expect((await confirm(first)).status).toBe(200);
    expect(await problem(outsider)).toBe(null);
    expect((await again()).status).toBe(409);
  });

  test("is known once a new password was chosen by a link mailed there, which needs no answer before", async () => {
    const { server, signUp, confirmationToken, send, visitor, mail, deliver, problem, monitor, mailed } =
      await start();
    await signUp();
    await confirmationToken();
    await send(visitor, "POST", "/api/auth/password/forgot", { email: OUTSIDER });
    await deliver();
    const token = tokenIn(mail.mails.splice(0)[0]?.text ?? "");
    const password = "another correct horse";
    expect((await send(visitor, "POST", "/api/auth/password/reset", { token, password })).status).toBe(200);
    const owner = openBrowser(server);
    expect((await send(owner, "POST", "/api/auth/sign-in", { email: OUTSIDER, password })).status).toBe(200);
    expect(await problem(owner)).toBe(null);
    await (await monitor(owner)).fails();
    expect(await mailed()).toEqual(["Theirs is down"]);
  });

  test("is known of who was invited there by mail and followed the link, not of who has the code from the inviter", async () => {
    const { server, signUp, send, deliver, mail, mailed, problem } = await start();
    const at = `/api/organizations/${server.person.organization.id}/invitations`;
    const invite = async (email: string) => {
      const { code } = (await server.api("POST", at, { email, role: "member" })).body.data;
      await deliver();
      return { code, mailedCode: tokenIn(mail.mails.splice(0)[0]?.text ?? "") };
    };
    const { mailedCode } = await invite(OUTSIDER);
    const guest = await signUp(OUTSIDER, { invitation: mailedCode });
    expect([await mailed(), await problem(guest)]).toEqual([[], null]);

    const other = "other@elsewhere.test";
    const impostor = await signUp(other, { invitation: (await invite(other)).code });
    expect(await mailed()).toEqual(["May Vedette write to you?"]);
    expect(await problem(impostor)).toBe("settings.unconfirmed");

    // Who has an account already shows it as they sign in, or in the app.
    const older = ["third@elsewhere.test", "fourth@elsewhere.test"];
    for (const [index, email] of older.entries()) {
      const browser = await signUp(email);
      expect(await mailed()).toEqual(["May Vedette write to you?"]);
      const { mailedCode: code } = await invite(email);
      const [{ id }] = (await send(browser, "GET", "/api/invitations")).body.data;
      const accepted =
        index === 0
          ? await send(browser, "POST", "/api/auth/sign-in", { email, password: PASSWORD, invitation: code })
          : await send(browser, "POST", `/api/invitations/${id}/accept`, { code });
      expect([accepted.status, await problem(browser)]).toEqual([200, null]);
    }
  });

  test("that an older account has gets one request, when the first message would go there, and none before", async () => {
    const { server, check, mailed, deliver, mail, confirm, pass } = await start();
    const { organization } = server.person;
    const { db } = server.ctx.store;
    const older = { uuid: randomUUIDv7(), email: OUTSIDER, name: "Ada", passwordHash: "" };
    const userId = (await insertUser(db, older, 0)) ?? 0;
    await insertMember(db, { userId, organizationId: organization.id, role: "viewer" }, 0);
    expect(await mailed()).toEqual([]);
    await check("ok", "ok", "failed", "failed", "failed");
    await deliver();
    const [request] = mail.mails.splice(0);
    expect([request?.to, request?.headers["subject"]]).toEqual([[OUTSIDER], "May Vedette write to you?"]);
    await check("ok", "ok", "ok");
    pass(40 * DAY_MS);
    await check("ok", "ok", "failed", "failed", "failed");
    expect(await mailed()).toEqual([]);
    const key = await server.createKey({ person: { userId, organization, role: "viewer" } });
    const again = `/v2${SETTINGS.slice(4)}/confirmation`;
    const tested = await server.api("POST", again, undefined, { key });
    expect(tested.body.data.targets[0].problem_fact.code).toBe("settings.unconfirmed");
    await deliver();
    expect((await confirm(channelTokenIn(mail.mails.splice(0)[0]?.text ?? ""))).status).toBe(200);
    await check("ok", "ok", "ok");
    await check("ok", "ok", "failed", "failed", "failed");
    expect(await mailed()).toEqual(["Shop is down"]);
  });

  test("gets no more requests because its person left the organization that sent them", async () => {
    const { server, signUp, confirmationToken, send } = await start();
    const outsider = await signUp();
    await confirmationToken();
    const again = () => send(outsider, "POST", `${SETTINGS}/confirmation`);
    await again();
    const { db } = server.ctx.store;
    const { id: userId } = await db
      .selectFrom("users")
      .select("id")
      .where("email", "=", OUTSIDER)
      .executeTakeFirstOrThrow();
    const { organization } = await server.createOrganization();
    await insertMember(db, { userId, organizationId: organization.id, role: "owner" }, 0);
    const key = await server.createKey({ person: { userId, organization, role: "owner" } });
    expect((await server.api("POST", `${SETTINGS}/confirmation`, undefined, { key })).status).toBe(200);
    await deleteMember(db, organization.id, userId);
    expect((await again()).status).toBe(429);
  });

  test("gets no mail about a channel that was turned off either", async () => {
    const { signUp, confirmationToken, send, target, monitor, mailed, confirm } = await start();
    const outsider = await signUp();
    const token = await confirmationToken();
    target.set(status(410));
    const channel = { name: "Gone", type: "slack", config: { url: target.url } };
    const { id } = (await send(outsider, "POST", CHANNELS, channel)).body.data;
    await (await monitor(outsider)).fails();
    expect(await mailed()).toEqual([]);
    expect((await send(outsider, "GET", `${CHANNELS}/${id}`)).body.data.enabled).toBe(false);
    await confirm(token);
    await send(outsider, "PUT", `${CHANNELS}/${id}`, { enabled: true });
    await (await monitor(outsider)).fails();
    expect(await mailed()).toContain("The channel “Gone” was disabled");
  });

  test("waits where no mail with links is sent, and says what the operator has to set", async () => {
    const { signUp, problem, monitor, mailed, send } = await start({ publicUrl: null });
    const outsider = await signUp();
    await (await monitor(outsider)).fails();
    expect(await mailed()).toEqual([]);
    expect(await problem(outsider)).toBe("mail.no_address");
    expect((await send(outsider, "POST", `${SETTINGS}/confirmation`)).status).toBe(403);
  });

  test("gets no request where sign-up is closed: whoever runs the installation let its person in", async () => {
    const { server, check, mailed } = await start({ signup: "closed" });
    const { organization } = server.person;
    const { db } = server.ctx.store;
    const member = { uuid: randomUUIDv7(), email: OUTSIDER, name: "Ada", passwordHash: "" };
    const userId = (await insertUser(db, member, 0)) ?? 0;
    await insertMember(db, { userId, organizationId: organization.id, role: "member" }, 0);
    const key = await server.createKey({ person: { userId, organization, role: "member" } });
    const { targets } = (await server.api("GET", SETTINGS, undefined, { key })).body.data;
    expect(targets).toMatchObject([{ type: "email", problem: null }]);
    expect((await server.api("POST", `${SETTINGS}/confirmation`, undefined, { key })).status).toBe(409);
    await check("ok", "ok", "failed", "failed", "failed");
    expect(await mailed()).toEqual(["Shop is down"]);
  });
});
