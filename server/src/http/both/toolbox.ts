import { TOOLS, type ToolName } from "../../toolbox/registry.ts";
import type { Tool } from "../../toolbox/tool.ts";
import { TOOL_VERBS } from "../../toolbox/tool-verbs.ts";
import type { Verb } from "../../verb/verb.ts";
import type { DefineBoth } from "../both-families.ts";

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
