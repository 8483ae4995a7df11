import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** One measured number. */
export interface Measurement {
  name: string;
  value: number;
  unit: string;
  /** What it should be; absent for baselines and for what explains a figure. */
  target?: { atMost: number } | { atLeast: number };
}

/** How a bench hands its numbers to run.ts. A line on standard output, because nothing else is printed there. */
export function report(measurements: readonly Measurement[]): void {
  console.log(JSON.stringify(measurements));
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** The value that the given share (0…1) of the values stays at or below, by the nearest rank; NaN for none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

/** How busy the machine was besides: measurements of a busy machine are worth less. */
export const machineLoad = (): number => loadavg()[0] ?? 0;

/** Calls `work` with an empty folder, which is removed once it has ended, whatever its end. */
export async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "vedette-bench-"));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** How long turns of this thread's event loop are, in milliseconds of its CPU: other processes of a busy machine do not count. */
interface Turns {
  begin(): void;
  /** The longest since then. */
  longestMs(): number;
  stop(): void;
}

/** Watches from now on. */
export function watchTurns(): Turns {
  let longestMs = 0;
  let lastMs = threadMs();
  const watch = () => {
    const now = threadMs();
    longestMs = Math.max(longestMs, now - lastMs);
    lastMs = now;
    next = setImmediate(watch);
  };
  let next = setImmediate(watch);
  return {
    begin() {
      longestMs = 0;
      lastMs = threadMs();
    },
    longestMs: () => longestMs,
    stop: () => clearImmediate(next),
  };
}

const threadMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

/** Linux counts CPU time in hundredths of a second, whatever its timer does. */
const TICKS_A_SECOND = 100;

/** Seconds of CPU (user and system, all threads) that a process has used. Reads Linux's /proc. */
export function cpuSeconds(pid: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The second field is the program's name in brackets and may hold anything.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND;
}

/** The same in milliseconds, to the microsecond; of its threads that live now. */
export function cpuMilliseconds(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const ran = threads.map((id) =>
    Number(readFileSync(`/proc/${pid}/task/${id}/schedstat`, "utf8").split(" ")[0]),
  );
  return ran.reduce((sum, nanoseconds) => sum + nanoseconds / 1e6, 0);
}

/** Megabytes of memory that a process holds now, or held at most. */
export function memoryMb(pid: number, which: "VmRSS" | "VmHWM"): number {
  const line = new RegExp(`^${which}:\\s+(\\d+) kB`, "m").exec(readFileSync(`/proc/${pid}/status`, "utf8"));
  return Number(line?.[1] ?? Number.NaN) / 1024;
}

/** Starts a file of this folder as a process of its own and waits for its first message. It ends with this one. */
export async function startBeside<Ready>(
  file: string,
  args: readonly string[] = [],
  execArgv: string[] = [],
): Promise<{ child: ChildProcess; ready: Ready }> {
  const child = fork(new URL(file, import.meta.url), args, {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
    execArgv,
  });
  const [ready] = (await once(child, "message")) as [Ready];
  return { child, ready };
}

/** `begin` starts a measurement and is answered with 0; `longest` is answered with the longest turn since then. */
export type WatchOrder = "begin" | "longest";

/** The API over the store of a folder, in a process that watches its own main thread (watched-server.ts). */
export interface WatchedServer {
  port: number;
  pid: number;
  /** Resolves, for "longest", to the longest turn of its event loop since "begin", in milliseconds of CPU. */
  command(order: WatchOrder): Promise<number>;
}

/** As the first line of vedette.mjs has it: with more room for new objects, collecting them takes longer turns. */
const AS_INSTALLED = ["--min-semi-space-size=4", "--max-semi-space-size=4"];

/** Calls `work` with one over the store of `folder`, and ends it afterwards. */
export async function withWatchedServer<T>(
  folder: string,
  work: (server: WatchedServer) => Promise<T>,
): Promise<T> {
  const { child, ready: port } = await startBeside<number>("watched-server.ts", [folder], AS_INSTALLED);
  const command = async (order: WatchOrder): Promise<number> => {
    child.send(order);
    return ((await once(child, "message")) as [number])[0];
  };
  try {
    return await work({ port, pid: child.pid as number, command });
  } finally {
    child.disconnect();
    await once(child, "exit");
  }
}

const MAIN = new URL("../server/src/vedette.mjs", import.meta.url).pathname;

export interface RunningServer {
  url: string;
  pid: number;
  /** SIGTERM, and the end awaited. */
  stop(): Promise<void>;
}

/**
 * Starts the whole server (`vedette start`, by its first line, as npm does) on a data folder and waits until
 * it is ready. Its log is dropped.
 */
export async function startServer(
  dataFolder: string,
  environment: Record<string, string> = {},
): Promise<RunningServer> {
  const profile = process.env["BENCH_CPU_PROFILE"];
  const profiling = profile ? { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${profile}` } : {};
  const path = `${dirname(process.execPath)}:${process.env["PATH"]}`;
  const child = spawn(MAIN, ["start", "--port", "0", "--data", dataFolder], {
    env: {
      PATH: path,
      VEDETTE_REFERENCE_TARGETS: "off",
      VEDETTE_METRICS: "loopback",
      ...profiling,
      ...environment,
    },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const ended = once(child, "exit");
  let output = "";
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      const ready = /^Vedette is ready at (\S+)$/m.exec(output)?.[1];
      if (ready) resolve(ready);
    });
    void ended.then(() => reject(new Error("The server ended before it was ready.")));
  });
  const stop = async () => {
    child.kill("SIGTERM");
    await ended;
  };
  return { url, pid: child.pid as number, stop };
}
