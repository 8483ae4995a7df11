import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { Delivery } from "../../../agent/src/link/delivery.ts";
import { connectTo } from "../../../agent/src/link/http.ts";
import { momentNow } from "../../../agent/src/machine.ts";
import { DiskQueue } from "../../src/engine/queue/queue.ts";
import { eventually } from "../harness/eventually.ts";
import { runCommand, type ServerProcess, startServerProcess, temporaryFolder } from "../harness/process.ts";

export interface AwayOptions {
  agents: number;
  /** Between two reports of an agent. */
  intervalMs: number;
  /** How long the server is away after it was killed, and how long agents report before and after. */
  awayMs: number;
  aroundMs: number;
  /** How much faster than the real one the clock is by which agents wait before another try. */
  haste: number;
}

export interface AwayVerdict {
  /** Reports that were made, by all agents together, and how many of them the server has. */
  made: number;
  stored: number;
  /** What should not be; empty when each sequence arrived exactly once. */
  complaints: string[];
}

const EMAIL = "owner@vedette.test";
const TIMEOUT_MS = 120_000;
const nothing = () => {};
const silent = { debug: nothing, info: nothing, warn: nothing, error: nothing };

/**
 * Agents, with the product's own queue and delivery, report to a server that is killed (-9) while they do, and stays away. Each report
 * measures its own sequence, so that what the server has in the end shows which ones arrived, and how often.
 */
export async function playServerAway(options: AwayOptions): Promise<AwayVerdict> {
  const { folder, remove } = temporaryFolder();
  const queues = mkdtempSync(join(tmpdir(), "vedette-fleet-"));
  const own = ["--data", folder];
  await runCommand(["user", "create", "--email", EMAIL, "--password", "correct horse battery", ...own]);
  const key = (await runCommand(["key", "create", "--email", EMAIL, ...own])).stdout.trim();
  let server: ServerProcess = await startServerProcess(folder, { VEDETTE_RATE_LIMITS: "off" });
  try {
    const { port } = new URL(server.url);
    const fleet = await Promise.all(
      Array.from({ length: options.agents }, (_, at) => addAgent(server.url, key, { queues, at, options })),
    );
    const ends = fleet.map((agent) => agent.start());
    await wait(options.aroundMs);
    await server.stop("SIGKILL");
    await wait(options.awayMs);
    server = await startServerProcess(folder, { VEDETTE_RATE_LIMITS: "off" }, port);
    await wait(options.aroundMs);
    for (const end of ends) end();
    await eventually(
      async () => {
        for (const { deliver } of fleet) await deliver();
        return fleet.map(({ pending }) => pending());
      },
      (waiting) => waiting.every((count) => count === 0),
      TIMEOUT_MS,
    );
    return await evaluateFleet(server.url, key, fleet);
  } finally {
    await server.stop();
    remove();
    rmSync(queues, { recursive: true, force: true });
  }
}

interface Agent {
  id: number;
  /** Reports from now on; gives what ends that. */
  start(): () => void;
  deliver(): Promise<void>;
  pending(): number;
  made(): number;
}

interface Place {
  queues: string;
  at: number;
  options: AwayOptions;
}

async function addAgent(url: string, key: string, { queues, at, options }: Place): Promise<Agent> {
  const { device, token } = await call(url, key, "POST", "/api/devices", { name: `Machine ${at}` });
  const queue = new DiskQueue({ folder: join(queues, String(at)), log: silent });
  const machine = { machineId: `machine-${at}`, bootId: "boot", run: crypto.randomUUID() };
  const delivery = new Delivery({
    ...{ queue, machine, token: token as string, log: silent, version: "1.0.0" },
    instance: crypto.randomUUID(),
    post: connectTo(new URL(`${url}/`), null),
    onIntervals: nothing,
    onRevoked: nothing,
    onAdmitted: nothing,
    now: () => performance.now() * options.haste,
  });
  let made = 0;
  const report = () => {
    made += 1;
    const waiting = { taken: momentNow(machine), report: { metrics: { "cpu.load1": made } } };
    queue.append(JSON.stringify(waiting), 1);
    void delivery.deliver();
  };
  return {
    id: (device as { id: number }).id,
    start: () => {
      const timer = setInterval(report, options.intervalMs);
      return () => clearInterval(timer);
    },
    deliver: () => delivery.deliver(),
    pending: () => queue.pending,
    made: () => made,
  };
}

/** Compares what the server has of each agent with what the agent made. */
async function evaluateFleet(url: string, key: string, fleet: readonly Agent[]): Promise<AwayVerdict> {
  const complaints: string[] = [];
  let stored = 0;
  for (const { id, made } of fleet) {
    const path = `/api/devices/${id}/metrics?name=cpu.load1&resolution=raw&limit=10000`;
    const figures = (await call(url, key, "GET", path)) as unknown as { value: number }[];
    const sequences = figures.map(({ value }) => value).toSorted((a, b) => a - b);
    stored += sequences.length;
    const wanted = Array.from({ length: made() }, (_, index) => index + 1);
    if (String(sequences) !== String(wanted)) {
      const lost = wanted.filter((one) => !sequences.includes(one));
      const doubled = sequences.filter((one, index) => one === sequences[index - 1]);
      complaints.push(`device ${id}: ${wanted.length} made, lost ${lost.join()}, doubled ${doubled.join()}`);
    }
  }
  return { made: fleet.reduce((sum, { made }) => sum + made(), 0), stored, complaints };
}

async function call(url: string, key: string, method: string, path: string, body?: object) {
  const answer = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body && { "content-type": "application/json" }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return ((await answer.json()) as { data: Record<string, unknown> }).data;
}
