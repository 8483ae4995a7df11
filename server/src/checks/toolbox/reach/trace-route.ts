import { msg } from "../../../platform/i18n/message.ts";
import { traceRoute as followRoute } from "../../route.ts";
import { textTable } from "../finding.ts";
import { Input, Output, type Traceroute, type TracerouteInput } from "../schemas/traceroute.ts";
import { targetAddress } from "../target-address.ts";
import { type ToolEnvironment, ToolError, tool } from "../tool.ts";
import { pingToolError } from "./ping-host.ts";

export const traceRoute = tool({
  name: "traceroute",
  title: "Traceroute",
  description: "Traces the route to a host, router by router: at most 30 hops and ten seconds.",
  input: Input,
  subject: "target",
  output: Output,
  // Each starts a program for every hop.
  atOnce: 3,
  run: trace,
  message: ({ reached, target }) => (reached ? "OK" : `The route to ${target} is only partly known.`),
  print: ({ hops, reached, address }) =>
    `${textTable(
      ["Hop", "Address", "Time (ms)"],
      hops.map(({ hop, address: at, time }) => [hop, at ?? "no answer", time]),
    )}${address} ${reached ? "was reached" : "was not reached"}\n`,
});

async function trace({ target }: TracerouteInput, environment: ToolEnvironment): Promise<Traceroute> {
  const { signal, network } = environment;
  const to = await targetAddress(target, "target", environment);
  const route = await followRoute(to, { policy: network.policy, signal });
  signal.throwIfAborted();
  if (route === null) throw new ToolError(msg("tool.given_up"));
  if (route.problem === "unsent") throw new ToolError(msg("unreachable.ping", { where: to.host }));
  if (route.problem !== null) throw pingToolError(route.problem);
  return {
    target: to.host,
    address: to.address,
    reached: route.isReached,
    hops: route.hops.map(({ hop, address, ms }) => ({ hop, address, time: ms })),
  };
}
