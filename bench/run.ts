/**
 * `npm run bench`: what things cost on this machine, each beside a baseline measured in the same run.
 *
 *   npm run bench                        every bench
 *   npm run bench -- engine ingest       only these
 *   npm run bench -- engine --tls        its form over TLS only
 *   npm run bench -- schedule --mixed    with monitors of all kinds
 *   npm run bench -- --list | --json
 *
 * Each bench runs in a process of its own, so that one's garbage is not another's cost. What the figures
 * mean: docs/performance.md; what dominates them: bench/NOTES.md.
 */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Measurement } from "./harness.ts";

const LIMIT_MS = 600_000;
const LONG_LIMIT_MS = 1_200_000;

interface Bench {
  name: string;
  file: string;
  args?: string[];
  about: string;
  /** Default: 10 minutes. */
  limitMs?: number;
}

const BENCHES: readonly Bench[] = [
  {
    name: "engine",
    file: "engine.ts",
    about: "CPU of one HTTP check, against bare sockets and blackbox_exporter",
  },
  {
    name: "engine-tls",
    file: "engine.ts",
    args: ["--tls"],
    about: "the same over HTTPS (also: engine --tls)",
  },
  {
    name: "kinds",
    file: "kinds.ts",
    about: "CPU of one check of each kind, against the bare client of its protocol",
  },
  {
    name: "accuracy",
    file: "accuracy.ts",
    about: "what 333 checks a second measure, against a bare socket alone",
  },
  {
    name: "schedule",
    file: "schedule.ts",
    about: "10,000 monitors every 30 s through the whole server, for a minute",
  },
  {
    name: "schedule-mixed",
    file: "schedule.ts",
    args: ["--mixed"],
    about: "the same: half HTTP, a quarter TCP, the rest of all other kinds (also: schedule --mixed)",
  },
  {
    name: "ingest",
    file: "ingest.ts",
    about: "results a second into SQLite and PostgreSQL, against bare rows",
  },
  {
    name: "retention",
    file: "ingest.ts",
    args: ["--retention"],
    about: "how long removing a million old results makes new ones wait",
  },
  {
    name: "pack",
    file: "ingest.ts",
    args: ["--pack"],
    about: "bytes and time of packed results, against the same as rows",
  },
  { name: "api", file: "api.ts", about: "lists of domains, against bare node:http sending the same bytes" },
  {
    name: "pages",
    file: "api.ts",
    args: ["--pages"],
    about: "a status page with 50 components under an open incident, against bare node:http",
  },
  {
    name: "visitors",
    file: "visitors.ts",
    about: "lateness of 1,000 monitors under visitors, and how soon 2,000 a second see an outage (4 minutes)",
  },
  {
    name: "reports",
    file: "ranges.ts",
    args: ["--reports"],
    about: "a report on a year of 1,000 domains: time and memory",
  },
  { name: "ranges", file: "ranges.ts", about: "history, trends and stats of 1,000 domains over 30 days" },
  {
    name: "device-metrics",
    file: "devices.ts",
    args: ["--metrics"],
    about: "bytes of what devices measure, charts of 1,000 devices over 30 days, and packing",
  },
  {
    name: "devices",
    file: "devices.ts",
    about: "500 devices that report every 10 s for a minute, and how soon they are answered (2 minutes)",
  },
  {
    name: "live",
    file: "live.ts",
    about: "300 clients of the live stream that come back together, and memory while none reads",
  },
  {
    name: "stalls",
    file: "stalls.ts",
    about: "the longest turn of the main thread for each verb, 10,000 domains and 100,000 changes",
  },
  {
    name: "hostile",
    file: "hostile.ts",
    about: "who waits while anonymous clients and tenants attack, in more than a hundred ways (6 minutes)",
    limitMs: LONG_LIMIT_MS,
  },
  {
    name: "storm",
    file: "storm.ts",
    about: "1,000 monitors fail at once: incidents, messages, and the API meanwhile (12 minutes)",
    limitMs: LONG_LIMIT_MS,
  },
  {
    name: "agent",
    file: "agent.ts",
    about: "CPU and memory of the agent at its usual intervals, against prometheus-node-exporter (2 minutes)",
  },
  {
    name: "port-scan",
    file: "port-scan.ts",
    about: "65,535 ports, closed or slow, against nmap -sT -T4 -p-",
  },
  { name: "app", file: "app.ts", about: "the list of 10,000 domains in a browser: opened, and searched" },
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: "boolean" },
    list: { type: "boolean" },
    tls: { type: "boolean" },
    mixed: { type: "boolean" },
  },
});
const wanted = positionals.map((name) => {
  if (values.tls && name === "engine") return "engine-tls";
  return values.mixed && name === "schedule" ? "schedule-mixed" : name;
});
const unknown = wanted.filter((name) => !BENCHES.some((bench) => bench.name === name));
if (unknown.length > 0) {
  console.error(`No such bench: ${unknown.join(", ")}. \`npm run bench -- --list\` names them.`);
  process.exit(2);
}
if (values.list) {
  for (const { name, about } of BENCHES) console.log(`${name.padEnd(12)} ${about}`);
} else {
  const results: Record<string, Measurement[]> = {};
  for (const bench of BENCHES.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
    if (!values.json) console.log(`${bench.name}: ${bench.about}`);
    results[bench.name] = await measure(bench);
    if (!values.json) print(results[bench.name] ?? []);
  }
  if (values.json) console.log(JSON.stringify({ node: process.version, results }, null, 2));
}

/** Runs a bench file, whose last line is its measurements as JSON. Throws when it fails or takes too long. */
async function measure({ file, args = [], limitMs = LIMIT_MS }: Bench): Promise<Measurement[]> {
  const child = spawn(process.execPath, [join(import.meta.dirname, file), ...args], {
    stdio: ["ignore", "pipe", "inherit"],
    timeout: limitMs,
  });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString();
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  if (code !== 0) throw new Error(`${file} ended with ${code ?? "a signal"}.`);
  return JSON.parse(output.trimEnd().split("\n").at(-1) ?? "") as Measurement[];
}

function print(measurements: readonly Measurement[]): void {
  const width = Math.max(...measurements.map(({ name }) => name.length));
  for (const measurement of measurements) {
    const { name, value, unit } = measurement;
    const number = value.toFixed(Math.abs(value) < 10 && !Number.isInteger(value) ? 3 : 0);
    console.log(
      `  ${name.padEnd(width)} ${number.padStart(9)} ${unit.padEnd(18)} ${verdict(measurement)}`.trimEnd(),
    );
  }
  console.log("");
}

function verdict({ value, target }: Measurement): string {
  if (!target) return "";
  const isMet = "atMost" in target ? value <= target.atMost : value >= target.atLeast;
  const wish = "atMost" in target ? `at most ${target.atMost}` : `at least ${target.atLeast}`;
  return `${isMet ? "met" : "MISSED"} (${wish})`;
}
