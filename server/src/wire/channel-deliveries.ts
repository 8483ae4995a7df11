import { type Static, Type } from "typebox";
import { type Message, namesOf } from "../notification/channel/message.ts";
import type { Outcome } from "../notification/transport.ts";
import type { DeliveryAttempt, LoggedDelivery } from "../store/queries/channel-deliveries.ts";
import { parseFact } from "../texts/fact.ts";
import { Fact, sentenceOf } from "./fact.ts";
import { fromOutside, nullable, oneOf, Timestamp, timestamp, timestampOrNull, Uuid } from "./field.ts";
import { projectWaiting, WaitingMessage } from "./waiting-message.ts";

const Attempt = Type.Object(
  {
    at: Timestamp,
    duration: Type.Integer({ description: "Milliseconds." }),
    outcome: oneOf(["sent", "refused", "postponed"], {
      description: "`refused`: it is not tried again; `postponed`: it is.",
    }),
    said: fromOutside(nullable(Type.String(), "What became of it, in a sentence.")),
    saidFact: Fact,
    request: nullable(
      Type.Object({
        method: Type.String({ examples: ["POST"] }),
        url: Type.String(),
        headers: Type.Record(Type.String(), Type.String()),
        body: Type.String(),
      }),
      "What was sent, the first 4096 characters, secrets masked; null where it is no HTTP, or nothing was.",
    ),
    answer: nullable(
      Type.Object({ status: Type.Integer({ examples: [200] }), body: fromOutside(Type.String()) }),
      "What came back, the first 4096 characters; null where nothing did.",
    ),
  },
  { title: "DeliveryAttempt" },
);

export const TriedAt = nullable(
  Timestamp,
  "When it was last attempted, alone or with others in one message; null: not yet.",
);

export const ChannelDelivery = Type.Object(
  {
    id: Type.Integer({ examples: [12] }),
    uuid: Uuid,
    event: Type.String({ examples: ["monitor.down"] }),
    subject: nullable(
      Type.String(),
      "The monitor that it is about, or the title of the incident that people write about; null for a test, a `confirmation` (the question whether an address may be written to), and a `digest`: several messages in one.",
    ),
    state: oneOf(["waiting", "sent", "failed"]),
    failure: fromOutside(nullable(Type.String(), "Why it has not got there, so far or for good.")),
    failureFact: Fact,
    triedAt: TriedAt,
    ...WaitingMessage,
    attempts: Type.Array(Attempt, { description: "Every attempt, oldest first." }),
    createdAt: Timestamp,
  },
  { title: "ChannelDelivery" },
);

/** What a test answers. */
export const ChannelTest = Type.Object(
  {
    accepted: Type.Boolean({ description: "Whether the other side accepted it." }),
    answer: fromOutside(
      Type.String({
        description: "What the other side answered, or why it could not be reached.",
        examples: ["hooks.slack.com accepted it (200)."],
      }),
    ),
    answerFact: Fact,
  },
  { title: "ChannelTest" },
);

export const projectChannelTest = (outcome: Outcome): Static<typeof ChannelTest> => {
  const told = outcome.is === "sent" ? outcome.said : outcome.why;
  return { accepted: outcome.is === "sent", answer: sentenceOf(told) ?? "", answerFact: told };
};

/** A delivery with `attempts`, its tries. */
export function projectDelivery(
  delivery: LoggedDelivery,
  attempts: readonly DeliveryAttempt[],
): Static<typeof ChannelDelivery> {
  const { id, uuid, event, state, triedAt, createdAt } = delivery;
  const failure = parseFact(delivery.failure);
  const about = JSON.parse(delivery.message ?? "{}") as Partial<Message>;
  const { title = null } = about;
  return {
    id,
    uuid,
    event: event ?? "",
    subject: namesOf(about) ?? (typeof title === "string" ? title : sentenceOf(title)),
    state,
    failure: sentenceOf(failure),
    failureFact: failure,
    triedAt: timestampOrNull(triedAt),
    ...projectWaiting(delivery),
    attempts: attempts.map(({ at, durationMs, outcome, fact, request, answer }) => ({
      at: timestamp(at),
      duration: durationMs,
      outcome,
      said: sentenceOf(fact),
      saidFact: fact,
      request,
      answer,
    })),
    createdAt: timestamp(createdAt),
  };
}
