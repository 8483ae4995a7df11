import { describe, expect, test } from "vitest";
import { stopCheck } from "../../src/checks/deadline.ts";
import type { Network } from "../../src/checks/network.ts";
import { converse, type Talk } from "../../src/checks/peer.ts";
import type { ResolvedAddress } from "../../src/platform/formats/host.ts";
import { startLineTarget } from "../harness/line-target.ts";
import { readable } from "../harness/reasons.ts";
import { closing, makeNetwork } from "./factories.ts";

interface Wish {
  host?: string;
  port: number;
  tls?: boolean;
  network?: Partial<Network>;
  timeoutMs?: number;
  signal?: { isStopped: boolean; listener: (() => void) | null };
}

const greeted: Talk = (dialogue) => dialogue.expect("220");

async function run({ host = "127.0.0.1", port, tls = false, ...more }: Wish, talk = greeted) {
  const peer = { host, port, tls, ignoreCertificate: false };
  const network = await makeNetwork(more.network);
  return readable(await converse(peer, { timeoutMs: 5000, ...more, network }, talk));
}

const lines = async (...given: Parameters<typeof startLineTarget>) =>
  closing(await startLineTarget(...given));

/** A resolver that brings these first, and those late. */
const resolving = (first: string[], late: string[] | null = null): Partial<Network> => {
  const all = (found: string[]): ResolvedAddress[] => found.map((address) => ({ address, family: 4 }));
  const resolution = { addresses: all(first), late: late === null ? null : Promise.resolve(all(late)) };
  return { resolver: { resolve: async () => resolution } };
};

describe("a check that is a dialogue", () => {
  test("sends and receives by turns, and reports where the time went", async () => {
    const target = await lines((socket) => {
      socket.write("220 hello\r\n");
      socket.on("data", (said) => socket.write(`250 ${said}`));
    });
    const received: string[] = [];
    const outcome = await run({ host: "localhost", port: target.port }, async (dialogue) => {
      received.push(await dialogue.readLine());
      dialogue.send("EHLO a\r\n");
      received.push(await dialogue.readLine());
    });
    expect([received, target.received]).toEqual([["220 hello", "250 EHLO a"], ["EHLO a\r\n"]]);
    expect(outcome).toMatchObject({ verdict: "ok", reason: null, address: "127.0.0.1", certificate: null });
    const { dnsUs, connectUs, tlsUs, firstByteUs, totalUs } = outcome.phases;
    for (const us of [dnsUs, connectUs, firstByteUs, totalUs]) expect(us).toBeGreaterThanOrEqual(0);
    expect(tlsUs).toBeNull();
  });

  test("fails by what the server does: refuses, resets, hangs up, says something else", async () => {
    const gone = await lines(() => {});
    await gone.close();
    expect(await run(gone)).toMatchObject({
      reasonCode: "refused",
      reason: `127.0.0.1:${gone.port} refused the connection.`,
    });
    const resetting = await lines((socket) => socket.resetAndDestroy());
    expect(await run(resetting)).toMatchObject({
      reasonCode: "protocol",
      reason: `127.0.0.1:${resetting.port} reset the connection before the answer was complete.`,
    });
    const closed = await lines((socket) => socket.end());
    expect(await run(closed)).toMatchObject({ reasonCode: "protocol" });
    const half = await lines((socket) => socket.end("22"));
    expect(await run(half)).toMatchObject({
      reasonCode: "assertion",
      reason: `127.0.0.1:${half.port} sent "22", but not the expected "220", and closed the connection.`,
    });
  });

  test("ends when its time is up, and says how far it came", async () => {
    const silent = await lines(() => {});
    expect(await run({ ...silent, timeoutMs: 50 })).toMatchObject({
      reasonCode: "timeout",
      reason: `Timed out after 0.05 s: 127.0.0.1:${silent.port} accepted the connection but sent no complete answer.`,
    });
    const other = await lines((socket) => socket.write("SSH-2.0-x\r\n"));
    expect(await run({ ...other, timeoutMs: 200 })).toMatchObject({
      reasonCode: "timeout",
      reason: `Timed out after 0.2 s: 127.0.0.1:${other.port} sent "SSH-2.0-x", but not the expected "220".`,
    });
  });

  test("ends when it is stopped, before it begins too", async () => {
    const signal = { isStopped: false, listener: null };
    const target = await lines(() => stopCheck(signal));
    const stopped = { reasonCode: "internal", reason: "The check was stopped before it finished." };
    expect(await run({ ...target, signal })).toMatchObject(stopped);
    expect(signal.listener).toBeNull();
    expect(await run({ ...target, signal })).toMatchObject({ ...stopped, address: null });
    expect(target.received).toHaveLength(1);
  });

  test("shakes hands first, and says nothing to a server that cannot prove who it is", async () => {
    const hello: Talk = async (dialogue) => {
      dialogue.send("hello\r\n");
      await dialogue.expect("220");
    };
    const greet = (socket: NodeJS.WritableStream) => void socket.write("220 hello\r\n");
    const good = await lines(greet, { certificate: "valid" });
    const outcome = await run({ host: "localhost", port: good.port, tls: true }, hello);
    expect(outcome).toMatchObject({ verdict: "ok", certificate: { valid: true } });
    expect(outcome.phases.tlsUs).toBeGreaterThan(0);
    const bad = await lines(greet, { certificate: "self-signed" });
    const refused = await run({ host: "localhost", port: bad.port, tls: true }, hello);
    expect(refused).toMatchObject({ reasonCode: "certificate", certificate: { valid: false } });
    expect(bad.received.join("")).toBe("");
    const plain = await lines(greet);
    expect(await run({ host: "localhost", port: plain.port, tls: true }, hello)).toMatchObject({
      reasonCode: "tls",
    });
  });

  test("rejects with a fault of its own code, and lets go of the server", async () => {
    const ended = Promise.withResolvers<void>();
    const target = await lines((socket) => void socket.on("close", () => ended.resolve()));
    const fault = new Error("a fault of ours");
    await expect(run(target, () => Promise.reject(fault))).rejects.toBe(fault);
    await ended.promise;
  });
});

describe("what the guard refuses is never connected to", () => {
  test("by address, by name, and where it comes late", async () => {
    const target = await lines(() => {});
    const { port } = target;
    const policy = "public" as const;
    expect(await run({ port, network: { policy } })).toMatchObject({ reasonCode: "guard" });
    for (const found of [resolving(["127.0.0.1"]), resolving([], ["127.0.0.1"])]) {
      expect(await run({ host: "inside.test", port, network: { ...found, policy } })).toMatchObject({
        reasonCode: "dns",
        reason: "The name inside.test does not exist in the DNS, or has no public address.",
        phases: { totalUs: null },
      });
    }
    expect(await run({ host: "169.254.169.254", port })).toMatchObject({
      reasonCode: "guard",
      address: null,
    });
    expect(target.received).toEqual([]);
  });
});
