import { readFileSync } from "node:fs";
import { fromFindings, type StepResult } from "./run.ts";

const CODE = "server/src/platform/config.ts";
const DOCS = "docs/configuration.md";
const VARIABLE = /\b(VEDETTE_[A-Z0-9_]*[A-Z0-9]|DATABASE_URL)\b/g;

/** Every environment variable that the program knows is documented, and no other is. */
export async function checkConfigurationDocs(): Promise<StepResult> {
  const known = namesIn(CODE);
  const documented = namesIn(DOCS);
  return fromFindings([
    ...[...known]
      .filter((name) => !documented.has(name))
      .map((name) => `${name} is read in ${CODE} but not in ${DOCS}.`),
    ...[...documented]
      .filter((name) => !known.has(name))
      .map((name) => `${name} is in ${DOCS} but ${CODE} does not know it.`),
  ]);
}

function namesIn(file: string): Set<string> {
  return new Set(readFileSync(file, "utf8").match(VARIABLE) ?? []);
}
