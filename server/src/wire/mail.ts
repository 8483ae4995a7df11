import { Type } from "typebox";
import { Fact } from "./fact.ts";

/** What became of a test mail. */
export const MailTest = Type.Object(
  {
    to: Type.String({ description: "Your own address.", examples: ["ada@example.org"] }),
    accepted: Type.Boolean({ description: "Whether the mail server took it." }),
    answer: Type.String({
      description: "What the mail server said, or why it did not.",
      examples: ["The mail server smtp.example.org:587 accepted it: 250 2.0.0 OK"],
    }),
    answerFact: Fact,
  },
  { title: "MailTest" },
);
