import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { openStore, type StoreLocation } from "../../src/platform/database/open.ts";
import type { Store } from "../../src/platform/database/store.ts";
import { runCommand, type ServerProcess, startServerProcess, temporaryFolder } from "../harness/process.ts";

export interface InterruptedOptions {
  kills: number;
  seed: number;
  /** Null: SQLite in the data folder. */
  databaseUrl: string | null;
  /** Server processes side by side; more than one on PostgreSQL only. */
  servers: number;
}

/** One or several servers on one database, any of which may be killed and started again at its address. */
export interface Installation {
  servers: number;
  /** kill -9, and the next start. */
  restart(index: number): Promise<void>;
  /** Stops all of them in order. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** A call with the owner's key, answered by one of them; its `data`. Throws where it is not answered, or refused. */
  request<Answer>(method: string, path: string, body?: object): Promise<Answer>;
  look<T>(read: (store: Store) => Promise<T>): Promise<T>;
  /** As if two minutes had passed while no server ran: an attempt that a kill has ended counts as lost. */
  endLeases(): Promise<void>;
  remove(): Promise<void>;
}

async function createOwner(folder: string, environment: Record<string, string>): Promise<string> {
  const owner = ["--email", "owner@vedette.test", "--data", folder];
  const made = await runCommand(
    ["user", "create", "--password", "correct horse battery", ...owner],
    environment,
  );
  const key = await runCommand(["key", "create", ...owner], environment);
  if (made.code !== 0 || key.code !== 0) throw new Error(made.stderr + key.stderr);
  return key.stdout.trim();
}

/** Starts them. They share an owner, whose key is used, and the secret key. */
export async function openInstallation(options: InterruptedOptions): Promise<Installation> {
  const folders = Array.from({ length: options.servers }, temporaryFolder);
  const [{ folder } = { folder: "" }] = folders;
  const database: Record<string, string> = options.databaseUrl ? { DATABASE_URL: options.databaseUrl } : {};
  const key = await createOwner(folder, database);
  for (const other of folders.slice(1))
    copyFileSync(join(folder, "secret.key"), join(other.folder, "secret.key"));
  const environment = { VEDETTE_RATE_LIMITS: "off", VEDETTE_LOG_LEVEL: "error", ...database };
  const location: StoreLocation = options.databaseUrl
    ? { url: options.databaseUrl }
    : { file: join(folder, "vedette.db") };
  const running: ServerProcess[] = [];
  const startOne = async (index: number) => {
    const known = running[index];
    const port = known ? new URL(known.url).port : "0";
    running[index] = await startServerProcess(folders[index]?.folder ?? "", environment, port);
  };
  const start = async () => {
    for (const index of folders.keys()) await startOne(index);
  };
  const stop = async () => void (await Promise.all(running.map((server) => server.stop())));
  await start();
  let requests = 0;
  return {
    servers: options.servers,
    ...{ start, stop },
    async restart(index) {
      await running[index]?.stop("SIGKILL");
      await startOne(index);
    },
    async request<Answer>(method: string, path: string, body?: object) {
      requests += 1;
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
      const url = running[requests % running.length]?.url + path;
      const response = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) });
      const answer = (await response.json()) as { data: Answer };
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`);
      return answer.data;
    },
    async look(read) {
      const store = await openStore(location, { readOnly: true });
      return read(store).finally(() => store.close());
    },
    async endLeases() {
      const store = await openStore(location);
      await store.db
        .updateTable("outbox")
        .set({ leased_until: null, next_try_at: Date.now() })
        .where("state", "=", "waiting")
        .execute();
      await store.close();
    },
    async remove() {
      await Promise.all(running.map((server) => server.stop("SIGKILL")));
      for (const each of folders) each.remove();
    },
  };
}
