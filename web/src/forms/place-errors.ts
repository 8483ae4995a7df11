import type { FieldErrors } from "../api/client.ts";
import type { Drafts, Item, Row } from "./drafts.ts";
import { type FieldSchema, isShown, itemProperties, kindOf, variantsOf } from "./schema.ts";

/** Paths at which an error can be shown now: every field in sight, its lines, its items and their fields. */
export function shownPaths(schema: FieldSchema, drafts: Drafts): string[] {
  return ofProperties(Object.entries(schema.properties ?? {}), drafts, "", []);
}

function ofProperties(
  properties: readonly [string, FieldSchema][],
  drafts: Drafts,
  prefix: string,
  around: readonly Drafts[],
): string[] {
  const scopes = [drafts, ...around];
  return properties.flatMap(([name, schema]) => {
    if (!isShown(schema, scopes)) return [];
    const path = prefix + name;
    const inside = insideOf(schema, drafts[name], path, scopes);
    return kindOf(schema) === "group" ? inside : [path, ...inside];
  });
}

function insideOf(schema: FieldSchema, draft: unknown, path: string, scopes: readonly Drafts[]): string[] {
  const kind = kindOf(schema);
  if (kind === "record") return (draft as readonly Row[]).map(({ name }) => `${path}.${name.trim()}`);
  if (kind === "group") {
    return ofProperties(Object.entries(schema.properties ?? {}), draft as Drafts, `${path}.`, scopes);
  }
  if (kind !== "variants") return [];
  return (draft as readonly Item[]).flatMap(({ variant, fields }, at) => {
    const properties = itemProperties(schema, variantsOf(schema)[variant] ?? {});
    const item = `${path}.${at}`;
    return [item, ...ofProperties(properties, fields, `${item}.`, scopes)];
  });
}

/**
 * Its own place, else the enclosing field, else, of a group, its first field. `elsewhere`: sentences about
 * what the form does not show.
 */
export function placeErrors(
  errors: FieldErrors,
  paths: readonly string[],
): { placed: FieldErrors; elsewhere: string[] } {
  const placed: FieldErrors = {};
  const elsewhere: string[] = [];
  for (const [field, sentences] of Object.entries(errors)) {
    const [around] = paths
      .filter((path) => path === field || field.startsWith(`${path}.`))
      .toSorted((a, b) => b.length - a.length);
    const nearest = around ?? paths.find((path) => path.startsWith(`${field}.`));
    if (nearest === undefined) elsewhere.push(...sentences);
    else placed[nearest] = [...(placed[nearest] ?? []), ...sentences];
  }
  return { placed, elsewhere };
}

/** The errors without those about `path`, what is inside it, and the fields around it: it was changed. */
export function withoutErrorsAt(errors: FieldErrors, path: string): FieldErrors {
  return withoutErrorsWhere(
    errors,
    (field) => field === path || field.startsWith(`${path}.`) || path.startsWith(`${field}.`),
  );
}

/** The errors without those about paths of which `isGone` is true; the same object where none is. */
export function withoutErrorsWhere(errors: FieldErrors, isGone: (path: string) => boolean): FieldErrors {
  const entries = Object.entries(errors).filter(([path]) => !isGone(path));
  return entries.length === Object.keys(errors).length ? errors : Object.fromEntries(entries);
}
