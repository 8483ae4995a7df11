import { handleRequests } from "../../platform/worker-pool.ts";
import { type EvaluationRequest, evaluateBody } from "./http-assertions.ts";

handleRequests<EvaluationRequest>(async (request) => evaluateBody(request));
