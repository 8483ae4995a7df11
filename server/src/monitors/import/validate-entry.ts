import { checkKind } from "../../checks/registry.ts";
import type { Caller } from "../../platform/access/caller.ts";
import { assertAccess, isPermitted } from "../../platform/access/check-access.ts";
import { assertQuota } from "../../platform/access/plans.ts";
import { type FieldErrors, PublicError } from "../../platform/errors.ts";
import { type MessageDescriptor, msg } from "../../platform/i18n/message.ts";
import type { CheckedKind } from "../../platform/monitor-defaults.ts";
import { MONITOR_KIND_TRAITS } from "../../platform/monitor-kinds.ts";
import { needsOf } from "../../platform/operations/call.ts";
import { validInput } from "../../platform/operations/field-errors.ts";
import { applyInput, newMonitor } from "../apply-input.ts";
import { createDomain } from "../domains.ts";
import { readDomainInput } from "../schemas/domain-input.ts";
import { readServiceInput } from "../schemas/services.ts";
import { createService } from "../services.ts";
import type { MonitorInput, SettingsContext } from "../settings.ts";
import type { FileEntry } from "./file-entry.ts";
import { keyOfReference, type MonitorNames, nameOfReference } from "./monitor-names.ts";
import type { PlannedEntry } from "./outcome.ts";
import { type Naming, withReferences } from "./references.ts";

export const CREATION = {
  domain: { verb: createDomain, readInput: readDomainInput as (body: object) => MonitorInput },
  service: { verb: createService, readInput: readServiceInput as (body: object) => MonitorInput },
} as const;

/** Existing monitors and earlier entries, which cannot be created again. */
export interface Known {
  /** By kind, target and name, and by kind and target: the line in the file, null for an existing monitor. */
  places: Map<string, number | null>;
  count: number;
  names: MonitorNames;
}

/** By name or, without one, by target alone. */
export const placesOf = (kind: CheckedKind, target: string, name: string): [own: string, target: string] => [
  JSON.stringify([kind, target, name]),
  JSON.stringify([kind, target]),
];

export interface ValidationContext extends Omit<SettingsContext, "kind"> {
  caller: Caller;
  known: Known;
}

/** A service needs a name: its target by default. */
export function bodyOf({ kind, body }: FileEntry): Record<string, unknown> {
  if (kind === "domain" || nameIn(body) !== null) return body;
  const check = checkKind(String(body["protocol"]));
  try {
    return { ...body, name: check?.target(body["protocolConfig"] as never) };
  } catch {
    return body;
  }
}

/**
 * With the uuids of referenced monitors, and problems of references by field. Entries that are referenced by
 * key and are not imported are left out, with notes.
 */
interface ResolvedEntry {
  entry: FileEntry;
  problems: FieldErrors;
}

export function resolveReferences(entry: FileEntry, names: MonitorNames): ResolvedEntry {
  const problems: FieldErrors = {};
  const notes = [...entry.notes];
  const body = withReferences(namingOf(entry), (references, field) =>
    references.flatMap((reference) => {
      const found = names.find(reference);
      if (typeof found === "string") return [found];
      if (keyOfReference(reference) !== null) {
        notes.push(msg("import.member", { name: nameOfReference(reference) ?? "" }));
        return [];
      }
      (problems[field] ??= []).push(found);
      return [reference];
    }),
  );
  return { entry: { ...entry, body, notes }, problems };
}

export const namingOf = (entry: FileEntry): Naming => ({
  kind: entry.kind,
  type: typeIn(entry),
  body: entry.body,
});

