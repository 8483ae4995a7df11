import type { CallerContext } from "../context.ts";
import type { MonitorRef } from "../store/queries/monitors.ts";
import { findIcon } from "./find-icon.ts";
import { requireMonitor } from "./require-monitor.ts";

/** The path on this server of a domain's icon, looked for now when nothing fresh is known. Throws 404. */
export async function getDomainIcon(
  ctx: CallerContext,
  ref: MonitorRef,
  signal?: AbortSignal,
): Promise<string> {
  const monitor = await requireMonitor(ctx, { kind: "domain", ref });
  const icon = await findIcon(ctx, { ...monitor, url: monitor.target }, signal);
  // The time in the address makes browsers ask again once a new icon was found.
  return `/icons/${icon.token}?v=${icon.fetchedAt}`;
}
