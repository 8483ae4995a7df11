import type { TSchema } from "typebox";
import type { CheckKind } from "../check/check.ts";
import { hiddenFields, withoutHidden } from "../check/config-secrets.ts";
import type { ConfigChange, Report } from "./config-change.ts";
import { type CredentialDanger, DANGERS } from "./credential-danger.ts";

/** The fields that most kinds have which connect to a host (check/peer-config.ts). */
interface PeerConfig {
  host?: unknown;
  port?: unknown;
  tls?: boolean;
  ignoreCertificate?: boolean;
}

/** What kinds of check do that need no more than their schema says: fields are what was sent, or what stays. */
export const usualRules = ({ configSchema: schema, complete }: CheckKind) => ({
  change({ stored, kept, sent }: ConfigChange<PeerConfig>, report: Report) {
    const given = { ...kept, ...sent };
    const config: PeerConfig = complete?.(given as never, stored as never) ?? given;
    const before = withDefaults(schema, stored);
    const danger = stored.host === undefined ? null : dangerOf(before, withDefaults(schema, config));
    const reused = Object.keys(hiddenFields(schema, config)).filter((name) => !(name in sent));
    for (const name of danger === null ? [] : reused) {
      report(name, `${DANGERS[danger as CredentialDanger]} Send ${name} again in this request.`);
    }
    return { config };
  },
  shown: (config: object) => withoutHidden(schema, config),
  host: ({ host }: PeerConfig) => (typeof host === "string" ? { host, field: "host" } : null),
});

const withDefaults = (schema: TSchema, config: PeerConfig): PeerConfig => {
  const { properties } = schema as unknown as { properties: Record<string, { default?: unknown }> };
  const defaults = Object.entries(properties).map(([name, { default: value }]) => [name, value]);
  return { ...Object.fromEntries(defaults), ...config };
};

/** What a change would do to stored credentials; null: nothing new. */
function dangerOf(before: PeerConfig, after: PeerConfig): CredentialDanger | null {
  if (before.host !== after.host || before.port !== after.port) return "address";
  const isLooser = (after.ignoreCertificate && !before.ignoreCertificate) || (before.tls && !after.tls);
  return isLooser ? "certificate" : null;
}
