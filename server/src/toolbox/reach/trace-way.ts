import { type Static, Type } from "typebox";
import { traceRoute } from "../../check/route.ts";
import { fact } from "../../texts/fact.ts";
import { targetAddress } from "../target-address.ts";
import { textTable } from "../text-table.ts";
import { type ToolEnvironment, ToolError, tool } from "../tool.ts";
import { programTrouble } from "./program-trouble.ts";

const Input = Type.Object(
  {
    target: Type.String({
      minLength: 1,
      maxLength: 255,
      description: "The host to find the way to: a name or an IP address.",
      examples: ["example.com"],
    }),
  },
  { title: "TracerouteRequest" },
);

const Output = Type.Object(
  {
    target: Type.String({ description: "The host that was looked for." }),
    address: Type.String({ description: "The address of it that the way leads to." }),
    reached: Type.Boolean({ description: "Whether the last hop is the address itself." }),
    hops: Type.Array(
      Type.Object({
        hop: Type.Integer({ description: "How many hops from here." }),
        address: Type.Union([Type.String(), Type.Null()], {
          description:
            "Who answered; null where nobody did. `private`: an address inside, which is not told where an installation looks at public targets only.",
        }),
        time: Type.Union([Type.Number(), Type.Null()], { description: "The round trip in milliseconds." }),
      }),
      { description: "The routers on the way, in order, and the target where it is reached." },
    ),
  },
  { title: "Traceroute" },
);

type Output = Static<typeof Output>;

/** The way of packets to a host, router by router. */
export const traceWay = tool({
  name: "traceroute",
  title: "Traceroute",
  description: "Follows the way of packets to a host, router by router: at most 30 hops and ten seconds.",
  input: Input,
  subject: "target",
  output: Output,
  run: trace,
  message: ({ reached, target }) => (reached ? "OK" : `The way to ${target} is known in part only.`),
  print: ({ hops, reached, address }) =>
    `${textTable(
      ["Hop", "Address", "Time (ms)"],
      hops.map(({ hop, address: at, time }) => [hop, at ?? "no answer", time]),
    )}${address} ${reached ? "was reached" : "was not reached"}\n`,
});

async function trace({ target }: Static<typeof Input>, environment: ToolEnvironment): Promise<Output> {
  const { signal, network } = environment;
  const to = await targetAddress(target, "target", environment);
  const route = await traceRoute(to, { policy: network.policy, signal });
  signal.throwIfAborted();
  if (route === null) throw new ToolError(fact("tool.given_up"));
  if (route.trouble === "unsent") throw new ToolError(fact("unreachable.ping", { where: to.host }));
  if (route.trouble !== null) throw programTrouble(route.trouble);
  return {
    target: to.host,
    address: to.address,
    reached: route.isReached,
    hops: route.hops.map(({ hop, address, ms }) => ({ hop, address, time: ms })),
  };
}
