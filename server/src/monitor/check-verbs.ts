import type { Static, TObject, TSchema } from "typebox";
import { verb } from "../verb/verb.ts";
import { CheckTest, ManualCheck, projectCheckTest, projectManualCheck } from "../wire/check-result.ts";
import { IdParams, withId } from "../wire/id.ts";
import { checkNow } from "./check-now.ts";
import { MONITOR_KIND_FACTS } from "./kinds.ts";
import type { OfKind } from "./monitor.ts";
import { findOfKind } from "./require-monitor.ts";
import type { MonitorInput } from "./settings.ts";
import { trySettings } from "./try-settings.ts";

/** What may be said of one kind of monitor. */
interface Shapes<C extends TSchema> extends OfKind {
  create: C;
  update: TObject;
  readInput(body: object): MonitorInput;
}

/** To check monitors of one kind at once: those that are watched, and those whose settings are not saved yet. */
export function checkVerbs<C extends TSchema>({ kind, create, update, readInput }: Shapes<C>) {
  const { resource, feature } = MONITOR_KIND_FACTS[kind];
  // No row in the audit log: nothing is changed, and scripts do it after every deployment.
  const checks = { resource, feature, action: "write", audit: null } as const;
  // Nothing changes here, but a check of HTTP may be a POST or a DELETE, and others send texts.
  const hints = { openWorld: true, destructive: "elsewhere", idempotent: false } as const;
  const find = findOfKind(kind);
  return {
    /** Checks one now; the result counts (checkNow). */
    check: verb({
      ...checks,
      hints,
      input: IdParams,
      output: ManualCheck,
      find,
      prepare: (ctx, _, found) => checkNow(ctx, found),
      run: async (_ctx, _input, result) => projectManualCheck(result),
    }),
    /** Checks once what would be created (trySettings). */
    test: verb({
      ...checks,
      hints,
      input: create,
      output: CheckTest,
      prepare: (ctx, input: Static<C>) => trySettings(ctx, { kind, input: readInput(input as object) }),
      run: async (_ctx, _input, outcome) => projectCheckTest(outcome),
    }),
    /** Checks one once as it would be after a change (trySettings). */
    testChange: verb({
      ...checks,
      hints,
      input: withId(update),
      output: CheckTest,
      find,
      prepare: (ctx, input, stored) => trySettings(ctx, { kind, input: readInput(input), stored }),
      run: async (_ctx, _input, outcome) => projectCheckTest(outcome),
    }),
  };
}
