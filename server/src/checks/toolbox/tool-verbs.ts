import type { Static, TSchema } from "typebox";
import type { Context } from "../../platform/context.ts";
import { releaseLease, renewLease, takeLease } from "../../platform/database/installation.ts";
import { PublicError } from "../../platform/errors.ts";
import type { DefineBoth } from "../../platform/http/both-families.ts";
import { msg } from "../../platform/i18n/message.ts";
import { fromOutside } from "../../platform/operations/field.ts";
import { type Verb, verb } from "../../platform/operations/operation.ts";
import { followNameServersInUse } from "../name-servers.ts";
import type { Network } from "../network.ts";
import { createResolver } from "../resolve.ts";
import { TOOLS, type ToolName } from "./registry.ts";
import type { Tool } from "./tool.ts";
import type { ToolSettings } from "./tool-runner.ts";

/** A server that dies gives its places back after this long. */
const LEASE_MS = 60_000;
const RENEWED_MS = 20_000;
const RETRY_SECONDS = 10;

interface Places {
  tool: string;
  organizationId: number;
  /** How many there are, whatever the number of servers. */
  limit: number;
}

/** Works in one of an organization's places for a tool, and gives it back. Throws 429 when all are taken. */
export async function inPlace<T>(
  { store: { db }, clock, log }: Pick<Context, "store" | "clock" | "log">,
  { tool, organizationId, limit }: Places,
  work: () => Promise<T>,
): Promise<T> {
  const place = await takePlace();
  let renewing: Promise<void> = Promise.resolve();
  const renew = async () => {
    const until = clock.now() + LEASE_MS;
    if (await renewLease(db, place.key, place.until, until)) place.until = until;
  };
  const timer = setInterval(() => {
    renewing = renewing
      .then(renew)
      .catch((err) => log.warn({ err }, "The place of a tool could not be renewed"));
  }, RENEWED_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    // A renewal that is under way must not come after this.
    await renewing;
    await releaseLease(db, place.key, place.until);
  }

  async function takePlace(): Promise<{ key: string; until: number }> {
    for (let place = 1; place <= limit; place += 1) {
      const candidate = `tool:${tool}:${organizationId}:${place}`;
      const now = clock.now();
      const until = now + LEASE_MS;
      if (await takeLease(db, candidate, now, until)) return { key: candidate, until };
    }
    throw new PublicError("rate_limited", msg("tool.at_once", { limit }), {
      retryAfterSeconds: RETRY_SECONDS,
    });
  }
}

/** Decisions §4 calls it a write, as all that is no GET, though it changes nothing. */
function toolVerb<I extends TSchema, O extends TSchema>(
  name: ToolName,
  { name: path, input, output, progress, atOnce }: Tool<I, O>,
) {
  return verb({
    resource: "toolbox",
    action: "write",
    feature: "full",
    audit: null,
    hints: { readOnly: true, openWorld: true },
    input,
    // Whatever it found was said by others.
    output: fromOutside(output),
    ...(progress && { progress }),
    prepare: (ctx, given) => {
      const { tools, signal, reportProgress, caller } = ctx;
      const work = async () =>
        (await tools.run(name, given, { signal: signal?.(), reportProgress })) as Static<O>;
      if (atOnce === undefined) return work();
      const { organizationId } = caller;
      return inPlace(ctx, { tool: path, organizationId, limit: atOnce }, work);
    },
    run: async (_ctx, _input, found: Static<O>) => found,
  });
}

type VerbOf<T> =
  T extends Tool<infer I, infer O> ? Verb<I, O, Static<O>, Static<O>, "caller", Static<O>> : never;

export const TOOL_VERBS = Object.fromEntries(
  Object.entries(TOOLS).map(([name, tool]) => [name, toolVerb(name as ToolName, tool as Tool)]),
) as unknown as { [Name in ToolName]: VerbOf<(typeof TOOLS)[Name]> };

/** The network as tools may use it: the operator's name servers, and the policy about targets. */
export const networkOfTools = ({ resolvers, policy }: Omit<ToolSettings, "sources">): Network => ({
  resolver: createResolver({ servers: resolvers, policy }),
  policy,
  nameServers: followNameServersInUse(resolvers, {}),
});

/** The tools of the toolbox, each at its own address. */
export function describeToolbox(define: DefineBoth): void {
  for (const [name, { name: path, title, description, message }] of Object.entries<Tool>(TOOLS)) {
    define({
      verb: TOOL_VERBS[name as ToolName] as unknown as Verb,
      method: "POST",
      url: `/api/toolbox/${path}`,
      limit: "toolbox",
      failures: [502],
      summary: title,
      description,
      ...(message && { message }),
    });
  }
}
