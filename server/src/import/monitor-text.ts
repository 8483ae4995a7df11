import { isDeepStrictEqual } from "node:util";
import type { TSchema } from "typebox";
import { stringify } from "yaml";
import { PLANS } from "../account/plans.ts";
import { newMonitor } from "../monitor/apply-input.ts";
import { requireCheckKind } from "../monitor/check-rules.ts";
import { MONITOR_KIND_FACTS } from "../monitor/kinds.ts";
import { type CheckedKind, HIDDEN } from "../monitor/monitor-defaults.ts";
import type { MonitorSettings } from "../monitor/settings.ts";
import { shownTimeout } from "../monitor/shown-timeout.ts";
import { shownConfig } from "../monitor/stored-secrets.ts";
import { changersOnly, headerFields, hiddenFields } from "../secret/config-secrets.ts";
import { projectMonitorSettings } from "../wire/monitor-input.ts";
import type { MonitorNames } from "./monitor-names.ts";
import { type Naming, withReferences } from "./references.ts";
import { literally } from "./variables.ts";

type Config = Record<string, unknown>;

/** Names for what a file leaves to be filled in: each is given once. */
export class VariableNames {
  readonly #given = new Set<string>();
  /** By the name that many would have: the number to go on with. */
  readonly #next = new Map<string, number>();

  /** `${SHOP_PASSWORD}`; `${SHOP_PASSWORD_2}` where that is given already. */
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

/** What a file has instead of what only this installation knows. */
export interface TextNames {
  /** For secrets. */
  variables: VariableNames;
  /** For uuids of other monitors. */
  monitors: MonitorNames;
  /** Whether what those see who may change the monitor stands in the file, or a name for it. */
  mayChange: boolean;
}

/** What is stored of a monitor, without its secrets, as far as it matters which others it names. */
export function storedNaming(kind: CheckedKind, settings: MonitorSettings): Naming {
  const { configField } = MONITOR_KIND_FACTS[kind];
  const { type, config } = settings;
  const own = projectMonitorSettings(settings);
  return { kind, type, body: { ...own, ...(configField === null ? config : { [configField]: config }) } };
}

/**
 * One monitor as an item of a list in the file: the body that creates it again, without what is usual, and without secrets.
 * Others that it names stand there by their names, but for those that its reader may not know of.
 */
export function monitorText(kind: CheckedKind, settings: MonitorSettings, names: TextNames): string {
  const body = bodyOf(kind, settings, names);
  const named = withReferences({ kind, type: settings.type, body }, (uuids) =>
    uuids.flatMap((uuid) => literal(names.monitors.referenceTo(String(uuid))) ?? []),
  );
  const text = stringify([named], { lineWidth: 0, aliasDuplicateObjects: false });
  // At the beginning of lines only: a text may hold other characters that end a line for `^`.
  return text.replace(/(^|\n)(?=[^\n])/g, "$1  ");
}

function bodyOf(kind: CheckedKind, settings: MonitorSettings, names: Omit<TextNames, "monitors">): Config {
  const { configField } = MONITOR_KIND_FACTS[kind];
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

/** What is set of the check; a secret is a name that is to be filled in, and what only this installation knows is left out. */
function configOf(
  { name, type, config, displayTarget }: MonitorSettings,
  { variables, mayChange }: Omit<TextNames, "monitors">,
): Config {
  const { configSchema, complete } = requireCheckKind(type);
  const nameOf = (field: string) => variables.next(name, field);
  // What a kind makes where it is not given is made anew.
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

/** Every text within a secret, but what says who it is that signs in. */
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

/** Texts that `fillIn` gives back as they are. */
function literal(value: unknown): unknown {
  if (typeof value === "string") return literally(value);
  if (Array.isArray(value)) return value.map(literal);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, literal(inner)]));
}
