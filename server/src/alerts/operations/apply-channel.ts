import type { TSchema } from "typebox";
import { hostProblem, type TargetPolicy } from "../../checks/guard.ts";
import { configProblems } from "../../monitors/apply-input.ts";
import type { FieldErrors } from "../../platform/errors.ts";
import { ianaName } from "../../platform/formats/formats.ts";
import { cleanTags } from "../../platform/formats/name.ts";
import { type MessageDescriptor, msg } from "../../platform/i18n/message.ts";
import type { Language } from "../../platform/i18n/render.ts";
import { decisiveChanges, hiddenFields } from "../../platform/secrets/config-secrets.ts";
import type { ChannelFilter, Hours, Reminder } from "../channels/filter.ts";
import type { ChannelKind } from "../channels/kind.ts";

/** Everything that may be set of a channel, secrets in the clear. */
export interface OpenSettings extends ChannelFilter {
  name: string;
  config: object;
  language: Language;
  timeZone: string;
  reminder: Reminder;
  enabled: boolean;
}

/** Any subset of the settings. Bounds of single fields were checked by the API schema. */
export type ChannelInput = Partial<Omit<OpenSettings, "hours"> & { hours: Hours }>;

/** A new channel before anything is said about it. */
export const newChannel = (): OpenSettings => ({
  name: "",
  config: {},
  events: [],
  severities: [],
  tags: [],
  hours: null,
  language: "en",
  timeZone: "UTC",
  reminder: "critical",
  enabled: true,
});

/** `base` with `input` applied: the settings, and what is wrong with them by field. */
export function applyChannel(
  base: OpenSettings,
  input: ChannelInput,
  { kind, targets }: { kind: ChannelKind; targets: TargetPolicy },
): { settings: OpenSettings; problems: FieldErrors } {
  const { config: sent, hours, name, tags, ...rest } = input;
  const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
  const settings: OpenSettings = { ...base, ...given };
  const problems: FieldErrors = {};
  if (name !== undefined) settings.name = name.trim();
  settings.timeZone = ianaName(settings.timeZone);
  if (tags) settings.tags = cleanTags(tags);
  if (hours) {
    settings.hours = hoursOf(hours);
    if (hours.from !== undefined && hours.from === hours.to) problems["hours.to"] = [msg("channel.hours")];
  }
  if (sent) {
    settings.config = changedConfig(kind, base.config, sent);
    Object.assign(
      problems,
      problemsOf(kind, { stored: base.config, sent, config: settings.config }, targets),
    );
  }
  return { settings, problems };
}

/** Null where they narrow nothing. */
export function hoursOf({ days = [], from, to }: Hours): Hours | null {
  if (days.length === 0 && from === undefined && to === undefined) return null;
  return {
    ...(days.length > 0 && { days }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  };
}

/** What is never returned stays where it is not sent again. White space around a credential came along when it was copied. */
function changedConfig({ configSchema, complete }: ChannelKind, stored: object, sent: object): object {
  const fields = fieldsOf(configSchema);
  const all = Object.entries({ ...hiddenFields(configSchema, stored), ...sent });
  const given = Object.fromEntries(
    all.map(([name, value]) => {
      const isCredential = fields[name]?.format === "password" && typeof value === "string";
      return [name, isCredential ? value.trim() : value];
    }),
  );
  return complete?.(given as never, stored as never) ?? given;
}

interface ConfigChange {
  stored: object;
  sent: object;
  config: object;
}

function problemsOf(kind: ChannelKind, change: ConfigChange, targets: TargetPolicy): FieldErrors {
  const { configSchema } = kind;
  const { stored, sent, config } = change;
  const invalid = configProblems(configSchema, config, "config");
  if (Object.keys(invalid).length > 0) return invalid;
  const problems: FieldErrors = {};
  const report = (field: string, what: MessageDescriptor) =>
    void (problems[`config.${field}`] ??= []).push(what);
  // A user who may change a channel must not have a stored credential sent somewhere else.
  const changed = decisiveChanges(configSchema, stored, config).join(", ");
  const reused = Object.keys(hiddenFields(configSchema, stored)).filter((name) => !(name in sent));
  for (const secret of changed === "" ? [] : reused) {
    report(secret, msg("stored.changed", { secret, changed }));
  }
  for (const [field, url] of addressesIn(configSchema, config)) {
    const problem = hostProblem(url.hostname, targets);
    if (problem) report(field, problem);
  }
  for (const [field, whats] of Object.entries(kind.problems?.(config as never) ?? {})) {
    for (const what of whats) report(field, what);
  }
  return problems;
}

const ADDRESSES: ReadonlySet<string | undefined> = new Set(["web-url", "base-url"]);

const fieldsOf = (schema: TSchema) =>
  (schema as { properties?: Record<string, { format?: string }> }).properties ?? {};

/** The fields of a configuration that are addresses. */
function addressesIn(schema: TSchema, config: object): [field: string, url: URL][] {
  const fields = fieldsOf(schema);
  return Object.entries(config).flatMap(([name, value]) => {
    const url = ADDRESSES.has(fields[name]?.format) ? URL.parse(String(value)) : null;
    return url ? [[name, url] as [string, URL]] : [];
  });
}
