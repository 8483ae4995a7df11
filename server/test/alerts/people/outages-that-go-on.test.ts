import { randomUUIDv7 } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { insertMember } from "../../../src/accounts/queries/members.ts";
import { insertUser } from "../../../src/accounts/queries/users.ts";
import { confirmUserEmail } from "../../../src/alerts/queries/own-channels.ts";
import { openBrowser, signedIn } from "../../accounts/browser.ts";
import { respond } from "../../harness/behaviours.ts";
import { newBrowser } from "../../harness/push.ts";
import { type EngineName, eachEngine } from "../../harness/stores.ts";
import { startTlsTarget } from "../../harness/targets.ts";
import { startTelling } from "../channel-setup.ts";
import { tokenIn } from "../mailing.ts";

const HOUR_MS = 3_600_000;
const EMAIL = "ada@elsewhere.test";
const PASSWORD = "correct horse battery";

/** Where anybody can sign up. */
async function start(engine: EngineName) {
  const telling = await startTelling(engine, { signup: "open" });
  const { server, mail, deliver, checkOf, pass } = telling;
  const origin = server.ctx.config.publicUrl ?? server.url;
  return {
    ...telling,
    /** A person who has not confirmed their address, and whose monitor is down. */
    async signUpAndFail() {
      const browser = openBrowser(server);
      const send = (method: string, path: string, body?: object) =>
        browser.send(method, path, body, { origin });
      expect((await send("POST", "/api/auth/sign-up", { email: EMAIL, password: PASSWORD })).status).toBe(
        201,
      );
      const monitor = { url: "https://theirs.example/", name: "Theirs" };
      const { id } = (await send("POST", "/api/domains", monitor)).body.data;
      await checkOf(id, "ok", "ok", "failed", "failed", "failed");
      await deliver();
      mail.mails.splice(0);
      return send;
    },
    /** The token in the only mail since the last one. */
    async mailedToken() {
      await deliver();
      return tokenIn(mail.mails.splice(0)[0]?.text ?? "");
    },
    /** What an address is mailed within some hours in which nothing happens. */
    async mailedLater(email: string) {
      for (let hours = 0; hours < 4; hours += 1) {
        await deliver();
        pass(HOUR_MS);
      }
      return mail.mails.filter(({ to }) => to.includes(email)).map(({ headers }) => headers["subject"]);
    },
  };
}

eachEngine("a person is notified of an outage that goes on", (engine) => {
  test("when the code of an invitation confirms their address", async () => {
    const { server, signUpAndFail, mailedToken, mailedLater } = await start(engine);
    const send = await signUpAndFail();
    const at = `/api/organizations/${server.person.organization.id}/invitations`;
    expect((await server.api("POST", at, { email: EMAIL, role: "member" })).status).toBe(201);
    const code = await mailedToken();
    const [{ id }] = (await send("GET", "/api/invitations")).body.data;
    expect((await send("POST", `/api/invitations/${id}/accept`, { code })).status).toBe(200);
    expect(await mailedLater(EMAIL)).toEqual(["Theirs is down"]);
  });

  test("when they change to an address that they confirm", async () => {
    const { signUpAndFail, mailedToken, mailedLater } = await start(engine);
    const send = await signUpAndFail();
    const email = "ada@new.test";
    expect((await send("POST", "/api/auth/email", { email, password: PASSWORD })).status).toBe(200);
    const token = await mailedToken();
    expect((await send("POST", "/api/auth/email/confirm", { token })).status).toBe(200);
    expect(await mailedLater(email)).toEqual(["Theirs is down"]);
  });

  test("when they join the organization, and once only", async () => {
    const { server, check, deliver, now, mailedLater } = await start(engine);
    const { db } = server.ctx.store;
    await check("ok", "ok", "failed", "failed", "failed");
    await deliver();
    const person = { uuid: randomUUIDv7(), email: EMAIL, name: "Ada", passwordHash: "" };
    const userId = (await insertUser(db, person, now())) ?? 0;
    await confirmUserEmail(db, userId, now());
    const organizationId = server.person.organization.id;
    await insertMember(db, { userId, organizationId, role: "member" }, now());
    expect(await mailedLater(EMAIL)).toEqual(["Shop is down"]);
    const [incident] = (await server.api("GET", "/api/incidents")).body.data;
    await server.api("POST", `/api/incidents/${incident.id}/acknowledge`);
    expect(await mailedLater(EMAIL)).toEqual(["Shop is down"]);
  });

  test("when they turn notifications on in a browser", async () => {
    const { server, deliver, checkOf } = await startTelling(engine, { signup: "open", publicUrl: null });
    const service = await startTlsTarget({ handler: respond({ status: 201, body: "" }) });
    onTestFinished(service.close);
    server.ctx.network.ca = [service.ca];
    const { browser } = await signedIn(server);
    const monitor = { url: "https://theirs.example/", name: "Theirs" };
    const { id } = (await browser.send("POST", "/api/domains", monitor)).body.data;
    await checkOf(id, "ok", "ok", "failed", "failed", "failed");
    await deliver();
    const { subscription } = newBrowser(`${service.url}send/address`);
    expect((await browser.send("POST", "/api/auth/push", subscription)).status).toBe(201);
    await deliver();
    expect(service.requests).toHaveLength(1);
  });
});
