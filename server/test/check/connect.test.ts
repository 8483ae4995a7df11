import net from "node:net";
import { describe, expect, test } from "vitest";
import { connectFirst, interleave } from "../../src/check/connect.ts";
import type { ResolvedAddress, Resolver } from "../../src/check/resolve.ts";
import { check, startHttpTarget, startTlsTarget } from "./factories.ts";

const v4 = (address: string): ResolvedAddress => ({ address, family: 4 });
const v6 = (address: string): ResolvedAddress => ({ address, family: 6 });
const resolving = (...addresses: ResolvedAddress[]): Resolver => ({ resolve: async () => addresses });

const hasIpv6 = await new Promise<boolean>((resolve) => {
  const server = net.createServer().once("error", () => resolve(false));
  server.listen(0, "::1", () => server.close(() => resolve(true)));
});

describe("happy eyeballs", () => {
  test("families take turns, beginning with that of the first address", () => {
    const mixed = interleave([v6("::1"), v6("::2"), v6("::3"), v4("1.1.1.1"), v4("2.2.2.2")]);
    expect(mixed.map(({ address }) => address)).toEqual(["::1", "1.1.1.1", "::2", "2.2.2.2", "::3"]);
    expect(interleave([v4("1.1.1.1"), v6("::1")])[0]?.address).toBe("1.1.1.1");
  });

  test("an address that refuses is passed over at once", async () => {
    const target = await startHttpTarget({ host: "127.0.0.2" });
    const resolver = resolving(v4("127.0.0.3"), v4("127.0.0.2"));
    const outcome = await check(`http://two.test:${target.port}/`, { network: { resolver } });
    expect(outcome).toMatchObject({ verdict: "ok", address: "127.0.0.2" });
    expect(outcome.phases.connectUs).toBeLessThan(200_000);
  });

  test("an address that is silent is given 250 ms, then the next one is tried beside it", async () => {
    const opened: string[] = [];
    const sockets: net.Socket[] = [];
    const started = performance.now();
    const winner = await new Promise<ResolvedAddress>((resolve) => {
      connectFirst(
        [v4("127.0.0.8"), v4("127.0.0.9")],
        ({ address }) => {
          opened.push(address);
          const socket = new net.Socket();
          sockets.push(socket);
          // The first one never hears anything; the second one connects.
          if (opened.length === 2) queueMicrotask(() => socket.emit("connect"));
          return socket;
        },
        (_error, _socket, address) => resolve(address),
      );
    });
    expect(winner.address).toBe("127.0.0.9");
    expect(performance.now() - started).toBeGreaterThan(240);
    expect(sockets.map((socket) => socket.destroyed)).toEqual([true, false]);
  });

  test("when every address fails the last failure is told", async () => {
    const target = await startHttpTarget();
    await target.refuse();
    const resolver = resolving(v4("127.0.0.1"), v4("127.0.0.2"));
    expect(await check(`http://two.test:${target.port}/`, { network: { resolver } })).toMatchObject({
      reasonCode: "refused",
      reason: `127.0.0.2:${target.port} refused the connection.`,
    });
  });

  test("only approved addresses are tried", async () => {
    const target = await startHttpTarget();
    const resolver = resolving(v4("169.254.169.254"), v4("127.0.0.1"));
    expect(await check(`http://mixed.test:${target.port}/`, { network: { resolver } })).toMatchObject({
      verdict: "ok",
      address: "127.0.0.1",
    });
  });

  test("works for TLS, where the certificate is for the name and not for the address", async () => {
    const target = await startTlsTarget({ names: ["two.test"] });
    const resolver = resolving(v4("127.0.0.3"), v4("127.0.0.1"));
    const outcome = await check(`https://two.test:${target.port}/`, { network: { resolver } });
    expect(outcome).toMatchObject({ verdict: "ok", address: "127.0.0.1", certificate: { valid: true } });
    expect(target.serverNames).toEqual(["two.test"]);
  });

  test("giving up closes every attempt", async () => {
    const sockets: net.Socket[] = [];
    const give = connectFirst(
      [v4("127.0.0.8"), v4("127.0.0.9")],
      () => {
        sockets.push(new net.Socket());
        return sockets[sockets.length - 1] as net.Socket;
      },
      () => expect.unreachable(),
    );
    give();
    expect(sockets.map((socket) => socket.destroyed)).toEqual([true]);
  });
});

describe.skipIf(!hasIpv6)("IPv6 (skipped where the machine has no ::1)", () => {
  test("a literal is checked", async () => {
    const target = await startHttpTarget({ host: "::1" });
    expect(await check(target.url)).toMatchObject({ verdict: "ok", address: "::1" });
    expect(target.requests[0]?.headers.host).toBe(`[::1]:${target.port}`);
    await target.refuse();
    expect((await check(target.url)).reason).toBe(`[::1]:${target.port} refused the connection.`);
  });

  test("a name with a dead IPv6 address is up through IPv4", async () => {
    const target = await startHttpTarget();
    const resolver = resolving(v6("::1"), v4("127.0.0.1"));
    expect(await check(`http://dual.test:${target.port}/`, { network: { resolver } })).toMatchObject({
      verdict: "ok",
      address: "127.0.0.1",
    });
  });
});
