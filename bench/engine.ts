/**
 * CPU time of one HTTP check (server/src/check/http.ts) on loopback with 32 under way at once, and
 * beside it a bare socket loop in the same kind of process, and prometheus-blackbox-exporter where it
 * is installed (`apt-get install prometheus-blackbox-exporter`). With `--tls` over HTTPS: full handshakes,
 * certificates verified and read. The target is a process of its own, so its work is not counted. The
 * three take turns, so that a machine that is busy now and then is so for all of them.
 */
import { createSecureContext } from "node:tls";
import { parseArgs } from "node:util";
import { checkHttp } from "../server/src/check/http.ts";
import { createResolver } from "../server/src/check/resolve.ts";
import { bareCheck } from "./bare-check.ts";
import { type Blackbox, startBlackbox } from "./blackbox.ts";
import { type Measurement, median, report } from "./measurement.ts";
import { startBeside } from "./process.ts";
import type { TargetReady } from "./target.ts";

const AT_ONCE = 32;
const ROUNDS = 7;
const TIMEOUT_MS = 10_000;

const isTls = parseArgs({ options: { tls: { type: "boolean" } } }).values.tls ?? false;
const CHECKS_A_ROUND = isTls ? 800 : 3_000;

const target = await startBeside<TargetReady>("target.ts", isTls ? ["tls"] : []);
const { port, ca } = target.ready;
const blackbox = await startBlackbox(isTls ? ca : null);
const context = isTls ? createSecureContext({ ca }) : undefined;
const environment = {
  network: { resolver: createResolver({ servers: [] }), policy: "all" as const, ca: [ca] },
  timeoutMs: TIMEOUT_MS,
};
const config = { url: isTls ? `https://localhost:${port}/` : `http://127.0.0.1:${port}/` };

const subjects = {
  bare: () => bareCheck(port, context),
  check: async () => {
    const outcome = await checkHttp.run(config, environment);
    if (outcome.verdict !== "ok") throw new Error(`The check failed: ${outcome.reason}`);
    if (isTls && outcome.certificate?.valid !== true) throw new Error("The certificate was not accepted.");
  },
};

const costs = { bare: [] as number[], check: [] as number[], blackbox: [] as number[] };
for (let round = 0; round <= ROUNDS; round++) {
  const bare = await ownCost(subjects.bare);
  const check = await ownCost(subjects.check);
  const other = blackbox && (await costOf(blackbox));
  // The first round warms up.
  if (round === 0) continue;
  costs.bare.push(bare);
  costs.check.push(check);
  if (other !== null) costs.blackbox.push(other);
}
blackbox?.stop();
target.child.disconnect();
report(figures());

function figures(): Measurement[] {
  const unit = "µs CPU a check";
  const ratios = costs.check.map((cost, round) => cost / (costs.bare[round] as number));
  const most = isTls ? { bare: 1.2, blackbox: 0.8 } : { bare: 1.5, blackbox: 0.2 };
  const found: Measurement[] = [
    { name: "bare socket loop", value: median(costs.bare), unit },
    { name: "check/http.ts", value: median(costs.check), unit },
    { name: "over the bare loop", value: median(ratios), unit: "times", target: { atMost: most.bare } },
  ];
  if (costs.blackbox.length > 0) {
    const others = costs.check.map((cost, round) => cost / (costs.blackbox[round] as number));
    found.push(
      { name: "blackbox_exporter", value: median(costs.blackbox), unit },
      {
        name: "over blackbox_exporter",
        value: median(others),
        unit: "times",
        target: { atMost: most.blackbox },
      },
    );
  }
  return found;
}

/** Microseconds of this process's CPU that one run takes. */
async function ownCost(run: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await repeat(CHECKS_A_ROUND, run);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / CHECKS_A_ROUND;
}

async function costOf({ probe, cpuSeconds }: Blackbox): Promise<number> {
  const before = cpuSeconds();
  await repeat(CHECKS_A_ROUND, () => probe(config.url));
  return ((cpuSeconds() - before) * 1e6) / CHECKS_A_ROUND;
}

async function repeat(times: number, run: () => Promise<unknown>): Promise<void> {
  let left = times;
  const work = async () => {
    while (left-- > 0) await run();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}
