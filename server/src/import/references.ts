import type { TSchema } from "typebox";
import { checkKind } from "../check/registry.ts";
import { MONITOR_KIND_FACTS } from "../monitor/kinds.ts";
import type { CheckedKind } from "../monitor/monitor-defaults.ts";
import { DomainCreate } from "../wire/domain-input.ts";
import { ServiceCreate } from "../wire/services.ts";
import { isPlain } from "./plain.ts";

/** What a body says, as far as it matters which others it names. */
export interface Naming {
  kind: CheckedKind;
  /** Of its check; null where nothing known is said. */
  type: string | null;
  body: Readonly<Record<string, unknown>>;
}

const INPUTS: Readonly<Record<CheckedKind, TSchema>> = { domain: DomainCreate, service: ServiceCreate };

/** Fields that hold uuids of other monitors: those with the hint `x-refers`. */
function referringFields(schema: TSchema): string[] {
  const { properties = {} } = schema as { properties?: Record<string, { "x-refers"?: string }> };
  return Object.keys(properties).filter((name) => properties[name]?.["x-refers"] === "monitors");
}

/** Where a body of that kind and type names other monitors: in fields of its own, and of its check's configuration. */
function placesOf({ kind, type }: Naming): string[][] {
  const { configField } = MONITOR_KIND_FACTS[kind];
  const check = checkKind(type ?? "");
  const own = referringFields(INPUTS[kind]).map((name) => [name]);
  if (configField === null || check === null) return own;
  return [...own, ...referringFields(check.configSchema).map((name) => [configField, name])];
}

function valueAt(body: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, name) => (isPlain(value) && Object.hasOwn(value, name) ? value[name] : undefined),
    body,
  );
}

/** All that a body names other monitors by, in its order: uuids, or what a file has instead. */
export const referencesIn = (naming: Naming): unknown[] =>
  placesOf(naming).flatMap((path) => {
    const value = valueAt(naming.body, path);
    return Array.isArray(value) ? (value as unknown[]) : [];
  });

/** The body with each of its lists of references replaced; `field` is its name, with dots. */
export function withReferences(
  naming: Naming,
  replace: (references: readonly unknown[], field: string) => unknown[],
): Record<string, unknown> {
  let body: Record<string, unknown> = { ...naming.body };
  for (const path of placesOf(naming)) {
    const value = valueAt(body, path);
    if (Array.isArray(value)) body = withValueAt(body, path, replace(value as unknown[], path.join(".")));
  }
  return body;
}

function withValueAt(
  body: Readonly<Record<string, unknown>>,
  [name = "", ...rest]: readonly string[],
  value: unknown,
): Record<string, unknown> {
  const inner = rest.length === 0 ? value : withValueAt(body[name] as Record<string, unknown>, rest, value);
  return { ...body, [name]: inner };
}
