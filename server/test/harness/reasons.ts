import { classOf, type Reason, type ReasonClass } from "../../src/checks/reasons.ts";
import { inEnglish } from "../../src/platform/i18n/english.ts";

/** The same with its reason as people and machines get it. */
export function readable<Outcome extends { reason: Reason | null }>({ reason, ...rest }: Outcome) {
  return { ...rest, reasonCode: reason && classOf(reason), reason: reason && inEnglish(reason) };
}

/** A reason of that class, in a text of its own. */
export const aReason = <Class extends ReasonClass>(of: Class, text = "It did not pass."): Reason => ({
  code: `${of}.text`,
  params: { text },
});
