import { planOf } from "../account/plans.ts";
import { type StopSignal, stopCheck } from "../check/deadline.ts";
import { checkHttp } from "../check/http.ts";
import type { HttpConfig } from "../check/http-config.ts";
import { invalidInput } from "../errors.ts";
import { listLocations } from "../store/queries/locations.ts";
import { verb } from "../verb/verb.ts";
import { DomainCreate, readDomainInput } from "../wire/domain-input.ts";
import { DomainTest, projectDomainTest } from "../wire/domain-test.ts";
import { applyInput, newMonitor } from "./apply-input.ts";

/**
 * Checks a domain once, as it would be checked with these settings, and keeps nothing: to see what comes of them before
 * they are saved. From the server itself, whatever its locations are. Throws 422 with every field that is wrong.
 */
export const testDomain = verb({
  resource: "domains",
  action: "write",
  audit: null,
  input: DomainCreate,
  output: DomainTest,
  async prepare(ctx, input) {
    const plan = planOf(ctx.caller.plan);
    const locations = await listLocations(ctx.store.db);
    const facts = { kind: "domain", plan, locations, targets: ctx.network.policy } as const;
    const { settings, problems } = applyInput(
      newMonitor(plan, checkHttp.type),
      readDomainInput(input),
      facts,
    );
    if (Object.keys(problems).length > 0) throw invalidInput(problems);
    return checkHttp.run(settings.config as HttpConfig, {
      network: ctx.network,
      timeoutMs: settings.timeoutSeconds * 1000,
      signal: stopWith(ctx.signal?.()),
    });
  },
  run: async (_ctx, _input, outcome) => projectDomainTest(outcome),
});

/** Ends the check once nobody waits for it. */
function stopWith(signal: AbortSignal | undefined): StopSignal {
  const stop: StopSignal = { isStopped: signal?.aborted ?? false, listener: null };
  signal?.addEventListener("abort", () => stopCheck(stop), { once: true });
  return stop;
}
