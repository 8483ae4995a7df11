import type { Static, TSchema } from "typebox";
import { type Verb, verb } from "../verb/verb.ts";
import { fromOutside } from "../wire/field.ts";
import { TOOLS, type ToolName } from "./registry.ts";
import { inPlace } from "./take-place.ts";
import type { Tool } from "./tool.ts";

/** The verb that runs a tool. Decisions §4 calls it a write, as all that is no GET, though it changes nothing. */
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
      const { tools, signal, tell, caller } = ctx;
      const work = async () => (await tools.run(name, given, { signal: signal?.(), tell })) as Static<O>;
      if (atOnce === undefined) return work();
      const { organizationId } = caller;
      return inPlace(ctx, { tool: path, organizationId, limit: atOnce }, work);
    },
    run: async (_ctx, _input, found: Static<O>) => found,
  });
}

type VerbOf<T> =
  T extends Tool<infer I, infer O> ? Verb<I, O, Static<O>, Static<O>, "caller", Static<O>> : never;

/** A verb for each tool, by the tool's name in the registry. */
export const TOOL_VERBS = Object.fromEntries(
  Object.entries(TOOLS).map(([name, tool]) => [name, toolVerb(name as ToolName, tool as Tool)]),
) as unknown as { [Name in ToolName]: VerbOf<(typeof TOOLS)[Name]> };
