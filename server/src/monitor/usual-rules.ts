import type { CheckKind } from "../check/check.ts";
import { normaliseHost } from "../check/host.ts";
import { decisiveChanges, hiddenFields, withoutHidden } from "../secret/config-secrets.ts";
import { fact } from "../texts/fact.ts";
import type { ConfigChange, Report } from "./config-change.ts";

/**
 * What kinds of check do that need no more than their schema says: fields are what was sent, or what stays. Whoever
 * may change a monitor must not learn by a stored credential what only those who know it may.
 */
export const usualRules = ({ configSchema: schema, complete }: CheckKind) => ({
  change({ stored, kept, sent }: ConfigChange, report: Report) {
    const given = { ...kept, ...sent };
    const config: object = complete?.(given as never, stored as never) ?? given;
    const changed = decisiveChanges(schema, stored, config).join(", ");
    const reused = Object.keys(hiddenFields(schema, kept)).filter((name) => !(name in sent));
    for (const secret of changed === "" ? [] : reused) {
      report(secret, fact("stored.changed", { secret, changed }));
    }
    return { config };
  },
  shown: (config: object) => withoutHidden(schema, config),
  host(config: object) {
    const fields = Object.entries(
      (schema as { properties?: Record<string, { format?: string }> }).properties ?? {},
    );
    const [field = ""] = fields.find(([, { format }]) => format === "host") ?? [];
    const host: unknown = Object.entries(config).find(([name]) => name === field)?.[1];
    return typeof host === "string" ? { host: normaliseHost(host) ?? host, field } : null;
  },
});
