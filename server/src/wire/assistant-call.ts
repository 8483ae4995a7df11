import { type Static, Type } from "typebox";
import { nullable, oneOf, Timestamp, Uuid } from "./field.ts";

/** As people see it: `expired` waited for too long, of `unknown` nobody can say whether it was done. */
export const CALL_STATES = [
  "waiting",
  "running",
  "done",
  "failed",
  "declined",
  "expired",
  "unknown",
] as const;

/** What the assistant called, or would like to call. */
export const AssistantCall = Type.Object(
  {
    uuid: Uuid,
    messageId: Type.Integer({ description: "The message with which it is shown.", examples: [12] }),
    tool: Type.String({ description: "Its name, as over MCP.", examples: ["acknowledge_incident"] }),
    title: Type.String({ description: "What it does, in English.", examples: ["Acknowledge an incident"] }),
    description: Type.String({ description: "The same in more words." }),
    arguments: Type.String({
      description: "JSON: exactly what the tool is called with.",
      examples: ['{"id":"12"}'],
    }),
    subject: Type.Array(
      Type.Object({
        name: Type.String({ description: "Which field of it.", examples: ["title"] }),
        value: Type.String({ examples: ["Shop is down"] }),
      }),
      {
        description: "What it is done to, as it was called when this was asked; empty: nothing that exists.",
      },
    ),
    state: oneOf(CALL_STATES, {
      description:
        "`waiting`: nothing is done before its person agrees; until `expiresAt`, then it is `expired`. `unknown`: the server stopped while it was done, so it may or may not have been.",
    }),
    problem: nullable(Type.String(), "Why it failed, in English; null: it did not."),
    createdAt: Timestamp,
    decidedAt: nullable(Timestamp, "When its person agreed or declined."),
    expiresAt: nullable(Timestamp, "Until when they can; null for what only read."),
  },
  { title: "AssistantCall" },
);

export type ShownCall = Static<typeof AssistantCall>;
