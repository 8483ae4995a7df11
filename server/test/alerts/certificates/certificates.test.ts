import { expect, test } from "vitest";
import { certificateLevel } from "../../../src/alerts/certificates/levels.ts";
import { notifyOfCertificates, saidLeft } from "../../../src/alerts/certificates/notify-of-certificates.ts";
import { ingestBatch } from "../../../src/app/pipeline.ts";
import type { CertificateReport } from "../../../src/checks/certificate.ts";
import { msg } from "../../../src/platform/i18n/message.ts";
import { probed } from "../../app/pipeline/setup.ts";
import { respond } from "../../harness/behaviours.ts";
import type { TestServer } from "../../harness/server.ts";
import { type EngineName, eachEngine } from "../../harness/stores.ts";
import { startTelling } from "../channel-setup.ts";
import { CASES, type HttpType } from "../channels/channel-cases.ts";
import { PUBLIC_URL } from "../mailing.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MINUTE_MS = 60_000;
const ISSUER = "CN=E7, O=Let's Encrypt, C=US";

test.each([
  ["soon", { expiresAt: 14 * DAY_MS }],
  [null, { expiresAt: 14 * DAY_MS + 1 }],
  ["7", { expiresAt: 7 * DAY_MS }],
  ["3", { expiresAt: 3 * DAY_MS }],
  ["1", { expiresAt: 1 }],
  [null, { expiresAt: 0 }],
  ["expired", { expiresAt: 0, unverified: true }],
  [null, { valid: false, expiresAt: 90 * DAY_MS }],
  ["invalid", { valid: false, expiresAt: 90 * DAY_MS, unverified: true }],
  ["soon", { expiresAt: 30 * DAY_MS, expiringSoonDays: 30 }],
  [null, { expiresAt: 6 * DAY_MS, expiringSoonDays: 5 }],
  [null, { expiresAt: null }],
] as const)("level %s is notified for a certificate with %j", (level, known) => {
  const certificate = { valid: true, issuer: ISSUER, expiringSoonDays: null, unverified: false, ...known };
  expect(certificateLevel(certificate, 0)).toBe(level);
});

test.each([
  [14 * DAY_MS - MINUTE_MS, 14 * DAY_MS],
  [6.9 * DAY_MS, 6 * DAY_MS],
  [DAY_MS, DAY_MS],
  [DAY_MS - MINUTE_MS, DAY_MS],
  [22 * HOUR_MS, 22 * HOUR_MS],
  [5.5 * HOUR_MS, 5 * HOUR_MS],
  [MINUTE_MS, HOUR_MS],
])("%d ms are said as %d", (left, said) => {
  expect(saidLeft(left)).toBe(said);
});

