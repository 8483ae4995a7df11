import { handleRequests } from "../thread.ts";
import { type EvaluationRequest, evaluateBody } from "./evaluate-body.ts";

handleRequests<EvaluationRequest>(async (request) => evaluateBody(request));
