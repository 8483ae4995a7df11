import { activeKind } from "../check/registry.ts";
import { runWorker } from "./worker-main.ts";

runWorker(activeKind);
