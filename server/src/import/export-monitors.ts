import { Type } from "typebox";
import { notFound } from "../errors.ts";
import { CHECKED_KINDS, type CheckedKind } from "../monitor/monitor-defaults.ts";
import { mayChangeKind } from "../monitor/monitor-detail.ts";
import { openSettings } from "../monitor/sealed-settings.ts";
import { listMonitorSettings } from "../store/queries/monitor-names.ts";
import type { Monitor } from "../store/queries/monitors.ts";
import { findOrganization } from "../store/queries/organizations.ts";
import { takeTurns } from "../turns.ts";
import { type Running, verb } from "../verb/verb.ts";
import { ExportQuery } from "../wire/exports.ts";
import { mayReadKind } from "./may-read.ts";
import { MonitorNames } from "./monitor-names.ts";
import { monitorText, storedNaming, type TextNames, VariableNames } from "./monitor-text.ts";
import { inOrderOfReferences } from "./reference-order.ts";
import { referencesIn } from "./references.ts";
import { SECTIONS, VEDETTE_VERSION } from "./vedette.ts";

const MONITORS_AT_ONCE = 100;

/**
 * All monitors that the caller may read as a file that can be imported, oldest first: `text` reads them while it is sent.
 * Secrets are names to be filled in.
 */
export const exportMonitors = verb({
  resource: "domains",
  action: "read",
  input: ExportQuery,
  output: Type.Object({}),
  async run(ctx) {
    const organization = await findOrganization(ctx.db, { id: ctx.caller.organizationId });
    if (!organization) throw notFound();
    return { slug: organization.slug, text: textOf(ctx) };
  },
});

async function* textOf(ctx: Running): AsyncGenerator<string> {
  yield `# Monitors of Vedette. Secrets are not in this file: fill in what stands as \${NAME}, or give the values when you\n# import it. Heartbeats get new addresses.\nvedette: ${VEDETTE_VERSION}\n`;
  const all = await readAll(ctx);
  const names = { variables: new VariableNames(), monitors: all.names };
  for (const kind of CHECKED_KINDS) {
    const mayChange = mayChangeKind(ctx.caller, kind);
    if (mayReadKind(ctx.caller, kind)) yield* sectionOf(ctx, kind, all, { ...names, mayChange });
    else yield `# ${SECTIONS[kind]} are left out: whoever exported this may not read them.\n`;
  }
}

interface All {
  names: MonitorNames;
  /** Uuids of those that name others, in the order in which they are written: after all others of their kind. */
  referring: ReadonlyMap<string, number>;
}

/** Who there is, and who names whom. */
async function readAll(ctx: Running): Promise<All> {
  const names = new MonitorNames();
  const found: { uuid: string; name: string; references: string[] }[] = [];
  const giveWay = takeTurns();
  for (const kind of CHECKED_KINDS.filter((one) => mayReadKind(ctx.caller, one))) {
    for await (const monitor of monitorsOf(ctx, kind)) {
      const { uuid, name, target } = monitor;
      names.add({ uuid, kind, name, target });
      found.push({ uuid, name, references: referencesIn(storedNaming(kind, monitor)) as string[] });
      await giveWay();
    }
  }
  const items = found.map(({ references, ...one }) => ({
    ...one,
    names: references.flatMap((uuid) => names.get(uuid)?.name ?? []),
  }));
  const referring = inOrderOfReferences(items).filter((one) => one.names.length > 0);
  return { names, referring: new Map(referring.map(({ uuid }, at) => [uuid, at])) };
}

async function* sectionOf(
  ctx: Running,
  kind: CheckedKind,
  { referring }: All,
  texts: TextNames,
): AsyncGenerator<string> {
  const giveWay = takeTurns();
  const later: Monitor[] = [];
  const textOfOne = (monitor: Monitor) => monitorText(kind, openSettings(ctx.secrets, monitor), texts);
  let isEmpty = true;
  for await (const monitor of monitorsOf(ctx, kind)) {
    if (isEmpty) yield `${SECTIONS[kind]}:\n`;
    isEmpty = false;
    if (referring.has(monitor.uuid)) later.push(monitor);
    else yield textOfOne(monitor);
    await giveWay();
  }
  if (isEmpty) yield `${SECTIONS[kind]}: []\n`;
  const placeOf = ({ uuid }: Monitor) => referring.get(uuid) ?? 0;
  for (const monitor of later.toSorted((one, other) => placeOf(one) - placeOf(other))) {
    yield textOfOne(monitor);
    await giveWay();
  }
}

/** All of a kind, oldest first. */
async function* monitorsOf({ db, caller }: Running, kind: CheckedKind): AsyncGenerator<Monitor> {
  let page: Monitor[] = [];
  do {
    const stretch = { organizationId: caller.organizationId, kind, afterId: page.at(-1)?.id ?? 0 };
    page = await listMonitorSettings(db, { ...stretch, limit: MONITORS_AT_ONCE });
    yield* page;
  } while (page.length === MONITORS_AT_ONCE);
}
