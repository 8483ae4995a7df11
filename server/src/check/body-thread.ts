import { answerQuestions } from "../thread.ts";
import { type BodyQuestion, evaluateBody } from "./judge-body.ts";

answerQuestions<BodyQuestion>(async (question) => evaluateBody(question));
