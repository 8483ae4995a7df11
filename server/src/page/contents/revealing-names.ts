import { mayRead } from "../../account/may-read.ts";
import { findMonitors } from "../../store/queries/monitors.ts";
import type { PageComponent } from "../../store/queries/status-page-components.ts";
import type { Running } from "../../verb/verb.ts";
import { tellsTarget } from "./display-name.ts";
import { UNKNOWN, whatIsChecked } from "./what-is-checked.ts";

/**
 * Those whose name for visitors is an address or tells what is checked: their uuids, of new ones (with a number below 0) those
 * of their monitors.
 */
export async function revealingNames(ctx: Running, components: readonly PageComponent[]): Promise<string[]> {
  const { organizationId } = ctx.caller;
  const refs = components.map(({ monitorId }) => ({ id: monitorId }));
  const readable = (await findMonitors(ctx.db, { organizationId, refs })).filter(mayRead(ctx));
  const checks = await whatIsChecked(ctx.db, readable);
  return components
    .filter(({ monitorId, displayName }) => tellsTarget(displayName, checks.get(monitorId) ?? UNKNOWN))
    .map(({ id, uuid, monitorUuid }) => (id < 0 ? monitorUuid : uuid));
}
