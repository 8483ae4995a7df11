import { lookUpDns } from "./dns/look-up-dns.ts";
import { scanPorts } from "./ports/scan-ports.ts";
import type { Tool } from "./tool.ts";

/** Every tool, by the name of its verb. */
export const TOOLS = { lookUpDns, scanPorts } satisfies Record<string, Tool>;

export type ToolName = keyof typeof TOOLS;
