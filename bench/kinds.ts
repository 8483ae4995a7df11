/**
 * CPU time of one check of each kind on loopback, 16 under way at once, beside the bare client of its protocol in the
 * same process: the driver where there is one (pg, ssh2, node:http2), else sockets that say the same bytes at the same
 * places. tcp, dns and tls stand beside prometheus-blackbox-exporter too, where it is installed. The servers are a process
 * of their own (kinds-target.ts). All take turns, so that a machine that is busy now and then is so for all of them.
 *
 *   npm run bench -- kinds
 *   node bench/kinds.ts smtp dns                    only these
 */
import type { ActiveKind } from "../server/src/check/check.ts";
import { activeKind, checkKinds } from "../server/src/check/registry.ts";
import { createResolver } from "../server/src/check/resolve.ts";
import { CONVERSATIONS, type Conversation } from "../server/test/harness/conversations.ts";
import { bareClients, replayOf } from "./bare-clients.ts";
import { type Blackbox, startBlackbox } from "./blackbox.ts";
import type { KindsReady } from "./kinds-target.ts";
import { type Measurement, machineLoad, median, report } from "./measurement.ts";
import { startBeside } from "./process.ts";

const AT_ONCE = 16;
const ROUNDS = 5;
/** Enough to be measured as a probe runs them, compiled and not for the first time. */
const CHECKS_A_ROUND = 1_500;
/** Those that start a program, or compute keys. */
const FEW: Readonly<Record<string, number>> = { icmp: 40, ssh: 80 };
const MOST = 2;
const TIMEOUT_MS = 10_000;

type Run = () => Promise<unknown>;

const conversations: Record<string, Conversation> = CONVERSATIONS;
const target = await startBeside<KindsReady>("kinds-target.ts");
const { ports, ca } = target.ready;
const environment = {
  network: { resolver: createResolver({ servers: ["127.0.0.1:1"] }), policy: "all" as const, ca: [ca] },
  timeoutMs: TIMEOUT_MS,
};
const clients = bareClients(target.ready);
const blackbox = await startBlackbox(ca);

/** What blackbox_exporter is asked for the same. */
const BESIDE: Readonly<Record<string, { module: string; target: string }>> = {
  tcp: { module: "tcp", target: `127.0.0.1:${ports["tcp"]}` },
  tls: { module: "tls", target: `localhost:${ports["tls"]}` },
  dns: { module: "dns", target: `127.0.0.1:${ports["dns"]}` },
};

const wanted = process.argv.slice(2);
const kinds = Object.values(checkKinds)
  .flatMap(({ type }) => activeKind(type) ?? [])
  .filter(({ type }) => wanted.length === 0 || wanted.includes(type));

const figures: Measurement[] = [];
for (const kind of kinds) figures.push(...(await measure(kind)));
blackbox?.stop();
target.child.disconnect();
report([...figures, { name: "load of the machine", value: machineLoad(), unit: "processes" }]);

function checkOf(kind: ActiveKind): (port: number) => Promise<void> {
  return async (port) => {
    const config = conversations[kind.type]?.config(port) ?? { host: "127.0.0.1", count: 1 };
    const { verdict, reason } = await kind.run(config as never, environment);
    if (verdict !== "ok") throw new Error(`A check of kind ${kind.type} failed: ${JSON.stringify(reason)}`);
  };
}

async function measure(kind: ActiveKind): Promise<Measurement[]> {
  const { type } = kind;
  const port = ports[type] ?? 0;
  const check = checkOf(kind);
  const bare = clients[type] ?? (await replayOf(port, check));
  const times = FEW[type] ?? CHECKS_A_ROUND;
  const costs = { check: [] as number[], bare: [] as number[], blackbox: [] as number[] };
  for (let round = 0; round <= ROUNDS; round++) {
    const found = {
      check: await ownCost(times, () => check(port)),
      bare: await ownCost(times, bare),
      blackbox: blackbox && BESIDE[type] ? await costOf(blackbox, times, BESIDE[type]) : null,
    };
    // The first round warms up.
    if (round === 0) continue;
    costs.check.push(found.check);
    costs.bare.push(found.bare);
    if (found.blackbox !== null) costs.blackbox.push(found.blackbox);
  }
  return compare(type, costs);
}

function compare(type: string, costs: Record<"check" | "bare" | "blackbox", number[]>): Measurement[] {
  const unit = "µs CPU a check";
  const over = (name: "bare" | "blackbox", shown: string, atMost: number): Measurement => {
    const ratios = costs.check.map((cost, round) => cost / (costs[name][round] as number));
    return { name: `${type}, over ${shown}`, value: median(ratios), unit: "times", target: { atMost } };
  };
  return [
    { name: type, value: median(costs.check), unit },
    { name: `${type}, bare client`, value: median(costs.bare), unit },
    over("bare", "the bare client", MOST),
    ...(costs.blackbox.length > 0
      ? [
          { name: `${type}, blackbox_exporter`, value: median(costs.blackbox), unit },
          over("blackbox", "blackbox_exporter", 1),
        ]
      : []),
  ];
}

/** Microseconds of this process's CPU that one run takes. */
async function ownCost(times: number, run: Run): Promise<number> {
  const before = process.cpuUsage();
  await repeat(times, run);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / times;
}

async function costOf(
  { probe, cpuSeconds }: Blackbox,
  times: number,
  { module, target: asked }: { module: string; target: string },
): Promise<number> {
  const before = cpuSeconds();
  await repeat(times, () => probe(asked, module));
  return ((cpuSeconds() - before) * 1e6) / times;
}

async function repeat(times: number, run: Run): Promise<void> {
  let left = times;
  const work = async () => {
    while (left-- > 0) await run();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}
