import { Type } from "typebox";
import { verb } from "../verb/verb.ts";
import { AnswerStop } from "../wire/assistant.ts";
import { answerKey } from "./cancellations.ts";

/** Ends an answer of the caller's that is being written, on whichever server; one that is over stays as it is. */
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
