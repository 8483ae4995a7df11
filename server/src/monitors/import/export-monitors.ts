import { isDeepStrictEqual } from "node:util";
import { type TSchema, Type } from "typebox";
import { stringify } from "yaml";
import { PLANS } from "../../platform/access/plans.ts";
import { findOrganization } from "../../platform/access/queries/organizations.ts";
import { notFound } from "../../platform/errors.ts";
import { CHECKED_KINDS, type CheckedKind, HIDDEN } from "../../platform/monitor-defaults.ts";
import { MONITOR_KIND_TRAITS } from "../../platform/monitor-kinds.ts";
import { type Running, verb } from "../../platform/operations/operation.ts";
import { changersOnly, headerFields, hiddenFields } from "../../platform/secrets/config-secrets.ts";
import { takeTurns } from "../../platform/turns.ts";
import { newMonitor } from "../apply-input.ts";
import { openSettings, requireCheckKind } from "../check-rules.ts";
import { shownTimeout } from "../monitor.ts";
import { mayChangeKind } from "../monitor-detail.ts";
import { listMonitorSettings } from "../queries/monitor-names.ts";
import type { Monitor } from "../queries/monitors.ts";
import { ExportQuery } from "../schemas/imports.ts";
import { projectMonitorSettings } from "../schemas/monitor-input.ts";
import type { MonitorSettings } from "../settings.ts";
import { shownConfig } from "../stored-secrets.ts";
import { MonitorNames } from "./monitor-names.ts";
import { inOrderOfReferences, type Naming, referencesIn, withReferences } from "./references.ts";
import { mayReadKind } from "./validate-entry.ts";
import { SECTIONS, VEDETTE_VERSION } from "./vedette.ts";
import { literally } from "./yaml-file.ts";

type Config = Record<string, unknown>;

/** Unique names of variables. */
class VariableNames {
  readonly #given = new Set<string>();
  /** The next number, by name. */
  readonly #next = new Map<string, number>();

