import { isIP } from "node:net";
import type { ResolvedAddress } from "./address.ts";
import { type PingTrouble, pingResult, runPing } from "./ping.ts";

/** How long one hop may take to answer. */
const WAIT_SECONDS = 1;
/** After that the program ends by itself; it is ended where it does not. */
const KILL_MS = 3_000;
/** What took longer is no round trip: the clock was set. */
const MAX_MS = 10_000;

/** Who answered a packet that may pass so many routers and no more. */
export interface HopAnswer {
  address: string;
  /** About how long it took; null where the program does not tell. */
  ms: number | null;
  /** `passing`: a router on the way. `target`: the address itself. `barred`: somebody who says that there is no way on. */
  as: "passing" | "target" | "barred";
}

/**
 * Sends one echo request that passes `hop - 1` routers, and calls back with who answered (null: nobody), or why none was
 * sent. Gives the function that ends it at once.
 */
export function startHop(
  to: ResolvedAddress,
  hop: number,
  done: (answer: HopAnswer | PingTrouble | null) => void,
): () => void {
  const args = hopArgs(to, hop, process.platform);
  if (args === null) {
    done("missing");
    return () => {};
  }
  const stop = runPing(args, KILL_MS, (trouble, output) => done(trouble ?? readHop(output, sentMs)));
  // The program has been loaded by now, and sends within a few milliseconds.
  const sentMs = Date.now();
  return stop;
}

/**
 * What to tell the program. `-D` has iputils write down when an answer came; busybox, which does not tell of routers,
 * knows it as little. Null for a system whose program is not known to tell of them.
 */
export function hopArgs(
  { address, family }: ResolvedAddress,
  hop: number,
  platform: string,
): string[] | null {
  const once = ["-n", "-c", "1"];
  if (platform === "linux") {
    return [`-${family}`, ...once, "-D", "-t", `${hop}`, "-W", `${WAIT_SECONDS}`, address];
  }
  const isBsd = platform === "darwin" && family === 4;
  return isBsd ? [...once, "-m", `${hop}`, "-W", `${WAIT_SECONDS * 1000}`, address] : null;
}

const ADDRESS = "([0-9a-fA-F.:]{2,45}?)(?:%[\\w.-]{1,16})?";
const REPLY = new RegExp(`^(?:\\[[\\d.]{1,24}\\] )?\\d{1,6} bytes from ${ADDRESS}: icmp_seq=(.{1,100})`, "m");
const TIME = /time[=<]([\d.]{1,12}) ms/;
/** By iputils, with the time of the answer, and by BSD. */
const OTHERS = new RegExp(
  `^(?:(?:\\[([\\d.]{1,24})\\] )?From ${ADDRESS}:? icmp_seq=\\d{1,9}|\\d{1,6} bytes from ${ADDRESS}:) (Time|Dest|Packet filtered)`,
  "m",
);

/** What the program wrote of one hop. `sentMs`: when it was started. */
export function readHop(output: string, sentMs: number): HopAnswer | PingTrouble | null {
  const reply = REPLY.exec(output);
  if (reply) return answerOf(reply[1], Number(TIME.exec(reply[2] ?? "")?.[1] ?? Number.NaN), "target");
  const other = OTHERS.exec(output);
  if (other) {
    const [, at, iputils, bsd, what] = other;
    const ms = Math.round(Number(at) * 1000 - sentMs);
    return answerOf(iputils ?? bsd, ms, what === "Time" ? "passing" : "barred");
  }
  const result = pingResult(output);
  return typeof result === "string" ? result : null;
}

function answerOf(address = "", ms: number, as: HopAnswer["as"]): HopAnswer | null {
  if (isIP(address) === 0) return null;
  return { address, ms: ms >= 0 && ms <= MAX_MS ? ms : null, as };
}
