import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** Path of a file of this repository. */
export const repository = (path: string) => join(import.meta.dirname, "../..", path);

export interface Tree {
  folder: string;
  write(files: Record<string, string>): void;
}

/** A folder of its own for one test, removed when the test ends. */
export function createTree(files: Record<string, string>): Tree {
  const folder = mkdtempSync(join(tmpdir(), "vedette-house-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const write = (more: Record<string, string>) => {
    for (const [path, content] of Object.entries(more)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), content);
    }
  };
  write(files);
  return { folder, write };
}

/** Gives the tree this repository's installed packages. */
export function linkPackages(tree: Tree): void {
  symlinkSync(repository("node_modules"), join(tree.folder, "node_modules"), "dir");
}

export interface Run {
  code: number;
  /** Both streams, without colours. */
  output: string;
}

/** Runs a script under this Node with the tree as current folder; `watch` gets each piece of output as it comes. */
export function runScript(
  tree: Tree,
  script: string,
  args: readonly string[] = [],
  environment: Record<string, string> = {},
  watch: (piece: string) => void = () => undefined,
): Promise<Run> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, ...args], {
      cwd: tree.folder,
      env: { ...withoutVitest(), NO_COLOR: "1", ...environment },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    const collect = (chunk: Buffer) => {
      output += chunk.toString();
      watch(chunk.toString());
    };
    child.stdout.on("data", collect);
    child.stderr.on("data", collect);
    child.on("error", reject);
    child.on("close", (code) => resolve({ code: code ?? -1, output }));
  });
}

/** A vitest inside this one must not believe that it is one of its workers. */
function withoutVitest(): Record<string, string | undefined> {
  const kept = Object.entries(process.env).filter(
    ([name]) =>
      !/^(VITEST|TEST|NODE_ENV|FORCE_COLOR|TEST_SUMMARY_FILE)/.test(name) && !name.startsWith("npm_"),
  );
  return Object.fromEntries(kept);
}
