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

/** Runs a script under this Node with the tree as current folder. */
export function runScript(tree: Tree, script: string, args: readonly string[] = [], more = {}): Promise<Run> {
  // A vitest inside this one must not take itself for one of its workers.
  const own = /^(VITEST|TEST|NODE_ENV|FORCE_COLOR|npm_)/;
  const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !own.test(name)));
  const { promise, resolve, reject } = Promise.withResolvers<Run>();
  const child = spawn(process.execPath, [script, ...args], {
    cwd: tree.folder,
    env: { ...environment, NO_COLOR: "1", ...more },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  child.on("error", reject).on("close", (code) => resolve({ code: code ?? -1, output }));
  return promise;
}
