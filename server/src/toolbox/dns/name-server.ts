import type { CheckEnvironment } from "../../check/check.ts";
import { type DnsPeer, ownNameServers } from "../../check/dns-exchange.ts";
import { DNS_PORT } from "../../check/dns-question.ts";
import { normaliseHost } from "../../check/host.ts";
import { hostProblem } from "../../check/host-problem.ts";
import { fact } from "../../texts/fact.ts";
import { ToolError } from "../tool.ts";

/** Whom to ask: `9.9.9.9`, `[2620:fe::fe]:53`, `dns.example.com:5353`; without one, the machine's own. Throws ToolError. */
export function nameServer(typed: string | undefined, environment: CheckEnvironment): DnsPeer {
  if (typed === undefined) {
    const own = ownNameServers(environment);
    if ("code" in own) throw new ToolError(own);
    return own;
  }
  const text = typed.trim();
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = normaliseHost(bracketed ?? plain ?? text.replace(/^\[(.*)\]$/, "$1"));
  const number = port === undefined ? DNS_PORT : Number(port);
  if (host === null || number < 1 || number > 65_535) throw new ToolError(fact("tool.name_server"), "server");
  const problem = hostProblem(host, environment.network.policy);
  if (problem !== null) throw new ToolError(problem, "server");
  return { host, port: number, environment };
}
