import { handleRequests } from "../thread.ts";
import { type EvaluationRequest, evaluateBody } from "./assertions.ts";

handleRequests<EvaluationRequest>(async (request) => evaluateBody(request));
