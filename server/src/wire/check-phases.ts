import { checkKinds } from "../check/registry.ts";

/** The phases that a check of each kind measures, in order; the app's build reads them from here. */
export const CHECK_PHASES = Object.fromEntries(
  Object.values(checkKinds).map(({ type, phases }) => [type, phases]),
);
