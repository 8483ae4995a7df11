import { sql } from "kysely";
import { afterAll, beforeEach, expect, test } from "vitest";
import { VERBS } from "../../../src/app/operations.ts";
import type { Caller } from "../../../src/platform/access/caller.ts";
import { ROLES, type Role } from "../../../src/platform/access/roles-and-scopes.ts";
import { smtpServer } from "../../../src/platform/config-values.ts";
import { callVerb } from "../../../src/platform/operations/call.ts";
import type { Verb } from "../../../src/platform/operations/operation.ts";
import { startFakeModel } from "../../assistant/fake-model.ts";
import { startTestServer, type TestServer } from "../../harness/server.ts";
import { eachEngine } from "../../harness/stores.ts";
import { startProviders } from "../../integrations/providers.ts";
import { CASES, type Case, makeCaller, makeWorld, type World } from "./cases.ts";
import { storedRows } from "./stored-rows.ts";

type Name = keyof typeof VERBS;
const NAMES = Object.keys(VERBS) as Name[];
const verbNamed = (name: Name): Verb => VERBS[name];
const caseOf = (name: Name): Case => CASES[name];
const isPersons = ({ by }: Verb): boolean => by === undefined || by === "caller" || by === "session";
const scoped = NAMES.filter((name) => isPersons(verbNamed(name)) && verbNamed(name).resource !== null);
const writes = NAMES.filter((name) => verbNamed(name).action === "write");

const providers = await startProviders();
afterAll(providers.close);

const model = await startFakeModel(() => ({ text: ["Because."] }));
afterAll(model.close);

/** A mail server and a name server without a listener: verbs need to know of them. */
const OUTSIDE = {
  ...providers.config,
  assistantUrl: model.url.openai,
  assistantModel: "small-1",
  publicUrl: "https://vedette.test",
  smtp: smtpServer("smtp://127.0.0.1:1", "SMTP_URL"),
  resolvers: ["127.0.0.1:1"],
};

/** A call's traces are looked for in all that is stored, which grows with each test. */
const TESTS_A_SERVER = 50;

const kindOf = (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => "done",
    (error: Error & { kind?: string }) => error.kind ?? error.message,
  );

test("every verb has a case, and every write says what the audit log calls it", () => {
  expect(Object.keys(CASES).toSorted()).toEqual(NAMES.toSorted());
  const silent = writes.filter((name) => verbNamed(name).audit === undefined);
  expect(silent, "null says that nothing is recorded").toEqual([]);
});

