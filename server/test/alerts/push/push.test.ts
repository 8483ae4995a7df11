import { expect, onTestFinished, test } from "vitest";
import { updateMemberRole } from "../../../src/accounts/queries/members.ts";
import { enqueue } from "../../../src/alerts/outbox.ts";
import { confirmUserEmail } from "../../../src/alerts/queries/own-channels.ts";
import { ingestBatch } from "../../../src/app/pipeline.ts";
import { openBrowser, PASSWORD, signedIn } from "../../accounts/browser.ts";
import { failed, probed } from "../../app/pipeline/setup.ts";
import { hang, respond, status, type TargetRequest } from "../../harness/behaviours.ts";
import { newBrowser, readVapid } from "../../harness/push.ts";
import { type EngineName, eachEngine } from "../../harness/stores.ts";
import { startTlsTarget } from "../../harness/targets.ts";
import { startTelling } from "../channel-setup.ts";

const PUSH = "/api/auth/push";
const HOUR_MS = 3_600_000;

/** The bytes of a request's body. */
const bodyOf = ({ raw }: TargetRequest): Buffer =>
  Buffer.from(raw.slice(raw.indexOf("\r\n\r\n") + 4), "latin1");

/** An installation, a push service, and a person who has signed in and subscribed. */
async function startPushing(engine: EngineName) {
  const telling = await startTelling(engine, { signup: "open", publicUrl: null });
  const service = await startTlsTarget({ handler: respond({ status: 201, body: "" }) });
  onTestFinished(service.close);
  telling.server.ctx.network.ca = [service.ca];
  const { browser: person, email } = await signedIn(telling.server);
  await person.send("PUT", "/api/notifications/settings", { emailNotifications: false });
  const { data: me } = (await person.send("GET", "/api/auth/me")).body;
  const browser = newBrowser(`${service.url}send/secret-address`);
  const subscribe = (who = person, { subscription } = browser) => who.send("POST", PUSH, subscription);
  const browsers = async (who = person) =>
    (await who.send("GET", PUSH)).body.data.browsers as { id: number }[];
  const shown = () => service.requests.map((request) => JSON.parse(browser.read(bodyOf(request))));
  const created = await person.send("POST", "/api/domains", { url: "https://mine.example/", name: "Mine" });
  const monitorId = created.body.data.id as number;
  return { ...telling, service, person, email, me, browser, subscribe, browsers, shown, monitorId };
}

