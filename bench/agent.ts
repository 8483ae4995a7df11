/**
 * What the agent takes of the machine that it reports of, built as the server gives it away: as the service that
 * agent/install.sh makes, and started by hand. It reports for 60 s, at the default intervals, to a server that says yes to
 * everything, and beside it runs prometheus-node-exporter, where it is installed
 * (`apt-get install prometheus-node-exporter`), read every 10 s. The first 45 s are not counted: in them the agent looks at
 * everything at once, and lists what is installed, which it does every six hours and in a process of its own.
 *
 * `node bench/agent.ts --node FILE` runs the agent with another Node.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { Agent, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";
import type { AgentReports } from "../server/src/monitors/schemas/agent-report.ts";
import { answering, fetchText, freePort } from "./baselines.ts";
import { cpuMilliseconds, type Measurement, machineLoad, memoryMb, report, withFolder } from "./harness.ts";

const PROGRAM = "prometheus-node-exporter";

/** A node_exporter of the bench's own, on loopback. */
interface NodeExporter {
  pid: number;
  /** Reads all its metrics, as Prometheus would. */
  scrape(): Promise<unknown>;
  stop(): void;
}

/** Starts it with the collectors that it has by itself; null where it is not installed. */
async function startNodeExporter(): Promise<NodeExporter | null> {
  if (spawnSync(PROGRAM, ["--version"]).status !== 0) return null;
  const port = await freePort();
  const child = spawn(PROGRAM, [`--web.listen-address=127.0.0.1:${port}`, "--log.level=error"], {
    stdio: "ignore",
  });
  const agent = new Agent({ keepAlive: true });
  const stop = () => {
    agent.destroy();
    child.kill("SIGKILL");
  };
  process.once("exit", stop);
  await answering({ port, path: "/", agent });
  return { pid: child.pid as number, scrape: () => fetchText({ port, path: "/metrics", agent }), stop };
}

/** A server that takes every report and requests the usual intervals. */
interface Sink {
  url: string;
  /** How many it has taken. */
  readonly reports: number;
  stop(): void;
}

const INTERVALS = { metrics: 10, processes: 60, connections: 60, applications: 6 * 3600 };

async function startSink(): Promise<Sink> {
  let reports = 0;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const sent = JSON.parse(gunzipSync(Buffer.concat(chunks)).toString()) as AgentReports;
    reports += sent.reports.length;
    const acknowledged = sent.reports.at(-1)?.sequence;
    const data = { acknowledged, serverTime: Date.now(), intervals: INTERVALS };
    response.setHeader("content-type", "application/json").end(JSON.stringify({ success: true, data }));
  });
  // As Vedette's server has it: a connection outlasts some reports.
  server.keepAliveTimeout = 72_000;
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get reports() {
      return reports;
    },
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const WARM_UP_MS = 45_000;
const SECONDS = 60;
const SCRAPE_SECONDS = 10;
const AGENT = join(import.meta.dirname, "../agent");

const { node } = parseArgs({ options: { node: { type: "string", default: process.execPath } } }).values;

/** What is measured, and what it has used in the minute. */
interface Subject {
  name: string;
  pid: number;
  cpuMs: number;
  /** The most of a look each second. */
  memoryMb: number;
}

const subjectOf = (name: string, { pid = 0 }: Pick<ChildProcess, "pid">): Subject => ({
  ...{ name, pid, cpuMs: 0, memoryMb: 0 },
});

await withFolder(async (folder) => {
  execFileSync("npm", ["run", "build"], { cwd: AGENT, stdio: "ignore" });
  const sink = await startSink();
  const start = (name: string, flags: readonly string[], environment: Record<string, string>) => {
    const program = join(AGENT, "dist/vedette-agent.mjs");
    const options = ["--server", sink.url, "--token", "vda_bench", "--data", join(folder, name)];
    const env = { PATH: process.env["PATH"] ?? "", ...environment };
    return spawn(node, [...flags, program, ...options], { env, stdio: "ignore" });
  };
  const { flags, environment } = serviceIn(readFileSync(join(AGENT, "install.sh"), "utf8"));
  const agents = [start("service", flags, environment), start("hand", [], {})] as const;
  const exporter = await startNodeExporter();
  const subjects = [subjectOf("agent", agents[0]), subjectOf("agent started by hand", agents[1])];
  if (exporter) subjects.push(subjectOf("node_exporter", exporter));
  await wait(WARM_UP_MS);
  await measure(subjects, async () => exporter?.scrape());
  for (const agent of agents) agent.kill();
  exporter?.stop();
  sink.stop();
  if (sink.reports < 2 * Math.floor((WARM_UP_MS / 1000 + SECONDS) / 10))
    throw new Error(`Only ${sink.reports} reports arrived.`);
  if (!exporter)
    console.error("prometheus-node-exporter is not installed: there is nothing to compare with.");
  report(measurements(subjects));
});

async function measure(subjects: readonly Subject[], scrape: () => Promise<unknown>): Promise<void> {
  const before = subjects.map(({ pid }) => cpuMilliseconds(pid));
  for (let second = 1; second <= SECONDS; second += 1) {
    await wait(1_000);
    if (second % SCRAPE_SECONDS === 0) await scrape();
    for (const subject of subjects) {
      subject.memoryMb = Math.max(subject.memoryMb, memoryMb(subject.pid, "VmRSS"));
    }
  }
  for (const [at, subject] of subjects.entries()) {
    subject.cpuMs = cpuMilliseconds(subject.pid) - (before[at] ?? 0);
  }
}

function measurements(subjects: readonly Subject[]): Measurement[] {
  const cpu = subjects.map(
    ({ name, cpuMs }): Measurement => ({ name, value: cpuMs / SECONDS / 10, unit: "% of a core" }),
  );
  const memory = subjects.map(
    ({ name, memoryMb: value }): Measurement => ({
      ...{ name: `${name}, memory`, value, unit: "MB" },
      ...(name !== "node_exporter" && { target: { atMost: 60 } }),
    }),
  );
  const [agent, byHand, exporter] = subjects;
  const ratios = [agent, byHand].flatMap((one): Measurement[] =>
    one && exporter
      ? [
          {
            ...{ name: `${one.name}, CPU`, value: one.cpuMs / exporter.cpuMs, unit: "× node_exporter" },
            target: { atMost: 1 },
          },
          {
            ...{ name: `${one.name}, memory`, value: one.memoryMb / exporter.memoryMb },
            unit: "× node_exporter",
          },
        ]
      : [],
  );
  return [...cpu, ...memory, ...ratios, { name: "load of the machine", value: machineLoad(), unit: "" }];
}

/** How the installer lets systemd start it. */
function serviceIn(script: string) {
  const flags = /^ExecStart=\$NODE (.*) \$HOME_DIR/m.exec(script)?.[1]?.split(" ");
  if (!flags) throw new Error("agent/install.sh does not say how the agent is started.");
  const lines = Array.from(script.matchAll(/^Environment=(\w+)=(.*)$/gm), ([, name = "", value = ""]) => [
    name,
    value,
  ]);
  return { flags, environment: Object.fromEntries(lines) as Record<string, string> };
}
