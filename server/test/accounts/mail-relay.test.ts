import { expect, test } from "vitest";
import { confirmUserEmail } from "../../src/alerts/queries/own-channels.ts";
import { followPages } from "../../src/status-pages/subscriber/follow-pages.ts";
import { startMailing } from "../alerts/mailing.ts";
import { eachEngine } from "../harness/stores.ts";
import { openBrowser } from "./browser.ts";

const PASSWORD = "correct horse battery";
const DAY_MS = 86_400_000;
const origin = "https://vedette.test";

eachEngine("an installation on which anybody may sign up", (engine) => {
  async function start(name = "Mallory") {
    const mailing = await startMailing(engine, { signup: "open" });
    const { server, mail, deliver } = mailing;
    const signUp = async (email: string, more: object = {}) => {
      const browser = openBrowser(server);
      const send = (method: string, path: string, body?: object) =>
        browser.send(method, path, body, { origin });
      const made = await send("POST", "/api/auth/sign-up", { email, password: PASSWORD, name, ...more });
      const { userId, organizationId } = made.body.data ?? {};
      const confirm = () => confirmUserEmail(server.ctx.store.db, userId, mailing.now());
      const invite = (to: string, id = organizationId) =>
        send("POST", `/api/organizations/${id}/invitations`, { email: to, role: "member" });
      return { made, send, confirm, invite, organizationId };
    };
    await deliver();
    mail.mails.splice(0);
    const received = async () => {
      await deliver();
      return mail.mails.splice(0);
    };
    return { ...mailing, signUp, received };
  }

  test("sends nothing to others for an account whose own address is not confirmed", async () => {
    const { signUp, received } = await start();
    const { send, invite, confirm, organizationId } = await signUp("mallory@elsewhere.test");
    await received();
    const channel = (address: string) =>
      send("POST", "/api/notifications/channels", { name: "Ops", type: "email", config: { address } });
    const page = (await send("POST", "/api/status-pages", { name: "Status", slug: "mallory-status" })).body
      .data;
    const subscribers = `/api/status-pages/${page.id}/subscribers`;
    const ways = () => [
      channel("victim@elsewhere.test"),
      send("POST", subscribers, { kind: "email", address: "victim@elsewhere.test" }),
      send("POST", `${subscribers}/import`, { addresses: ["victim2@elsewhere.test"] }),
    ];
    for (const way of ways()) {
      const { status, body } = await way;
      expect([status, body.fact?.code]).toEqual([403, "mail.confirm_first"]);
    }
    // An invitation is there all the same, and its code can be handed over.
    const unsent = { sent: false, notSentReasonFact: { code: "mail.confirm_first" } };
    const invited = await invite("victim@elsewhere.test");
    expect([invited.status, invited.body.data]).toMatchObject([201, unsent]);
    expect(await received()).toEqual([]);
    const resent = await send(
      "POST",
      `/api/organizations/${organizationId}/invitations/${invited.body.data.id}/resend`,
    );
    expect([resent.status, resent.body.fact.code]).toEqual([403, "mail.confirm_first"]);
    await confirm();
    expect((await invite("victim@elsewhere.test")).body.data.sent).toBe(true);
    for (const way of ways()) expect((await way).status).toBeLessThan(300);
  });

  test("sends nothing to those whom visitors enter on a page none of whose owners has confirmed an address", async () => {
    const { signUp, received } = await start();
    const { send, confirm } = await signUp("mallory@elsewhere.test");
    await received();
    await send("POST", "/api/status-pages", { name: "Prizes", slug: "mallory-status" });
    const subscribe = (family: string, address: string) =>
      send("POST", `${family}/status-pages/mallory-status/subscriptions`, { kind: "email", address });
    for (const family of ["/api", "/v2"]) {
      const { status, body } = await subscribe(family, "victim@elsewhere.test");
      expect([status, body.fact?.code]).toEqual([403, "subscriber.owner_unconfirmed"]);
    }
    expect(await received()).toEqual([]);
    await confirm();
    expect((await subscribe("/api", "victim@elsewhere.test")).status).toBe(200);
    expect((await received()).map(({ to }) => to)).toEqual([["victim@elsewhere.test"]]);
  });

  test("sends an account's own address few test mails until it is confirmed", async () => {
    const { signUp, received } = await start();
    const { send, confirm } = await signUp("victim@elsewhere.test");
    const statuses = [];
    for (let at = 0; at < 12; at++) statuses.push((await send("POST", "/api/mail/test")).status);
    expect([statuses[0], statuses.at(-1)]).toEqual([200, 429]);
    expect((await received()).length).toBeLessThanOrEqual(10);
    await confirm();
    expect((await send("POST", "/api/mail/test")).status).toBe(200);
  });

  test("counts what one person, one organization and one address are worth within a day", async () => {
    const { signUp, pass } = await start();
    const mallory = await signUp("mallory@elsewhere.test");
    await mallory.confirm();
    const sent = [];
    for (let at = 0; at < 25; at++)
      sent.push((await mallory.invite(`victim${at}@elsewhere.test`)).body.data.sent);
    expect(sent).toEqual([...Array(20).fill(true), ...Array(5).fill(false)]);
    // Another organization is founded in a moment.
    const founded = await mallory.send("POST", "/api/organizations", { name: "Second" });
    const there = await mallory.invite("victim30@elsewhere.test", founded.body.data.id);
    const limited = { sent: false, notSentReasonFact: { code: "mail.external_limit" } };
    expect([there.status, there.body.data]).toMatchObject([201, limited]);
    // So is another account: its mails to one address count with those of others, behind a plus sign, too.
    const again = [];
    for (let at = 0; at < 11; at++) {
      const other = await signUp(`mallory${at}@elsewhere.test`);
      await other.confirm();
      again.push((await other.invite(`victim0+${at}@elsewhere.test`)).body.data.sent);
    }
    expect(again).toEqual([...Array(9).fill(true), false, false]);
    pass(DAY_MS);
    expect((await mallory.invite("victim31@elsewhere.test")).body.data.sent).toBe(true);
  });

  test("mails addresses that an account wants to have no more often than it invites", async () => {
    const { signUp } = await start();
    const { send, confirm } = await signUp("mallory@elsewhere.test");
    await confirm();
    const statuses = [];
    for (let at = 0; at < 22; at++) {
      const body = { email: `victim${at}@elsewhere.test`, password: PASSWORD };
      statuses.push((await send("POST", "/api/auth/email", body)).status);
    }
    expect(statuses.filter((status) => status < 300)).toHaveLength(20);
    expect(statuses.at(-1)).toBe(429);
  });

  test("lets an account without a confirmed address correct it a few times a day, in words of our own", async () => {
    const { signUp, received, pass } = await start("Win a prize at evil dot test");
    const { send } = await signUp("mallory@elsewhere.test", { organization: "Prizes of evil dot test" });
    await received();
    const change = async (at: number) => {
      const body = { email: `victim${at}@elsewhere.test`, password: PASSWORD };
      return (await send("POST", "/api/auth/email", body)).status;
    };
    const statuses = [];
    for (let at = 0; at < 5; at++) statuses.push(await change(at));
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
    const mails = await received();
    expect(mails.map(({ to }) => to)).toEqual([0, 1, 2].map((at) => [`victim${at}@elsewhere.test`]));
    for (const { raw, text, html } of mails) expect(raw + text + html).not.toMatch(/prize/i);
    pass(DAY_MS);
    expect(await change(5)).toBe(200);
  });

  test("sends no more than ten confirmation requests to one mailbox, whatever stands behind the plus, and none with a name", async () => {
    const { signUp, received, pass } = await start("Win a prize");
    const organization = "Prizes of evil dot test";
    let mailed = 0;
    for (let at = 0; at < 12; at++) {
      const { send, made, organizationId } = await signUp(`victim+${at}@elsewhere.test`, { organization });
      expect(made.status).toBe(201);
      // The mail has the name that an organization has when it is sent.
      await send("PUT", `/api/organizations/${organizationId}`, { name: "Another prize" });
      const again = await send("POST", "/api/notifications/settings/confirmation");
      expect(again.status).toBe(at < 5 ? 200 : 429);
      const mails = await received();
      for (const { raw, text, html } of mails) expect(raw + text + html).not.toMatch(/prize|evil/i);
      mailed += mails.length;
    }
    expect(mailed).toBe(10);
    pass(DAY_MS + 1);
    await signUp("victim+13@elsewhere.test", { organization });
    expect(await received()).toHaveLength(1);
  });

  test("counts mails to subscribers whom owners add, by hand or by a list, with others that they send", async () => {
    const { signUp, server, pass } = await start();
    const { send, confirm, invite } = await signUp("mallory@elsewhere.test");
    await confirm();
    const pages = [];
    for (const slug of ["mallory-one", "mallory-two"]) {
      const made = await send("POST", "/api/status-pages", { name: slug, slug });
      pages.push(`/api/status-pages/${made.body.data.id}/subscribers`);
    }
    for (let at = 0; at < 5; at++) {
      const body = { kind: "email", address: `victim${at}@elsewhere.test` };
      expect((await send("POST", pages[0] as string, body)).status).toBe(201);
    }
    const addresses = Array.from({ length: 30 }, (_, at) => `victim${at + 5}@elsewhere.test`);
    await send("POST", `${pages[1]}/import`, { addresses });
    const { look } = followPages(server.ctx);
    const requested = async () => {
      for (let round = 0; round < 4; round++) await look();
      const rows = await server.ctx.store.db.selectFrom("outbox").select("event").execute();
      return rows.filter(({ event }) => event === "subscription.question").length;
    };
    expect(await requested()).toBe(15);
    // Some are left for invitations.
    expect((await invite("guest@elsewhere.test")).body.data.sent).toBe(true);
    pass(DAY_MS + 1);
    expect(await requested()).toBe(30);
  });

  test("makes no link of a name in what it sends", async () => {
    const { signUp, received } = await start("Win http://evil.test/prize");
    const { confirm, invite } = await signUp("mallory@elsewhere.test", {
      organization: "https://evil.test www.evil.test",
    });
    await received();
    await confirm();
    await invite("victim@elsewhere.test");
    const [mail] = await received();
    for (const part of [mail?.text ?? "", mail?.html ?? ""])
      expect(part.replaceAll("\u200b", "")).toContain("http://evil.test/prize");
    const subject = mail?.headers["subject"] ?? "";
    expect(subject.replaceAll("\u200b", "")).toContain("https://evil.test www.evil.test");
    for (const part of [subject, mail?.text ?? "", mail?.html ?? ""]) {
      expect(part).not.toMatch(/evil\.test|:\/\/evil/);
      const links = part.match(/https?:\/\/[^\s"<]+/g) ?? [];
      expect(links.filter((url) => !url.startsWith(origin))).toEqual([]);
    }
  });

  test.each(["Ada\u202egnp.exe", "Ada\u0007", "Ada\u2028Lovelace", "\u2066Ada", "Ada\r\nBcc: x@y.test"])(
    "takes no name with control characters or such that turn text around: %j",
    async (bad) => {
      const { signUp } = await start(bad);
      const named = await signUp("mallory@elsewhere.test");
      expect([named.made.status, Object.keys(named.made.body.errors ?? {})]).toEqual([422, ["name"]]);
      const founding = await signUp("mallory@elsewhere.test", { name: "Ada", organization: bad });
      expect([founding.made.status, Object.keys(founding.made.body.errors ?? {})]).toEqual([
        422,
        ["organization"],
      ]);
    },
  );
});
