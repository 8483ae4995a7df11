import net from "node:net";
import { describe, expect, test } from "vitest";
import { connectFirst, interleave } from "../../src/checks/connect.ts";
import type { Resolver } from "../../src/checks/resolve.ts";
import type { ResolvedAddress } from "../../src/platform/formats/host.ts";
import { eventually } from "../harness/eventually.ts";
import { check, startHttpTarget, startTlsTarget } from "./factories.ts";

const v4 = (address: string): ResolvedAddress => ({ address, family: 4 });
const v6 = (address: string): ResolvedAddress => ({ address, family: 6 });
const resolving = (...addresses: ResolvedAddress[]): Resolver => ({
  resolve: async () => ({ addresses, late: null }),
});

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
        null,
        ({ address }) => {
          opened.push(address);
          const socket = new net.Socket();
          sockets.push(socket);
          // The first one never receives anything; the second one connects.
          if (opened.length === 2) queueMicrotask(() => socket.emit("connect"));
          return socket;
        },
        (_error, _socket, address) => resolve(address),
        () => expect.unreachable(),
      );
    });
    expect(winner.address).toBe("127.0.0.9");
    expect(performance.now() - started).toBeGreaterThan(240);
    expect(sockets.map((socket) => socket.destroyed)).toEqual([true, false]);
  });

  test("when every address fails the last failure is reported", async () => {
    const target = await startHttpTarget();
    await target.refuse();
    const resolver = resolving(v4("127.0.0.1"), v4("127.0.0.2"));
    expect(await check(`http://two.test:${target.port}/`, { network: { resolver } })).toMatchObject({
      reasonCode: "refused",
      reason: `two.test (127.0.0.2:${target.port}) refused the connection.`,
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
      null,
      () => {
        sockets.push(new net.Socket());
        return sockets[sockets.length - 1] as net.Socket;
      },
      () => expect.unreachable(),
      () => expect.unreachable(),
    );
    give();
    expect(sockets.map((socket) => socket.destroyed)).toEqual([true]);
  });
});

describe("addresses that come late", () => {
  /** A race whose attempts and late answer end as the test says. */
  function startRace(first: ResolvedAddress[]) {
    const late = Promise.withResolvers<ResolvedAddress[]>();
    const attempts: { address: string; socket: net.Socket }[] = [];
    const ended: string[] = [];
    const giveUp = connectFirst(
      first,
      late.promise,
      ({ address }) => {
        const socket = new net.Socket();
        attempts.push({ address, socket });
        return socket;
      },
      (error, _socket, { address }) =>
        ended.push(`${(error as NodeJS.ErrnoException | null)?.code ?? "connected"} ${address}`),
      () => expect.unreachable(),
    );
    const fail = (index: number, code: string) =>
      attempts[index]?.socket.emit("error", Object.assign(new Error(code), { code }));
    return { late, attempts, ended, giveUp, fail };
  }

  test("are waited for when all the others have failed, and tried at once", async () => {
    const { late, attempts, ended, fail } = startRace([v6("100::1")]);
    fail(0, "ENETUNREACH");
    expect(ended).toEqual([]);
    late.resolve([v4("127.0.0.9")]);
    await late.promise;
    expect(attempts.map(({ address }) => address)).toEqual(["100::1", "127.0.0.9"]);
    attempts[1]?.socket.emit("connect");
    expect(ended).toEqual(["connected 127.0.0.9"]);
  });

  test("come next when an attempt is under way, 250 ms after it began", async () => {
    const started = performance.now();
    const { late, attempts } = startRace([v6("100::1"), v6("100::2")]);
    late.resolve([v4("127.0.0.9")]);
    await late.promise;
    expect(attempts).toHaveLength(1);
    await eventually(
      () => attempts.length,
      (count) => count === 2,
    );
    expect(attempts[1]?.address).toBe("127.0.0.9");
    expect(performance.now() - started).toBeGreaterThan(240);
  });

  test("that never are leave the failure that was seen; no way there says less than a refusal", async () => {
    const { late, attempts, ended, fail } = startRace([v4("127.0.0.9")]);
    fail(0, "ECONNREFUSED");
    late.resolve([v6("100::1")]);
    await late.promise;
    expect(attempts).toHaveLength(2);
    fail(1, "ENETUNREACH");
    expect(ended).toEqual(["ECONNREFUSED 127.0.0.9"]);
    const other = startRace([v6("100::1")]);
    other.fail(0, "ENETUNREACH");
    other.late.resolve([]);
    await other.late.promise;
    expect(other.ended).toEqual(["ENETUNREACH 100::1"]);
  });

  test("open nothing once the race is over or given up", async () => {
    const won = startRace([v6("100::1")]);
    won.attempts[0]?.socket.emit("connect");
    const given = startRace([v6("100::1")]);
    given.giveUp();
    for (const { late } of [won, given]) late.resolve([v4("127.0.0.9")]);
    await Promise.all([won.late.promise, given.late.promise]);
    expect([won.attempts.length, given.attempts.length]).toEqual([1, 1]);
    expect(given.ended).toEqual([]);
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
