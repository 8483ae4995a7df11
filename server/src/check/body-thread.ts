import { answerQuestions } from "../thread.ts";
import { type BodyQuestion, evaluateBody } from "./evaluate-body.ts";

answerQuestions<BodyQuestion>(async (question) => evaluateBody(question));
