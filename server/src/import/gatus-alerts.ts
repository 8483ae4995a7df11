import { isPlain, isTrue, listOf, numberOf, own, textOf } from "./plain.ts";

/** What an alert has where nothing is said. */
const USUAL = { "failure-threshold": 3, "success-threshold": 2 };

/**
 * After how many failures in a row the first of an endpoint's alerts is sent, and after how many successes it is over; one
 * of each where nobody is alerted. What an alert does not say stands in its provider's `default-alert`.
 */
export function alertThresholds(
  endpoint: unknown,
  alerting: unknown,
  take: (value: unknown) => unknown,
): { confirmations: number; recoveries: number } {
  const thresholds = listOf(own(endpoint, "alerts"))
    .filter(isPlain)
    .flatMap((alert) => {
      const usual = own(own(alerting, textOf(own(alert, "type")) ?? ""), "default-alert");
      const said = (name: string) => take(own(alert, name) ?? own(usual, name));
      if (isTrue(said("enabled")) === false) return [];
      const countOf = (name: keyof typeof USUAL): number => {
        const count = numberOf(said(name)) ?? 0;
        return count > 0 ? count : USUAL[name];
      };
      return [{ confirmations: countOf("failure-threshold"), recoveries: countOf("success-threshold") }];
    })
    .toSorted((one, other) => one.confirmations - other.confirmations);
  return thresholds[0] ?? { confirmations: 1, recoveries: 1 };
}
