import { existsSync, readdirSync, readFileSync } from "node:fs";
import { listFiles } from "./files.ts";
import { fromFindings, type StepResult } from "./run.ts";

/** Names that say nothing about what is inside; the code belongs in the room of its noun. */
const NAMELESS = /^(utils?|helpers?|common|misc|shared)(\.tsx?)?$/;
const RULES = /^server\/src\/(?:engine\/status\/|.*rules\.ts$)/;
const SOURCE = /\.(ts|tsx|mjs)$/;
const COMPONENT = /^[A-Z][A-Za-z0-9]*(\.test)?\.tsx$/;
const RE_EXPORT = /^export\s+(type\s+)?(\*|\{[^}]*\})(\s+as\s+\w+)?\s+from\s/m;

/** A file that a comment names. */
const NAMED = /^.*?(?:\/\/|^\s*\/?\*+)(.*)$/gm;
const FILE_NAME = /(?<![\w./*-])[\w/-]*[\w-]+\.tsx?\b/g;

const DECISIONS = "docs/adr";
const DECISION = /\b(?:ADR |adr\/)(\d{4}(?:-[a-z0-9-]+\.md)?)/g;

/**
 * House rules about names and places: no nameless folders, no barrels, names in kebab-case, no clock in rules (the linter sees the
 * rest of that), and every decision and file that is referred to is there.
 */
export async function checkLayout(): Promise<StepResult> {
  const files = listFiles(".");
  const decisions = existsSync(DECISIONS) ? readdirSync(DECISIONS) : [];
  return fromFindings([
    ...files.filter((file) => SOURCE.test(file)).flatMap((file) => findFaults(file)),
    ...files
      .filter((file) => SOURCE.test(file) || file.endsWith(".md"))
      .flatMap((file) => findLostDecisions(file, decisions)),
    ...files.filter((file) => /\/src\/.*\.tsx?$/.test(file)).flatMap((file) => findLostNames(file, files)),
  ]);
}

function findLostDecisions(file: string, decisions: readonly string[]): string[] {
  return [...readFileSync(file, "utf8").matchAll(DECISION)]
    .map(([, name]) => name ?? "")
    .filter((name) => !decisions.some((decision) => decision.startsWith(name)))
    .map((name) => `${file}: there is no ${DECISIONS}/${name}.`);
}

function findLostNames(file: string, files: readonly string[]): string[] {
  return [...readFileSync(file, "utf8").matchAll(NAMED)]
    .flatMap(([, comment = ""]) => comment.match(FILE_NAME) ?? [])
    .filter((name) => !files.some((one) => `/${one}`.endsWith(`/${name}`)))
    .map((name) => `${file}: a comment names ${name}, which is nowhere.`);
}

function findFaults(file: string): string[] {
  const parts = file.split("/");
  const faults: string[] = [];
  const nameless = parts.find((part) => NAMELESS.test(part));
  if (nameless) faults.push(`${file}: \`${nameless}\` says nothing; put the code in the room of its noun.`);
  const shouting = parts.find((part) => /[A-Z_]/.test(part) && !COMPONENT.test(part));
  if (shouting)
    faults.push(
      `${file}: \`${shouting}\` is not in kebab-case (only React components are named in PascalCase).`,
    );
  const text = readFileSync(file, "utf8");
  if (RE_EXPORT.test(text)) {
    faults.push(
      `${file}: exports what another file declares (a barrel); import it from where it is declared.`,
    );
  }
  if (RULES.test(file) && /\bnew Date\(\s*\)/.test(text)) {
    faults.push(`${file}: \`new Date()\` reads the clock; a rule gets \`now\` as an argument.`);
  }
  return faults;
}
