import { ingestBatch } from "../../src/app/pipeline.ts";
import { failed } from "../app/pipeline/setup.ts";
import { aReason } from "../harness/reasons.ts";
import type { TestServer, TestServerOptions } from "../harness/server.ts";
import type { EngineName } from "../harness/stores.ts";
import { agentOf, metrics, storingEngine, system } from "../monitors/devices/device-setup.ts";
import { serve } from "../monitors/domains/factories.ts";
import { linkDomain, makePage } from "./factories.ts";

const names = [
  ...[
    "monitor",
    "host",
    "path",
    "header",
    "body",
    "keyword",
    "token",
    "tag",
    "reason",
    "address",
    "location",
  ],
  ...[
    "description",
    "comment",
    "internal",
    "postmortem",
    "person",
    "mail",
    "organization",
    "other",
    "unpublished",
    "foreign",
  ],
  ...["device", "machine", "system", "process", "application", "container", "peer"],
] as const;

/** Something that only its organization may learn, for each place where such a thing can be. */
const SECRET = Object.fromEntries(names.map((name) => [name, `canary-${name}-7f3a`])) as Record<
  (typeof names)[number],
  string
>;
export const SECRETS: readonly string[] = Object.values(SECRET);

async function done(server: TestServer, method: string, path: string, body: object, key?: string) {
  const answer = await server.api(method, path, body, key ? { key } : {});
  if (answer.status >= 300)
    throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body.data;
}

interface FailingPage extends Pick<TestServerOptions, "clock" | "config"> {
  /** Who is there before the outage begins. */
  prepare?(server: TestServer, page: { id: number; slug: string }): Promise<void>;
}

/** A page with an outage, an incident that people work on, and maintenance, whose every input that is not for visitors is a secret. */
export async function makeFailingPage(
  engine: EngineName,
  { config, prepare = async () => {}, ...options }: FailingPage = {},
) {
  const server = await serve({
    engine,
    startEngine: storingEngine,
    ...options,
    config: { publicUrl: "https://vedette.test", ...config },
  });
  const page = await makePage(server, { name: "Example", description: "What we run." });
  const domain = await done(server, "POST", "/api/domains", {
    name: SECRET.monitor,
    url: `https://${SECRET.host}.test/${SECRET.path}`,
    method: "POST",
    isApi: true,
    headers: { "x-own": SECRET.header },
    body: SECRET.body,
    authType: "bearer",
    authConfig: { token: SECRET.token },
    assertions: [{ type: "keyword", operator: "present", value: SECRET.keyword }],
    tags: [SECRET.tag],
  });
  const component = await linkDomain(server, page, domain, { displayName: "Shop" });
  await done(server, "POST", "/api/domains", { name: SECRET.other, url: `https://${SECRET.other}.test` });
  const machine = await addMachine(server, page);
  await prepare(server, page);
  await failElsewhere(server);

  const now = server.ctx.clock.now();
  const reason = aReason("refused", `Connection to ${SECRET.address} refused: ${SECRET.reason}`);
  const seen = { reason, address: SECRET.address };
  await ingestBatch(server.ctx, [failed(domain.id, now - 4_000, seen), failed(domain.id, now - 3_000, seen)]);
  // Its report counts from when it came.
  await ingestBatch(server.ctx, [machine.silent(now + 1_000), machine.silent(now + 2_000)]);

  const incident = await done(server, "POST", "/api/incidents", {
    title: "Payments fail",
    description: SECRET.description,
    severity: "high",
    impact: "major",
    monitorIds: [domain.id],
  });
  await workOn(server, incident.id);
  const maintenance = await done(server, "POST", "/api/maintenance", {
    title: "New servers",
    description: "It may be slow.",
    startsAt: new Date(now + 3_600_000).toISOString(),
    duration: 3_600,
    tags: [SECRET.tag],
  });
  const ids = { domain: domain.id as number, device: machine.id, incident: incident.id as number };
  return {
    server,
    page,
    components: [component.uuid, machine.component],
    ids: { ...ids, maintenance: maintenance.id as number },
  };
}

/** A device on the page, all of whose agent's words are secrets, and how it falls silent. */
async function addMachine(server: TestServer, page: { id: number }) {
  const { device, token } = await done(server, "POST", "/api/devices", { name: SECRET.device });
  const usage = { cpuPercent: 1, memoryMB: 1, status: "running", user: SECRET.process };
  const local = { localAddress: SECRET.peer, localPort: 50_000, protocol: "tcp" as const };
  const peer = { remoteAddress: SECRET.peer, remotePort: 443, status: "ESTABLISHED", processName: null };
  const unknown = { version: "1", publisher: null, installPath: null, size: null, isRunning: true };
  const container = { id: "1", image: SECRET.container, state: "running", status: SECRET.container };
  const list = <Item>(item: Item) => ({ total: 1, items: [item] });
  const { status, body } = await agentOf(server, token).report({
    system: { ...system(SECRET.machine), os: SECRET.system, kernel: SECRET.system, cpu: SECRET.system },
    metrics: metrics({ [`disk./${SECRET.machine}.usage`]: 99 }),
    processes: list({ ...usage, pid: 1, name: SECRET.process, command: SECRET.process }),
    applications: list({ ...unknown, name: SECRET.application }),
    connections: list({ ...local, ...peer }),
    containers: list({ ...container, name: SECRET.container }),
  });
  if (status !== 200) throw new Error(JSON.stringify(body));
  const linked = { deviceId: device.id, displayName: "Machine", showsResponseTimes: true };
  const { uuid } = await done(server, "POST", `/api/status-pages/${page.id}/devices`, linked);
  const reason = aReason("timeout", `${SECRET.machine} is silent: ${SECRET.reason}`);
  return {
    id: device.id as number,
    component: uuid as string,
    silent: (at: number) => failed(device.id, at, { reason, address: null }),
  };
}

/** Another organization, all of whose words are secrets. */
async function failElsewhere(server: TestServer): Promise<void> {
  const key = await server.createKey({ person: await server.createOrganization() });
  const word = SECRET.foreign;
  const post = (path: string, body: object) => done(server, "POST", path, body, key);
  const { id } = await post("/api/domains", { name: word, url: `https://${word}.test`, tags: [SECRET.tag] });
  const page = await post("/api/status-pages", { name: word, slug: `s-${crypto.randomUUID()}` });
  await post(`/api/status-pages/${page.id}/domains`, { domainId: id, displayName: word });
  await post("/api/incidents", { title: word, description: word, monitorIds: [id] });
  await post("/api/maintenance", { title: word, description: word, duration: 3_600, tags: [SECRET.tag] });
}

async function workOn(server: TestServer, id: number): Promise<void> {
  const path = `/api/incidents/${id}`;
  const { userId } = server.person;
  await server.ctx.store.db
    .updateTable("users")
    .set({ name: SECRET.person, email: `${SECRET.mail}-${userId}@vedette.test` })
    .where("id", "=", userId)
    .execute();
  await server.ctx.store.db
    .updateTable("organizations")
    .set({ name: SECRET.organization })
    .where("id", "=", server.person.organization.id)
    .execute();
  await done(server, "POST", `${path}/updates`, {
    message: "Payments fail for some people.",
    status: "identified",
  });
  await done(server, "POST", `${path}/comments`, { content: SECRET.internal, isInternal: true });
  await done(server, "POST", `${path}/comments`, { content: SECRET.comment, isInternal: false });
  await done(server, "PUT", `${path}/postmortem`, { content: SECRET.postmortem });
  await done(server, "POST", `${path}/acknowledge`, {});
}
