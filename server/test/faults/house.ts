import { join } from "node:path";
import { onTestFinished } from "vitest";
import { openStore, type StoreLocation } from "../../src/platform/database/open.ts";
import type { Store } from "../../src/platform/database/store.ts";
import { runCommand, type ServerProcess, startServerProcess, temporaryFolder } from "../harness/process.ts";

// biome-ignore lint/suspicious/noExplicitAny: a drill looks into many shapes
type Answer = any;

/** An installation that bad days happen to: its server process may be killed and started again. */
export interface House {
  folder: string;
  /** The owner's API key. */
  key: string;
  /** The running server, or the last one. */
  server: ServerProcess;
  /** Starts the server, at the same address as before. */
  start(): Promise<void>;
  /** kill -9. */
  kill(): Promise<void>;
  /** Status, headers and body of a call with the owner's key; a refused connection throws. */
  request(
    path: string,
    options?: { method?: string; body?: unknown },
  ): Promise<{ status: number; headers: Headers; body: Answer }>;
  /** The `data` of a call that must succeed. */
  get(path: string): Promise<Answer>;
  /** Monitors these addresses, many at once, every ten seconds by default; their ids in the same order. */
  addDomains(urls: string[], settings?: object): Promise<number[]>;
  /** Looks into the store beside the running server; without writing. */
  look<T>(read: (store: Store) => Promise<T>): Promise<T>;
  /** The lines of the server's log that are warnings or worse, parsed. */
  loggedProblems(): LogLine[];
}

export interface LogLine {
  level: number;
  msg: string;
}

const WARN = 40;
const CREATED_AT_ONCE = 16;

/** A data folder with an owner and a running server; ended and removed with the test. */
export async function openHouse(
  options: { folder?: string; databaseUrl?: string; environment?: Record<string, string> } = {},
): Promise<House> {
  const own = options.folder === undefined ? temporaryFolder() : null;
  if (own) onTestFinished(own.remove);
  const folder = options.folder ?? (own as { folder: string }).folder;
  const database: Record<string, string> = options.databaseUrl ? { DATABASE_URL: options.databaseUrl } : {};
  const environment = { VEDETTE_RATE_LIMITS: "off", ...database, ...options.environment };
  const key = await createOwner(folder, database);
  const server = await startServerProcess(folder, environment);
  const port = new URL(server.url).port;
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const location: StoreLocation = options.databaseUrl
    ? { url: options.databaseUrl }
    : { file: join(folder, "vedette.db") };
  const house: House = {
    folder,
    key,
    server,
    async start() {
      house.server = await startServerProcess(folder, environment, port);
    },
    kill: async () => void (await house.server.stop("SIGKILL")),
    async request(path, { method = "GET", body } = {}) {
      const json = body === undefined ? {} : { body: JSON.stringify(body) };
      const response = await fetch(house.server.url + path, { method, headers, ...json });
      return { status: response.status, headers: response.headers, body: await response.json() };
    },
    async get(path) {
      const { status, body } = await house.request(path);
      if (status !== 200) throw new Error(`GET ${path}: ${status} ${JSON.stringify(body)}`);
      return body.data;
    },
    addDomains: (urls, settings) => addDomains(house, urls, settings),
    async look(read) {
      const store = await openStore(location, { readOnly: true });
      return read(store).finally(() => store.close());
    },
    loggedProblems: () => house.server.output.stderr.split("\n").flatMap(problemIn),
  };
  onTestFinished(async () => void (await house.server.stop("SIGKILL")));
  return house;
}

function problemIn(line: string): LogLine[] {
  if (line === "") return [];
  if (!line.startsWith("{")) return [{ level: WARN, msg: line }];
  const entry = JSON.parse(line) as LogLine;
  return entry.level >= WARN ? [entry] : [];
}

async function createOwner(folder: string, environment: Record<string, string>): Promise<string> {
  const owner = ["--email", "owner@vedette.test", "--data", folder];
  const password = ["--password", "correct horse battery"];
  const user = await runCommand(["user", "create", ...password, ...owner], environment);
  if (user.code !== 0) throw new Error(user.stderr);
  const key = await runCommand(["key", "create", ...owner], environment);
  if (key.code !== 0) throw new Error(key.stderr);
  return key.stdout.trim();
}

async function addDomains(house: House, urls: string[], settings: object = {}): Promise<number[]> {
  const ids: number[] = [];
  const left = urls.entries();
  const add = async () => {
    for (const [index, url] of left) {
      const body = { name: `Site ${index}`, url, checkInterval: 10, timeout: 5, ...settings };
      const { status, body: answer } = await house.request("/api/domains", { method: "POST", body });
      if (status !== 201) throw new Error(`POST /api/domains: ${status} ${JSON.stringify(answer)}`);
      ids[index] = answer.data.id;
    }
  };
  await Promise.all(Array.from({ length: CREATED_AT_ONCE }, add));
  return ids;
}
