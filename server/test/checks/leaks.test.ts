import dgram from "node:dgram";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type net from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, onTestFinished, test, vi } from "vitest";
import type { ActiveKind } from "../../src/checks/check.ts";
import { activeKind, checkKinds } from "../../src/checks/registry.ts";
import { CONVERSATIONS, type Conversation } from "../harness/conversations.ts";
import { eventually } from "../harness/eventually.ts";
import { startLineTarget } from "../harness/line-target.ts";
import { makeNetwork } from "./factories.ts";

const CHECKS = { refused: 500, garbage: 300, drip: 200 } as const;
const AT_ONCE = 50;
const DRIP_TIMEOUT_MS = 40;
const DRIP_EVERY_MS = 10;
/** What a thousand checks may leave to the next collection, or to a library that has just been loaded. */
const MAX_HEAP_GROWTH_MB = 8;

const conversations: Record<string, Conversation> = CONVERSATIONS;
const active = Object.values(checkKinds).flatMap(({ type }) => activeKind(type) ?? []);

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** Handles of this thread by their types, without what has nothing to do with checks. */
function openHandles(): string[] {
  return process
    .getActiveResourcesInfo()
    .filter((one) => !/Timeout|Immediate|FSReq|MessagePort|Close|ConnectWrap|ShutdownWrap/i.test(one))
    .toSorted();
}

/** A server that fails in a way, and lets go of its sockets when its clients do. */
async function startFailing(way: keyof typeof CHECKS, isUdp: boolean) {
  if (isUdp) {
    const socket = dgram.createSocket("udp4").bind(0, "127.0.0.1");
    await once(socket, "listening");
    const { port } = socket.address();
    if (way === "refused") socket.close();
    return { port, close: async () => void (way === "refused" || socket.close()) };
  }
  const drip = (socket: net.Socket) => {
    const timer = setInterval(() => socket.write("2"), DRIP_EVERY_MS);
    socket.on("close", () => clearInterval(timer));
  };
  const garbage = (socket: net.Socket) => socket.end(Buffer.alloc(300, "\u0000\u00ff2 garbage\r\n"));
  const target = await startLineTarget(way === "drip" ? drip : garbage);
  if (way === "refused") await target.close();
  return target;
}

/** A program named ping that fails in that way. */
function pinging(way: keyof typeof CHECKS): void {
  const folder = mkdtempSync(join(tmpdir(), "vedette-ping-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "ping"), `#!/bin/sh\n${way === "drip" ? "exec sleep 60" : "exit 1"}\n`);
  chmodSync(join(folder, "ping"), 0o755);
  vi.stubEnv("PATH", `${folder}:/usr/bin:/bin`);
}

async function failMany(kind: ActiveKind, share: number): Promise<void> {
  const { phases, type } = kind;
  const network = await makeNetwork();
  for (const [way, count] of Object.entries(CHECKS) as [keyof typeof CHECKS, number][]) {
    if (type === "icmp") pinging(way);
    const target = await startFailing(way, !phases.includes("connect"));
    const config = conversations[type]?.config(target.port) ?? { host: "127.0.0.1" };
    // A datagram without an answer looks like garbage and like a drip.
    const timeoutMs = way === "drip" || !phases.includes("connect") ? DRIP_TIMEOUT_MS : 5000;
    let left = count * share;
    const work = async () => {
      while (left-- > 0) {
        const { verdict } = await kind.run(config as never, { network, timeoutMs });
        if (verdict !== "failed") throw new Error(`${type} passed (${way})`);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    await target.close();
  }
}

test.each(active.map((kind) => [kind.type, kind] as const))(
  "a thousand failing checks of kind %s leave nothing behind",
  async (_type, kind) => {
    onTestFinished(() => void vi.unstubAllEnvs());
    await failMany(kind, 0.1);
    const before = openHandles();
    collect();
    const heapBefore = process.memoryUsage().heapUsed;
    await failMany(kind, 1);
    await eventually(openHandles, (handles) => handles.length <= before.length);
    collect();
    const grownMb = (process.memoryUsage().heapUsed - heapBefore) / 1e6;
    expect(grownMb).toBeLessThan(MAX_HEAP_GROWTH_MB);
  },
);
