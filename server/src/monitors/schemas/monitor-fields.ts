import { type Static, Type } from "typebox";
import type { Phases as MeasuredPhases } from "../../checks/check.ts";
import { RESULT_STATES, resultState, type StoredOutcome } from "../../checks/outcome.ts";
import type { MonitorStatus } from "../../engine/schemas/live.ts";
import { MONITOR_KINDS } from "../../platform/monitor-defaults.ts";
import { milliseconds, ms, oneOf, Uuid } from "../../platform/operations/field.ts";
import { STATUSES, type Status, shownStatus } from "../../platform/states.ts";
import { CERTIFICATE_STATUSES } from "../certificate-status.ts";

export const FULL_STATES = [...STATUSES, "paused"] as const;

export const FullState = oneOf(FULL_STATES, {
  description: "The full state behind `status`.",
});

export const Flapping = Type.Boolean({
  description: "Changing between up and down too often to be reported each time.",
});

export const CertificateStatus = oneOf(CERTIFICATE_STATUSES, {
  description:
    "`expiring_soon`: within 14 days, or the monitor's own `certificateExpiryDays`. `none`: no certificate seen, as with http.",
});

/** A monitor among others that are named. */
export const NamedMonitor = Type.Object({
  id: Type.Integer(),
  uuid: Uuid,
  kind: oneOf(MONITOR_KINDS),
  name: Type.String(),
});

/** What is paused is unknown by status; its state says why. */
export const stateOf = (status: Status, enabled: boolean) => (enabled ? status : "paused");

export const ResultState = oneOf(RESULT_STATES, {
  description: "`degraded`: passed, but slower than allowed. `unknown`: the probe itself had no network.",
});

/** What one check says of the monitor. A probe's own fault says nothing about it. */
export const resultStatus = (outcome: StoredOutcome): MonitorStatus => shownStatus(resultState(outcome));

export const Phases = Type.Object(
  {
    dns: ms("Name resolution."),
    connect: ms("TCP connection."),
    tls: ms("TLS handshake."),
    firstByte: ms("From the request to the first byte of the answer."),
    transfer: ms("From there to the last byte that was read."),
    total: ms("The whole check."),
  },
  {
    title: "Phases",
    description: "What the time was spent on. Milliseconds; null for a phase that did not happen.",
  },
);

/** Microseconds of the phases as milliseconds. */
export function projectPhases(phases: MeasuredPhases): Static<typeof Phases> {
  return {
    dns: milliseconds(phases.dnsUs),
    connect: milliseconds(phases.connectUs),
    tls: milliseconds(phases.tlsUs),
    firstByte: milliseconds(phases.firstByteUs),
    transfer: milliseconds(phases.transferUs),
    total: milliseconds(phases.totalUs),
  };
}
