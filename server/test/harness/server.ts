import { randomBytes } from "node:crypto";
import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import { issueKey } from "../../src/accounts/issue-key.ts";
import { createOrganization } from "../../src/accounts/organizations.ts";
import { insertMember } from "../../src/accounts/queries/members.ts";
import { insertUser } from "../../src/accounts/queries/users.ts";
import { confirmUserEmail } from "../../src/alerts/queries/own-channels.ts";
import { toolsOf } from "../../src/app/command/network.ts";
import { offeredTools } from "../../src/app/http/described.ts";
import { createServer } from "../../src/app/http/server.ts";
import { createLive, type LiveHub } from "../../src/app/live/hub.ts";
import { laterRooms } from "../../src/app/pipeline.ts";
import { createAssistant } from "../../src/assistant/tools/assistant-tools.ts";
import { createResolver } from "../../src/checks/resolve.ts";
import { PageReader } from "../../src/checks/site/page-reader.ts";
import type { EngineControl } from "../../src/engine/control.ts";
import { NO_HEALTH } from "../../src/engine/probe/check-delay.ts";
import { FileReader } from "../../src/monitors/import/file-reader.ts";
import { type OwnOrganization, updateOrganization } from "../../src/platform/access/queries/organizations.ts";
import type { Role } from "../../src/platform/access/roles-and-scopes.ts";
import { type Clock, systemClock } from "../../src/platform/clock.ts";
import type { Config } from "../../src/platform/config.ts";
import type { Context } from "../../src/platform/context.ts";
import type { Store } from "../../src/platform/database/store.ts";
import { REQUEST_LIMITS, type RequestLimits } from "../../src/platform/http/errors.ts";
import { createSecretBox } from "../../src/platform/secrets/secret-box.ts";
import { watchAnswers } from "./documented.ts";
import { type EngineName, openTestStore } from "./stores.ts";

/** A configuration as a test wants it: everything reachable, nothing limited, sign-up open. */
export function testConfig(change: Partial<Config> = {}): Config {
  return {
    host: "127.0.0.1",
    port: 0,
    dataFolder: "unused",
    databaseUrl: null,
    publicUrl: null,
    secretKey: null,
    smtp: null,
    mailFrom: null,
    ehloName: null,
    targets: "all",
    defaultPlan: "expert",
    signup: "open",
    rateLimits: false,
    workers: 1,
    logLevel: "silent",
    trustedProxies: [],
    metrics: "key",
    mcpIssuer: null,
    mcpAudience: [],
    assistantUrl: null,
    assistantModel: null,
    assistantKey: null,
    resolvers: [],
    geoDatabase: null,
    asnDatabase: null,
    rdapBootstrap: null,
    referenceTargets: ["off"],
    // Nobody listens there: no test calls a real provider.
    azureLoginUrl: "http://127.0.0.1:1",
    azureManagementUrl: "http://127.0.0.1:1",
    vercelApiUrl: "http://127.0.0.1:1",
    vercelOauthUrl: "http://127.0.0.1:1",
    vercelClientId: null,
    vercelClientSecret: null,
    ...change,
  };
}

export interface TestServerOptions {
  engine: EngineName;
  config?: Partial<Config>;
  clock?: Clock;
  /** Of the first organization, its person and `key`. Default: expert with reports, owner, everything. */
  plan?: "free" | "pro" | "expert";
  reports?: boolean;
  role?: Role;
  scopes?: string[];
  /** Whether `key` acts in all of the person's organizations. Default: in the first only. */
  allOrganizations?: boolean;
  /** Starts the check engine (or a fake one) once the context is there. Default: a silent one. */
  startEngine?: (ctx: Context) => Promise<EngineControl & { stop(): Promise<void> }>;
  /** An open store, e.g. that of another replica; it is not closed with the server. */
  store?: Store;
  log?: Context["log"];
  /** For a test about the whole installation: what it counts must not be another's. */
  alone?: true;
  /** More routes, e.g. one that fails. */
  routes?: (app: FastifyInstance, ctx: Context) => void;
  /** Shorter than the real ones, which no test can wait for. */
  limits?: Partial<RequestLimits>;
}

export interface ApiAnswer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into any shape
  body: any;
  headers: Headers;
}

export interface TestPerson {
  userId: number;
  organization: OwnOrganization;
  role: Role;
}

