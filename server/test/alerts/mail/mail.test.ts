import { expect, onTestFinished, test } from "vitest";
import { bodiesOf } from "../../../src/alerts/mail/mail-body.ts";
import { sendMail } from "../../../src/alerts/mail/send-mail.ts";
import { hashToken } from "../../../src/platform/access/random-tokens.ts";
import { mails as german } from "../../../src/platform/i18n/notifications/de.ts";
import { mails as english } from "../../../src/platform/i18n/notifications/en.ts";
import { mails as chinese } from "../../../src/platform/i18n/notifications/zh.ts";
import { readerOf } from "../../../src/platform/i18n/reader.ts";
import { startTestServer } from "../../harness/server.ts";
import { startMailServer } from "../../harness/smtp.ts";
import { eachEngine } from "../../harness/stores.ts";
import { startMailing } from "../mailing.ts";

test("keeps its lines in both of its forms", () => {
  const words = { subject: "", text: "4 are down\n2 < 3 are up", action: null, ending: null, footer: null };
  const { text, html } = bodiesOf(words, null);
  expect(text).toBe("4 are down\n2 < 3 are up\n");
  expect(html).toContain(">4 are down<br>2 &lt; 3 are up</p>");
});

const slotsOf = (text: string) => (text.match(/\{[^}]*\}/g) ?? []).toSorted();

test.each([
  ["de", german],
  ["zh", chinese],
] as const)("the mails of %s say what the English ones say", (_, texts) => {
  expect(Object.keys(texts)).toEqual(Object.keys(english));
  for (const [code, text] of Object.entries(english)) {
    expect(slotsOf(texts[code as keyof typeof english]), code).toEqual(slotsOf(text));
  }
});

