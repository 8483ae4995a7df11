import { expect, test } from "vitest";
import { respond } from "../../harness/behaviours.ts";
import { eachEngine } from "../../harness/stores.ts";
import { CHANNELS, startTelling } from "../channel-setup.ts";
import { CASES } from "../channels/channel-cases.ts";

const HOUR_MS = 3_600_000;
const SECRET = "services/T000/B000/very-secret";

eachEngine("the API of notification channels", (engine) => {
  const start = () => startTelling(engine);

  test("adds, lists, gets, changes and deletes, in both families", async () => {
    const { server, target } = await start();
    const body = {
      name: " On call ",
      type: "webhook",
      config: { url: target.url },
      hours: { days: ["monday"] },
    };
    const added = await server.api("POST", CHANNELS, body);
    expect(added.status).toBe(201);
    const { id, uuid } = added.body.data;
    expect(added.body.data).toMatchObject({ name: "On call", enabled: true, events: [], timeZone: "UTC" });
    expect(added.body.data.config.secret).toMatch(/^whsec_/);
    const v2 = await server.api("GET", `/v2/notifications/channels/${uuid}`);
    expect(v2.body.data).toMatchObject({
      time_zone: "UTC",
      disabled_reason: null,
      hours: { days: ["monday"] },
    });
    const changed = await server.api("PUT", `/v2/notifications/channels/${uuid}`, {
      time_zone: "Europe/Berlin",
      hours: { from: "08:00", to: "18:00" },
    });
    expect(changed.body.data).toMatchObject({ time_zone: "Europe/Berlin", hours: { from: "08:00" } });
    // The secret is made once.
    const moved = await server.api("PUT", `${CHANNELS}/${id}`, { config: { url: `${target.url}moved` } });
    expect(moved.body.data.config.secret).toBe(added.body.data.config.secret);
    expect((await server.api("GET", CHANNELS)).body.data).toHaveLength(1);
    expect((await server.api("DELETE", `${CHANNELS}/${id}`)).body.data).toEqual({ id });
    expect((await server.api("GET", `${CHANNELS}/${id}`)).status).toBe(404);
  });

  test("says since when a channel is off, and who turned it off", async () => {
    const { server, target } = await start();
    const body = { name: "On call", type: "webhook", config: { url: target.url } };
    const { id } = (await server.api("POST", CHANNELS, body)).body.data;
    const change = async (changes: object) => {
      const { disabledAt, disabledByName } = (await server.api("PUT", `${CHANNELS}/${id}`, changes)).body
        .data;
      return [disabledAt, disabledByName];
    };
    const offAt = new Date(server.ctx.clock.now()).toISOString();
    const { name } = (await server.api("GET", "/api/auth/me")).body.data.user;
    expect(await change({ enabled: false })).toEqual([offAt, name]);
    // What else is changed of it turns nothing off again.
    expect(await change({ name: "Nights" })).toEqual([offAt, name]);
    expect(await change({ enabled: true })).toEqual([null, null]);
    const off = await server.api("POST", CHANNELS, { ...body, enabled: false });
    expect(off.body.data.disabledByName).toBe(name);
  });

  test("says of every bad field what is wrong with it", async () => {
    const { server, addChannel } = await start();
    const bad = async (body: object) => {
      const { status, body: answer } = await server.api("POST", CHANNELS, body);
      return [status, Object.keys(answer.errors ?? {}).sort()];
    };
    const url = "https://hooks.example/";
    const webhook = { name: "A", type: "webhook" };
    expect(await bad({ ...webhook, config: {} })).toEqual([422, ["config.url"]]);
    expect(await bad({ ...webhook, type: "pigeon", config: { url } })).toEqual([422, ["type"]]);
    expect(await bad({ ...webhook, config: { url: "ftp://x" } })).toEqual([422, ["config.url"]]);
    // Which names no setting that a channel does not have.
    const named = { ...webhook, config: { url: "https://ada:secret@hooks.example" } };
    expect((await server.api("POST", CHANNELS, named)).body.errors).toEqual({
      "config.url": ["The url must not contain a user name or password."],
    });
    expect(await bad({ ...webhook, config: { url: "http://169.254.169.254/" } })).toEqual([
      422,
      ["config.url"],
    ]);
    expect(await bad({ ...webhook, config: { url, template: "{{monitor.nothing}}" } })).toEqual([
      422,
      ["config.template"],
    ]);
    expect(await bad({ ...webhook, config: { url, template: "{{#each monitors}}x{{/each}}" } })).toEqual([
      422,
      ["config.template"],
    ]);
    expect(await bad({ ...webhook, config: { url, template: "x".repeat(1_000_000) } })).toEqual([
      422,
      ["config.template"],
    ]);
    expect(await bad({ ...webhook, config: { url, template: '{"a": {{title}}}' } })).toEqual([
      422,
      ["config.template"],
    ]);
    expect(await bad({ ...webhook, config: { url }, events: ["monitor.exploded"] })).toEqual([
      422,
      ["events.0"],
    ]);
    expect(await bad({ ...webhook, config: { url }, hours: { from: "25:00" } })).toEqual([
      422,
      ["hours.from"],
    ]);
    expect(await bad({ ...webhook, config: { url }, hours: { from: "08:00", to: "08:00" } })).toEqual([
      422,
      ["hours.to"],
    ]);
    await addChannel({ name: "Taken" });
    expect(await bad({ name: "Taken", type: "webhook", config: { url } })).toEqual([422, ["name"]]);
  });

  test.each(["gotify", "matrix", "ntfy", "opsgenie", "twilio"] as const)(
    "takes a credential for a header without the white space around it, and none that cannot be sent: %s",
    async (type) => {
      const { server, target } = await start();
      const field = type === "opsgenie" ? "key" : "token";
      const add = (credential: string) => {
        const config = { ...CASES[type].config(target.url), [field]: credential };
        return server.api("POST", CHANNELS, { name: `On call ${Math.random()}`, type, config });
      };
      for (const credential of [
        "tk_first\nsecond",
        "tk_first\r\nx-more: 1",
        "tk_\u0001first",
        "tk_fi\u0000rst",
        " \n ",
      ]) {
        const { status, body } = await add(credential);
        expect([credential, status, Object.keys(body.errors ?? {})]).toEqual([
          credential,
          422,
          [`config.${field}`],
        ]);
      }
      const added = await add(" \ttk_first\r\n");
      expect(added.status).toBe(201);
      await server.api("POST", `${CHANNELS}/${added.body.data.id}/test`);
      const { authorization = "", ...headers } = target.requests[0]?.headers ?? {};
      const [scheme, said = ""] = authorization.split(" ");
      const sent = scheme === "Basic" ? Buffer.from(said, "base64").toString().split(":")[1] : said;
      expect(sent || headers["x-gotify-key"]).toBe("tk_first");
    },
  );

  test("never shows a secret, and nothing that only changers see to viewers and keys that only read", async () => {
    const { server, target, addChannel } = await start();
    const id = await addChannel({ type: "slack", config: { url: target.url + SECRET } });
    await addChannel({ name: "Hook", config: { url: `${target.url}?key=in-the-address` } });
    target.set(respond({ status: 400, body: `I will not take ${SECRET}` }));
    const tested = await server.api("POST", `${CHANNELS}/${id}/test`);
    expect(tested.body.data).toMatchObject({ accepted: false });
    const viewer = await server.createKey({ person: await viewerOf(server) });
    const reading = await server.createKey({ scopes: ["read:notifications"] });
    for (const key of [server.key, viewer, reading]) {
      for (const path of [CHANNELS, `${CHANNELS}/${id}`, `${CHANNELS}/${id}/deliveries`]) {
        const { status, body } = await server.api("GET", path, undefined, { key });
        expect([path, status]).toEqual([path, 200]);
        expect(JSON.stringify(body)).not.toContain("very-secret");
        if (key !== server.key) expect(JSON.stringify(body)).not.toMatch(/in-the-address|whsec_/);
      }
    }
    expect((await server.api("POST", `${CHANNELS}/${id}/test`, undefined, { key: viewer })).status).toBe(403);
    const rows = await server.ctx.store.db.selectFrom("channels").select(["config", "target"]).execute();
    expect(JSON.stringify(rows)).not.toMatch(/very-secret|in-the-address/);
  });

  test("tests a channel at once, and says what was answered", async () => {
    const { server, target, addChannel, deliveries, mail } = await start();
    const id = await addChannel();
    const took = await server.api("POST", `${CHANNELS}/${id}/test`);
    expect(took.body.data).toMatchObject({ accepted: true, answerFact: { code: "delivery.accepted" } });
    expect(JSON.parse(target.requests[0]?.body ?? "")).toMatchObject({ type: "test", monitor: null });
    target.set(respond({ status: 404, body: "no such channel" }));
    const refused = await server.api("POST", `${CHANNELS}/${id}/test`);
    expect(refused.body.data.accepted).toBe(false);
    expect(refused.body.data.answer).toContain("no such channel");
    expect(await deliveries(id)).toMatchObject([
      { event: "test", state: "failed" },
      { event: "test", state: "sent" },
    ]);
    // Who tests sees it: it stays on, and no mail is sent.
    expect((await server.api("GET", `${CHANNELS}/${id}`)).body.data).toMatchObject({
      enabled: true,
      lastDelivery: { state: "failed" },
    });
    expect(mail.mails).toEqual([]);
  });

  test("is shown by its newest message that was tried, with what is wrong, though others wait behind it", async () => {
    const { server, target, addChannel, addMonitor, checkOf, deliver } = await start();
    const id = await addChannel();
    const monitor = await addMonitor();
    target.set(respond({ status: 500, body: "broken" }));
    await checkOf(monitor, "ok", "ok", "failed", "failed", "failed");
    await deliver();
    await checkOf(monitor, "ok", "ok", "ok");
    await deliver();
    const { data } = (await server.api("GET", `${CHANNELS}/${id}`)).body;
    expect(data.lastDelivery).toMatchObject({
      event: "monitor.down",
      state: "waiting",
      failureFact: { code: "delivery.failed" },
    });
  });

  test("says when each message was tried last, which may be long after it was written", async () => {
    const { server, target, addChannel, addMonitor, checkAll, deliver, deliveries, pass, now } =
      await start();
    const at = () => new Date(now()).toISOString();
    const hours = { from: "14:00", to: "18:00" };
    const id = await addChannel({ type: "mattermost", config: { url: target.url }, hours });
    await checkAll([await addMonitor(), await addMonitor()], "ok", "ok", "failed", "failed", "failed");
    await deliver();
    expect(await deliveries(id)).toEqual([]);
    target.set(respond({ status: 502 }));
    pass(2 * HOUR_MS);
    await deliver();
    const written = at();
    target.set(respond());
    pass(HOUR_MS);
    await deliver();
    expect(await deliveries(id)).toMatchObject([
      { event: "digest", state: "sent", createdAt: written, triedAt: at() },
    ]);
    const { data } = (await server.api("GET", `${CHANNELS}/${id}`)).body;
    expect(data.lastDelivery).toMatchObject({ state: "sent", triedAt: at() });
  });

  test("fills a template in once, whatever the values hold", async () => {
    const { target, addChannel, addMonitor, checkOf, deliver } = await start();
    await addChannel({
      config: { url: target.url, template: '{"say": "{{title}}", "at": "{{monitor.target}}"}' },
    });
    const id = await addMonitor({ name: '"{{text}}" \\ {{monitor.name}}' });
    await checkOf(id, "ok", "ok", "failed", "failed", "failed");
    await deliver();
    expect(JSON.parse(target.requests[0]?.body ?? "")).toMatchObject({
      say: '"{{text}}" \\ {{monitor.name}} is down',
    });
  });
});

async function viewerOf(server: Awaited<ReturnType<typeof startTelling>>["server"]) {
  const { db } = server.ctx.store;
  const outsider = await server.createOrganization();
  const { organization } = server.person;
  await db
    .insertInto("memberships")
    .values({ user_id: outsider.userId, organization_id: organization.id, role: "viewer", created_at: 0 })
    .execute();
  return { ...server.person, userId: outsider.userId, role: "viewer" as const };
}
