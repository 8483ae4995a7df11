import { activeKind } from "../../checks/registry.ts";
import { runWorker } from "./worker-main.ts";

runWorker(activeKind);