  /** `${SHOP_PASSWORD}`, or `${SHOP_PASSWORD_2}` where that is taken. */
  next(monitor: string, field: string): string {
    const words = `${monitor}_${field.replace(/([a-z])([A-Z])/g, "$1_$2")}`;
    const base = words
      .normalize("NFKD")
      .replace(/\p{M}/gu, "")
      .toUpperCase()
      .replace(/[^A-Z0-9]+/g, "_")
      .replace(/^_+|_+$/g, "")
      .slice(0, 80);
    const start = /^[A-Z]/.test(base) ? base : `SECRET_${base}`;
    let name = start;
    let at = this.#next.get(start) ?? 2;
    for (; this.#given.has(name); at += 1) name = `${start}_${at}`;
    this.#next.set(start, at);
    this.#given.add(name);
    return `\${${name}}`;
  }
}

/** Replaces what only this installation knows. */
interface TextNames {
  variables: VariableNames;
  monitors: MonitorNames;
  /** Whether the file has what only those who may change the monitor see, or variables for it. */
  mayChange: boolean;
}

/** Without secrets; enough to find the monitors it refers to. */
function storedNaming(kind: CheckedKind, settings: MonitorSettings): Naming {
  const { configField } = MONITOR_KIND_TRAITS[kind];
  const { type, config } = settings;
  const own = projectMonitorSettings(settings);
  return { kind, type, body: { ...own, ...(configField === null ? config : { [configField]: config }) } };
}

/**
 * An item of the file: the body that creates the monitor again, without defaults and secrets. Referenced
 * monitors become names, except those that the reader may not read.
 */
function monitorText(kind: CheckedKind, settings: MonitorSettings, names: TextNames): string {
  const body = bodyOf(kind, settings, names);
  const named = withReferences({ kind, type: settings.type, body }, (uuids) =>
    uuids.flatMap((uuid) => literal(names.monitors.referenceTo(String(uuid))) ?? []),
  );
  const text = stringify([named], { lineWidth: 0, aliasDuplicateObjects: false });
  // Only at the beginning of lines: for `^`, other characters end a line, too.
  return text.replace(/(^|\n)(?=[^\n])/g, "$1  ");
}

function bodyOf(kind: CheckedKind, settings: MonitorSettings, names: Omit<TextNames, "monitors">): Config {
  const { configField } = MONITOR_KIND_TRAITS[kind];
  const config = configOf(settings, names);
  const usual: Config = projectMonitorSettings(newMonitor(PLANS.expert, kind, settings.type));
  const own: Config = { ...projectMonitorSettings(settings), timeout: shownTimeout(settings) };
  const unusual = Object.fromEntries(
    Object.entries(own).filter(([name, value]) => !isDeepStrictEqual(value, usual[name])),
  );
  const name = literally(settings.name);
  if (configField === null) return { name, ...config, ...unusualTexts(unusual) };
  return { name, protocol: settings.type, [configField]: config, ...unusualTexts(unusual) };
}

const unusualTexts = (settings: Config): Config => literal(settings) as Config;

/** Secrets become variables; what only this installation knows is left out. */
function configOf(
  { name, type, config, displayTarget }: MonitorSettings,
  { variables, mayChange }: Omit<TextNames, "monitors">,
): Config {
  const { configSchema, complete } = requireCheckKind(type);
  const nameOf = (field: string) => variables.next(name, field);
  // Generated values are generated again.
  const isOpen = mayChange && complete === undefined;
  const shown = shownConfig(configSchema, config, isOpen);
  const left = complete === undefined && !mayChange ? changersOnly(configSchema, config) : {};
  const url = type === "http" ? { url: displayTarget } : {};
  const headers = headerFields(configSchema).flatMap((field) =>
    shown[field] ? [[field, headersOf(shown[field] as Record<string, string>, nameOf)]] : [],
  );
  return {
    ...(literal(withoutUsual(configSchema, { ...shown, ...url })) as Config),
    ...Object.fromEntries(headers),
    ...(asNames({ ...left, ...hiddenFields(configSchema, config) }, nameOf) as Config),
  };
}

const headersOf = (headers: Record<string, string>, nameOf: (header: string) => string) =>
  Object.fromEntries(
    Object.entries(headers).map(([header, value]) => [
      header,
      value === HIDDEN ? nameOf(header) : literally(value),
    ]),
  );

/** All texts of a secret but the user name. */
function asNames(secret: object, nameOf: (field: string) => string): object {
  return Object.fromEntries(
    Object.entries(secret).map(([field, value]) => [
      field,
      typeof value === "object" && value !== null
        ? asNames(value, nameOf)
        : value === ""
          ? ""
          : nameOf(field),
    ]),
  );
}

function withoutUsual(schema: TSchema, config: Config): Config {
  const { properties = {} } = schema as { properties?: Record<string, { default?: unknown }> };
  return Object.fromEntries(
    Object.entries(config).filter(([name, value]) => !isDeepStrictEqual(value, properties[name]?.default)),
  );
}

/** Escaped for `fillIn`. */
function literal(value: unknown): unknown {
  if (typeof value === "string") return literally(value);
  if (Array.isArray(value)) return value.map(literal);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, literal(inner)]));
}

const MONITORS_AT_ONCE = 100;

/** As an importable file, oldest first: `text` is read while it is sent. Secrets become variables. */
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
  yield `# Monitors of Vedette. Secrets are not in this file: fill in each \${NAME}, or give the values when you\n# import it. Heartbeats get new addresses.\nvedette: ${VEDETTE_VERSION}\n`;
  const all = await readAll(ctx);
  const names = { variables: new VariableNames(), monitors: all.names };
  for (const kind of CHECKED_KINDS) {
    const mayChange = mayChangeKind(ctx.caller, kind);
    if (mayReadKind(ctx.caller, kind)) yield* sectionOf(ctx, kind, all, { ...names, mayChange });
    else yield `# ${SECTIONS[kind]} are left out: the person who exported this may not read them.\n`;
  }
}

interface All {
  names: MonitorNames;
  /**
   * Uuids of monitors that refer to others, in the order in which they are written: after the others of their
   * kind.
   */
  referring: ReadonlyMap<string, number>;
}

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

/** Oldest first. */
async function* monitorsOf({ db, caller }: Running, kind: CheckedKind): AsyncGenerator<Monitor> {
  let page: Monitor[] = [];
  do {
    const range = { organizationId: caller.organizationId, kind, afterId: page.at(-1)?.id ?? 0 };
    page = await listMonitorSettings(db, { ...range, limit: MONITORS_AT_ONCE });
    yield* page;
  } while (page.length === MONITORS_AT_ONCE);
}
