import { checkKind } from "../check/registry.ts";
import { runWorker } from "./worker-main.ts";

runWorker(checkKind);
