import { type MessageDescriptor, msg } from "../../platform/i18n/message.ts";
import type { CheckedKind } from "../../platform/monitor-defaults.ts";

/** Unvalidated content of a file. */
export type Plain = Readonly<Record<string, unknown>>;

export const isPlain = (value: unknown): value is Plain =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Undefined where there is none. */
export const own = (value: unknown, name: string): unknown =>
  isPlain(value) && Object.hasOwn(value, name) ? value[name] : undefined;

/** Undefined also for inherited names such as `constructor`. */
export const lookUp = <T>(table: Readonly<Record<string, T>>, word: string): T | undefined =>
  Object.hasOwn(table, word) ? table[word] : undefined;

/** Not empty; numbers count as texts, too. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Also one written as text. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  return typeof value === "string" && /^-?\d{1,15}(?:\.\d{1,15})?$/.test(value) ? Number(value) : undefined;
}

/** Also as text, as variables make it; undefined for anything else. */
export function isTrue(value: unknown): boolean | undefined {
  if (typeof value === "boolean") return value;
  if (typeof value === "number") return value === 0 ? false : value === 1 ? true : undefined;
  const text = typeof value === "string" ? value.toLowerCase() : "";
  return /^(?:true|yes|on|1)$/.test(text) ? true : /^(?:false|no|off|0)$/.test(text) ? false : undefined;
}

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Not null, false or empty. */
export const isSaid = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.length > 0
    : isPlain(value)
      ? Object.keys(value).length > 0
      : value !== undefined && value !== null && value !== false && value !== "" && value !== 0;

/** Unique in an organization by kind, name and target. */
interface NamedMonitor {
  uuid: string;
  kind: CheckedKind;
  name: string;
  /** In the stored form. */
  target: string;
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** A text, or an object with more details; null without one. */
export const nameOfReference = (reference: unknown): string | null =>
  textOf(reference)?.trim() ?? textOf(own(reference, "name"))?.trim() ?? null;

/** Null: only a name. */
export const keyOfReference = (reference: unknown): string | null => textOf(own(reference, "key")) ?? null;

export class MonitorNames {
  readonly #byName = new Map<string, NamedMonitor[]>();
  readonly #byUuid = new Map<string, NamedMonitor>();
  readonly #byKey = new Map<string, NamedMonitor>();

  add(monitor: NamedMonitor): void {
    this.#byUuid.set(monitor.uuid, monitor);
    const others = this.#byName.get(monitor.name);
    if (others) others.push(monitor);
    else this.#byName.set(monitor.name, [monitor]);
  }

  rename(uuid: string, to: string): void {
    const monitor = this.#byUuid.get(uuid);
    if (monitor === undefined) return;
    this.#byUuid.delete(uuid);
    monitor.uuid = to;
    this.#byUuid.set(to, monitor);
  }

  /** The monitor that the entry with that key creates, or an existing one. */
  setKey(key: string, { kind, name, target }: Omit<NamedMonitor, "uuid">): void {
    const found = this.#byName.get(name)?.find((one) => one.kind === kind && one.target === target);
    if (found) this.#byKey.set(key, found);
  }

  get(uuid: string): NamedMonitor | undefined {
    return this.#byUuid.get(uuid);
  }

  /** By its name or, where that is ambiguous, also kind and target. Undefined: unknown. */
  referenceTo(uuid: string): unknown {
    const monitor = this.#byUuid.get(uuid);
    if (monitor === undefined) return undefined;
    const { kind, name, target } = monitor;
    const isOnly = this.#byName.get(name)?.length === 1 && !UUID.test(name);
    return isOnly ? name : { kind, name, target };
  }

  /** The reference may be a uuid itself. Returns the problem where it is unknown or ambiguous. */
  find(reference: unknown): string | MessageDescriptor {
    if (typeof reference === "string" && UUID.test(reference)) return reference;
    const name = nameOfReference(reference) ?? "";
    const key = keyOfReference(reference);
    if (key !== null) return this.#byKey.get(key)?.uuid ?? msg("import.reference_unknown", { name });
    const [kind, target] = [textOf(own(reference, "kind")), textOf(own(reference, "target"))];
    const found = (this.#byName.get(name) ?? []).filter(
      (one) => (kind ?? one.kind) === one.kind && (target ?? one.target) === one.target,
    );
    const [only] = found;
    if (only === undefined) return msg("import.reference_unknown", { name });
    return found.length === 1 ? only.uuid : msg("import.reference_ambiguous", { name });
  }
}
