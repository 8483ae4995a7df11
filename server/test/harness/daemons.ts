import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import net from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { onTestFinished } from "vitest";

/** Where Debian has its servers, which are not on everybody's PATH. */
const FOLDERS = [...(process.env["PATH"] ?? "").split(delimiter), "/usr/sbin", "/usr/local/sbin"];
const START_WITHIN_MS = 20_000;

const findProgram = (name: string): string | undefined =>
  FOLDERS.map((folder) => join(folder, name)).find((path) => existsSync(path));

/**
 * What this machine lacks of these servers of other people's, for `describe.skipIf`; null when all are there. With
 * VEDETTE_REQUIRE_SERVERS nothing may be lacking.
 */
export function missingServers(...programs: string[]): string | null {
  const missing = programs.filter((name) => findProgram(name) === undefined);
  if (missing.length === 0) return null;
  const words = `not installed: ${missing.join(", ")}`;
  if (process.env["VEDETTE_REQUIRE_SERVERS"]) throw new Error(words);
  return words;
}

export interface Daemon {
  /** Its own, removed when the test is over. */
  folder: string;
  ports: number[];
}

interface Wish {
  program: string;
  /** How many ports it listens on, all on 127.0.0.1. */
  ports?: number;
  /** Its files, by name. */
  files?: (daemon: Daemon) => Record<string, string>;
  args: (daemon: Daemon) => string[];
  /** The account that it runs as, where it refuses to be root. */
  uid?: number;
  env?: Record<string, string>;
}

/** Starts a real server and waits until it takes connections; it ends with the test. Throws with its own words. */
export async function startDaemon({ program, ports = 1, files, args, uid, env }: Wish): Promise<Daemon> {
  const folder = mkdtempSync(join(tmpdir(), "vedette-daemon-"));
  chmodSync(folder, 0o755);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const daemon: Daemon = { folder, ports: await freePorts(ports) };
  for (const [name, text] of Object.entries(files?.(daemon) ?? {})) {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
  }
  const child = spawn(findProgram(program) ?? program, args(daemon), {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: process.env["PATH"], HOME: folder, ...env },
    ...(uid !== undefined && { uid }),
  });
  onTestFinished(() => ended(child));
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (bytes) => (said += bytes));
  for (const port of daemon.ports) await listening(port, child, () => `${program} did not start: ${said}`);
  return daemon;
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const over = once(child, "exit");
  child.kill("SIGTERM");
  const hard = setTimeout(() => child.kill("SIGKILL"), 3_000);
  await over;
  clearTimeout(hard);
}

async function listening(port: number, child: ChildProcess, words: () => string): Promise<void> {
  const end = performance.now() + START_WITHIN_MS;
  while (!(await accepts(port))) {
    if (child.exitCode !== null || performance.now() > end) throw new Error(words());
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const accepts = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = net.connect(port, "127.0.0.1");
    socket.on("connect", () => resolve(true)).on("error", () => resolve(false));
    socket.on("connect", () => socket.destroy());
  });

async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => net.createServer().listen(0, "127.0.0.1"));
  await Promise.all(servers.map((server) => once(server, "listening")));
  const ports = servers.map((server) => (server.address() as net.AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
