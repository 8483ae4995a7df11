/**
 * CPU time of one HTTP check (server/src/check/http.ts) on loopback, and beside it the least that any
 * check could cost: connect, write a request, read to the end, close. The target runs in a
 * process of its own, so its work is not counted; user and system time of this process are.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { checkHttp } from "../server/src/check/http.ts";
import { createResolver } from "../server/src/check/resolve.ts";
import type { Measurement } from "./run.ts";

const WARM_UP = 1_000;
const RUNS = 6_000;
/** The engine runs many checks at once; one at a time would measure the kernel's wake-ups. */
const AT_ONCE = 16;
const TIMEOUT_MS = 10_000;

const target = fork(new URL("./http-target.ts", import.meta.url), {
  stdio: ["ignore", "inherit", "inherit", "ipc"],
});
const [port] = (await once(target, "message")) as [number];
const environment = {
  network: { resolver: createResolver({ servers: [] }), policy: "all" as const },
  timeoutMs: TIMEOUT_MS,
};

const bare = await cpuMicroseconds(() => bareCheck(port));
const check = await cpuMicroseconds(async () => {
  const outcome = await checkHttp.run({ url: `http://127.0.0.1:${port}/` }, environment);
  if (outcome.verdict !== "ok") throw new Error(`The check failed: ${outcome.reason}`);
});
target.disconnect();

const measurements: Measurement[] = [
  { name: "bare socket loop", value: bare, unit: "µs CPU a check" },
  { name: "check/http.ts", value: check, unit: "µs CPU a check" },
  { name: "check/http.ts over bare", value: check / bare, unit: "times" },
];
console.log(JSON.stringify(measurements));

/** Microseconds of CPU (user and system) that one run takes, after a warm-up. */
async function cpuMicroseconds(run: () => Promise<unknown>): Promise<number> {
  await repeat(WARM_UP, run);
  const before = process.cpuUsage();
  await repeat(RUNS, run);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / RUNS;
}

async function repeat(times: number, run: () => Promise<unknown>): Promise<void> {
  let left = times;
  const work = async () => {
    while (left-- > 0) await run();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

function bareCheck(to: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const buffer = Buffer.allocUnsafe(4096);
    const socket = connect({ host: "127.0.0.1", port: to, onread: { buffer, callback: () => true } });
    socket.on("connect", () => {
      socket.write(`GET / HTTP/1.1\r\nHost: 127.0.0.1:${to}\r\nConnection: close\r\n\r\n`);
    });
    socket.on("close", () => resolve());
    socket.on("error", reject);
  });
}