eachEngine("channels, of certificates,", (engine) => {
  const start = () => startWatching(engine);

  test("are sent nothing by a clock that cannot be right, and in time once it is", async () => {
    const { addChannel, show, look, pass, received } = await start();
    await addChannel();
    await show({ days: 90 });
    pass(89 * DAY_MS);
    await look({ isSkewSuspected: true });
    pass(-89 * DAY_MS);
    await look();
    expect(received()).toEqual([]);
    pass(76 * DAY_MS);
    await look();
    expect(received().map(({ title }) => title)).toEqual(["Shop's certificate expires in 14 days"]);
  });

  test.each([0, MINUTE_MS / 2, MINUTE_MS])(
    "are notified at the threshold and with 7, 3 and 1 days left, once each, by looks %d ms later",
    async (lateMs) => {
      const { addChannel, show, look, pass, received, monitorId } = await start();
      await addChannel();
      await show({ days: 15 });
      await look();
      // A look comes up to a minute after the step.
      pass(lateMs);
      for (let day = 0; day < 15; day += 1) {
        pass(DAY_MS);
        await look();
      }
      expect(received().map(({ title }) => title)).toEqual([
        "Shop's certificate expires in 14 days",
        "Shop's certificate expires in 7 days",
        "Shop's certificate expires in 3 days",
        "Shop's certificate expires in 1 day",
      ]);
      expect(received().map(({ severity }) => severity)).toEqual(["low", "low", "medium", "medium"]);
      expect(received()[0]).toMatchObject({
        type: "certificate.expiring",
        text: expect.stringMatching(
          /^It expires on \w+ \d+, \d+, in 14 days\. It was issued by E7, Let's Encrypt\.$/,
        ),
        ...{ url: `${PUBLIC_URL}/domains/${monitorId}`, acknowledgeUrl: null },
        monitor: { id: monitorId, severity: "high" },
        certificate: { fingerprint: "aa", issuer: ISSUER },
      });
    },
  );

  test("are notified in the same thread that it is OK again, if they were notified before", async () => {
    const { addChannel, show, look, pass, target } = await start();
    const { config, takes } = CASES.discord;
    target.set(respond({ status: 200, body: takes?.body ?? "{}" }));
    await addChannel({ type: "discord", config: config(target.url) });
    await show({ days: 5 });
    await look();
    await addChannel({ type: "slack", config: CASES.slack.config(target.url) });
    pass(MINUTE_MS);
    await show({ days: 90, fingerprint: "bb" });
    await look();
    // A server behind the same name still shows the former one now and then.
    await show({ days: 5 });
    await look();
    expect(target.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "POST /api/webhooks/1/token?wait=true",
      "PATCH /api/webhooks/1/token/messages/815",
    ]);
    expect(JSON.parse(target.requests[1]?.body ?? "")).toMatchObject({
      embeds: [{ title: "Shop's certificate is OK again" }],
    });
  });

  test.each(["renewed", "paused", "deleted", "left for another address"])(
    "have no alert left where it is %s",
    async (how) => {
      const { addChannel, show, look, pass, target, received, server, monitorId } = await start();
      target.set(respond({ status: 202, body: "{}" }));
      await addChannel({ type: "pagerduty", config: CASES.pagerduty.config(target.url) });
      await show({ days: 2 });
      await look();
      pass(MINUTE_MS);
      if (how === "renewed") await show({ days: 90, fingerprint: "bb" });
      else await WAYS_TO_STOP[how]?.(server, monitorId);
      await look();
      expect(received()).toMatchObject([
        { event_action: "trigger", payload: { severity: "warning" } },
        { event_action: "resolve", dedup_key: received()[0]?.["dedup_key"] },
      ]);
    },
  );

  test.each([
    ["paused", "paused", { issuer: ISSUER }],
    ["deleted", "deleted", { issuer: ISSUER }],
    ["left for another address", "checked in another way from now on", { issuer: "", expiresAt: null }],
  ])(
    "that are programs are notified which is not watched any more where it is %s, and why; people do not",
    async (how, reason, known) => {
      const { addChannel, show, look, pass, target, received, deliveries, server, monitorId } = await start();
      await addChannel();
      const people = await addChannel({ type: "slack", config: CASES.slack.config(target.url) });
      await show({ days: 2 });
      await look();
      pass(MINUTE_MS);
      await WAYS_TO_STOP[how]?.(server, monitorId);
      await look();
      expect(received().at(-1)).toMatchObject({
        ...{ type: "monitor.stopped", title: "Shop's certificate is no longer watched", reason },
        ...{ text: `Shop's certificate is no longer watched (${reason}).` },
        certificate: { fingerprint: "aa", ...known },
      });
      expect(await deliveries(people)).toMatchObject([{ event: "certificate.expiring" }]);
    },
  );

  test("do not get who issued it where that is not known", async () => {
    const { addChannel, show, look, received } = await start();
    await addChannel();
    await show({ days: 2, issuer: "" });
    await look();
    expect(received()).toMatchObject([{ text: expect.stringMatching(/^It expires on [^.]*\.$/) }]);
  });

  test("are notified that it is not valid where its check accepts that, and not where it is down for it", async () => {
    const { addChannel, addMonitor, showOf, look, received } = await start();
    await addChannel();
    const lenient = await addMonitor({ name: "Till", ignoreCertificate: true });
    const strict = await addMonitor({ name: "Bank" });
    const wrong = {
      valid: false,
      invalidCode: "self_signed",
      invalidReason: msg("certificate.self_signed"),
    };
    for (const id of [lenient, strict]) await showOf(id, { days: 90, ...wrong });
    await look();
    expect(received()).toMatchObject([
      {
        ...{ type: "certificate.invalid", title: "Till's certificate is not valid", severity: "medium" },
        text: expect.stringMatching(
          /^The certificate is self-signed.* The check accepts it\. It was issued by E7, Let's Encrypt\.$/,
        ),
      },
    ]);
  });

  test("are not warned while it is down, paused or in maintenance, and are once that is over", async () => {
    const { addChannel, show, look, pass, check, received, server, monitorId, now } = await start();
    await addChannel({ events: ["certificate.expiring"] });
    await show({ days: 5 });
    await check("failed", "failed", "failed");
    await look();
    await check("ok", "ok", "ok");
    await server.api("PUT", `/api/domains/${monitorId}`, { enabled: false });
    await look();
    await server.api("PUT", `/api/domains/${monitorId}`, { enabled: true });
    const { db } = server.ctx.store;
    const until = (at: number | null) =>
      db
        .updateTable("monitor_states")
        .set({ maintenance_until: at })
        .where("monitor_id", "=", monitorId)
        .execute();
    await check("ok");
    await until(now() + HOUR_MS);
    await look();
    expect(received()).toEqual([]);
    pass(HOUR_MS);
    await until(null);
    await look();
    expect(received()).toHaveLength(1);
  });

  test("are notified by their filter, by a severity of its own", async () => {
    const { addChannel, show, look, deliveries } = await start();
    const low = await addChannel({ severities: ["low"] });
    const high = await addChannel({ severities: ["high", "critical"] });
    const others = await addChannel({ events: ["monitor.down", "certificate.invalid"] });
    await show({ days: 10 });
    await look();
    const notified = await Promise.all([low, high, others].map(async (id) => (await deliveries(id)).length));
    expect(notified).toEqual([1, 0, 0]);
  });

  test.each(Object.keys(CASES) as HttpType[])("are notified by %s", async (type) => {
    const { addChannel, show, look, target, deliveries } = await start();
    const { config, takes } = CASES[type];
    target.set(respond({ status: takes?.status ?? 200, body: takes?.body ?? "{}" }));
    const channel = await addChannel({ type, config: config(target.url) });
    await show({ days: 10 });
    await look();
    expect(await deliveries(channel)).toMatchObject([{ event: "certificate.expiring", state: "sent" }]);
  });

  test("become one message where there are many", async () => {
    const { addChannel, addMonitor, showOf, look, received, target } = await start();
    await addChannel({ type: "slack", config: CASES.slack.config(target.url) });
    for (let each = 1; each <= 11; each += 1) await showOf(await addMonitor(), { days: 10 });
    await look();
    expect(received().map(({ text }) => text)).toEqual(["11 certificates expire soon"]);
  });

  test.each([
    [true, ["Shop's certificate expires in 10 days"]],
    [false, []],
  ])(
    "reach people by mail with what they are mailed about downtime (%s)",
    async (emailDowntime, subjects) => {
      const { show, look, mail, server } = await start();
      const settings = { emailNotifications: true, emailDowntime };
      await server.api("PUT", "/api/notifications/settings", settings);
      await show({ days: 10.5 });
      await look();
      expect(mail.mails.map(({ headers }) => headers["subject"])).toEqual(subjects);
    },
  );
});

