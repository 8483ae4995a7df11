import dgram from "node:dgram";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { OPENAPI_FILE } from "../../../src/app/http/openapi-text.ts";
import { activeKind, type CheckType, checkKinds } from "../../../src/checks/registry.ts";
import { startMongodbTarget } from "../../checks/mongodb-target.ts";
import { CANARIES, formsOf, withCanaries } from "../../harness/canaries.ts";
import { CONVERSATIONS, type Conversation, type Talk } from "../../harness/conversations.ts";
import { eventually } from "../../harness/eventually.ts";
import { startLineTarget } from "../../harness/line-target.ts";
import { runCommand, startServerProcess, temporaryFolder } from "../../harness/process.ts";
import { createTestDatabase, eachEngine } from "../../harness/stores.ts";
import { startHttpTarget } from "../../harness/targets.ts";

const OWNER = "owner@vedette.test";
const conversations: Record<string, Conversation> = CONVERSATIONS;
const { paths } = JSON.parse(readFileSync(OPENAPI_FILE, "utf8")) as {
  paths: Record<string, { get?: { parameters?: { name: string; required?: boolean; in: string }[] } }>;
};

const KINDS = Object.keys(checkKinds).flatMap((type) => {
  const canaries = withCanaries(type as CheckType);
  return canaries === null ? [] : [{ type, canaries }];
});

// biome-ignore lint/suspicious/noExplicitAny: any answer of the API
type Json = any;

/** Everything that was sent to anybody, and by whom. */
interface Sighting {
  by: string;
  text: string;
}