eachEngine("called directly, every verb", (engine) => {
  let server: TestServer;
  let close = async () => {};
  let tests = 0;
  beforeEach(async () => {
    if (tests % TESTS_A_SERVER === 0) {
      await close();
      server = await startTestServer({ engine, config: OUTSIDE });
      close = server.close;
    }
    tests += 1;
  });
  afterAll(() => close());

  const call = (name: Name, caller: Caller, input: object) =>
    callVerb({ ...server.ctx, caller }, verbNamed(name), input as never);

  /** As one who may: the owner, a visitor, the operator. */
  function callAllowed(name: Name, { owner }: World, input: object) {
    const { requestId, address } = owner;
    const readPage = server.app.statusPages.find;
    const who = isPersons(verbNamed(name))
      ? { caller: owner }
      : { operator: true as const, visitor: { requestId, address, userAgent: "test", readPage } };
    return callVerb({ ...server.ctx, ...who }, verbNamed(name), input as never);
  }

  const rows = () =>
    server.ctx.store.db
      .selectFrom("audit_log")
      .select(["action", "organization_id", "user_id", "request_id", "address"])
      .orderBy("id")
      .execute();

  /** What becomes of a call, which must leave no trace. */
  async function refusal(name: Name, change: (world: World) => Promise<Caller> | Caller): Promise<string> {
    const world = await makeWorld(server);
    const input = await caseOf(name).input(world);
    const caller = await change(world);
    const before = await storedRows(server.ctx.store);
    const kind = await kindOf(call(name, caller, input));
    expect(await storedRows(server.ctx.store), name).toEqual(before);
    return kind;
  }

  const isForViewers = (name: Name) =>
    verbNamed(name).role === "viewer" || !(writes.includes(name) || verbNamed(name).role);
  test.each(scoped.filter((name) => !isForViewers(name)))("%s refuses a viewer", async (name) => {
    expect(await refusal(name, ({ owner }) => ({ ...owner, role: "viewer" }))).toBe("forbidden");
  });

  test.each(scoped.filter((name) => verbNamed(name).role && !isForViewers(name)))(
    "%s refuses a role below its own",
    async (name) => {
      const below = ROLES[ROLES.indexOf(verbNamed(name).role as Role) + 1] as Role;
      const { role } = verbNamed(name);
      expect(await refusal(name, ({ owner }) => ({ ...owner, role: below }))).toBe("forbidden");
      const world = await makeWorld(server);
      const input = await caseOf(name).input(world);
      expect(await kindOf(call(name, { ...world.owner, role: role as Role }, input))).toBe("done");
    },
  );

  test.each(scoped)("%s refuses a key without its scope, and a plan without its feature", async (name) => {
    const { action, resource, feature } = verbNamed(name);
    const others = resource === "domains" ? "*:incidents" : "*:domains";
    const scopes = action === "write" ? [others, `read:${resource}`] : [others];
    // No key at all may do what requests a session.
    const refused = verbNamed(name).by === "session" ? "forbidden" : "scope_required";
    expect(await refusal(name, ({ owner }) => ({ ...owner, kind: "key", scopes }))).toBe(refused);
    if (feature === undefined || feature === "basic") return;
    expect(await refusal(name, ({ owner }) => ({ ...owner, plan: "free", reports: false }))).toBe(
      "plan_required",
    );
  });

  test.each(NAMES.filter((name) => verbNamed(name).by === "session"))("%s refuses a key", async (name) => {
    expect(await refusal(name, ({ owner }) => ({ ...owner, kind: "key" }))).toBe("forbidden");
  });

  test.each(NAMES.filter((name) => isPersons(verbNamed(name)) && !caseOf(name).isElsewhere))(
    "%s knows nothing of another organization",
    async (name) => {
      const outsider = async () => {
        const { userId, organization } = await server.createOrganization();
        return makeCaller(server, { userId, organizationId: organization.id, role: "owner" });
      };
      expect(await refusal(name, outsider)).toBe("not_found");
    },
  );

  test.each(scoped)("%s takes nothing that it does not declare", async (name) => {
    const world = await makeWorld(server);
    const input = { ...(await caseOf(name).input(world)), nonsense: 1 };
    await expect(call(name, world.owner, input)).rejects.toMatchObject({
      kind: "invalid_input",
      fields: { nonsense: [{ code: "input.unknown", params: { field: "nonsense" } }] },
    });
  });

  test.each(NAMES.filter((name) => !caseOf(name).audits))("%s leaves no row behind", async (name) => {
    const world = await makeWorld(server);
    const input = await caseOf(name).input(world);
    const before = await rows();
    expect(await kindOf(callAllowed(name, world, input))).toBe(caseOf(name).ends ?? "done");
    expect(await rows()).toEqual(before);
  });

  test.each(NAMES.filter((name) => verbNamed(name).by === "operator"))(
    "%s is not for callers",
    async (name) => {
      expect(await refusal(name, ({ owner }) => owner)).toBe("unauthenticated");
    },
  );

  const audited = writes.filter((name) => caseOf(name).audits);

  test.each(audited)("%s is undone when its audit row cannot be written", async (name) => {
    const world = await makeWorld(server);
    const input = await caseOf(name).input(world);
    const before = await storedRows(server.ctx.store);
    const { db } = server.ctx.store;
    await sql`alter table audit_log rename to audit_away`.execute(db);
    const kind = await kindOf(callAllowed(name, world, input));
    await sql`alter table audit_away rename to audit_log`.execute(db);
    expect(kind).toContain("audit_log");
    const after = await storedRows(server.ctx.store);
    const { usesUp } = caseOf(name);
    if (usesUp !== undefined) {
      expect(after[usesUp] ?? []).toHaveLength((before[usesUp] ?? []).length + 1);
      for (const rows of [before, after]) delete rows[usesUp];
    }
    expect(after).toEqual(before);
  });

  test.each(audited)("%s is recorded in the audit log", async (name) => {
    const world = await makeWorld(server);
    const input = await caseOf(name).input(world);
    const before = await rows();
    await callAllowed(name, world, input);
    const { organizationId: organization_id, userId, requestId: request_id } = world.owner;
    const user_id = verbNamed(name).by === "operator" ? null : userId;
    const who = caseOf(name).isAuditedElsewhere ? {} : { organization_id, user_id };
    expect((await rows()).slice(before.length)).toMatchObject([
      { action: caseOf(name).audits, ...who, request_id, address: "192.0.2.1" },
    ]);
  });
});
