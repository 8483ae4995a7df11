import { readFileSync } from "node:fs";
import { listFiles } from "./files.ts";
import { fromFindings, type StepResult } from "./run.ts";

/** Names that say nothing about what is inside; the code belongs in the room of its noun. */
const NAMELESS = /^(utils?|helpers?|common|misc|shared)(\.tsx?)?$/;
const SOURCE = /\.(ts|tsx|mjs)$/;
const COMPONENT = /^[A-Z][A-Za-z0-9]*(\.test)?\.tsx$/;
const RE_EXPORT = /^export\s+(type\s+)?(\*|\{[^}]*\})(\s+as\s+\w+)?\s+from\s/m;

/** House rules about names and places: no nameless folders, no barrels, names in kebab-case. */
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
  if (RE_EXPORT.test(readFileSync(file, "utf8"))) {
    faults.push(
      `${file}: exports what another file declares (a barrel); import it from where it is declared.`,
    );
  }
  return faults;
}
