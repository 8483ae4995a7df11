import dgram from "node:dgram";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import net from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { ActiveKind } from "../../src/checks/check.ts";
import type { Network } from "../../src/checks/network.ts";
import { activeKind, checkKinds } from "../../src/checks/registry.ts";
import { CONVERSATIONS, type Conversation } from "../harness/conversations.ts";
import { startLineTarget } from "../harness/line-target.ts";
import { startRelay } from "../harness/relay.ts";
import { timed } from "../harness/stopwatch.ts";
import { EXAMPLES, type Example, startExample } from "./examples.ts";
import { closing, makeNetwork } from "./factories.ts";
import { kinds as kindsWithStarttls, startScript } from "./login-scripts.ts";

const TIMEOUT_MS = 300;
/** By how much a check may outlive its timeout. */
const MOST_OVER_MS = 250;
const DRIP_EVERY_MS = 50;

const conversations: Record<string, Conversation> = CONVERSATIONS;
const examples: Record<string, Example> = EXAMPLES;
const active = Object.values(checkKinds).flatMap(({ type }) => activeKind(type) ?? []);
const connecting = active.filter(({ phases }) => phases.includes("connect"));

interface Attempt {
  kind: ActiveKind;
  config: object;
  network?: Partial<Network>;
}

/** Runs a check against a server that hangs; gives its verdict. It must not have taken longer than it may. */
async function endsInTime({ kind, config, network = {} }: Attempt, how: string): Promise<string> {
  const environment = { network: await makeNetwork(network), timeoutMs: TIMEOUT_MS };
  const { value, tookMs, blockedMs } = await timed(() => kind.run(config as never, environment));
  const mostMs = TIMEOUT_MS + MOST_OVER_MS + blockedMs;
  expect([how, Math.round(Math.max(0, tookMs - mostMs))]).toEqual([how, 0]);
  return value.reason?.code ?? value.verdict;
}

type Configure = (port: number) => object;

/** The ways in which a server that can say all of this may hang: before and within each piece of its answers. */
async function hangsAnywhere(kind: ActiveKind, port: number, config: Configure): Promise<string[]> {
  const whole = closing(await startRelay(port));
  const environment = { network: await makeNetwork(), timeoutMs: 10_000 };
  expect(await kind.run(config(whole.port) as never, environment)).toMatchObject({ verdict: "ok" });
  const [first = 1] = whole.pieces;
  const cuts = [0, 1, first - 1, ...whole.pieces.flatMap((piece) => [piece, piece + 1])];
  const attempts = [...new Set(cuts)].map(async (bytes) => {
    const relay = closing(await startRelay(port, { bytes }));
    return endsInTime({ kind, config: config(relay.port) }, `silent after ${bytes} bytes`);
  });
  const drip = async () => {
    const relay = closing(await startRelay(port, { everyMs: DRIP_EVERY_MS }));
    return endsInTime({ kind, config: config(relay.port) }, "a byte now and then");
  };
  return Promise.all([...attempts, drip()]);
}

/** A server of that kind as far as the conversations of the tests go. */
async function startTalk(type: string): Promise<number> {
  const talk = await conversations[type]?.talk?.();
  return closing(await startLineTarget(talk ?? (() => {}))).port;
}

describe.each(connecting.map((kind) => [kind.type, kind] as const))(
  "a check of kind %s ends in its time",
  (type, kind) => {
    const configOf: Configure = (port) => conversations[type]?.config(port) ?? {};

    test("wherever the server falls silent, and when it says a byte now and then", async () => {
      const ends = await hangsAnywhere(kind, await startTalk(type), configOf);
      // The first is a server that says nothing, the last one that says little.
      for (const end of [ends[0], ends.at(-1)]) expect(end).toMatch(/^timeout\./);
    });

    test("wherever the server falls silent over TLS, and when the handshake never ends", async () => {
      const example = examples[type] as Example;
      const ends = await hangsAnywhere(kind, await startExample(example), example.config);
      for (const end of [ends[0], ends.at(-1)]) expect(end).toMatch(/^timeout\./);
    });

    test("when no server accepts the connection, or no name server answers", async () => {
      const port = await startFullListener();
      const network = { resolver: { resolve: () => new Promise<never>(() => {}) } };
      const named = JSON.parse(JSON.stringify(configOf(port)).replace(/127\.0\.0\.1|localhost/, "far.test"));
      const ends = [
        endsInTime({ kind, config: configOf(port) }, "full"),
        endsInTime({ kind, config: named, network }, "no name"),
      ];
      expect(await Promise.all(ends)).toEqual(["timeout.connect", "timeout.dns"]);
    });
  },
);