/** Vedette as a process of its own that logs all it can, and a key of its owner. */
async function startVedette(engine: "sqlite" | "postgres") {
  const { folder, remove } = temporaryFolder();
  onTestFinished(remove);
  const database = await createTestDatabase(engine, { empty: true });
  onTestFinished(() => database.remove());
  const environment = {
    ...("url" in database.location && { DATABASE_URL: database.location.url }),
    VEDETTE_LOG_LEVEL: "trace",
    VEDETTE_RATE_LIMITS: "off",
  };
  const server = await startServerProcess(folder, environment);
  onTestFinished(async () => void (await server.stop()));
  const vedette = (...args: string[]) => runCommand([...args, "--data", folder], environment);
  await vedette("user", "create", "--email", OWNER, "--password", "correct horse battery");
  const key = (await vedette("key", "create", "--email", OWNER)).stdout.trim();
  const reading = ["key", "create", "--email", OWNER, "--scopes", "read:*"];
  const readerKey = (await vedette(...reading)).stdout.trim();
  const reported: Sighting[] = [];
  const as =
    (by: string, token: string) =>
    async (method: string, path: string, body?: object): Promise<Json> => {
      const answer = await fetch(server.url + path, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body !== undefined && { "content-type": "application/json" }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      reported.push({ by: `${by}${method} ${path} (${answer.status})`, text });
      return answer.headers.get("content-type")?.includes("json") ? JSON.parse(text) : text;
    };
  return { server, folder, vedette, key, reported, api: as("", key), read: as(READER, readerKey) };
}

/** What a key that may only read was sent begins with it. */
const READER = "a reader: ";

/** What every reading tool of MCP answers that requests nothing, or for one of these. */
async function callTools(
  call: (name: string, given: object) => Promise<unknown>,
  tools: Json[],
  ids: object,
) {
  for (const { name, annotations, inputSchema } of tools) {
    const { required = [] } = inputSchema as { required?: string[] };
    const subjects = Object.entries(ids).find(([kind]) => name === `get_${kind}`)?.[1] as Json[] | undefined;
    if (!annotations.readOnlyHint || annotations.openWorldHint) continue;
    if (required.length === 0) await call(name, {});
    else if (required.length === 1)
      for (const { id } of subjects ?? []) await call(name, { [required[0] ?? ""]: String(id) });
  }
}

/** What the live stream says from now on. */
function followEvents(url: string, key: string, reported: Sighting[]): void {
  const leaving = new AbortController();
  onTestFinished(() => leaving.abort());
  const listen = async () => {
    const headers = { authorization: `Bearer ${key}` };
    const { body } = await fetch(`${url}/api/events`, { headers, signal: leaving.signal });
    for await (const text of body?.pipeThrough(new TextDecoderStream()) ?? [])
      reported.push({ by: "live events", text });
  };
  listen().catch(() => {});
}

/** A server over TCP, and over UDP on the same port. */
async function startBoth(talk: Talk, answer: (query: Buffer) => Buffer): Promise<number> {
  const { port, close } = await startLineTarget(talk);
  const socket = dgram.createSocket("udp4").bind(port, "127.0.0.1");
  socket.on("message", (query, from) => socket.send(answer(query), from.port, "127.0.0.1"));
  onTestFinished(async () => {
    socket.close();
    await close();
  });
  return port;
}

/** In the protocol of the request, as far as that matters: of HTTP alone it is kept what the answer was. */
function refusal(said: Buffer): Buffer {
  const words = String(said);
  if (!/^(?:GET|POST) .* HTTP\/1\.1\r\n/.test(words)) return Buffer.from(`-ERR 530 no: ${words}\r\n`);
  const line = words.replace(/\s+/g, " ");
  return Buffer.from(`HTTP/1.1 500 ${line}\r\nx-said: ${line}\r\n\r\n${words}`);
}

/** Refuses whatever it is sent by saying it back, in any protocol. */
const startEcho = () =>
  startBoth((socket) => socket.on("data", (said) => void socket.write(refusal(Buffer.from(said)))), refusal);

/** Lets everybody in, with whatever password. */
async function startPassing(type: string): Promise<number> {
  const account = { user: "watch", password: CANARIES.hidden, mechanism: "SCRAM-SHA-256" } as const;
  if (type === "mongodb") return (await startMongodbTarget({ account })).port;
  const talk = await conversations[type]?.talk?.();
  return startBoth(talk ?? (() => {}), () => Buffer.from("ping"));
}

/** Addresses that can be read, for what there is: `ids` are what replaces `{id}` and `{uuid}` under an address. */
function readable(ids: Readonly<Record<string, readonly Json[]>>): string[] {
  return Object.entries(paths).flatMap(([path, { get }]) => {
    const needsQuery = get?.parameters?.some((one) => one.in === "query" && one.required) ?? false;
    if (get === undefined || needsQuery || path.endsWith("/events")) return [];
    const holder = Object.keys(ids).find((one) => path.includes(`/${one}/{`));
    if (holder === undefined) return path.includes("{") ? [] : [path];
    return (ids[holder] ?? []).map(({ id, uuid }) => path.replace("{id}", id).replace("{uuid}", uuid));
  });
}

/** Where people read a configuration again, its secrets for changers and readers are there too; nowhere else. MCP quotes it in a text. */
const withoutConfigs = (text: string) =>
  text.replaceAll('\\"', '"').replace(/"protocol_?[cC]onfig":\{(?:[^{}]|\{[^{}]*\})*\}/g, '"config":{}');

function expectNoneIn(reported: readonly Sighting[]): void {
  const found = reported.flatMap(({ by, text }) => {
    const bare = withoutConfigs(text);
    const never = [CANARIES.hidden, CANARIES.headers, ...(by.startsWith(READER) ? [CANARIES.changers] : [])];
    const hidden = never.flatMap(formsOf).filter((form) => text.includes(form));
    // Those who may change a monitor find in an export what they see of its configuration.
    const readable = by.includes("/exports ") ? [] : [CANARIES.changers];
    const others = readable.flatMap(formsOf).filter((form) => bare.includes(form));
    return [...hidden, ...others].map((form) => ({ by, form }));
  });
  expect(found).toEqual([]);
}

/** The bytes of all files in a folder and those below it. */
const filesIn = (folder: string): Sighting[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .map((file) => ({ by: file, text: readFileSync(file, "latin1") }));

eachEngine("secrets of services", (engine) => {
  test("are sent to nobody and written nowhere, whatever is done with them", async () => {
    const { server, folder, vedette, key, reported, api, read } = await startVedette(engine);
    followEvents(server.url, key, reported);
    const hook = await startHttpTarget();
    onTestFinished(hook.close);
    const channel = await api("POST", "/api/notifications/channels", {
      name: "Hook",
      type: "webhook",
      config: { url: hook.url },
    });
    const echo = await startEcho();
    const made = await Promise.all(
      KINDS.map(async ({ type, canaries }) => {
        const isActive = activeKind(type as CheckType) !== null;
        const body = (port: number) => ({
          name: `One ${type}`,
          protocol: type,
          protocolConfig: { ...conversations[type]?.config(port), ...canaries },
          ...(isActive && { timeout: 1 }),
          confirmations: 1,
          recheckDelay: 0,
        });
        await api("POST", "/api/services/test", body(echo));
        const { data, ...refused } = await api("POST", "/api/services", body(echo));
        if (data === undefined) throw new Error(JSON.stringify({ type, refused }));
        const signal = `/api/heartbeats/${data.id}/${CANARIES.changers}`;
        await api("POST", isActive ? `/api/services/${data.id}/check` : `${signal}/fail`);
        await eventually(
          () => api("GET", `/api/services/${data.id}`),
          (answer) => answer.data.status === "down",
          30_000,
        );
        const { name, protocol: _same, ...change } = body(await startPassing(type));
        await api("PUT", `/v2/services/${data.uuid}`, { name: `${name} again` });
        await api("POST", `/api/services/${data.id}/test`, change);
        await api("PUT", `/api/services/${data.id}`, change);
        const checked = await api("POST", isActive ? `/api/services/${data.id}/check` : signal);
        return { ...data, type, state: checked.data?.state ?? null };
      }),
    );
    expect(made.filter(({ state }) => state !== "up").map(({ type }) => type)).toEqual(["heartbeat"]);
    const incidents = await api("GET", "/api/incidents?limit=100");
    expect(incidents.data.length).toBeGreaterThan(5);
    expect(hook.requests.length).toBeGreaterThan(5);
    const organizations = (await api("GET", "/api/organizations")).data;
    const ids = {
      services: made,
      incidents: incidents.data,
      organizations,
      channels: [channel.data],
    };
    for (const path of readable(ids)) for (const one of [api, read]) await one("GET", path);
    const mcp = (one: typeof api) => async (method: string, params: object) =>
      one("POST", `/mcp?${params && "name" in params ? String(params.name) : method}`, {
        ...{ jsonrpc: "2.0", id: 1, method, params },
      });
    const { result } = await mcp(api)("tools/list", {});
    for (const one of [api, read]) {
      const subjects = { service: made, incident: incidents.data };
      await callTools(
        (name, given) => mcp(one)("tools/call", { name, arguments: given }),
        result.tools,
        subjects,
      );
    }
    expect(reported.filter(({ by }) => by === `${READER}POST /mcp?get_service (200)`)).toHaveLength(
      made.length,
    );
    expect(
      reported.some(
        ({ by, text }) => by.startsWith(`${READER}POST /mcp?get_service`) && text.includes("One websocket"),
      ),
    ).toBe(true);
    // In both families, to the owner's key and to the one that may only read.
    const byKey = (answers: readonly Sighting[]) => [
      answers.filter(({ by }) => !by.startsWith(READER)).length,
      answers.filter(({ by }) => by.startsWith(READER)).length,
    ];
    expect(byKey(reported.filter(({ by }) => by.endsWith("audit-log (200)")))).toEqual([2, 2]);
    reported.push(...hook.requests.map((request) => ({ by: "a channel", text: JSON.stringify(request) })));
    const backup = join(folder, "copy.vedette");
    await vedette("backup", backup);
    reported.push({ by: "a backup", text: gunzipSync(readFileSync(backup)).toString() });
    for (const { id } of made) await api("DELETE", `/api/services/${id}`);
    reported.push({ by: "the log", text: server.output.stdout + server.output.stderr });
    reported.push(...filesIn(folder));
    const evidence = reported.filter(({ by }) => by.endsWith("/evidence (200)"));
    const masked = evidence.filter(({ text }) => text.includes("x-said") && text.includes("********"));
    expect(byKey(masked)).toEqual([2, 2]);
    // None of it has been looked for in vain: there is something to be found.
    for (const by of ["live events", "a channel", "a backup"])
      expect([by, reported.some((one) => one.by === by && /One http|monitor/.test(one.text))]).toEqual([
        by,
        true,
      ]);
    expectNoneIn(reported);
  }, 240_000);
});
