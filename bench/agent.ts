/**
 * What the agent takes of the machine that it reports of, built as the server gives it away: as the service that
 * agent/install.sh makes, and started by hand. It reports for 60 s, at the default intervals, to a server that says yes to
 * everything, and beside it runs prometheus-node-exporter, where it is installed
 * (`apt-get install prometheus-node-exporter`), read every 10 s. The first 45 s are not counted: in them the agent looks at
 * everything at once, and lists what is installed, which it does every six hours and in a process of its own.
 *
 * `node bench/agent.ts --node FILE` runs the agent with another Node.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { startSink } from "./agent-sink.ts";
import { withFolder } from "./folder.ts";
import { type Measurement, machineLoad, report } from "./measurement.ts";
import { startNodeExporter } from "./node-exporter.ts";
import { cpuMilliseconds, memoryMb } from "./process.ts";

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
  report(figures(subjects));
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

function figures(subjects: readonly Subject[]): Measurement[] {
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
