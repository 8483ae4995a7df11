import { type Drafts, type Keeps, valueOf } from "./drafts.ts";
import { type FieldSchema, isShown, kindOf } from "./schema.ts";

/** What somebody has made of a form. */
export interface Edited {
  schema: FieldSchema;
  /** As it was when the form appeared. */
  start: Drafts;
  drafts: Drafts;
  keeps: Keeps;
  /** Fields whose value the API works out from another one: sent as they are shown when that one is. */
  alongside?: Readonly<Record<string, readonly string[]>> | undefined;
}

/** The fields that differ from how the form began, by name. Those that mean nothing now are left out. */
export function changesOf(edited: Edited): Record<string, unknown> {
  const { schema, start, drafts, alongside = {} } = edited;
  const changes: Record<string, unknown> = {};
  for (const [name, one] of Object.entries(schema.properties ?? {})) {
    if (!isShown(one, [drafts])) continue;
    const value = topValue(edited, drafts, name);
    if (JSON.stringify(value) === JSON.stringify(topValue(edited, start, name))) continue;
    // Emptied, not untouched: sent as such, so that the API says what is wrong with it or takes it.
    changes[name] = value === undefined ? "" : value;
  }
  for (const name of Object.keys(changes).flatMap((changed) => alongside[changed] ?? [])) {
    changes[name] = topValue(edited, drafts, name);
  }
  return changes;
}

/** What is sent: the changes, and what the schema wants in any case. */
export function bodyOf(edited: Edited): Record<string, unknown> {
  const required = (edited.schema.required ?? []).map((name) => [
    name,
    topValue(edited, edited.drafts, name) ?? "",
  ]);
  return { ...Object.fromEntries(required), ...changesOf(edited) };
}

function topValue({ schema, keeps }: Edited, drafts: Drafts, name: string): unknown {
  const one = schema.properties?.[name];
  const draft = drafts[name];
  if (!one || draft === undefined) return undefined;
  return valueOf(one, draft, { path: name, scopes: [drafts], keeps });
}

/** Names of the fields that are not as a new form has them; of a group, also of its fields: `group.field`. */
export function unusualFields({ schema, start, keeps }: Omit<Edited, "drafts">, fresh: Drafts): string[] {
  const edited = { schema, start: fresh, drafts: start, keeps };
  return Object.entries(changesOf(edited)).flatMap(([name, value]) => {
    if (kindOf(schema.properties?.[name] ?? {}) !== "group") return [name];
    const [now, usual] = [value || {}, topValue(edited, fresh, name) ?? {}] as Record<string, unknown>[];
    const fields = Object.keys({ ...usual, ...now });
    const differing = fields.filter(
      (field) => JSON.stringify(now?.[field]) !== JSON.stringify(usual?.[field]),
    );
    return [name, ...differing.map((field) => `${name}.${field}`)];
  });
}
