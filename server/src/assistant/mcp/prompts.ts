import { type GetPromptResult, type Prompt, ProtocolError } from "@modelcontextprotocol/server";
import { getEvidence } from "../../incidents/evidence.ts";
import { listIncidentUpdates } from "../../incidents/incident-updates.ts";
import { explainIncident, getIncident, listIncidents } from "../../incidents/list-incidents.ts";
import { callVerb } from "../../platform/operations/call.ts";
import { timestamp } from "../../platform/operations/field.ts";
import type { Verb } from "../../platform/operations/operation.ts";
import type { Listed } from "../../platform/operations/paging.ts";
import { getDashboardStats } from "../../reports/list-recent-activity.ts";
import { answerTexts, linksTo } from "../tools/answer.ts";
import { TOOL_FEATURES } from "../tools/spec-tools.ts";
import { type ToolContext, visibleValue, withoutMessages } from "../tools/tool.ts";
import { RPC } from "./messages.ts";

const WEEK_MS = 7 * 86_400_000;
const INCIDENTS = 50;

interface PromptCall {
  ctx: ToolContext;
  address: string;
  given: Record<string, string>;
}

interface OwnPrompt extends Prompt {
  make(call: PromptCall): Promise<string[]>;
}

const incident = { name: "incident", description: "Its integer id or uuid.", required: true };

async function said(
  { ctx, address }: PromptCall,
  heading: string,
  verb: unknown,
  input: Record<string, unknown>,
): Promise<string> {
  const own = verb as Verb;
  const output = await callVerb(ctx, own, input as never, { features: TOOL_FEATURES });
  const value = own.paged ? (output as Listed<unknown>).items : output;
  const shape = withoutMessages(own.output);
  const result = visibleValue<unknown>(own.output, value);
  const schema = { type: "object", properties: { result: shape } };
  const links = linksTo(
    address,
    own.resource ?? undefined,
    "id" in input ? { id: input["id"] } : { isList: own.paged === true },
  );
  return [heading, ...answerTexts({ result }, { schema: schema as never, links })].join("\n\n");
}

const idOf = ({ given }: PromptCall) => ({ id: given["incident"] ?? "" });

const PROMPTS: readonly OwnPrompt[] = [
  {
    name: "triage_incident",
    title: "Triage this incident",
    description: "What is broken, since when, why, whom it affects, and what to do next.",
    arguments: [incident],
    make: async (call) => [
      "You are on call. From what follows, say in this order: what is broken and since when; how sure that is, and from where it was seen; the most likely cause and what speaks for and against it; who or what is affected; what to look at or do next, most useful first. Say what is not known instead of guessing. Change nothing yourself before I agree; then acknowledge_incident says that it is being handled.",
      await said(call, "The incident:", getIncident, idOf(call)),
      await said(call, "Why Vedette opened it:", explainIncident, idOf(call)),
      await said(call, "What checks saw when it failed:", getEvidence, idOf(call)),
    ],
  },
  {
    name: "weekly_summary",
    title: "Weekly summary",
    description: "How the last seven days were, for the people who run the service.",
    make: async (call) => {
      const now = call.ctx.clock.now();
      const from = timestamp(now - WEEK_MS);
      return [
        `Write a summary of the week from ${from} to ${timestamp(now)} for the people who run these services: half a page, the outages by how much they mattered, with their length and cause where it is known, what is still open, and what should be done about it. Give times with their zone. Do not make up numbers; where something is missing, get it with a tool or say so.`,
        await said(call, "The current status:", getDashboardStats, {}),
        await said(call, "Incidents of the week:", listIncidents, { from, limit: INCIDENTS }),
      ];
    },
  },
  {
    name: "write_public_update",
    title: "Write the public update",
    description: "An update of an incident for the status page, to be read before it is posted.",
    arguments: [incident, { name: "tone", description: "How it should sound, e.g. brief or apologetic." }],
    make: async (call) => [
      `Write the next update of this incident for the visitors of the status page${call.given["tone"] ? `, in this tone: ${call.given["tone"].slice(0, 200)}` : ""}: two to four sentences in plain words. Say how they are affected, what is being done, and when they will hear more. No internal names, addresses, technology or blame, and nothing that is not certain. Show it to me; post it with add_incident_update only after I agree.`,
      await said(call, "The incident:", getIncident, idOf(call)),
      await said(call, "What was said of it so far:", listIncidentUpdates, idOf(call)),
    ],
  },
];

export const listPrompts = (): Prompt[] => PROMPTS.map(({ make: _, ...prompt }) => prompt);

/** Throws -32602 for an unknown prompt, or missing arguments. */
export async function getPrompt(
  own: Omit<PromptCall, "given">,
  name: string,
  given: Record<string, string> = {},
) {
  const prompt = PROMPTS.find((one) => one.name === name);
  if (!prompt) throw new ProtocolError(RPC.params, `There is no prompt ${name.slice(0, 100)}.`);
  const missing = (prompt.arguments ?? []).find((one) => one.required && !given[one.name]);
  if (missing) throw new ProtocolError(RPC.params, `The ${missing.name} argument is required.`);
  const texts = await prompt.make({ ...own, given });
  return {
    description: prompt.description,
    messages: texts.map((text) => ({ role: "user", content: { type: "text", text } })),
  } as GetPromptResult;
}