/** How people stop watching a certificate. */
const WAYS_TO_STOP: Partial<Record<string, (server: TestServer, id: number) => Promise<unknown>>> = {
  paused: (server, id) => server.api("PUT", `/api/domains/${id}`, { enabled: false }),
  deleted: (server, id) => server.api("DELETE", `/api/domains/${id}`),
  "left for another address": (server, id) =>
    server.api("PUT", `/api/domains/${id}`, { url: "http://other.example/" }),
};

/** A monitor that is up, whose checks show a certificate. */
eachEngine("the bell of the app, of certificates,", (engine) => {
  const start = async () => {
    const watching = await startWatching(engine);
    const { server, monitorId } = watching;
    const rung = async () => {
      const { body } = await server.api("GET", "/api/notifications");
      return body.data.map(({ event, message }: { event: string; message: string }) => [event, message]);
    };
    return { ...watching, rung, change: (to: object) => server.api("PUT", `/api/domains/${monitorId}`, to) };
  };

  test("says where there are no channels that one expires, and once that it is OK again", async () => {
    const { show, look, pass, rung, server, monitorId } = await start();
    await show({ days: 15 });
    await look();
    expect(await rung()).toEqual([]);
    for (let day = 0; day < 3; day += 1) {
      pass(DAY_MS);
      await look();
    }
    const expiring = ["certificate.expiring", "Shop's certificate expires on 2026-12-07, in 14 days."];
    expect(await rung()).toEqual([expiring]);
    const [notification] = (await server.api("GET", "/api/notifications")).body.data;
    expect(notification).toMatchObject({ type: "warning", isRead: false, monitorId, monitorKind: "domain" });
    await show({ days: 90, fingerprint: "bb" });
    await look();
    await look();
    expect((await rung())[0]).toEqual([
      "certificate.renewed",
      expect.stringMatching(/^Shop's certificate is OK again: it is valid until 2027-\d\d-\d\d\.$/),
    ]);
    expect(await rung()).toHaveLength(2);
  });

  test("names the certificate that ends, and whose it is, where that is not the server's own", async () => {
    const { show, look, rung, addChannel, received } = await start();
    await addChannel();
    await show({ days: 10, endsWith: { role: "intermediate", name: "CN=R3, O=Let's Encrypt, C=US" } });
    await look();
    const said = JSON.stringify(received());
    expect(said).toContain('The intermediate certificate \\\"R3\\\" expires on');
    expect(said).not.toContain("It was issued by");
    expect((await rung())[0]?.[1]).toMatch(
      /^Shop: The intermediate certificate "R3" expires on .+, in 10 days\.$/,
    );
    await show({ days: 3, fingerprint: "bb", host: "www.shop.test" });
    await look();
    expect(JSON.stringify(received())).toContain("The certificate of www.shop.test expires on");
  });

  test("says why one is not valid that the check accepts, also of two replicas once", async () => {
    const { show, look, rung, change } = await start();
    expect((await change({ ignoreCertificate: true })).status).toBe(200);
    await show({ days: 90, valid: false, invalidReason: msg("certificate.self_signed") });
    await look();
    expect(await rung()).toEqual([
      [
        "certificate.invalid",
        "Shop's certificate is not valid. The certificate is self-signed: no certificate authority vouches for it.",
      ],
    ]);
  });

  test("says it again to those who watch it again, and no end of what is not watched", async () => {
    const { show, look, rung, change, pass } = await start();
    await show({ days: 10 });
    await look();
    await change({ enabled: false });
    await look();
    expect(await rung()).toHaveLength(1);
    await change({ enabled: true });
    pass(MINUTE_MS);
    await show({ days: 10 });
    await look();
    expect((await rung()).map(([event]: [string]) => event)).toEqual([
      "certificate.expiring",
      "certificate.expiring",
    ]);
  });
});

async function startWatching(engine: EngineName) {
  const telling = await startTelling(engine);
  const { server, now, deliver, monitorId } = telling;
  const showOf = async (
    id: number,
    { days, ...known }: { days: number } & Partial<CertificateReport>,
  ): Promise<void> => {
    telling.pass(1_000);
    const expiresAt = now() + days * DAY_MS;
    const report = { valid: true, invalidCode: null, invalidReason: null, issuer: ISSUER, chain: [] };
    const certificate = { ...report, fingerprint: "aa", expiresAt, ...known };
    await ingestBatch(server.ctx, [probed(id, now(), { certificate })]);
  };
  /** Of two replicas. */
  const look = async ({ isSkewSuspected = false } = {}) => {
    const lookOnce = () => notifyOfCertificates(server.ctx, { isSkewSuspected });
    await Promise.all([lookOnce(), lookOnce()]);
    await deliver();
  };
  return {
    ...telling,
    showOf,
    show: (known: Parameters<typeof showOf>[1]) => showOf(monitorId, known),
    look,
  };
}
