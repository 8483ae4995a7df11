import { randomUUIDv7 } from "node:crypto";
import type { Caller } from "../../platform/access/caller.ts";
import { assertStays } from "../../platform/access/check-access.ts";
import { planOf } from "../../platform/access/plans.ts";
import { countOwnedMonitors, findOrganization } from "../../platform/access/queries/organizations.ts";
import { listLocations } from "../../platform/database/installation.ts";
import { msg } from "../../platform/i18n/message.ts";
import {
  CHECKED_KINDS,
  MAX_CONFIRMATIONS,
  MAX_DESCRIPTION_LENGTH,
  MAX_INTERVAL_SECONDS,
  MAX_RECHECK_DELAY_SECONDS,
  MAX_TIMEOUT_SECONDS,
  MONITOR_DEFAULTS,
} from "../../platform/monitor-defaults.ts";
import { MONITOR_KIND_TRAITS } from "../../platform/monitor-kinds.ts";
import { callVerb } from "../../platform/operations/call.ts";
import { type Before, verb } from "../../platform/operations/operation.ts";
import { takeTurns } from "../../platform/turns.ts";
import { listMonitorNames, type MonitorName } from "../queries/monitor-names.ts";
import { ImportRequest, ImportResult, projectImport } from "../schemas/imports.ts";
import type { FileEntry } from "./file-entry.ts";
import { keyOfReference, MonitorNames, nameOfReference, own } from "./monitor-names.ts";
import type { Imported, ImportOutcome } from "./outcome.ts";
import { inOrderOfReferences, referencesIn } from "./references.ts";
import {
  bodyOf,
  CREATION,
  type Known,
  mayReadKind,
  nameIn,
  namingOf,
  placesOf,
  recallEntry,
  refusalOf,
  resolveReferences,
  type ValidationContext,
  validateEntry,
} from "./validate-entry.ts";

/**
 * Clamps numbers to the allowed range, with a note each, so that files from software with other limits are
 * accepted. Other values stay, for the API to reject.
 */
export function withinBounds(entry: FileEntry, leastIntervalSeconds: number): FileEntry {
  const { body } = entry;
  const notes = [...entry.notes];
  const changed: Record<string, unknown> = {};
  const bound = (setting: string, least: number, most: number): void => {
    const from = body[setting];
    if (typeof from !== "number" || !Number.isFinite(from)) return;
    const to = Math.max(least, Math.min(Math.round(from), most));
    if (to === from) return;
    changed[setting] = to;
    notes.push(msg("import.changed", { setting, from, to }));
  };
  const isByCron = own(body["protocolConfig"], "cron") !== undefined;
  if (!isByCron) bound("checkInterval", leastIntervalSeconds, MAX_INTERVAL_SECONDS);
  const interval = intervalOf({ ...body, ...changed }, leastIntervalSeconds);
  bound("timeout", 1, Math.min(MAX_TIMEOUT_SECONDS, interval - 1));
  bound("confirmations", 1, MAX_CONFIRMATIONS);
  bound("recoveries", 1, MAX_CONFIRMATIONS);
  bound("recheckDelay", 0, Math.min(MAX_RECHECK_DELAY_SECONDS, interval));
  const { description } = body;
  if (typeof description === "string" && description.trim().length > MAX_DESCRIPTION_LENGTH) {
    changed["description"] = description.trim().slice(0, MAX_DESCRIPTION_LENGTH).toWellFormed();
    notes.push(msg("import.cut", { setting: "description", limit: MAX_DESCRIPTION_LENGTH }));
  }
  return notes.length === entry.notes.length ? entry : { ...entry, body: { ...body, ...changed }, notes };
}

function intervalOf(body: Readonly<Record<string, unknown>>, least: number): number {
  const { checkInterval } = body;
  return typeof checkInterval === "number" && checkInterval > 1
    ? checkInterval
    : Math.max(MONITOR_DEFAULTS.intervalSeconds, least);
}

/** Each after those it refers to, whatever the order in the file. */
const ordered = (entries: readonly FileEntry[]): FileEntry[] =>
  inOrderOfReferences(
    entries.map((entry) => ({
      entry,
      name: entry.key ?? nameIn(entry.body)?.trim() ?? null,
      names: referencesIn(namingOf(entry)).map(
        (reference) => keyOfReference(reference) ?? nameOfReference(reference) ?? "",
      ),
    })),
  ).map(({ entry }) => entry);

