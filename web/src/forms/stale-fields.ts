import type { Drafts, Keeps, Row } from "./drafts.ts";
import type { Problem } from "./problems.ts";
import { type FieldSchema, isShown, kindOf } from "./schema.ts";

/** The fields and lines that stand empty although what is stored for them may not be kept. */
export function staleFields(schema: FieldSchema, drafts: Drafts, stale: Keeps): Problem[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, one]) => {
    const paths = emptyPaths(name, one, drafts);
    return paths.filter(stale).map((path): Problem => ({ path, rule: "stale", limit: 0 }));
  });
}

/** Of a record the lines whose value is not shown, of a group the texts that mean something now. */
function emptyPaths(name: string, schema: FieldSchema, drafts: Drafts): string[] {
  const draft = drafts[name];
  if (kindOf(schema) === "record") {
    const lines = (draft as readonly Row[]).filter(({ kept, value }) => kept && value === "");
    return lines.map((line) => `${name}.${line.name.trim()}`);
  }
  if (kindOf(schema) !== "group") return [];
  const inside = draft as Drafts;
  const shown = Object.entries(schema.properties ?? {}).filter(([, one]) => isShown(one, [inside, drafts]));
  return shown.filter(([field]) => inside[field] === "").map(([field]) => `${name}.${field}`);
}
