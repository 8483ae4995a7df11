import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const MAIN = new URL("../../src/vedette.mjs", import.meta.url).pathname;

export interface Finished {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** The environment of a program under test: nothing of this machine's settings, no egress guard. */
function cleanEnvironment(extra: Record<string, string>): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR } = process.env;
  return { PATH, HOME, TMPDIR, LANG: "C.UTF-8", VEDETTE_REFERENCE_TARGETS: "off", ...extra };
}

/** A fresh data folder and its removal. */
export function temporaryFolder(): { folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), "vedette-data-"));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Runs `vedette …` as a process of its own and waits for its end. */
export async function runCommand(
  args: string[],
  environment: Record<string, string> = {},
): Promise<Finished> {
  const child = spawn(process.execPath, [MAIN, ...args], { env: cleanEnvironment(environment) });
  const output = collect(child);
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, ...output };
}

export interface ServerProcess {
  /** The address it listens on, as it printed it. */
  url: string;
  pid: number;
  output: { stdout: string; stderr: string };
  /** Sends the signal (default SIGTERM) and waits for the end; the exit code, null after a kill. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/**
 * Starts `vedette start` on a free port (or `port`, for a second start at the same address) and waits for
 * its ready line. `main`: the program, where it is installed elsewhere. Throws with its error output.
 */
export async function startServerProcess(
  folder: string,
  environment: Record<string, string> = {},
  port = "0",
  main = MAIN,
): Promise<ServerProcess> {
  const args = [main, "start", "--port", port, "--data", folder];
  const child = spawn(process.execPath, args, {
    env: cleanEnvironment({ VEDETTE_LOG_LEVEL: "warn", ...environment }),
  });
  const output = collect(child);
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on("data", () => {
      const ready = /^Vedette is ready at (?:\S+ \(listening on )?([^\s)]+)\)?$/m.exec(output.stdout);
      if (ready?.[1]) resolve(ready[1]);
    });
    void ended.then((code) => reject(new Error(`vedette start ended with ${code}: ${output.stderr}`)));
  });
  const stop = async (signal: NodeJS.Signals = "SIGTERM") => {
    child.kill(signal);
    return await ended;
  };
  return { url, pid: child.pid as number, output, stop };
}

const IS_IN_USE = /Port \d+ is in use/;

/**
 * The same on a free port that the server's settings name before it has it: another one where that is taken meanwhile.
 * `candidates`: ports to try first. Throws with its error output.
 */
export async function startAtKnownPort(
  folder: string,
  environmentAt: (port: string) => Record<string, string>,
  candidates: readonly string[] = [],
): Promise<ServerProcess> {
  const [port = await freePort(), ...others] = candidates;
  try {
    return await startServerProcess(folder, environmentAt(port), port);
  } catch (error) {
    if (!(error instanceof Error && IS_IN_USE.test(error.message))) throw error;
    return startAtKnownPort(folder, environmentAt, others);
  }
}

async function freePort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return String(port);
}

function collect(child: ChildProcess): { stdout: string; stderr: string } {
  const output = { stdout: "", stderr: "" };
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    output.stdout += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    output.stderr += text;
  });
  return output;
}
