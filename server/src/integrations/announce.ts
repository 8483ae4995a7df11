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

/** Publishes that an account changed. Wake the live stream after the commit. */
export function announceIntegration(trx: Db, id: number, { organizationId, now }: Where): void {
  const payload = projectIntegrationChange(id);
  appendEvents(trx, [{ organizationId, type: INTEGRATION_EVENT, payload }], now);
}

/** Publishes a deployment and its monitors; null: of a webhook. */
export function announceDeployment(
  trx: Db,
  deployment: { id: number; monitorIds: readonly number[] } | null,
  { organizationId, now }: Where,
): void {
  const payload = projectDeploymentChange(deployment);
  appendEvents(trx, [{ organizationId, type: DEPLOYMENT_EVENT, payload }], now);
}

/** For a verb's change: wakes the live stream after the commit. */
export function announceAfter({ caller, clock, live, after }: Running): Where {
  after(() => live.wake());
  return { organizationId: caller.organizationId, now: clock.now() };
}
