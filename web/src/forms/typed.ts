import { type Draft, type Drafts, valueOf } from "./drafts.ts";
import { problemsOf } from "./problems.ts";
import { type FieldSchema, type Kind, kindOf } from "./schema.ts";

/** What somebody made of the fields of one form, for the next one that has them: by path, `group.field`. */
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

/** A field that is no group. */
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
