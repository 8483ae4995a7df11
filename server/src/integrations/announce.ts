import type { Db } from "../platform/database/db.ts";
import { appendEvents } from "../platform/database/events.ts";
import {
  DEPLOYMENT_EVENT,
  INTEGRATION_EVENT,
  projectDeploymentChange,
  projectIntegrationChange,
} from "../platform/live-events.ts";
import type { Running } from "../platform/operations/operation.ts";

interface Where {
  organizationId: number;
  /** Milliseconds. */
  now: number;
}

/** Tells whoever looks at it that an account was linked, changed, read or unlinked. Wake the live stream after the commit. */
export function announceIntegration(trx: Db, id: number, { organizationId, now }: Where): void {
  const payload = projectIntegrationChange(id);
  appendEvents(trx, [{ organizationId, type: INTEGRATION_EVENT, payload }], now);
}

/** The same of a deployment and the monitors that it touches; null: of a webhook by which deployments are told of. */
export function announceDeployment(
  trx: Db,
  deployment: { id: number; monitorIds: readonly number[] } | null,
  { organizationId, now }: Where,
): void {
  const payload = projectDeploymentChange(deployment);
  appendEvents(trx, [{ organizationId, type: DEPLOYMENT_EVENT, payload }], now);
}

/** Where a verb's change is to be told; the live stream is woken once it is committed. */
export function announceAfter({ caller, clock, live, after }: Running): Where {
  after(() => live.wake());
  return { organizationId: caller.organizationId, now: clock.now() };
}
