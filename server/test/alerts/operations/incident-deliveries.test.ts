import { randomUUIDv7 } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { insertMember } from "../../../src/accounts/queries/members.ts";
import { insertUser } from "../../../src/accounts/queries/users.ts";
import { confirmUserEmail } from "../../../src/alerts/queries/own-channels.ts";
import { status } from "../../harness/behaviours.ts";
import { eachEngine } from "../../harness/stores.ts";
import { startHttpTarget } from "../../harness/targets.ts";
import { startTelling, type Telling } from "../channel-setup.ts";

interface SentMessage {
  channelName: string | null;
  channelType: string;
  event: string;
  state: string;
  failure: string | null;
}

async function join({ server, now }: Telling, role: "viewer" | "member") {
  const { db } = server.ctx.store;
  const email = `${role}@vedette.test`;
  const userId =
    (await insertUser(db, { uuid: randomUUIDv7(), email, name: role, passwordHash: "" }, now())) ?? 0;
  await confirmUserEmail(db, userId, now());
  const { organization } = server.person;
  await insertMember(db, { userId, organizationId: organization.id, role }, now());
  return server.createKey({ person: { userId, organization, role } });
}

eachEngine("GET /api/incidents/{id}/deliveries", (engine) => {
  test("says who was notified and who was not, to each what is theirs to know, in both families", async () => {
    const telling = await startTelling(engine);
    const { server, addChannel, check, deliver } = telling;
    const deaf = await startHttpTarget();
    onTestFinished(deaf.close);
    deaf.set(status(500));
    const [viewer, member] = [await join(telling, "viewer"), await join(telling, "member")];
    await addChannel({ name: "On call" });
    await addChannel({ name: "Pager", config: { url: deaf.url } });
    await addChannel({ name: "By day", hours: { from: "08:00", to: "09:00" } });
    await check("ok", "ok", "failed", "failed");
    await deliver();
    await deliver();
    const [incident] = (await server.api("GET", "/api/incidents")).body.data;
    const read = async (key: string | undefined, query = "", family = "/api") =>
      server.api(
        "GET",
        `${family}/incidents/${incident.id}/deliveries${query}`,
        undefined,
        key ? { key } : {},
      );
    const sent = async (key?: string) =>
      (await read(key)).body.data
        .map(
          (one: SentMessage) => `${one.channelName ?? `own ${one.channelType}`}: ${one.event} ${one.state}`,
        )
        .sort();
    const messages = ["On call: monitor.down sent", "Pager: monitor.down waiting"];
    expect(await sent()).toEqual(messages);
    // Each sees the mail that they got themselves, and no one else's.
    for (const key of [viewer, member]) {
      expect(await sent(key)).toEqual([...messages, "own email: monitor.down sent"]);
    }
    const all = (await read(undefined)).body.data;
    const named = (name: string) => all.find(({ channelName }: SentMessage) => channelName === name);
    expect(named("On call")).toMatchObject({ subject: "Shop", sentAt: expect.any(String), again: null });
    expect(named("Pager")).toMatchObject({ failure: expect.stringContaining("500"), sentAt: null });

    const notifications = (await read(viewer)).body.channels;
    expect(notifications).toMatchObject([
      { name: null, isOwn: true, type: "email", state: "notified", why: null, sentAt: expect.any(String) },
      { name: "On call", isOwn: false, type: "webhook", state: "notified", why: null },
      { name: "Pager", state: "waiting", why: "failing", sentAt: null, nextAt: expect.any(String) },
      { name: "By day", state: "waiting", why: "quiet_hours", nextAt: "2026-11-23T08:00:00.000Z" },
    ]);

    const v2 = (await read(viewer, "?page=1&per_page=2", "/v2")).body;
    expect([v2.data.length, v2.pagination.total]).toEqual([2, 3]);
    expect(v2.data[0]).toHaveProperty("channel_name");
    const limited = (await read(viewer, "?limit=2")).body;
    expect([limited.data.length, limited.pagination.total]).toEqual([2, 3]);

    // What was sent of an incident goes with it to the one that it is merged into.
    const other = (await server.api("POST", "/api/incidents", { title: "Network" })).body.data.id;
    await server.api("POST", `/api/incidents/${incident.id}/merge`, { into: other });
    const merged = await server.api("GET", `/api/incidents/${other}/deliveries`);
    expect(merged.body.data.filter(({ event }: SentMessage) => event === "monitor.down")).toHaveLength(2);
    const outsider = await server.createKey({ person: await server.createOrganization() });
    const blind = await server.createKey({ scopes: ["read:incidents"] });
    expect((await read(outsider)).status).toBe(404);
    expect((await read(outsider, "", "/v2")).status).toBe(404);
    expect((await read(blind)).status).toBe(403);
    expect(
      (await server.api("GET", `/api/incidents/${incident.id}/deliveries`, undefined, { key: null })).status,
    ).toBe(401);
  });

  test("has one entry for a message that says several things", async () => {
    const telling = await startTelling(engine);
    const { server, deliver, pass } = telling;
    const member = await join(telling, "member");
    const { id } = (await server.api("POST", "/api/incidents", { title: "Network" })).body.data;
    for (let n = 0; n < 14; n += 1) {
      await server.api("POST", `/api/incidents/${id}/updates`, { message: `Update ${n}` });
    }
    for (let turn = 0; turn < 4; turn += 1) {
      await deliver();
      pass(61_000);
    }
    const { body } = await server.api("GET", `/v2/incidents/${id}/deliveries?per_page=50`, undefined, {
      key: member,
    });
    expect(body.data).toMatchObject([{ event: "digest", state: "sent", is_own: true }]);
    expect(body.pagination.total).toBe(1);
  });

  test("says which channels are not notified and why, as they are now", async () => {
    const { server, addChannel, check, deliver, pass } = await startTelling(engine);
    await addChannel({ name: "On call", tags: [], events: ["monitor.down"] });
    await addChannel({ name: "Night shift", enabled: false });
    const slow = await addChannel({ name: "Slow", events: ["monitor.degraded"] });
    await addChannel({ name: "Office", tags: ["office"] });
    await addChannel({ name: "Grave", severities: ["critical"] });
    await check("ok", "ok", "failed", "failed");
    await deliver();
    pass(60_000);
    await addChannel({ name: "New" });
    await deliver();
    const [incident] = (await server.api("GET", "/api/incidents")).body.data;
    const read = async (query = "") =>
      (await server.api("GET", `/api/incidents/${incident.id}/deliveries${query}`)).body;
    const first = await read();
    const shared = (body: { channels: { isOwn: boolean }[] }) => body.channels.filter(({ isOwn }) => !isOwn);
    expect(first.incomplete).toBe(false);
    expect(shared(first)).toMatchObject([
      { name: "On call", state: "notified", why: null },
      { name: "Night shift", state: "none", why: "off", since: expect.stringMatching(/^2026/) },
      { id: slow, name: "Slow", state: "none", why: "event", since: null, sentAt: null, nextAt: null },
      { name: "Office", state: "none", why: "tags" },
      { name: "Grave", state: "none", why: "severity" },
      { name: "New", state: "waiting", why: "sending", sentAt: null, nextAt: expect.any(String) },
    ]);
    const v2 = (await server.api("GET", `/v2/incidents/${incident.id}/deliveries`)).body;
    expect([v2.incomplete, v2.channels.length]).toEqual([false, first.channels.length]);
    // Which of the messages are requested says nothing of who was notified.
    expect((await read("?page=2&limit=1")).channels).toEqual(first.channels);

    // A channel that wants it from now on receives its state.
    await server.api("PUT", `/api/notifications/channels/${slow}`, { events: [] });
    await deliver();
    pass(6_000);
    await deliver();
    const later = shared(await read());
    expect(later[2]).toMatchObject({ name: "Slow", state: "notified", why: null });
    expect(later[5]).toMatchObject({ name: "New", state: "notified", why: null });

    pass(30 * 86_400_000);
    expect(await read()).toMatchObject({ incomplete: true, channels: [] });
  });

  test("says of what people report which channel was notified, and of none that it was left out", async () => {
    const { server, addChannel, deliver } = await startTelling(engine);
    await addChannel({ enabled: false });
    await addChannel({ name: "Outages", events: ["monitor.down"] });
    await addChannel({ name: "On call" });
    const { id } = (await server.api("POST", "/api/incidents", { title: "Network" })).body.data;
    await deliver();
    const { body } = await server.api("GET", `/api/incidents/${id}/deliveries`);
    expect(body.data).toMatchObject([{ channelName: "On call", event: "incident.opened" }]);
    expect([body.incomplete, body.channels]).toEqual([false, []]);
  });
});
