/**
 * CPU time of one HTTP check (server/src/checks/http/http.ts) on loopback with 32 under way at once, and
 * beside it a bare socket loop in the same kind of process, and prometheus-blackbox-exporter where it
 * is installed (`apt-get install prometheus-blackbox-exporter`). With `--tls` over HTTPS: full handshakes,
 * certificates verified and read. All read the whole answer, of a few bytes and of 16 KiB; a check without
 * its body (`bodyBytes: 0`) is shown too. The target is a process of its own, so its work is not counted.
 * All take turns, so that a machine that is busy now and then is so for all of them.
 */
import { createSecureContext } from "node:tls";
import { parseArgs } from "node:util";
import { checkHttp } from "../server/src/checks/http/http.ts";
import type { HttpConfig } from "../server/src/checks/http/http-config.ts";
import { createResolver } from "../server/src/checks/resolve.ts";
import { type Blackbox, bareCheck, startBlackbox } from "./baselines.ts";
import { type Measurement, median, report, startBeside } from "./harness.ts";
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
const origin = isTls ? `https://localhost:${port}` : `http://127.0.0.1:${port}`;

/** What is checked: an answer of a few bytes, one of 16 KiB, and the same compressed. */
const ANSWERS = { "": "/", ", 16 KiB": "/page", ", 16 KiB gzip": "/gzip" } as const;

type Run = () => Promise<unknown>;

/** What is measured, each in its turn; blackbox_exporter by its own process's CPU. */
const subjects = new Map<string, Run>();
const others = new Map<string, string>();
for (const [kind, path] of Object.entries(ANSWERS)) {
  subjects.set(`bare socket loop${kind}`, () => bareCheck(port, context, undefined, path));
  subjects.set(`checks/http/http.ts${kind}`, checkOf({ url: origin + path }));
  others.set(`blackbox_exporter${kind}`, origin + path);
}
subjects.set(
  "checks/http/http.ts with bodyBytes 0, 16 KiB",
  checkOf({ url: `${origin}/page`, bodyBytes: 0 }),
);

function checkOf(config: HttpConfig): Run {
  return async () => {
    const outcome = await checkHttp.run(config, environment);
    if (outcome.verdict !== "ok") throw new Error(`The check failed: ${outcome.reason?.code}`);
    if (isTls && outcome.certificate?.valid !== true) throw new Error("The certificate was not accepted.");
  };
}

const costs = new Map<string, number[]>();
for (let round = 0; round <= ROUNDS; round++) {
  const note = (name: string, cost: number) => {
    // The first round warms up.
    if (round > 0) costs.set(name, [...(costs.get(name) ?? []), cost]);
  };
  for (const [name, run] of subjects) note(name, await ownCost(run));
  if (blackbox) for (const [name, url] of others) note(name, await costOf(blackbox, url));
}
blackbox?.stop();
target.child.disconnect();
report(measurements());

function measurements(): Measurement[] {
  const unit = "µs CPU a check";
  const found = Array.from(costs, ([name, values]): Measurement => ({ name, value: median(values), unit }));
  const most = isTls ? { bare: 1.2, blackbox: 0.8 } : { bare: 1.5, blackbox: 0.2 };
  for (const kind of Object.keys(ANSWERS)) {
    const check = costs.get(`checks/http/http.ts${kind}`) ?? [];
    const over = (name: string, atMost: number) => {
      const baseline = costs.get(`${name}${kind}`);
      if (baseline === undefined) return;
      const ratios = check.map((cost, round) => cost / (baseline[round] as number));
      const measured = { name: `over the ${name}${kind}`, value: median(ratios), unit: "times" };
      // Only Vedette decompresses: what that costs is shown, without a target.
      found.push(kind.endsWith("gzip") ? measured : { ...measured, target: { atMost } });
    };
    over("bare socket loop", most.bare);
    over("blackbox_exporter", most.blackbox);
  }
  return found;
}

/** Microseconds of this process's CPU that one run takes. */
async function ownCost(run: Run): Promise<number> {
  const before = process.cpuUsage();
  await repeat(CHECKS_A_ROUND, run);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / CHECKS_A_ROUND;
}

async function costOf({ probe, cpuSeconds }: Blackbox, url: string): Promise<number> {
  const before = cpuSeconds();
  await repeat(CHECKS_A_ROUND, () => probe(url));
  return ((cpuSeconds() - before) * 1e6) / CHECKS_A_ROUND;
}

async function repeat(times: number, run: () => Promise<unknown>): Promise<void> {
  let left = times;
  const work = async () => {
    while (left-- > 0) await run();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}
