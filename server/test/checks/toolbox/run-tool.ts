import { onTestFinished } from "vitest";
import type { Network } from "../../../src/checks/network.ts";
import { createResolver } from "../../../src/checks/resolve.ts";
import { type Tool, type ToolEnvironment, ToolError } from "../../../src/checks/toolbox/tool.ts";
import { inEnglish } from "../../../src/platform/i18n/english.ts";
import { startDnsTarget } from "../../harness/dns-target.ts";

/** What a tool is given on this machine; its names come from a name server of the test's own. */
export async function toolEnvironment(
  names: Record<string, string[]> = {},
  network: Partial<Network> = {},
  sources: Partial<ToolEnvironment["sources"]> = {},
): Promise<ToolEnvironment> {
  const records = Object.entries(names).map(([name, a]) => [name, { a }]);
  const dns = await startDnsTarget(Object.fromEntries(records));
  onTestFinished(() => dns.close());
  return {
    network: { resolver: createResolver({ servers: [dns.server] }), policy: "all", ...network },
    sources: { geoDatabase: null, asnDatabase: null, rdapBootstrap: null, dataFolder: "unused", ...sources },
    signal: new AbortController().signal,
    reportProgress() {},
  };
}

/** Why a tool has nothing to show: the field that it names, if any, and the sentence. */
export async function refusalOf(
  // biome-ignore lint/suspicious/noExplicitAny: any tool
  tool: Tool<any, any, any>,
  input: object,
  environment: ToolEnvironment,
): Promise<[field: string | undefined, sentence: string]> {
  try {
    await tool.run(input as never, environment);
  } catch (error) {
    if (error instanceof ToolError) return [error.field, inEnglish(error.reason)];
    throw error;
  }
  throw new Error("It was not refused.");
}
