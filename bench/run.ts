/**
 * `npm run bench`: what things cost on this machine.
 *
 *   npm run bench                     every bench
 *   npm run bench -- http-check       only these
 *   npm run bench -- --list | --json
 *
 * Each bench runs in a process of its own, so that one's garbage is not another's cost.
 */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { parseArgs } from "node:util";

/** One measured number. */
export interface Measurement {
  name: string;
  value: number;
  unit: string;
}

const LIMIT_MS = 60_000;
const BENCHES = [
  {
    name: "http-check",
    file: "http-check.ts",
    about: "CPU time of one HTTP check, against a bare socket loop",
  },
] as const;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: "boolean" }, list: { type: "boolean" } },
});

const unknown = positionals.filter((name) => !BENCHES.some((bench) => bench.name === name));
if (unknown.length > 0) {
  console.error(`No such bench: ${unknown.join(", ")}. \`npm run bench -- --list\` names them.`);
  process.exit(2);
}
if (values.list) {
  for (const { name, about } of BENCHES) console.log(`${name.padEnd(16)} ${about}`);
} else {
  const chosen = BENCHES.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  const results: Record<string, Measurement[]> = {};
  for (const { name, file, about } of chosen) {
    if (!values.json) console.log(`${name}: ${about}`);
    results[name] = await measure(file);
    if (!values.json) print(results[name]);
  }
  if (values.json) console.log(JSON.stringify({ node: process.version, results }, null, 2));
}

/** Runs a bench file, which prints its measurements as JSON. Throws when it fails or takes over a minute. */
async function measure(file: string): Promise<Measurement[]> {
  const child = spawn(process.execPath, [join(import.meta.dirname, file)], {
    stdio: ["ignore", "pipe", "inherit"],
    timeout: LIMIT_MS,
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
  return JSON.parse(output) as Measurement[];
}

function print(measurements: readonly Measurement[]): void {
  for (const { name, value, unit } of measurements) {
    console.log(`  ${name.padEnd(36)} ${value.toFixed(value < 10 ? 2 : 0).padStart(8)} ${unit}`);
  }
  console.log("");
}
