import { Type } from "typebox";
import { isPermitted } from "../account/access.ts";
import { checkKind } from "../check/registry.ts";
import { notFound } from "../errors.ts";
import { MONITOR_KIND_FACTS } from "../monitor/kinds.ts";
import { MONITOR_KINDS, type MonitorKind } from "../monitor/monitor-defaults.ts";
import { openSettings } from "../monitor/sealed-settings.ts";
import { listMonitorSettings } from "../store/queries/monitor-names.ts";
import type { Monitor } from "../store/queries/monitors.ts";
import { findOrganization } from "../store/queries/organizations.ts";
import { takeTurns } from "../turns.ts";
import { needsOf } from "../verb/authorize.ts";
import { type Running, verb } from "../verb/verb.ts";
import { ExportQuery } from "../wire/exports.ts";
import { monitorText, VariableNames } from "./monitor-text.ts";
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
  const names = new VariableNames();
  for (const kind of MONITOR_KINDS) {
    if (mayRead(ctx, kind)) yield* sectionOf(ctx, kind, names);
    else yield `# ${SECTIONS[kind]} are left out: whoever exported this may not read them.\n`;
  }
}

const mayRead = ({ caller }: Running, kind: MonitorKind): boolean => {
  const { resource, feature } = MONITOR_KIND_FACTS[kind];
  return isPermitted(caller, needsOf({ resource, feature, action: "read" }, caller.needs?.features));
};

async function* sectionOf(ctx: Running, kind: MonitorKind, names: VariableNames): AsyncGenerator<string> {
  const { db, caller, secrets } = ctx;
  const giveWay = takeTurns();
  let page: Monitor[] = [];
  do {
    const stretch = { organizationId: caller.organizationId, kind, afterId: page.at(-1)?.id ?? 0 };
    const isFirst = stretch.afterId === 0;
    page = await listMonitorSettings(db, { ...stretch, limit: MONITORS_AT_ONCE });
    if (isFirst) yield page.length > 0 ? `${SECTIONS[kind]}:\n` : `${SECTIONS[kind]}: []\n`;
    for (const monitor of page) {
      const check = checkKind(monitor.type);
      yield check && "derived" in check
        ? `  # One of type ${monitor.type} is left out: its members have other ids elsewhere.\n`
        : monitorText(kind, openSettings(secrets, monitor), names);
      await giveWay();
    }
  } while (page.length === MONITORS_AT_ONCE);
}