export interface TestServer {
  url: string;
  ctx: Context;
  app: FastifyInstance;
  live: LiveHub;
  /** What the server warned of, for a test that fails and wants to know why. */
  problems: { fields: object; message?: string }[];
  /** The API key that `api` uses. */
  key: string;
  /** The first organization and its person. */
  person: TestPerson;
  /** One request; `key: null` sends no credentials, `headers` are added. A JSON answer is parsed. */
  api(
    method: string,
    path: string,
    body?: unknown,
    options?: { key?: string | null; headers?: Record<string, string>; signal?: AbortSignal },
  ): Promise<ApiAnswer>;
  /** Another tenant: an organization with a person of its own. */
  createOrganization(options?: {
    name?: string;
    plan?: string;
    reports?: boolean;
    role?: Role;
  }): Promise<TestPerson>;
  /** A key of `person` (default: the first), or of a new organization where a plan or role is given. */
  createKey(options?: {
    scopes?: string[];
    plan?: string;
    reports?: boolean;
    role?: Role;
    person?: TestPerson;
    expiresAt?: number;
    allOrganizations?: boolean;
  }): Promise<string>;
  close(): Promise<void>;
}

function recordingLog(problems: TestServer["problems"]): Context["log"] {
  const keep = (fields: object, message?: string) => void problems.push({ fields, message });
  const nothing = () => {};
  const log = { trace: nothing, debug: nothing, info: nothing, warn: keep, error: keep, fatal: keep };
  // Fastify makes a child for each request.
  return { ...log, child: () => ({ ...log, child: () => log }) } as Context["log"];
}

const silentEngine: EngineControl = {
  accept: () => Promise.reject(new Error("No engine runs here.")),
  checkNow: async () => null,
  monitorChanged() {},
  health: () => ({ ...NO_HEALTH, ticking: true }),
  jobs: () => [],
};

/** What differs between callers of one server: each test is an organization of its own. */
type CallerOptions = Pick<
  TestServerOptions,
  "engine" | "clock" | "plan" | "reports" | "role" | "scopes" | "allOrganizations"
>;
const CALLER_OPTIONS = ["engine", "clock", "plan", "reports", "role", "scopes", "allOrganizations"];
/** Settings that count nothing and are the same in many tests. */
const SHARED_SETTINGS = ["signup", "publicUrl"];

/** One an engine, configuration and process, for the tests that are content to be one organization of many. */
const shared = new Map<string, Promise<TestServer>>();
let sharedClock = systemClock;

/**
 * The real API over real HTTP, and an organization, person and key of the test's own there. Whoever requests nothing
 * but those (and perhaps closed sign-up) gets them on a server that other tests use one after another; any other option
 * brings a server and a store of its own. Close it with `onTestFinished(server.close)`.
 */
export async function startTestServer(options: TestServerOptions): Promise<TestServer> {
  const { engine, config = {}, ...more } = options;
  const canShare =
    Object.keys(more).every((name) => CALLER_OPTIONS.includes(name)) &&
    Object.keys(config).every((name) => SHARED_SETTINGS.includes(name));
  if (!canShare) return startOwnServer(options);
  const which = JSON.stringify([engine, testConfig(config)]);
  const clock = { now: () => sharedClock.now() };
  const server = shared.get(which) ?? startOwnServer({ engine, config, clock });
  shared.set(which, server);
  return joinServer(await server, options);
}

async function joinServer(server: TestServer, options: CallerOptions): Promise<TestServer> {
  server.problems.length = 0;
  sharedClock = options.clock ?? systemClock;
  const person = await createPerson(server.ctx, options);
  const key = await createPersonKey(server.ctx, person, options);
  const forOwn = { person, key };
  return {
    ...server,
    ...forOwn,
    api: (method, path, body, more = {}) =>
      server.api(method, path, body, { ...more, key: more.key === undefined ? key : more.key }),
    createKey: (more = {}) => {
      const isOwn = (more.plan ?? more.role ?? more.reports) === undefined;
      return server.createKey({ ...more, ...(isOwn && !more.person && { person }) });
    },
    close: async () => undefined,
  };
}