eachEngine("browsers of people", (engine) => {
  const start = () => startPushing(engine);

  test("are shown an outage and its end, encrypted, in the person's language, leading to the incident", {
    timeout: 90_000,
  }, async () => {
    const { person, subscribe, checkOf, monitorId, deliver, shown, service, now } = await start();
    await person.send("PATCH", "/api/auth/me", { language: "de" });
    expect((await subscribe()).status).toBe(201);
    await checkOf(monitorId, "ok", "ok", "failed", "failed", "failed");
    await deliver();
    await checkOf(monitorId, "ok", "ok", "ok");
    await deliver();
    const [down, up] = shown();
    expect(down).toMatchObject({ title: "Mine ist ausgefallen", lang: "de", tag: `monitor-${monitorId}` });
    expect(down.url).toMatch(/^\/incidents\/\d+$/);
    expect(up).toMatchObject({ title: "Mine funktioniert wieder", tag: down.tag });
    const { headers } = service.requests[0] as TargetRequest;
    expect(headers).toMatchObject({
      "content-encoding": "aes128gcm",
      ttl: "14400",
      urgency: "high",
      topic: down.tag,
    });
    const { claims, publicKey } = readVapid(headers["authorization"] ?? "");
    expect(claims).toMatchObject({ aud: service.url.slice(0, -1), sub: "mailto:vedette@localhost" });
    expect(claims["exp"]).toBeGreaterThan(now() / 1000);
    expect((await person.send("GET", PUSH)).body.data.publicKey).toBe(publicKey);
  });

  test("get two messages at most in the first minute of a storm, whose failures come in batches, and one after it", {
    timeout: 90_000,
  }, async () => {
    const { server, person, subscribe, deliver, pass, now, shown } = await start();
    await subscribe();
    const ids: number[] = [];
    for (let count = 0; count < 36; count += 1) {
      const added = await person.send("POST", "/api/domains", { url: `https://many${count}.example/` });
      ids.push(added.body.data.id);
    }
    const batches = [ids.slice(0, 12), ids.slice(12, 24), ids.slice(24)];
    const check = (some: readonly number[], outcome: typeof failed) =>
      ingestBatch(
        server.ctx,
        some.map((id) => outcome(id, now())),
      );
    for (const outcome of [probed, probed, failed]) {
      pass(60_000);
      for (const batch of batches) await check(batch, outcome);
    }
    pass(60_000);
    for (const batch of batches) {
      await check(batch, failed);
      await deliver();
      pass(8_000);
    }
    const digest = { title: "12 monitors are down", tag: "digest", url: "/incidents" };
    expect(shown()).toMatchObject([digest, digest]);
    pass(60_000);
    await deliver();
    expect(shown()).toMatchObject([digest, digest, digest]);
  });

  test("show nothing in quiet hours but what is critical and the end of what was shown; afterwards what is still true", {
    timeout: 90_000,
  }, async () => {
    const { person, subscribe, checkOf, monitorId, deliver, pass, shown } = await start();
    await subscribe();
    const named = async (name: string, settings: object = {}) => {
      const url = `https://${name}.example/`;
      return (await person.send("POST", "/api/domains", { url, name, ...settings })).body.data.id as number;
    };
    const [critical, other] = [await named("till", { severity: "critical" }), await named("other")];
    const brief = await named("brief");
    const titles = () => shown().map(({ title }) => title);
    await checkOf(monitorId, "ok", "ok", "failed", "failed", "failed");
    await deliver();
    expect(titles()).toEqual(["Mine is down"]);
    const quietHours = { from: "13:00", to: "06:00", timeZone: "UTC" };
    const set = await person.send("PUT", "/api/notifications/settings", { quietHours });
    expect(set.status).toBe(200);
    pass(2 * HOUR_MS);
    await checkOf(brief, "ok", "ok", "failed", "failed", "failed", "ok", "ok", "ok");
    await checkOf(other, "ok", "ok", "failed", "failed", "failed");
    await checkOf(critical, "ok", "ok", "failed", "failed", "failed");
    await checkOf(monitorId, "ok", "ok", "ok");
    await deliver();
    expect(titles().slice(1).toSorted()).toEqual(["Mine is up again", "till is down"]);
    pass(16 * HOUR_MS);
    await deliver();
    expect(titles().slice(3)).toEqual(["till is still down", "other is down"]);
    await checkOf(other, "ok", "ok", "ok");
    await deliver();
    expect(titles().slice(5)).toEqual(["other is up again"]);
  });

  test("are notified of no end in quiet hours, nor after them, of what began before them and was confirmed within", {
    timeout: 60_000,
  }, async () => {
    const { server, person, me, subscribe, checkOf, monitorId, deliver, shown, pass, now, mail, email } =
      await start();
    await confirmUserEmail(server.ctx.store.db, me.user.id, now());
    await subscribe();
    const quietHours = { from: "11:00", to: "20:00", timeZone: "UTC" };
    const set = await person.send("PUT", "/api/notifications/settings", {
      quietHours,
      emailNotifications: true,
    });
    expect(set.status).toBe(200);
    const mailed = () =>
      mail.mails.filter(({ to }) => to.includes(email)).map(({ headers }) => headers["subject"]);
    const received = () => [...shown().map(({ title }) => title), ...mailed()];
    const tomorrow = (Math.floor(now() / (24 * HOUR_MS)) + 1) * 24 * HOUR_MS;
    pass(tomorrow + 11 * HOUR_MS - 150_000 - now());
    // The first failure is at half past 10:59, the second half a minute after eleven.
    await checkOf(monitorId, "ok", "failed", "failed");
    await deliver();
    const { data } = (await person.send("GET", "/api/incidents")).body;
    expect(data[0]).toMatchObject({ startedAt: expect.stringContaining("T10:59:30"), resolvedAt: null });
    await checkOf(monitorId, "ok", "ok", "ok");
    await deliver();
    expect((await person.send("GET", "/api/incidents")).body.data[0].resolvedAt).not.toBeNull();
    expect(received()).toEqual([]);
    pass(10 * HOUR_MS);
    await deliver();
    expect(received()).toEqual([]);
    await checkOf(monitorId, "failed", "failed", "failed");
    await deliver();
    expect(received()).toEqual(["Mine is down", "Mine is down"]);
  });

  test("are notified of nothing in other organizations, nor of an end whose beginning was before them", async () => {
    const { subscribe, checkOf, monitorId, addMonitor, deliver, service } = await start();
    await checkOf(monitorId, "ok", "ok", "failed", "failed", "failed");
    await subscribe();
    const others = await addMonitor();
    await checkOf(others, "ok", "ok", "failed", "failed", "failed");
    await checkOf(monitorId, "ok", "ok", "ok");
    await deliver();
    expect(service.requests).toEqual([]);
  });

  test("are notified of nothing once the person signs out there, ends the session, or is no member any more", async () => {
    const { server, person, email, me, subscribe, browsers, checkOf, monitorId, deliver, service } =
      await start();
    await subscribe();
    const other = openBrowser(server);
    await other.send("POST", "/api/auth/sign-in", { email, password: PASSWORD });
    const second = newBrowser(`${service.url}send/second`);
    await subscribe(other, second);
    expect(await browsers()).toMatchObject([{ current: true }, { current: false }]);
    await other.send("POST", "/api/auth/sign-out");
    expect(await browsers()).toMatchObject([{ current: true }]);
    await other.send("POST", "/api/auth/sign-in", { email, password: PASSWORD });
    await subscribe(other, second);
    await person.send("DELETE", "/api/auth/sessions");
    expect(await browsers()).toMatchObject([{ current: true }]);
    const { db } = server.ctx.store;
    await db
      .updateTable("memberships")
      .set({ user_id: server.person.userId })
      .where("user_id", "=", me.user.id)
      .execute();
    await checkOf(monitorId, "ok", "ok", "failed", "failed", "failed");
    await deliver();
    expect(service.requests).toEqual([]);
  });

  test.each([404, 410])("that their push service has forgotten (%d) are removed", async (code) => {
    const { subscribe, browsers, checkOf, monitorId, deliver, service, outbox } = await start();
    await subscribe();
    service.set(status(code));
    await checkOf(monitorId, "ok", "ok", "failed", "failed", "failed");
    await deliver();
    expect(await browsers()).toEqual([]);
    expect(await outbox()).toEqual([]);
  });

  test("whose push service fails or requests a pause are tried again, and those that it does not let in are kept", async () => {
    const { subscribe, browsers, checkOf, monitorId, deliver, service, pass, outbox, shown } = await start();
    await subscribe();
    await checkOf(monitorId, "ok", "ok", "failed", "failed", "failed");
    for (const answer of [status(503), respond({ status: 429, headers: { "retry-after": "60" } })]) {
      service.set(answer);
      await deliver();
      expect(await outbox()).toMatchObject([{ state: "waiting" }]);
      pass(61_000);
    }
    service.set(respond({ status: 201 }));
    await deliver();
    expect(await outbox()).toMatchObject([{ state: "sent", attempts: 3 }]);
    expect(new Set(shown().map(({ title }) => title))).toEqual(new Set(["Mine is down"]));
    service.set(status(403));
    await checkOf(monitorId, "ok", "ok", "ok");
    await deliver();
    expect(await browsers()).toHaveLength(1);
  });

  test("get no recovery of what did not get there, one of what did at last, and delay no mail", async () => {
    const { server, person, email, mail, subscribe, checkOf, monitorId, deliver, service, pass, shown } =
      await start();
    await subscribe();
    // The outage is due again in an hour only.
    service.set(respond({ status: 429, headers: { "retry-after": "3600" } }));
    await checkOf(monitorId, "ok", "ok", "failed", "failed", "failed");
    await deliver();
    service.set(respond({ status: 201 }));
    await checkOf(monitorId, "ok", "ok", "ok");
    await deliver();
    pass(3_600_000);
    await deliver();
    expect(shown().map(({ title }) => title)).toEqual(["Mine is down"]);
    service.set(status(503));
    await checkOf(monitorId, "failed", "failed", "failed");
    await deliver();
    service.set(respond({ status: 201 }));
    pass(3_600_000);
    await deliver();
    await checkOf(monitorId, "ok", "ok", "ok");
    await deliver();
    expect(shown().map(({ title }) => title)).toEqual([
      ...["Mine is down", "Mine is down", "Mine is down", "Mine is up again"],
    ]);
    service.set(hang);
    for (let count = 0; count < 6; count += 1) await subscribe(person, newBrowser(`${service.url}${count}`));
    await checkOf(monitorId, "failed", "failed", "failed");
    const content = { kind: "test", reader: { language: "en", timeZone: "UTC" }, params: {}, link: null };
    const writing = { ...server.ctx, db: server.ctx.store.db };
    const toPerson = { transport: "mail", recipient: email, organizationId: null } as const;
    await enqueue(writing, { ...toPerson, content, worthMs: 60_000 });
    const ending = new AbortController();
    const delivering = deliver(ending.signal);
    await expect.poll(() => mail.mails, { timeout: 8_000 }).toHaveLength(1);
    ending.abort();
    await delivering;
  });

  test("do not show what was meant for the browser's former user", async () => {
    const { server, subscribe, browser, checkOf, monitorId, deliver, service, outbox } = await start();
    await subscribe();
    await checkOf(monitorId, "ok", "ok", "failed", "failed", "failed");
    await subscribe((await signedIn(server)).browser, browser);
    await deliver();
    expect(service.requests).toEqual([]);
    expect(await outbox()).toEqual([]);
  });

  test("are tested on demand, and their address is shown nowhere", async () => {
    const { server, person, subscribe, browsers, service, shown } = await start();
    const { id, uuid } = (await subscribe()).body.data;
    expect((await person.send("POST", `${PUSH}/${uuid}/test`)).body.data).toMatchObject({ accepted: true });
    expect(shown()).toMatchObject([{ tag: "test", url: "/settings/notifications" }]);
    service.set(respond({ status: 400, body: "a page of the inside" }));
    const refused = (await person.send("POST", `${PUSH}/${id}/test`)).body.data;
    expect(refused).toMatchObject({ accepted: false, answerFact: { code: "delivery.refused" } });
    expect(JSON.stringify(refused)).not.toContain("inside");
    expect(JSON.stringify([refused, await browsers()])).not.toContain("secret-address");
    const { db } = server.ctx.store;
    for (const table of ["push_subscriptions", "channels"] as const) {
      const rows = await db.selectFrom(table).selectAll().execute();
      expect(JSON.stringify(rows)).not.toContain("secret-address");
    }
    service.set(status(410));
    await person.send("POST", `${PUSH}/${id}/test`);
    expect(await browsers()).toEqual([]);
  });

  test("are tested in their own language, as what they show is, unless their person has chosen one", async () => {
    const { person, browser, service, shown } = await start();
    const german = { "accept-language": "de" };
    const { id } = (await person.send("POST", PUSH, browser.subscription, german)).body.data;
    const testIn = async (preferences: object) => {
      await person.send("PATCH", "/api/auth/me", preferences);
      await person.send("POST", `${PUSH}/${id}/test`);
      return shown().at(-1).lang;
    };
    expect(await testIn({ seenLanguage: "zh" })).toBe("de");
    expect(await testIn({ language: "en" })).toBe("en");
    expect(service.requests).toHaveLength(2);
  });

  test("give viewers no access inside the network", async () => {
    const { server, person, me, service, subscribe, checkOf, monitorId, deliver } = await start();
    const { id } = (await subscribe()).body.data;
    const { db } = server.ctx.store;
    await updateMemberRole(db, me.organization.id, me.user.id, "viewer");
    const inside = newBrowser(`${service.url}inside`);
    const refused = await subscribe(person, inside);
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ["endpoint"]]);
    const tried = await person.send("POST", `${PUSH}/${id}/test`);
    expect(tried.body.data).toMatchObject({ accepted: false });
    await checkOf(monitorId, "ok", "ok", "failed", "failed", "failed");
    await deliver();
    expect(service.requests).toEqual([]);
  });

  test("whose address was taken before it had to be https are sent nothing, and removed", async () => {
    const { server, subscribe, browsers, checkOf, monitorId, deliver, service } = await start();
    await subscribe();
    const { endpoint, keys } = newBrowser(service.url.replace("https:", "http:")).subscription;
    const address = server.ctx.secrets.seal(JSON.stringify({ endpoint, ...keys }));
    const { db } = server.ctx.store;
    await db.updateTable("push_subscriptions").set({ address }).execute();
    await db.updateTable("channels").set({ secrets: address }).where("type", "=", "push").execute();
    await checkOf(monitorId, "ok", "ok", "failed", "failed", "failed");
    await deliver();
    expect([service.connections(), await browsers()]).toEqual([0, []]);
  });

  test("are the person's own, each once, and twenty at most", { timeout: 90_000 }, async () => {
    const { server, person, service, subscribe, browsers, browser } = await start();
    const [first, again] = [await subscribe(), await subscribe()];
    expect(again.body.data.id).toBe(first.body.data.id);
    const { browser: outsider } = await signedIn(server);
    for (const [method, path] of [
      ["DELETE", `${PUSH}/${first.body.data.id}`],
      ["POST", `${PUSH}/${first.body.data.uuid}/test`],
    ] as const) {
      expect((await outsider.send(method, path)).status).toBe(404);
    }
    // Who signs in at the same browser takes it over.
    await subscribe(outsider, browser);
    expect([await browsers(), await browsers(outsider)]).toMatchObject([[], [{ current: true }]]);
    for (let count = 0; count < 21; count += 1) await subscribe(person, newBrowser(`${service.url}${count}`));
    expect(await browsers()).toHaveLength(20);
    const [oldest] = await browsers();
    expect((await person.send("DELETE", `${PUSH}/${oldest?.id}`)).body.data).toEqual({ id: oldest?.id });
    expect(await browsers()).toHaveLength(19);
  });

  test("are refused with what is wrong with them, and to API keys", async () => {
    const { server, person, browser } = await start();
    const bad = async (change: object) => {
      const { status: code, body } = await person.send("POST", PUSH, { ...browser.subscription, ...change });
      return [code, Object.keys(body.errors ?? {})];
    };
    const { keys } = browser.subscription;
    expect(await bad({ endpoint: "ftp://x/" })).toEqual([422, ["endpoint"]]);
    expect(await bad({ endpoint: "http://push.example/send" })).toEqual([422, ["endpoint"]]);
    expect(await bad({ endpoint: "https://169.254.169.254/latest" })).toEqual([422, ["endpoint"]]);
    expect(await bad({ keys: { ...keys, auth: "AAAA" } })).toEqual([422, ["keys"]]);
    expect(await bad({ keys: { ...keys, p256dh: "<>" } })).toEqual([422, ["keys.p256dh"]]);
    expect(await bad({ expirationTime: null })).toEqual([201, []]);
    expect((await server.api("GET", PUSH)).status).toBe(403);
  });
});

test("all replicas have the same keys, which are stored encrypted", async () => {
  const { server, person } = await startPushing("sqlite");
  const keys = await Promise.all([1, 2, 3].map(() => person.send("GET", PUSH)));
  expect(new Set(keys.map(({ body }) => body.data.publicKey)).size).toBe(1);
  const rows = await server.ctx.store.db
    .selectFrom("meta")
    .selectAll()
    .where("key", "=", "push keys")
    .execute();
  expect(rows).toHaveLength(1);
  expect(rows[0]?.value).toMatch(/^v1\./);
});