const refersByKey = (entry: FileEntry): boolean =>
  referencesIn(namingOf(entry)).some((reference) => keyOfReference(reference) !== null);

/**
 * Creates each monitor separately, like a single create with its audit row; existing ones are left alone, so
 * that a file can be imported again. A dry run reports every entry. Throws 422 for an unreadable file, 409
 * where the organization is to be deleted.
 */
export const importMonitors = verb({
  resource: "domains",
  action: "write",
  audit: null,
  input: ImportRequest,
  output: ImportResult,
  async prepare(ctx, { content, format, variables = {}, dryRun, from, limit }): Promise<ImportOutcome> {
    const organization = await findOrganization(ctx.store.db, { id: ctx.caller.organizationId });
    if (organization) assertStays(organization);
    const file = await ctx.files.read({ content, format, variables }, ctx.signal?.());
    const context = await readValidationContext(ctx);
    const isDryRun = dryRun !== false;
    const [first, last] = isDryRun
      ? [0, file.entries.length]
      : [from ?? 0, (from ?? 0) + (limit ?? Infinity)];
    const entries: Imported[] = [];
    const giveWay = takeTurns();
    const all = ordered(file.entries);
    const resolve = (entry: FileEntry) => {
      const bounded = withinBounds(entry, MONITOR_KIND_TRAITS[entry.kind].leastInterval(context.plan));
      return resolveReferences(bounded, context.known.names);
    };
    if (all.slice(first, last).some(refersByKey)) {
      for (const entry of all.slice(0, first)) {
        recallEntry(resolve(entry), context);
        await giveWay();
      }
    }
    for (const [at, entry] of all.slice(first, last).entries()) {
      // The client is gone: created monitors stay, the rest can be imported again.
      if (ctx.signal?.().aborted) break;
      const resolved = resolve(entry);
      const uuid = randomUUIDv7();
      const planned = validateEntry(resolved, context, uuid);
      const isWanted = !isDryRun && planned.outcome === "create";
      const made = isWanted ? await create(ctx, resolved.entry, context.known.names, uuid) : { id: null };
      entries.push({ ...planned, ...made, entry: resolved.entry, index: first + at });
      await giveWay();
    }
    return { file, isDryRun, entries, next: last < file.entries.length ? last : null };
  },
  run: async (_ctx, _input, outcome) => projectImport(outcome),
});

/** `uuid`: the provisional one in `names`. */
async function create(
  ctx: Before,
  entry: FileEntry,
  names: MonitorNames,
  uuid: string,
): Promise<Pick<Imported, "id"> & Partial<Imported>> {
  const { features } = ctx.caller.needs ?? {};
  try {
    const made = await callVerb(
      ctx,
      CREATION[entry.kind].verb as typeof CREATION.service.verb,
      bodyOf(entry) as never,
      {
        ...(features && { features }),
      },
    );
    names.rename(uuid, made.uuid);
    return { outcome: "created", id: made.id };
  } catch (error) {
    return { ...refusalOf(error), id: null };
  }
}

async function readValidationContext(ctx: Before): Promise<ValidationContext> {
  const { db } = ctx.store;
  const { caller } = ctx;
  const count = await countOwnedMonitors(db, caller.organizationId, CHECKED_KINDS);
  const known: Known = { places: new Map(), count, names: new MonitorNames() };
  await rememberAll(ctx, caller, known);
  const plan = planOf(caller.plan);
  return { caller, plan, known, locations: await listLocations(db), targets: ctx.network.policy };
}

const NAMES_AT_ONCE = 500;

async function rememberAll({ store }: Before, caller: Caller, { places, names }: Known): Promise<void> {
  const { organizationId } = caller;
  const giveWay = takeTurns();
  for (const kind of CHECKED_KINDS) {
    let page: MonitorName[] = [];
    do {
      const afterId = page.at(-1)?.id ?? 0;
      page = await listMonitorNames(store.db, { organizationId, kind, afterId, limit: NAMES_AT_ONCE });
      for (const { uuid, target, name } of page) {
        if (mayReadKind(caller, kind)) names.add({ uuid, kind, name, target });
        for (const place of placesOf(kind, target, name)) places.set(place, null);
      }
      await giveWay();
    } while (page.length === NAMES_AT_ONCE);
  }
}
