import { handleRequests } from "../platform/worker-pool.ts";
import { type EvaluationRequest, evaluateBody } from "./assertions.ts";

handleRequests<EvaluationRequest>(async (request) => evaluateBody(request));
