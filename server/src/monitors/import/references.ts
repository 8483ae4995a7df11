import type { TSchema } from "typebox";
import { checkKind } from "../../checks/registry.ts";
import type { CheckedKind } from "../../platform/monitor-defaults.ts";
import { MONITOR_KIND_TRAITS } from "../../platform/monitor-kinds.ts";
import { DomainCreate } from "../schemas/domain-input.ts";
import { ServiceCreate } from "../schemas/services.ts";
import { isPlain } from "./monitor-names.ts";

/** The part of a body that refers to others. */
export interface Naming {
  kind: CheckedKind;
  /** Of the check; null: unknown. */
  type: string | null;
  body: Readonly<Record<string, unknown>>;
}

const INPUTS: Readonly<Record<CheckedKind, TSchema>> = { domain: DomainCreate, service: ServiceCreate };

/** Fields with uuids of other monitors, by the hint `x-refers`. */
function referringFields(schema: TSchema): string[] {
  const { properties = {} } = schema as { properties?: Record<string, { "x-refers"?: string }> };
  return Object.keys(properties).filter((name) => properties[name]?.["x-refers"] === "monitors");
}

/** In its own fields and its check's configuration. */
function placesOf({ kind, type }: Naming): string[][] {
  const { configField } = MONITOR_KIND_TRAITS[kind];
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

/** In its order: uuids, or a file's references. */
export const referencesIn = (naming: Naming): unknown[] =>
  placesOf(naming).flatMap((path) => {
    const value = valueAt(naming.body, path);
    return Array.isArray(value) ? (value as unknown[]) : [];
  });

/** `field`: its path with dots. */
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

interface Referring {
  name: string | null;
  /** May be unknown. */
  names: readonly string[];
}

/**
 * Each after all that it refers to, level by level, otherwise in the given order; cycles come last. Linear in
 * names.
 */
export function inOrderOfReferences<T extends Referring>(items: readonly T[]): T[] {
  const left = new Map<string, number>();
  for (const { name } of items) if (name !== null) left.set(name, (left.get(name) ?? 0) + 1);
  const waiting = new Map<string, number[]>();
  const pending = items.map(({ name, names }, at) => {
    const awaited = new Set(names.filter((one) => one !== name && left.has(one)));
    for (const one of awaited) {
      const others = waiting.get(one);
      if (others) others.push(at);
      else waiting.set(one, [at]);
    }
    return awaited.size;
  });
  const order = new Set<number>();
  /** Returns those that waited only for these. */
  const take = (level: readonly number[]): number[] => {
    const freed: number[] = [];
    for (const at of level) {
      order.add(at);
      const name = items[at]?.name ?? null;
      if (name === null) continue;
      const others = (left.get(name) ?? 0) - 1;
      left.set(name, others);
      if (others > 0) continue;
      for (const next of waiting.get(name) ?? []) if (--(pending[next] as number) === 0) freed.push(next);
    }
    return freed;
  };
  const all = [...items.keys()];
  const withoutPending = all.filter((at) => items[at]?.names.length && pending[at] === 0);
  const naming = take(all.filter((at) => items[at]?.names.length === 0));
  for (let level = [...withoutPending, ...naming]; level.length > 0; )
    level = take(level.toSorted((one, other) => one - other));
  return [...order, ...all.filter((at) => !order.has(at))].map((at) => items[at] as T);
}
