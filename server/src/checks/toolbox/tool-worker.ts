import { workerData } from "node:worker_threads";
import { handleRequests } from "../../platform/worker-pool.ts";
import { TOOLS } from "./registry.ts";
import type { ToolRequest, ToolSettings } from "./tool-runner.ts";
import { networkOfTools } from "./tool-verbs.ts";

const settings = workerData as ToolSettings;
const network = networkOfTools(settings);

handleRequests<ToolRequest>(({ tool, input }, signal, reportProgress) =>
  TOOLS[tool].run(input as never, { network, sources: settings.sources, signal, reportProgress }),
);
