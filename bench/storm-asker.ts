/**
 * Somebody who uses the app meanwhile, in a process of its own: asks for the next of `paths` so many times a second, whether
 * or not the one before has been answered. Messages: "ready" out; AskOrder in; "take" in, milliseconds that each answer since
 * the last "take" took out. Anything but 200 counts as a minute.
 */
import { Agent, get } from "node:http";

export interface AskOrder {
  url: string;
  token: string;
  paths: string[];
  aSecond: number;
}

const FAILED_MS = 60_000;

const agent = new Agent({ keepAlive: true, maxSockets: 32 });
let tookMs: number[] = [];

process.on("message", (order: AskOrder | "take") => {
  if (order !== "take") return keepAsking(order);
  process.send?.(tookMs);
  tookMs = [];
});
process.on("disconnect", () => process.exit(0));
process.send?.("ready");

function keepAsking({ url, token, paths, aSecond }: AskOrder): void {
  let next = 0;
  setInterval(() => {
    const begun = performance.now();
    const keep = (isGood: boolean) => void tookMs.push(isGood ? performance.now() - begun : FAILED_MS);
    const headers = { authorization: `Bearer ${token}` };
    const path = paths[next++ % paths.length] ?? "/";
    const request = get(url + path, { agent, headers }, (response) => {
      response.resume().on("end", () => keep(response.statusCode === 200));
    });
    request.on("error", () => keep(false));
  }, 1_000 / aSecond);
}