/** Predicts the result of creating it; a valid entry is known from then on. `uuid`: its provisional one. */
export function validateEntry(
  { entry, problems }: ResolvedEntry,
  context: ValidationContext,
  uuid: string,
): PlannedEntry {
  const { kind, body } = entry;
  const planned = { kind, name: nameIn(body), type: typeIn(entry), target: null, problems: {} };
  if (Object.keys(problems).length > 0) return { ...planned, outcome: "invalid", problems };
  if (entry.problem) return { ...planned, outcome: "invalid", problems: { [""]: [entry.problem] } };
  try {
    const settings = settingsOf(entry, context);
    const shown = { ...planned, name: settings.name, target: settings.displayTarget };
    const twin = twinOf(entry, settings, context.known);
    const { key } = entry;
    if (twin && key !== undefined) context.known.names.setKey(key, { ...settings, kind });
    if (twin) return { ...shown, outcome: "duplicate", problems: { [""]: [twin] } };
    assertQuota("monitors", context.known.count, context.plan.monitors);
    context.known.count += 1;
    for (const place of placesOf(kind, settings.target, settings.name))
      context.known.places.set(place, entry.line ?? 0);
    context.known.names.add({ uuid, kind, name: settings.name, target: settings.target });
    if (key !== undefined) context.known.names.setKey(key, { ...settings, kind });
    return { ...shown, outcome: "create" };
  } catch (error) {
    return { ...planned, ...refusalOf(error) };
  }
}

/**
 * Finds the monitor that an earlier request created for an entry with a key; nothing if that was rejected.
 */
export function recallEntry({ entry }: ResolvedEntry, context: ValidationContext): void {
  const { key, kind } = entry;
  if (key === undefined) return;
  try {
    context.known.names.setKey(key, { ...settingsOf(entry, context), kind });
  } catch (error) {
    refusalOf(error);
  }
}

/** Errors of the whole import are thrown on. */
export function refusalOf(error: unknown): Pick<PlannedEntry, "outcome" | "problems"> {
  if (!(error instanceof PublicError)) throw error;
  if (error.kind === "quota_reached")
    return { outcome: "over_quota", problems: { [""]: [error.descriptor] } };
  if (error.kind === "invalid_input") return { outcome: "invalid", problems: error.fields ?? {} };
  if (["plan_required", "scope_required", "forbidden"].includes(error.kind)) {
    return { outcome: "invalid", problems: { [""]: [error.descriptor] } };
  }
  throw error;
}

function settingsOf(entry: FileEntry, { caller, plan, locations, targets }: ValidationContext) {
  const { kind } = entry;
  const { verb, readInput } = CREATION[kind];
  assertAccess(caller, needsOf(verb, caller.needs?.features));
  const input = readInput(validInput(verb.input, bodyOf(entry)) as object);
  const type = MONITOR_KIND_TRAITS[kind].type ?? input.type ?? "";
  const context = { kind, plan, locations, targets };
  const { settings, problems } = applyInput(newMonitor(plan, kind, type), input, context);
  if (Object.keys(problems).length > 0)
    throw new PublicError("invalid_input", msg("input.invalid"), { fields: problems });
  return settings;
}

function twinOf(
  { kind, body }: FileEntry,
  { target, name }: { target: string; name: string },
  { places }: Known,
): MessageDescriptor | null {
  const [own, any] = placesOf(kind, target, name);
  const line = places.get(nameIn(body) === null ? any : own);
  if (line === undefined) return null;
  return line === null
    ? msg("import.exists")
    : line === 0
      ? msg("import.repeated")
      : msg("import.twice", { line });
}

const MAX_NAME_LENGTH = 255;

/** Within limits; null: none. */
export function nameIn({ name }: Record<string, unknown>): string | null {
  return typeof name === "string" ? name.slice(0, MAX_NAME_LENGTH).toWellFormed() : null;
}

function typeIn({ kind, body }: FileEntry): string | null {
  const { protocol } = body;
  const type = MONITOR_KIND_TRAITS[kind].type ?? protocol;
  return typeof type === "string" ? type.slice(0, 50).toWellFormed() : null;
}

export function mayReadKind(caller: Caller, kind: CheckedKind): boolean {
  const { resource, feature } = MONITOR_KIND_TRAITS[kind];
  return isPermitted(caller, needsOf({ resource, feature, action: "read" }, caller.needs?.features));
}
