import { existsSync, readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { listFiles } from "./files.ts";
import { fromFindings, type StepResult } from "./run.ts";

/** What Node runs without a build. */
const FOLDERS = ["server/src", "agent/src"];

/** Node can leave the types out of each file that it runs: tsc accepts syntax that Node refuses at the start. */
export async function checkStrippedTypes(): Promise<StepResult> {
  const files = FOLDERS.filter((folder) => existsSync(folder))
    .flatMap(listFiles)
    .filter((file) => file.endsWith(".ts"));
  return fromFindings(files.flatMap(problemsOf));
}

function problemsOf(file: string): string[] {
  try {
    stripTypeScriptTypes(readFileSync(file, "utf8"), { mode: "strip" });
    return [];
  } catch (error) {
    return [`${file}: ${(error as Error).message}`];
  }
}
