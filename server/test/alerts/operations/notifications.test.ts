import { beforeEach, expect, it } from "vitest";
import { insertMember } from "../../../src/accounts/queries/members.ts";
import { insertUser } from "../../../src/accounts/queries/users.ts";
import { insertNotifications } from "../../../src/alerts/queries/notifications.ts";
import { hashPassword } from "../../../src/platform/access/password.ts";
import { msg } from "../../../src/platform/i18n/message.ts";
import { startTestServer, type TestPerson, type TestServer } from "../../harness/server.ts";
import { eachEngine } from "../../harness/stores.ts";

eachEngine("what people were notified of", (engine) => {
  let server: TestServer;
  beforeEach(async () => {
    server = await startTestServer({ engine });
    return () => server.close();
  });

  /** Notifies the people of an organization that something keeps going down; `agoMs` ago. */
  async function notify(person: TestPerson, name: string, agoMs = 0): Promise<string> {
    const notification = notificationOf(person, name, agoMs);
    await insertNotifications(server.ctx.store.db, [notification]);
    return notification.uuid;
  }

  async function notifyMany(person: TestPerson, count: number): Promise<void> {
    const notifications = Array.from({ length: count }, () => notificationOf(person, "many", 0));
    await insertNotifications(server.ctx.store.db, notifications);
  }

  function notificationOf({ organization }: TestPerson, name: string, agoMs: number) {
    const uuid = crypto.randomUUID();
    return {
      uuid,
      organizationId: organization.id,
      monitorId: null,
      incidentId: null,
      event: "monitor.flapping",
      type: "warning",
      message: `${name} keeps going down.`,
      descriptor: { ...msg("notification.flapping", { name }), because: msg("refused", { where: name }) },
      outageStartedAt: null,
      togetherMessage: null,
      idempotencyKey: uuid,
      createdAt: server.ctx.clock.now() - agoMs,
    } as const;
  }

  /** A key of another person of the same organization, who has joined just now. */
  async function colleague(role: "member" | "viewer"): Promise<string> {
    const { db } = server.ctx.store;
    const { organization } = server.person;
    const email = `${crypto.randomUUID()}@vedette.test`;
    const passwordHash = await hashPassword("correct horse battery");
    const person = { uuid: crypto.randomUUID(), email, name: "Ada", passwordHash };
    const userId = (await insertUser(db, person, 0)) as number;
    await insertMember(db, { userId, organizationId: organization.id, role }, server.ctx.clock.now());
    return server.createKey({ person: { userId, organization, role } });
  }

  async function listNotifications(key = server.key): Promise<[string, boolean][]> {
    const { body } = await server.api("GET", "/api/notifications", undefined, { key });
    return body.data.map((one: { message: string; isRead: boolean }) => [
      one.message.split(" ")[0],
      one.isRead,
    ]);
  }

  /** How many are unread, which both families say. */
  async function unreadOf(key = server.key, query = "limit=1"): Promise<number> {
    const { body } = await server.api("GET", `/api/notifications?${query}`, undefined, { key });
    const v2 = await server.api("GET", "/v2/notifications?per_page=1", undefined, { key });
    expect(v2.body).toMatchObject({ pagination: { per_page: 1 }, unread: body.unread });
    return body.unread;
  }

  it("says how many are unread of the newest thousand, to each person and organization", async () => {
    expect(await unreadOf()).toBe(0);
    const { person } = server;
    const outsider = await server.createOrganization();
    await notify(person, "before", 60_000);
    const joined = await colleague("viewer");
    await notify(outsider, "theirs");
    const [first] = [
      await notify(person, "first"),
      await notify(person, "second"),
      await notify(person, "third"),
    ];
    expect([await unreadOf(), await unreadOf(joined)]).toEqual([3, 3]);
    await server.api("PUT", `/api/notifications/${first}/read`);
    expect([await unreadOf(), await unreadOf(joined)]).toEqual([2, 3]);
    expect(await unreadOf(server.key, "page=9&limit=2")).toBe(2);
    await server.api("PUT", "/api/notifications/read");
    await notify(person, "fourth");
    expect([await unreadOf(), await unreadOf(joined)]).toEqual([1, 4]);
    expect(await unreadOf(await server.createKey({ person: outsider }))).toBe(1);
    await notifyMany(person, 1_100);
    expect([await unreadOf(), await unreadOf(joined)]).toEqual([1_000, 1_000]);
    expect(await unreadOf(server.key, "limit=1000")).toBe(1_000);
  });

  it("is listed newest first, as text and as message descriptors, unread, fifty at a time", async () => {
    await notify(server.person, "shop");
    const uuid = await notify(server.person, "blog");
    const { status, body } = await server.api("GET", "/api/notifications");
    expect(status).toBe(200);
    expect(body.pagination).toBeUndefined();
    expect(body.data).toMatchObject([
      {
        uuid,
        type: "warning",
        event: "monitor.flapping",
        message: "blog keeps going down.",
        fact: { code: "notification.flapping", params: { name: "blog" }, because: { code: "refused" } },
        reason: "blog refused the connection.",
        isRead: false,
        monitorId: null,
        monitorKind: null,
      },
      { message: "shop keeps going down." },
    ]);
    for (let more = 0; more < 50; more++) await notify(server.person, `n${more}`);
    expect(await listNotifications()).toHaveLength(50);
    const page = await server.api("GET", "/v2/notifications?per_page=20&page=3");
    expect(page.body.data).toHaveLength(12);
    expect(page.body.data[0]).toMatchObject({ is_read: false, monitor_kind: null });
  });

  it("is read one by one or all at once, by each person for themselves, a viewer too; what comes later is unread", async () => {
    const others = [await colleague("member"), await colleague("viewer")];
    const [first] = [await notify(server.person, "first"), await notify(server.person, "second")];
    const one = await server.api("PUT", `/api/notifications/${first}/read`);
    expect(one).toMatchObject({ status: 200, body: { data: { isRead: true } } });
    expect(await listNotifications()).toEqual([
      ["second", false],
      ["first", true],
    ]);
    expect((await server.api("PUT", `/api/notifications/${first}/read`)).status).toBe(200);
    expect((await server.api("PUT", "/v2/notifications/read")).status).toBe(200);
    await notify(server.person, "third");
    expect(await listNotifications()).toEqual([
      ["third", false],
      ["second", true],
      ["first", true],
    ]);
    for (const key of others) {
      expect((await listNotifications(key)).map(([, isRead]) => isRead)).toEqual([false, false, false]);
      expect((await server.api("PUT", "/api/notifications/read", undefined, { key })).status).toBe(200);
      expect((await listNotifications(key)).map(([, isRead]) => isRead)).toEqual([true, true, true]);
    }
  });

  const onPostgres = engine === "postgres" ? it : () => {};
  onPostgres("is unread where it was written before all were read, and sent after that", async () => {
    const { store } = server.ctx;
    await notify(server.person, "ancient", 600_000);
    const late = notificationOf(server.person, "late", 0);
    await store.transaction(async (trx) => {
      await insertNotifications(trx, [late]);
      await notify(server.person, "seen");
      expect((await server.api("PUT", "/api/notifications/read")).status).toBe(200);
    });
    const after = [
      ["seen", true],
      ["late", false],
      ["ancient", true],
    ];
    expect(await listNotifications()).toEqual(after);
    expect(await unreadOf()).toBe(1);
    expect((await server.api("PUT", "/api/notifications/read")).status).toBe(200);
    expect(await unreadOf()).toBe(0);
  });

  it("counts as read for those who joined later", async () => {
    await notify(server.person, "before", 60_000);
    const key = await colleague("member");
    await notify(server.person, "after");
    expect(await listNotifications(key)).toEqual([
      ["after", false],
      ["before", true],
    ]);
  });

  it("is read in whichever organization of one's own it was sent", async () => {
    const { userId } = server.person;
    const second = { ...(await server.createOrganization()), userId };
    const at = server.ctx.clock.now() - 60_000;
    const membership = { userId, organizationId: second.organization.id, role: "viewer" } as const;
    await insertMember(server.ctx.store.db, membership, at);
    const key = await server.createKey({ person: server.person, allOrganizations: true });
    const there = `organization=${second.organization.id}`;
    const unread = async (query: string) => {
      const { body } = await server.api("GET", `/api/notifications?${query}`, undefined, { key });
      return body.data.filter((one: { isRead: boolean }) => !one.isRead).length;
    };
    await notify(server.person, "here");
    const uuid = await notify(second, "there");
    await notify(second, "there too");
    const own = await server.createKey();
    expect((await server.api("PUT", `/api/notifications/${uuid}/read`, undefined, { key: own })).status).toBe(
      404,
    );
    expect((await server.api("PUT", `/api/notifications/${uuid}/read`, undefined, { key })).status).toBe(200);
    expect([await unread(""), await unread(there)]).toEqual([1, 1]);
    for (const family of ["api", "v2"]) {
      const marked = await server.api("PUT", `/${family}/notifications/read?${there}`, undefined, { key });
      expect(marked.status).toBe(200);
      expect([await unread(""), await unread(there)]).toEqual([1, 0]);
    }
  });

  it("is nothing to other organizations, and requests its scope", async () => {
    const outsider = await server.createOrganization();
    const uuid = await notify(outsider, "theirs");
    expect(await listNotifications()).toEqual([]);
    expect((await server.api("PUT", `/api/notifications/${uuid}/read`)).status).toBe(404);
    expect((await server.api("PUT", "/api/notifications/read")).status).toBe(200);
    expect(await listNotifications(await server.createKey({ person: outsider }))).toEqual([
      ["theirs", false],
    ]);
    const key = await server.createKey({ scopes: ["read:domains"] });
    expect((await server.api("GET", "/api/notifications", undefined, { key })).status).toBe(403);
    const own = await notify(server.person, "ours");
    for (const scope of ["read:domains", "write:domains", "read:notifications"]) {
      const weak = await server.createKey({ scopes: [scope] });
      for (const which of ["read", `${own}/read`]) {
        const { status } = await server.api("PUT", `/api/notifications/${which}`, undefined, { key: weak });
        expect([scope, status]).toEqual([scope, 403]);
      }
    }
    expect(await listNotifications()).toEqual([["ours", false]]);
    expect((await server.api("GET", "/api/notifications?limit=1001")).status).toBe(422);
  });
});
