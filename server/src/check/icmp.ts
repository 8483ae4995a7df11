import { type Static, Type } from "typebox";
import { msg } from "../texts/message.ts";
import type { ResolvedAddress } from "./address.ts";
import { ADDRESS_PHASES, type AddressRun, checkAddresses, type OngoingExchange } from "./address-check.ts";
import type { ProbedKind } from "./check.ts";
import { guarded } from "./fault.ts";
import { normaliseHost } from "./host.ts";
import { hostField } from "./peer-config.ts";
import { type PingProblem, type PingResult, startPing } from "./ping.ts";
import { shownHost } from "./reasons.ts";

const COUNT = 3;
const MOST_LOSS = 99;

const icmpConfigSchema = Type.Object(
  {
    host: hostField,
    count: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 10,
        default: COUNT,
        description: "How many echo requests to send.",
      }),
    ),
    maxLoss: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MOST_LOSS,
        default: MOST_LOSS,
        description: "Down when more than this percentage of them goes unanswered.",
      }),
    ),
  },
  {
    additionalProperties: false,
    title: "Ping (ICMP)",
    description:
      "Sends echo requests with the system's `ping`, over IPv4 or IPv6. The response time is the average round trip. A host that is down looks like one that drops pings.",
  },
);

type IcmpConfig = Static<typeof icmpConfigSchema>;

const hostOf = ({ host }: IcmpConfig) => normaliseHost(host) ?? host;

/** A host that answers pings. */
export const checkIcmp: ProbedKind<IcmpConfig, typeof ADDRESS_PHASES> = {
  type: "icmp",
  phases: ADDRESS_PHASES,
  configSchema: icmpConfigSchema,
  target: hostOf,
  run: (config, environment) =>
    checkAddresses(hostOf(config), environment, (addresses, run) => ping(config, addresses, run)),
};

/** How much of the timeout is for waiting; the rest, for the program to end. */
const WAITED_PART = 0.9;

/** One address after the other, until one answers; the last one's failure is the host's. */
function ping(config: IcmpConfig, addresses: readonly ResolvedAddress[], run: AddressRun): OngoingExchange {
  const { count = COUNT } = config;
  const host = hostOf(config);
  const withinMs = (run.environment.timeoutMs * WAITED_PART) / addresses.length;
  let where = shownHost(host);
  let stop = () => {};
  const next = ([to, ...others]: readonly ResolvedAddress[]) => {
    if (to === undefined) return;
    where = to.address === host ? host : `${shownHost(host)} (${to.address})`;
    run.trace.address = to.address;
    const done = guarded(run.fault, (result: PingResult | PingProblem) => {
      if (run.isOver()) return;
      const isSilent = result === "unsent" || (typeof result === "object" && result.received === 0);
      if (isSilent && others.length > 0) next(others);
      else conclude(result, config, where, run);
    });
    stop = startPing(to, { count, withinMs }, done);
  };
  next(addresses);
  return {
    late: (timeoutMs) => msg("timeout.ping", { where, seconds: timeoutMs / 1000 }),
    stop: () => stop(),
  };
}

function conclude(
  result: PingResult | PingProblem,
  { maxLoss = MOST_LOSS }: IcmpConfig,
  where: string,
  { end, trace, environment }: AddressRun,
): void {
  if (result === "missing") return end(msg("internal.no_ping"));
  if (result === "forbidden") return end(msg("internal.ping_forbidden"));
  if (result === "unsent") return end(msg("unreachable.ping", { where }));
  const { sent, received, averageMs } = result;
  if (received === 0) return end(msg("timeout.ping", { where, seconds: environment.timeoutMs / 1000 }));
  trace.firstByteMs = averageMs;
  const loss = Math.round(((sent - received) / sent) * 100);
  const reason = loss > maxLoss ? msg("assertion.loss", { where, loss, most: maxLoss }) : null;
  // What counts is how far away the host is, not how many requests were sent.
  end(reason, (trace.dnsMs ?? 0) + (averageMs ?? 0));
}
