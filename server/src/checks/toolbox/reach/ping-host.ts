import { msg } from "../../../platform/i18n/message.ts";
import { pingResult, runPing } from "../../icmp.ts";
import { textTable } from "../finding.ts";
import { Input, Output, type Ping, type PingInput } from "../schemas/ping.ts";
import { type Target, targetAddress } from "../target-address.ts";
import { type ToolEnvironment, ToolError, tool } from "../tool.ts";

/** Why the system's program could not help: it is this machine's problem, not the target's. */
export const pingToolError = (problem: "missing" | "forbidden" | "unsent" | "busy"): ToolError =>
  new ToolError(msg(problem === "missing" ? "tool.no_ping" : "tool.ping_forbidden"));

/** Between two requests; less is only for the superuser. */
const SPACING_MS = 200;
/** For the answer to the last of them. */
const WAIT_MS = 2_000;

export const pingHost = tool({
  name: "ping",
  title: "Ping",
  description: "Sends echo requests (ICMP) and measures how long the answers take and how many get lost.",
  input: Input,
  subject: "target",
  output: Output,
  run: ping,
  message: ({ received, target }) => (received > 0 ? "OK" : `${target} answers no pings.`),
  print: ({ replies, sent, received, loss, min, average, max, address }) =>
    `${textTable(
      ["Request", "TTL", "Time (ms)"],
      replies.map(({ sequence, ttl, time }) => [sequence, ttl, time]),
    )}${address}: ${received} of ${sent} answered, ${loss} % lost${average === null ? "" : `; ${min} / ${average} / ${max} ms (min / average / max)`}\n`,
});

async function ping({ target, count = 5 }: PingInput, environment: ToolEnvironment): Promise<Ping> {
  const to = await targetAddress(target, "target", environment);
  const output = await runProgram(to, count, environment.signal);
  const tally = pingResult(output);
  if (tally === "missing" || tally === "forbidden") throw pingToolError(tally);
  if (tally === "unsent") throw new ToolError(msg("unreachable.ping", { where: to.host }));
  const replies = readReplies(output);
  const { sent, received } = tally;
  const times = replies.map(({ time }) => time);
  return {
    target: to.host,
    address: to.address,
    sent,
    received,
    loss: Math.round(((sent - received) / sent) * 1000) / 10,
    min: times.length === 0 ? null : Math.min(...times),
    average: times.length === 0 ? tally.averageMs : rounded(times.reduce((a, b) => a + b, 0) / times.length),
    max: times.length === 0 ? null : Math.max(...times),
    replies,
  };
}

const rounded = (ms: number) => Math.round(ms * 1000) / 1000;

/** What the system's program writes. Rejects with the signal's reason, the program ended. */
function runProgram({ address, family }: Target, count: number, signal: AbortSignal): Promise<string> {
  signal.throwIfAborted();
  const withinMs = (count - 1) * SPACING_MS + WAIT_MS;
  const args = [
    `-${family}`,
    "-n",
    "-c",
    `${count}`,
    "-i",
    `${SPACING_MS / 1000}`,
    "-W",
    `${WAIT_MS / 1000}`,
    address,
  ];
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const stop = runPing(args, withinMs, (problem, output) =>
    problem === null ? resolve(output) : reject(pingToolError(problem)),
  );
  const giveUp = () => {
    stop();
    reject(signal.reason);
  };
  signal.addEventListener("abort", giveUp, { once: true });
  return promise.finally(() => signal.removeEventListener("abort", giveUp));
}

/** By iputils and BSD (`icmp_seq=`, the latter from 0 on), and busybox (`seq=`, from 0 on). */
const REPLY = /(?:icmp_)?seq=(\d{1,6})(?: ttl=(\d{1,3}))? time[=<]([\d.]{1,12}) ms(?!.*DUP)/g;

/** Each answer that the program prints, requests counted from 1 on. */
export function readReplies(output: string): Ping["replies"] {
  const found = [...output.matchAll(REPLY)].map(([, sequence, ttl, time]) => ({
    sequence: Number(sequence),
    ttl: ttl === undefined ? null : Number(ttl),
    time: Number(time),
  }));
  const isFromZero = found.some(({ sequence }) => sequence === 0);
  return found.map((reply) => ({ ...reply, sequence: reply.sequence + (isFromZero ? 1 : 0) }));
}