async function startOwnServer(options: TestServerOptions): Promise<TestServer> {
  const store = options.store ?? (await openTestStore(options.engine));
  const clock = options.clock ?? systemClock;
  const problems: TestServer["problems"] = [];
  const log = options.log ?? recordingLog(problems);
  const config = testConfig(options.config);
  // The same on each: replicas share their key.
  const secrets = createSecretBox(Buffer.alloc(32, 7));
  const live = createLive({ store, log, secrets });
  const ctx: Context = {
    store,
    clock,
    config,
    log,
    network: {
      resolver: createResolver({ servers: config.resolvers, policy: config.targets }),
      policy: config.targets,
    },
    files: new FileReader(),
    pages: new PageReader({ settings: { resolvers: config.resolvers, policy: config.targets }, log }),
    tools: toolsOf(config, log),
    secrets,
    engine: silentEngine,
    live,
    ...laterRooms,
  };
  const engine = await options.startEngine?.(ctx);
  if (engine) ctx.engine = engine;
  let complaints: string[] = [];
  const routes = (made: FastifyInstance, own: Context) => {
    complaints = watchAnswers(made);
    options.routes?.(made, own);
  };
  ctx.assistant = createAssistant(ctx, offeredTools);
  const app = await createServer(ctx, routes, { ...REQUEST_LIMITS, ...options.limits });
  // None is closed between two requests: this process may be too busy to see that before it sends the second.
  app.server.keepAliveTimeout = 3_600_000;
  await app.listen({ host: "127.0.0.1", port: 0 });
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  const person = await createPerson(ctx, options);
  const key = await createPersonKey(ctx, person, options);
  return {
    url,
    ctx,
    app,
    live,
    problems,
    key,
    person,
    async api(method, path, body, more = {}) {
      const own = { ...more, key: more.key === undefined ? key : more.key };
      const answer = await request(url + path, method, body, own);
      assertDocumented(complaints);
      return answer;
    },
    createOrganization: (more = {}) => createPerson(ctx, more),
    createKey: async (more = {}) => {
      const own = more.plan ?? more.role ?? more.reports;
      const holder = more.person ?? (own === undefined ? person : await createPerson(ctx, more));
      return createPersonKey(ctx, holder, more);
    },
    close: async () => {
      await app.close();
      await ctx.pages.close();
      await ctx.files.close();
      await ctx.tools.close();
      await engine?.stop();
      await live.close();
      if (!options.store) await store.close();
      assertDocumented(complaints);
    },
  };
}

/** Fails a test in which an answer was not as documented. */
function assertDocumented(complaints: string[]): void {
  const found = complaints.splice(0);
  if (found.length > 0) throw new Error(`Not as the OpenAPI document says:\n${found.join("\n")}`);
}

let counter = 0;

async function createPerson(
  ctx: Context,
  options: { name?: string; plan?: string; reports?: boolean; role?: Role },
): Promise<TestPerson> {
  const now = ctx.clock.now();
  const role = options.role ?? "owner";
  return ctx.store.transaction(async (trx) => {
    const person = async () => {
      counter += 1;
      const email = `person${counter}-${randomBytes(4).toString("hex")}@vedette.test`;
      const uuid = crypto.randomUUID();
      // It signs no one in: tests of passwords make their people through the API.
      const user = { uuid, email, name: `Person ${counter}`, passwordHash: "none" };
      const id = (await insertUser(trx, user, now)) as number;
      await confirmUserEmail(trx, id, now);
      return id;
    };
    const ownerId = await person();
    const name = options.name ?? `Organization ${counter}`;
    const organization = await createOrganization({ ...ctx, db: trx }, { name, ownerId });
    const change = { plan: options.plan ?? "expert", reports: options.reports ?? true };
    await updateOrganization(trx, organization.id, change, now);
    if (role === "owner") return { userId: ownerId, organization: { ...organization, ...change }, role };
    const userId = await person();
    await insertMember(trx, { userId, organizationId: organization.id, role }, now);
    return { userId, organization: { ...organization, ...change, role }, role };
  });
}

async function createPersonKey(
  ctx: Context,
  person: TestPerson,
  options: { scopes?: string[]; expiresAt?: number; allOrganizations?: boolean },
): Promise<string> {
  const created = await issueKey(
    { db: ctx.store.db, clock: ctx.clock },
    {
      userId: person.userId,
      organizationId: person.organization.id,
      name: "test",
      scopes: options.scopes ?? ["*:*"],
      expiresAt: options.expiresAt,
      allOrganizations: options.allOrganizations,
    },
  );
  return created.token;
}

async function request(
  url: string,
  method: string,
  body: unknown,
  options: { key?: string | null; headers?: Record<string, string>; signal?: AbortSignal },
): Promise<ApiAnswer> {
  const response = await fetch(url, {
    method,
    redirect: "manual",
    signal: options.signal,
    headers: {
      ...(body !== undefined && { "content-type": "application/json" }),
      ...(options.key && { authorization: `Bearer ${options.key}` }),
      ...options.headers,
    },
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const json = response.headers.get("content-type")?.includes("json") && text !== "";
  return { status: response.status, body: json ? JSON.parse(text) : text, headers: response.headers };
}