eachEngine("a mail", (engine) => {
  test("says who it is from, is marked as automatic, and has a name of its own", async () => {
    const { server, mail, deliver } = await startMailing(engine, {
      mailFrom: { name: "Vedette, Zürich", address: "watch@vedette.test" },
    });
    await server.api("POST", `/api/organizations/${server.person.organization.id}/invitations`, {
      email: "guest@vedette.test",
      role: "viewer",
    });
    await deliver();
    const [got] = mail.mails;
    expect(got?.from).toBe("watch@vedette.test");
    expect(got?.headers).toMatchObject({
      from: expect.stringMatching(/^"?Vedette, Zürich"? <watch@vedette\.test>$/),
      to: "guest@vedette.test",
      "auto-submitted": "auto-generated",
      "message-id": expect.stringMatching(/^<[0-9a-f-]{36}@vedette\.test>$/),
      "content-language": "en",
    });
    expect(got?.html).not.toMatch(/<img|<script|<link|src=|url\(/);
    expect(got?.html.match(/https?:[^"<\s]*/g)?.every((one) => one.startsWith("https://vedette.test"))).toBe(
      true,
    );
  });

  test("is handed over under the name that is set, else the address of the connection's own side", async () => {
    const { server, mail } = await startMailing(engine);
    const greeted = async (ehloName?: string) => {
      Object.assign(server.ctx.config.smtp ?? {}, { ehloName });
      expect((await server.api("POST", "/api/mail/test")).body.data).toMatchObject({ accepted: true });
      return mail.mails.at(-1)?.ehloName;
    };
    expect(await greeted()).toBe("[127.0.0.1]");
    expect(await greeted("vedette.example.org")).toBe("vedette.example.org");
  });

  test("cannot be given headers, recipients or markup by a name", async () => {
    const { server, mail, deliver } = await startMailing(engine);
    const evil = 'Eve\r\nBcc: all@vedette.test\r\n\r\n<b onclick="x">Hello</b>, =?utf-8?q?b=0D=0ABcc:_x?=';
    const params = {
      name: evil,
      organization: evil,
      role: "member",
      email: "guest@vedette.test",
      until: "2026-12-01T00:00:00.000Z",
    };
    const sent = {
      kind: "invitation",
      reader: readerOf(undefined),
      params,
      link: "https://vedette.test/",
    } as const;
    const ctx = { ...server.ctx, db: server.ctx.store.db };
    await sendMail(ctx, { to: "guest@vedette.test", mail: sent, worthMs: 60_000 });
    await sendMail(ctx, { to: "a@vedette.test\r\nRCPT TO:<b@vedette.test>", mail: sent, worthMs: 60_000 });
    await deliver();
    expect(mail.mails.map(({ to }) => to)).toEqual([["guest@vedette.test"]]);
    const [got] = mail.mails;
    expect(Object.keys(got?.headers ?? {})).not.toContain("bcc");
    expect(got?.raw).not.toMatch(/^Bcc:/im);
    expect(got?.html).not.toContain("<b ");
    // Nothing in it becomes a link either.
    expect(got?.headers["subject"]?.replaceAll("\u200b", "")).toMatch(/^Eve Bcc: all@vedette.test/);
  });

  test("goes by sign-in where the server wants one, and a wrong password is reported without being shown", async () => {
    const mail = await startMailServer({ user: { name: "vedette", password: "hush-hush" } });
    const server = await startTestServer({
      engine,
      config: { smtp: mail.smtp, publicUrl: "https://vedette.test" },
    });
    onTestFinished(async () => {
      await server.close();
      await mail.stop();
    });
    const right = await server.api("POST", "/api/mail/test");
    expect(right.body.data).toMatchObject({ accepted: true });
    expect(mail.mails).toHaveLength(1);
    Object.assign(server.ctx.config.smtp ?? {}, { auth: { user: "vedette", pass: "not-hush" } });
    const wrong = await server.api("POST", "/api/mail/test");
    expect([wrong.status, wrong.body.data.accepted]).toEqual([200, false]);
    expect(wrong.body.data.answer).toMatch(/refused the user name or password: .*535/);
    expect(JSON.stringify([wrong.body, server.problems])).not.toContain("hush");
  });
});

eachEngine("the test mail", (engine) => {
  test("goes to the owner who requests it, and says what the mail server answered, in both families", async () => {
    const { server, mail, outbox } = await startMailing(engine);
    for (const path of ["/api/mail/test", "/v2/mail/test"]) {
      const { status, body } = await server.api("POST", path);
      expect([status, body.data.accepted]).toEqual([200, true]);
      expect(body.data.answer).toMatch(/^The mail server 127\.0\.0\.1:\d+ accepted it: 250 /);
      expect(mail.mails.splice(0).map(({ to }) => to)).toEqual([[body.data.to]]);
    }
    mail.refuse({ code: 550, text: "5.7.1 Not from you" });
    expect((await server.api("POST", "/api/mail/test")).body.data).toMatchObject({
      accepted: false,
      answer: expect.stringContaining("refused it: 550 5.7.1 Not from you"),
      answerFact: { code: "mail.refused" },
    });
    await mail.stop();
    const away = await server.api("POST", "/v2/mail/test");
    expect(away.body.data).toMatchObject({ accepted: false, answer_fact: { code: "mail.unreachable" } });
    expect(await outbox()).toEqual([]);
  });

  test("goes to one person twenty times an hour at most: their address may be another person's", async () => {
    const { server, mail } = await startMailing(engine, { rateLimits: true });
    const { userId } = server.person;
    const before = hashToken(`user:${userId}`);
    for (let sent = 0; sent < 19; sent += 1) await server.app.limiter.count("test-mails", before, 3_600);
    const answers = [await server.api("POST", "/api/mail/test"), await server.api("POST", "/v2/mail/test")];
    expect(answers.map(({ status }) => status)).toEqual([200, 429]);
    expect(mail.mails).toHaveLength(1);
  });

  test("goes by what owners are shown: the server and the sender, without its password", async () => {
    const mailFrom = { name: "Vedette", address: "watch@vedette.test" };
    const { server, mail } = await startMailing(engine, { mailFrom });
    const { host, port } = mail.smtp;
    Object.assign(server.ctx.config, { smtp: { ...mail.smtp, auth: { user: "us", pass: "hush-hush" } } });
    const received = await server.api("GET", "/api/mail");
    expect([received.status, received.body.data]).toEqual([
      200,
      { server: `${host}:${port}`, sender: "Vedette <watch@vedette.test>", links: true },
    ]);
    Object.assign(server.ctx.config, { publicUrl: null });
    expect((await server.api("GET", "/v2/mail")).body.data).toMatchObject({ links: false });
    Object.assign(server.ctx.config, { smtp: null });
    const off = { server: null, sender: null, links: false };
    expect((await server.api("GET", "/api/mail")).body.data).toEqual(off);
    const key = await server.createKey({ role: "admin" });
    expect((await server.api("GET", "/api/mail", undefined, { key })).status).toBe(403);
  });

  test("is for owners, and says where no mail server is configured", async () => {
    const { server } = await startMailing(engine, { smtp: null, publicUrl: null });
    const off = await server.api("POST", "/api/mail/test");
    expect([off.status, off.body.fact]).toEqual([403, { code: "mail.off" }]);
    const key = await server.createKey({ role: "admin" });
    const admin = await server.api("POST", "/api/mail/test", undefined, { key });
    expect([admin.status, admin.body.fact.code]).toEqual([403, "access.low_role"]);
  });
});
