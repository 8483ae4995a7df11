import { type Draft, type Drafts, type Keeps, valueOf } from "./drafts.ts";
import { problemsOf } from "./problems.ts";
import { type FieldSchema, isShown, type Kind, kindOf } from "./schema.ts";

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

/** The edits of one form, for the next one with the same fields: by path, `group.field`. */
export type Typed = Readonly<Record<string, { kind: Kind | null; draft: Draft }>>;

/** What is typed now into the form of this schema, beside what was typed into others and this one does not have. */
export function typedIn(
  schema: FieldSchema,
  { start, drafts }: Record<"start" | "drafts", Drafts>,
  before: Typed,
): Typed {
  const typed = { ...before };
  for (const { path, kind, read } of leavesOf(schema)) {
    const draft = read(drafts);
    delete typed[path];
    if (draft !== undefined && !isSame(draft, read(start))) typed[path] = { kind, draft };
  }
  return typed;
}

/** A form as it begins, with what was typed into another one wherever that is a value of a field here, too. */
export function withTyped(schema: FieldSchema, start: Drafts, typed: Typed, inside = ""): Drafts {
  const entries = Object.entries(schema.properties ?? {}).map(([name, one]): [string, Draft] => {
    const path = inside + name;
    const usual = start[name] ?? "";
    if (kindOf(one) === "group") return [name, withTyped(one, usual as Drafts, typed, `${path}.`)];
    const given = typed[path];
    return [name, given && given.kind === kindOf(one) && isValue(one, given.draft) ? given.draft : usual];
  });
  return Object.fromEntries(entries);
}

interface Leaf {
  path: string;
  kind: Kind | null;
  read: (drafts: Drafts) => Draft | undefined;
}

function leavesOf(schema: FieldSchema): Leaf[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, one]): Leaf[] => {
    const kind = kindOf(one);
    if (kind !== "group") return [{ path: name, kind, read: (drafts) => drafts[name] }];
    return leavesOf(one).map(({ path, kind, read }) => ({
      path: `${name}.${path}`,
      kind,
      read: (drafts) => read((drafts[name] ?? {}) as Drafts),
    }));
  });
}

const isSame = (a: Draft, b: Draft | undefined) => JSON.stringify(a) === JSON.stringify(b);

/** What was emptied is none. */
function isValue(schema: FieldSchema, draft: Draft): boolean {
  const value = valueOf(schema, draft, { path: "it", scopes: [], keeps: () => false });
  if (value === undefined) return false;
  return problemsOf({ properties: { it: schema } }, { it: value }).length === 0;
}
