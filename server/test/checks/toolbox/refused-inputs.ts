import { TOOLS, type ToolName } from "../../../src/checks/toolbox/registry.ts";

/** For each tool an input of the right shape that it refuses before any request. */
export const REFUSED_INPUTS: { readonly [Name in ToolName]: object } = {
  lookUpDns: { domain: "no name" },
  scanPorts: { target: "no name" },
  locateAddress: { ip: "no address" },
  pingHost: { target: "no name" },
  traceRoute: { target: "no name" },
  inspectTls: { host: "no name" },
  inspectHttp: { url: "ftp://example.com" },
  lookUpRegistration: { query: "no name" },
};

/** The refused input of the tool at this address; undefined where there is none. */
export function refusedInputAt(url: string): object | undefined {
  const name = Object.keys(TOOLS).find((each) => url.endsWith(`/toolbox/${TOOLS[each as ToolName].name}`));
  return name === undefined ? undefined : REFUSED_INPUTS[name as ToolName];
}
