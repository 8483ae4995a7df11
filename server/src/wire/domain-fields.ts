import { type Static, type TSchema, Type } from "typebox";
import { RESULT_STATES, resultState, type StoredOutcome } from "../check/outcome.ts";
import { CERTIFICATE_STATUSES } from "../monitor/certificate-status.ts";
import { STATUSES, type Status } from "../status/state.ts";
import { oneOf } from "./field.ts";

/** What both families say of domains in the same words. */
export const DOMAIN_STATUSES = ["up", "down", "unknown"] as const;
export type DomainStatus = (typeof DOMAIN_STATUSES)[number];

export const DomainStatus = oneOf(DOMAIN_STATUSES, {
  description: "Confirmed status; degraded reads `up`. `unknown` before the first check and while paused.",
});

const DOMAIN_STATES = [...STATUSES, "paused"] as const;

export const DomainState = oneOf(DOMAIN_STATES, {
  description: "The full state behind `status`.",
});

/** What a list of domains can be narrowed by, whatever the family calls its pages. */
export const domainFilters = {
  search: Type.Optional(
    Type.String({
      maxLength: 2048,
      pattern: "^[^\\u0000]*$",
      description: "Part of the name or the URL, upper or lower case.",
    }),
  ),
  status: Type.Optional(oneOf(DOMAIN_STATUSES, { description: "`up` finds degraded ones too." })),
  state: Type.Optional(
    oneOf(DOMAIN_STATES, {
      description: "The full state: here `up` is without degraded ones and `unknown` without paused ones.",
    }),
  ),
};

export const DomainUrl = Type.String({
  description: "As typed; the host is checked in its punycode form.",
  examples: ["https://example.com"],
});

export const Flapping = Type.Boolean({
  description: "Changing between up and down too often to be reported each time.",
});

export const CertificateStatus = oneOf(CERTIFICATE_STATUSES, {
  description:
    "`expiring_soon`: within 14 days, or the domain's own `certificateExpiryDays`. `none`: no certificate seen, as with http.",
});

/** The type or null, in the one form that costs nothing to serialise. */
export function nullable<T extends TSchema>(schema: T, description?: string) {
  const { type, enum: values } = schema as unknown as { type: string; enum?: unknown[] };
  return Type.Unsafe<Static<T> | null>({
    ...schema,
    type: [type, "null"],
    ...(values && { enum: [...values, null] }),
    ...(description && { description }),
  });
}

export const Uuid = Type.String({ format: "uuid", examples: ["0190b6a4-7f4b-7c3a-9c61-2f5f1f0c7b11"] });

/** A duration, or null where nothing is known. */
export const ms = (description: string) =>
  Type.Unsafe<number | null>({
    type: ["number", "null"],
    description: `${description} Milliseconds; null when there is none.`,
    examples: [87.4],
  });

/** A share of time, or null where nothing is known. */
export const percent = (description: string) =>
  Type.Unsafe<number | null>({
    type: ["number", "null"],
    minimum: 0,
    maximum: 100,
    description: `${description} Percent, 0 to 100; null while nothing is known.`,
    examples: [99.98],
  });

/** Microseconds as the API writes durations: milliseconds with at most one decimal. */
export const milliseconds = (us: number | null): number | null =>
  us === null ? null : Math.round(us / 100) / 10;

/** At most three decimals, rounded down: 99.9999 is not 100. */
export const percentage = (value: number | null): number | null =>
  value === null ? null : Math.floor(value * 1000 + 1e-6) / 1000;

export const statusOf = (status: Status): DomainStatus => (status === "degraded" ? "up" : status);

/** A paused domain is unknown by status; its state says why. */
export const stateOf = (status: Status, enabled: boolean) => (enabled ? status : "paused");

export const ResultState = oneOf(RESULT_STATES, {
  description: "`degraded`: passed, but slower than asked for. `unknown`: the probe itself had no network.",
});

/** What one check says of the domain. A probe's own fault says nothing about the domain. */
export const resultStatus = (outcome: StoredOutcome): DomainStatus => statusOf(resultState(outcome));
