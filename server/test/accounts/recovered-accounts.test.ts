import { expect, onTestFinished, test } from "vitest";
import { insertMember } from "../../src/accounts/queries/members.ts";
import { resetPassword } from "../../src/accounts/users.ts";
import { confirmUserEmail } from "../../src/alerts/queries/own-channels.ts";
import { findUserByEmail } from "../../src/platform/access/queries/users.ts";
import { callVerb } from "../../src/platform/operations/call.ts";
import { startTelling } from "../alerts/channel-setup.ts";
import { PUBLIC_URL, tokenIn } from "../alerts/mailing.ts";
import { newBrowser } from "../harness/push.ts";
import { type EngineName, eachEngine } from "../harness/stores.ts";
import { startHttpTarget } from "../harness/targets.ts";
import { openBrowser, PASSWORD } from "./browser.ts";

const SETTINGS = "/api/notifications/settings";
const NEW_PASSWORD = "battery horse correct";
const FROM_US = { origin: PUBLIC_URL };

/** A company, and an outsider who signed up with the address of a person whom the company is about to add. */
async function startRecovering(engine: EngineName) {
  const telling = await startTelling(engine, { signup: "open" });
  const { server, mail, deliver, now } = telling;
  const email = "right-person@company.test";
  const before = openBrowser(server);
  await before.send("POST", "/api/auth/sign-up", { email, password: PASSWORD }, FROM_US);
  await server.ctx.store.db.deleteFrom("outbox").where("event", "=", "confirmation").execute();
  const theirs = await startHttpTarget();
  onTestFinished(theirs.close);
  const set = (change: object) => before.send("PUT", SETTINGS, change, FROM_US);
  const joinCompany = async () => {
    const { db } = server.ctx.store;
    const user = await findUserByEmail(db, email);
    const organizationId = server.person.organization.id;
    await insertMember(db, { userId: user?.id ?? 0, organizationId, role: "member" }, now());
  };
  const confirm = async () => {
    const { db } = server.ctx.store;
    await confirmUserEmail(db, (await findUserByEmail(db, email))?.id ?? 0, now());
  };
  /** By the link that is mailed to the address. */
  const recover = async () => {
    const person = openBrowser(server);
    await person.send("POST", "/api/auth/password/forgot", { email }, FROM_US);
    await deliver();
    const token = tokenIn(mail.mails.splice(0)[0]?.text ?? "");
    const body = { token, password: NEW_PASSWORD };
    const reset = await person.send("POST", "/api/auth/password/reset", body, FROM_US);
    expect(reset.status).toBe(200);
  };
  const signIn = async () => {
    const person = openBrowser(server);
    await person.send("POST", "/api/auth/sign-in", { email, password: NEW_PASSWORD }, FROM_US);
    return person;
  };
  const operatorResets = () =>
    callVerb({ ...server.ctx, operator: true }, resetPassword, { email, password: NEW_PASSWORD });
  const mailed = () => mail.mails.filter(({ to }) => to.includes(email));
  return { ...telling, before, theirs, set, confirm, joinCompany, recover, operatorResets, signIn, mailed };
}

eachEngine("an account whose person got it back", (engine) => {
  test.each(["by mail", "from the operator"] as const)(
    "%s sends its former holder nothing any more, and has the usual settings",
    async (way) => {
      const recovering = await startRecovering(engine);
      const { before, theirs, set, joinCompany, recover, operatorResets, signIn } = recovering;
      const { check, deliver } = recovering;
      const left = await set({
        emailNotifications: false,
        emailIncidents: false,
        slackEnabled: true,
        slackWebhookUrl: `${theirs.url}slack`,
        webhookUrl: `${theirs.url}webhook`,
      });
      expect([left.status, left.body.data.targets]).toMatchObject([200, [{}, {}, {}]]);
      const push = newBrowser("https://127.0.0.1:9/push").subscription;
      expect((await before.send("POST", "/api/auth/push", push, FROM_US)).status).toBe(201);

      await (way === "by mail" ? recover() : operatorResets());
      await joinCompany();
      await check("ok", "ok", "failed", "failed", "failed");
      await deliver();

      expect(theirs.requests).toEqual([]);
      const shown = await (await signIn()).send("GET", SETTINGS);
      expect(shown.body.data).toMatchObject({
        emailNotifications: true,
        emailIncidents: true,
        slackEnabled: false,
        slackWebhookUrl: "",
        webhookUrl: "",
        targets: [{ type: "email" }],
      });
    },
  );

  test("lets no key of before lead elsewhere what its person is sent, and a new one do so", async () => {
    const { server, before, theirs, recover, signIn, pass } = await startRecovering(engine);
    const body = { name: "Old", scopes: ["*:*"] };
    const made = await before.send("POST", "/api-keys", body, FROM_US);
    expect(made.status).toBe(201);
    const change = (key: string) =>
      server.api("PUT", SETTINGS, { webhookUrl: `${theirs.url}webhook` }, { key });
    expect((await change(made.body.data.token)).status).toBe(200);
    await recover();
    pass(1_000);
    const refused = await change(made.body.data.token);
    expect([refused.status, refused.body.message]).toEqual([403, expect.stringContaining("recovery")]);
    const again = await (await signIn()).send("POST", "/api-keys", body, FROM_US);
    expect((await change(again.body.data.token)).status).toBe(200);
  });

  test("is sent at once what quiet hours of its former holder held back from its person", async () => {
    const { set, confirm, joinCompany, recover, check, deliver, mailed } = await startRecovering(engine);
    await confirm();
    await set({ quietHours: { from: "00:00", to: "23:59", timeZone: "UTC" } });
    await joinCompany();
    await check("ok", "ok", "failed", "failed", "failed");
    const reported = () => mailed().filter(({ headers }) => headers["subject"] === "Shop is down");
    await deliver();
    expect(reported()).toEqual([]);
    await recover();
    await deliver();
    expect(reported()).toHaveLength(1);
  });
});
