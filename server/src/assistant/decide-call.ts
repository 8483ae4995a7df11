import { Type } from "typebox";
import { findAnywhere } from "../platform/access/check-access.ts";
import { notFound, PublicError } from "../platform/errors.ts";
import { msg } from "../platform/i18n/message.ts";
import { readId } from "../platform/operations/field.ts";
import { type Before, verb } from "../platform/operations/operation.ts";
import type { ToolOutcome } from "./assistant-tool.ts";
import { answerKey } from "./confirmations.ts";
import { shownCall } from "./conversations.ts";
import {
  type AssistantCall as Call,
  decideAssistantCall,
  endAssistantCall,
  findAssistantCall,
  findOwnerOfCall,
} from "./queries/assistant-calls.ts";
import { AnswerStop, AssistantCall, AssistantSettings, CallDecision } from "./schemas/assistant.ts";

/** Only by a person's click: neither keys nor assistants can. The audit row is that of the executed verb. */
const decides = {
  resource: "chat",
  feature: "full",
  action: "write",
  role: "viewer",
  by: "session",
  audit: null,
  input: CallDecision,
  output: AssistantCall,
} as const;

async function findMeantCall(ctx: Before, { id }: { id: string }) {
  const { db } = ctx.store;
  const { userId } = ctx.caller;
  const ref = readId(id);
  if (!ref || "id" in ref) throw notFound();
  const find = (organizationId: number) => findAssistantCall(db, { userId, organizationId }, ref.uuid);
  return findAnywhere(ctx, find, () => findOwnerOfCall(db, ref.uuid));
}

/**
 * Executes the call as it was shown, with the person's present rights, at most once on all servers: after a
 * crash it stays undone. Throws 404 for another person's call, 409 for one decided or expired.
 */
export const approveAssistantCall = verb({
  ...decides,
  find: (ctx: Before<"session">, input) => findMeantCall(ctx as Before, input),
  async prepare(ctx, _input, call): Promise<Call> {
    const { store, clock } = ctx;
    const now = clock.now();
    if (!(await decideAssistantCall(store.db, call.id, "running", now))) throw isDecided();
    const { text, isError } = await doIt(ctx as Before, call);
    const end = { state: isError ? ("failed" as const) : ("done" as const), result: text };
    await endAssistantCall(store.db, call.id, end);
    return { ...call, ...end, decidedAt: now };
  },
  run: async ({ clock }, _input, call: Call) => shownCall(call, clock.now()),
});

/** Throws as `approveAssistantCall` does. */
export const declineAssistantCall = verb({
  ...decides,
  find: (ctx: Before<"session">, input) => findMeantCall(ctx as Before, input),
  async run({ db, clock }, _input, call: Call) {
    const now = clock.now();
    if (!(await decideAssistantCall(db, call.id, "declined", now))) throw isDecided();
    return shownCall({ ...call, state: "declined", decidedAt: now }, now);
  },
});

const isDecided = () => new PublicError("conflict", msg("assistant.decided"));

/** Not bound to the request: after an abort it would be unknown whether the call was executed. */
async function doIt(
  { assistant, signal: _, reportProgress: __, ...ctx }: Before,
  call: Call,
): Promise<ToolOutcome> {
  const tools = (await assistant?.listTools(ctx)) ?? [];
  const tool = tools.find(({ name }) => name === call.tool);
  if (!tool) return { text: "The person may not do that any more.", isError: true };
  return tool.run(ctx, JSON.parse(call.arguments) as Record<string, unknown>);
}

/** On whichever server; an answer that is over stays as it is. */
export const stopAnswer = verb({
  resource: "chat",
  feature: "full",
  action: "write",
  role: "viewer",
  audit: null,
  input: AnswerStop,
  output: Type.Object(
    { answerId: Type.String({ description: "What was stopped, if it was being written." }) },
    { title: "StoppedAnswer" },
  ),
  async prepare({ assistant, caller }, { answerId }) {
    await assistant?.answers.cancel(answerKey(caller, answerId));
  },
  run: async (_ctx, { answerId }) => ({ answerId }),
});

export const getAssistant = verb({
  resource: "chat",
  feature: "full",
  action: "read",
  input: Type.Object({}),
  output: AssistantSettings,
  async run({ config }) {
    const { assistantUrl: url, assistantModel: model } = config;
    return { isConfigured: url !== null, model, host: url === null ? null : new URL(url).host };
  },
});
