import { withoutHidden } from "../check/config-secrets.ts";
import { httpConfigSchema } from "../check/http-config.ts";
import type { CallerContext } from "../context.ts";
import { notFound } from "../errors.ts";
import { findListedMonitor, type LastResult, readLastResult } from "../store/queries/monitor-list.ts";
import { uptimeByMonitor } from "../store/queries/transitions.ts";
import { type Domain, type DomainRef, FIGURES_WINDOW_MS } from "./domain.ts";
import { type DomainCheck, isCredentialHeader } from "./domain-check.ts";
import { HIDDEN } from "./domain-defaults.ts";
import { requireDomain } from "./require-domain.ts";
import { openSettings } from "./sealed-settings.ts";
import type { DomainSettings } from "./settings.ts";

/** A domain with its settings and its last result. Credentials are hidden. */
export interface DomainDetail extends Domain {
  settings: DomainSettings;
  lastResult: LastResult;
}

/** One domain in full. Throws 404. */
export async function getDomain(ctx: CallerContext, input: DomainRef): Promise<DomainDetail> {
  const { db } = ctx.store;
  const now = ctx.clock.now();
  const monitor = await requireDomain(ctx, input.ref);
  const { id, organizationId } = monitor;
  const listed = await findListedMonitor(db, { organizationId, kind: "domain", ref: { id } });
  // Deleted since the previous line.
  if (!listed) throw notFound();
  const uptimes = await uptimeByMonitor(db, [id], now - FIGURES_WINDOW_MS, now);
  return {
    ...listed,
    uptimePercentage: uptimes.get(id) ?? null,
    settings: withoutCredentials(openSettings(ctx.secrets, monitor)),
    lastResult: await readLastResult(db, id),
  };
}

/** What may leave the verb: no authentication secret, no value of a header that carries one. */
function withoutCredentials(settings: DomainSettings): DomainSettings {
  const { headers, ...check }: DomainCheck = withoutHidden(httpConfigSchema, settings.check);
  const shown = Object.entries(headers ?? {}).map(([name, value]) => [
    name,
    isCredentialHeader(name) ? HIDDEN : value,
  ]);
  return { ...settings, check: { ...check, headers: Object.fromEntries(shown) } };
}
