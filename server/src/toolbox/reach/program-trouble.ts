import { fact } from "../../texts/fact.ts";
import { ToolError } from "../tool.ts";

/** Why the system's program could not help: it is this machine's trouble, not the target's. */
export const programTrouble = (trouble: "missing" | "forbidden" | "unsent" | "busy"): ToolError =>
  new ToolError(fact(trouble === "missing" ? "tool.no_ping" : "tool.ping_forbidden"));
