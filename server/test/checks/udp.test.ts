import dgram from "node:dgram";
import { once } from "node:events";
import { describe, expect, onTestFinished, test } from "vitest";
import { stopCheck } from "../../src/checks/deadline.ts";
import type { Network } from "../../src/checks/network.ts";
import { checkUdp } from "../../src/checks/udp.ts";
import { readable } from "../harness/reasons.ts";
import { makeNetwork } from "./factories.ts";

/** A listener with that answer to each datagram; null: none. */
async function listen(answer: (said: string, nth: number) => string | null, host = "127.0.0.1") {
  const socket = dgram.createSocket(host.includes(":") ? "udp6" : "udp4");
  const received: string[] = [];
  socket.on("message", (bytes, from) => {
    const said = answer(bytes.toString(), received.push(bytes.toString()));
    if (said !== null) socket.send(said, from.port, from.address);
  });
  socket.bind(0, host);
  await once(socket, "listening");
  onTestFinished(() => void socket.close());
  return { port: socket.address().port, received };
}

interface Wish {
  host?: string;
  send?: string;
  expect?: string;
  timeoutMs?: number;
  network?: Partial<Network>;
}

async function run(port: number, { network, timeoutMs = 5000, ...config }: Wish = {}) {
  const environment = { network: await makeNetwork(network), timeoutMs };
  return readable(await checkUdp.run({ host: "127.0.0.1", port, send: "ping", ...config }, environment));
}

/** A name with these addresses. */
const named = (...addresses: string[]): Partial<Network> => ({
  resolver: {
    resolve: async () => ({
      addresses: addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
      late: null,
    }),
  },
});

describe("a check over UDP", () => {
  test("passes with any answer, or with the expected one", async () => {
    const { port } = await listen(() => "pong 1");
    const up = { verdict: "ok", reason: null, address: "127.0.0.1" };
    expect(await run(port)).toMatchObject(up);
    expect(await run(port, { expect: "pong" })).toMatchObject(up);
    expect((await run(port, { expect: "pang" })).reason).toBe(
      `127.0.0.1:${port} answered "pong 1", without the expected "pang".`,
    );
  });

  test("sends again when a datagram is lost, three times in all", async () => {
    const lossy = await listen((_, nth) => (nth < 3 ? null : "pong"));
    expect(await run(lossy.port, { timeoutMs: 800 })).toMatchObject({ verdict: "ok" });
    const silent = await listen(() => null);
    expect(await run(silent.port, { timeoutMs: 200 })).toMatchObject({
      verdict: "failed",
      reasonCode: "timeout",
      reason: `Timed out after 0.2 s: 127.0.0.1:${silent.port} did not answer. Over UDP, a server that is down looks the same as a lost packet.`,
    });
    expect(silent.received).toEqual(["ping", "ping", "ping"]);
  });

  test("says when the port is closed", async () => {
    const socket = dgram.createSocket("udp4").bind(0, "127.0.0.1");
    await once(socket, "listening");
    const { port } = socket.address();
    await new Promise<void>((resolve) => socket.close(() => resolve()));
    expect(await run(port)).toMatchObject({ verdict: "failed", reasonCode: "refused" });
  });

  test("tries the host's other addresses where one refuses or is silent", async () => {
    const { port } = await listen(() => "pong");
    for (const other of ["::1", "127.0.0.2"]) {
      const network = named(other, "127.0.0.1");
      expect(await run(port, { host: "dual.test", network, timeoutMs: 800 })).toMatchObject({
        verdict: "ok",
        address: "127.0.0.1",
      });
    }
  });

  test("answers over IPv6 are received", async () => {
    const { port } = await listen(() => "pong", "::1");
    expect(await run(port, { host: "::1" })).toMatchObject({ verdict: "ok", address: "::1" });
  });

  test("sends from an address of this machine's choice, not from the target's", async () => {
    const socket = dgram.createSocket("udp4").bind(0, "127.0.0.2");
    await once(socket, "listening");
    onTestFinished(() => void socket.close());
    const senders: string[] = [];
    socket.on("message", (_, from) => {
      senders.push(from.address);
      socket.send("pong", from.port, from.address);
    });
    expect(await run(socket.address().port, { host: "127.0.0.2" })).toMatchObject({ verdict: "ok" });
    expect(senders).toEqual(["127.0.0.1"]);
  });

  test("ignores datagrams from other addresses", async () => {
    const otherSocket = dgram.createSocket("udp4").bind(0, "127.0.0.1");
    await once(otherSocket, "listening");
    onTestFinished(() => void otherSocket.close());
    const socket = dgram.createSocket("udp4").bind(0, "127.0.0.1");
    await once(socket, "listening");
    onTestFinished(() => void socket.close());
    socket.on("message", (_, from) => otherSocket.send("forged", from.port, from.address));
    const { port } = socket.address();
    expect(await run(port, { timeoutMs: 200 })).toMatchObject({ reasonCode: "timeout" });
  });

  test("never contacts a refused address", async () => {
    const { port, received } = await listen(() => "pong");
    const policy = "public" as const;
    expect(await run(port, { network: { policy } })).toMatchObject({ reasonCode: "guard" });
    const inside = { ...named("127.0.0.1"), policy };
    expect(await run(port, { host: "inside.test", network: inside })).toMatchObject({ reasonCode: "dns" });
    expect(await run(port, { host: "169.254.169.254" })).toMatchObject({ reasonCode: "guard" });
    expect(received).toEqual([]);
  });

  test("does not quote what it sent", async () => {
    const { port } = await listen((said) => `no such token: ${said}`);
    expect((await run(port, { send: "open-sesame", expect: "yes" })).reason).toContain('token: ********"');
  });

  test("ends at once when it is stopped", async () => {
    const signal = { isStopped: false, listener: null };
    const { port } = await listen(() => (stopCheck(signal), null));
    const environment = { network: await makeNetwork(), timeoutMs: 5000, signal };
    const outcome = await checkUdp.run({ host: "127.0.0.1", port, send: "ping" }, environment);
    expect(readable(outcome)).toMatchObject({ reasonCode: "internal" });
  });
});
