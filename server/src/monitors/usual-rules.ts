import type { CheckKind } from "../checks/check.ts";
import { normaliseHost } from "../platform/formats/host.ts";
import { msg } from "../platform/i18n/message.ts";
import { decisiveChanges, headerFields, hiddenFields } from "../platform/secrets/config-secrets.ts";
import type { ConfigChange, Report } from "./announce-change.ts";
import { maskedHeaders, unmaskedHeaders } from "./stored-secrets.ts";

/**
 * Rules for kinds of check that need no more than their schema: fields are what was sent, or what stays. A user who may change
 * a monitor must not be able to exploit a stored credential that they do not know.
 */
export const usualRules = ({ configSchema: schema, complete }: CheckKind) => ({
  change({ stored, retained, sent }: ConfigChange, report: Report) {
    const headers = changedHeaders(
      headerFields(schema),
      { stored: { ...stored }, sent: { ...sent } },
      report,
    );
    const given = { ...retained, ...sent, ...headers.config };
    const config: object = complete?.(given as never, stored as never) ?? given;
    const changed = decisiveChanges(schema, stored, config).join(", ");
    const reused = Object.keys(hiddenFields(schema, retained)).filter((name) => !(name in sent));
    for (const secret of changed === "" ? [] : [...reused, ...headers.retained]) {
      report(secret, msg("stored.changed", { secret: secret.replace(/^.*?\./, ""), changed }));
    }
    return { config };
  },
  host(config: object) {
    const fields = Object.entries(
      (schema as { properties?: Record<string, { format?: string }> }).properties ?? {},
    );
    const [field = ""] = fields.find(([, { format }]) => format === "host") ?? [];
    const host: unknown = Object.entries(config).find(([name]) => name === field)?.[1];
    return typeof host === "string" ? { host: normaliseHost(host) ?? host, field } : null;
  },
});

/** Records of request headers after a change, and the paths of those that stay hidden. */
function changedHeaders(
  fields: readonly string[],
  { stored, sent }: Record<"stored" | "sent", Record<string, unknown>>,
  report: Report,
) {
  const given = fields.filter((field) => sent[field] !== undefined);
  const recordOf = (config: Record<string, unknown>, field: string) =>
    (config[field] ?? {}) as Record<string, string>;
  const config = given.map((field) => {
    const headers = { sent: recordOf(sent, field), stored: recordOf(stored, field), field };
    return [field, unmaskedHeaders(headers, report)] as const;
  });
  const retained = given.flatMap((field) =>
    maskedHeaders(recordOf(sent, field)).map((name) => `${field}.${name}`),
  );
  return { config: Object.fromEntries(config), retained };
}
