import { readFileSync } from "node:fs";
import { listFiles } from "./files.ts";
import { fromFindings, type StepResult } from "./run.ts";

/** Names that say nothing about what is inside; the code belongs in the room of its noun. */
const NAMELESS = /^(utils?|helpers?|common|misc|shared)(\.tsx?)?$/;
const RULES = /^server\/src\/(?:status|.*rules\.ts$)/;
const SOURCE = /\.(ts|tsx|mjs)$/;
const COMPONENT = /^[A-Z][A-Za-z0-9]*(\.test)?\.tsx$/;
const RE_EXPORT = /^export\s+(type\s+)?(\*|\{[^}]*\})(\s+as\s+\w+)?\s+from\s/m;

/** House rules about names and places: no nameless folders, no barrels, names in kebab-case, no clock in rules (the linter sees the rest of that). */
export async function checkLayout(): Promise<StepResult> {
  return fromFindings(
    listFiles(".")
      .filter((file) => SOURCE.test(file))
      .flatMap((file) => findFaults(file)),
  );
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
