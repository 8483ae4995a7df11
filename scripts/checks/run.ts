import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { delimiter, join } from "node:path";

/** What a step of `npm run check` found: `output` is shown when it is not ok. */
export interface StepResult {
  ok: boolean;
  output: string;
}

const packages = join(import.meta.dirname, "../../node_modules");

/** Runs the command `bin` of an installed package in the current folder, under this very Node. */
export function runTool(name: string, bin: string, args: readonly string[]): Promise<StepResult> {
  const folder = join(packages, name);
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    bin: string | Record<string, string>;
  };
  const file = typeof manifest.bin === "string" ? manifest.bin : manifest.bin[bin];
  if (!file) throw new Error(`The package ${name} has no command ${bin}.`);
  return runNodeScript(join(folder, file), args);
}

/** Runs a script under this very Node in the current folder; ok when it exits with 0. */
export function runNodeScript(file: string, args: readonly string[]): Promise<StepResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [file, ...args], {
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        ...process.env,
        PATH: `${join(packages, ".bin")}${delimiter}${process.env["PATH"]}`,
        // No step talks to anybody: Redocly would look for newer versions of itself.
        REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
      },
    });
    let output = "";
    const collect = (chunk: Buffer) => {
      output += chunk.toString();
    };
    child.stdout.on("data", collect);
    child.stderr.on("data", collect);
    child.on("error", reject);
    child.on("close", (code) => resolve({ ok: code === 0, output }));
  });
}

/** The result of a step that collects its findings as sentences. */
export function fromFindings(findings: readonly string[]): StepResult {
  return { ok: findings.length === 0, output: findings.join("\n") };
}