test.each(kindsWithStarttls)("a check of kind %s ends in its time with STARTTLS", async (type) => {
  const { port: target } = await startScript(type);
  const kind = activeKind(type) as ActiveKind;
  const login = { user: "watch", password: "open-sesame", security: "starttls" };
  const ends = await hangsAnywhere(kind, target, (port) => ({ host: "localhost", port, ...login }));
  expect(ends.filter((end) => end === "timeout.tls").length).toBeGreaterThan(0);
});

test.each(["udp", "dns"])("a check of kind %s ends in its time", async (type) => {
  const kind = activeKind(type) as ActiveKind;
  const socket = dgram.createSocket("udp4").bind(0, "127.0.0.1");
  await once(socket, "listening");
  onTestFinished(() => void socket.close());
  const config = conversations[type]?.config(socket.address().port) ?? {};
  expect(await endsInTime({ kind, config }, "silent")).toBe("timeout.datagram");
});

test("a DNS check ends in its time when the longer answer, over TCP, does not come", async () => {
  const tcp = closing(await startLineTarget(() => {}));
  const udp = dgram.createSocket("udp4").bind(tcp.port, "127.0.0.1");
  await once(udp, "listening");
  onTestFinished(() => void udp.close());
  // The query itself, as an answer that was cut (TC).
  udp.once("message", (query, { port }) => {
    query.writeUInt16BE(0x8200 | query.readUInt16BE(2), 2);
    setTimeout(() => udp.send(query, port, "127.0.0.1"), TIMEOUT_MS / 2);
  });
  const config = conversations["dns"]?.config(tcp.port) ?? {};
  expect(await endsInTime({ kind: checkKinds.dns, config }, "cut")).toBe("timeout.answer");
  expect(tcp.received).toHaveLength(1);
});

test.each([
  ["says nothing", "exec sleep 60"],
  ["says something now and then", "while :; do echo 64 bytes from 127.0.0.1; sleep 0.05; done"],
  ["does not let itself be ended", "trap '' INT TERM; while :; do sleep 0.05; done"],
])("a ping ends in its time when the program %s", async (how, script) => {
  const folder = mkdtempSync(join(tmpdir(), "vedette-ping-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "ping"), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, "ping"), 0o755);
  vi.stubEnv("PATH", `${folder}:/usr/bin:/bin`);
  onTestFinished(() => void vi.unstubAllEnvs());
  const config = { host: "127.0.0.1" };
  expect(await endsInTime({ kind: checkKinds.icmp, config }, how)).toMatch(/^(timeout|unreachable)\.ping$/);
});

/** Listens, and accepts no connections: those that wait fill its queue, and the system drops the next ones. */
async function startFullListener(): Promise<number> {
  const worker = new Worker(
    `const server = require("node:net").createServer();
    server.listen({ port: 0, host: "127.0.0.1", backlog: 1 }, () => {
      require("node:worker_threads").parentPort.postMessage(server.address().port);
      setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0));
    });`,
    { eval: true },
  );
  closing({ close: async () => void (await worker.terminate()) });
  const [port] = await once(worker, "message");
  for (let waiting = 0; waiting < 4; waiting++) {
    const socket = net.connect(port, "127.0.0.1").on("error", () => {});
    closing({ close: async () => void socket.destroy() });
  }
  return port;
}
