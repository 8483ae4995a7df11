import dns from "node:dns";
import net from "node:net";
import type { TSchema } from "typebox";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { ActiveKind } from "../../src/checks/check.ts";
import { stopCheck } from "../../src/checks/deadline.ts";
import type { Network } from "../../src/checks/network.ts";
import { activeKind, checkKinds } from "../../src/checks/registry.ts";
import { startLineTarget } from "../harness/line-target.ts";
import { readable } from "../harness/reasons.ts";
import { closing, makeNetwork } from "./factories.ts";

interface Schema {
  required?: string[];
  properties: Record<string, TSchema>;
}

/** With which a server that says nothing is not content enough. */
const DEMANDING: Record<string, object> = { tcp: { expect: "220" }, tls: { starttls: "smtp" } };

/** Every kind that connects to a host over TCP, with the fewest fields that it needs. */
const kinds = Object.values(checkKinds).flatMap((kind): [string, ActiveKind, object][] => {
  const { properties, required = [] } = kind.configSchema as unknown as Schema;
  const active = activeKind(kind.type);
  if (active === null || !active.phases.includes("connect") || !("host" in properties)) return [];
  const needed = Object.fromEntries(required.map((name) => [name, "x"]));
  const plain = {
    ...("tls" in properties && { tls: false }),
    ...("security" in properties && { security: "none" }),
  };
  return [[kind.type, active, { ...needed, ...plain, ...DEMANDING[kind.type] }]];
});

const lines = async (...given: Parameters<typeof startLineTarget>) =>
  closing(await startLineTarget(...given));

describe.each(kinds)("a check of kind %s", (_type, kind, config) => {
  const run = async (
    port: number,
    { host = "127.0.0.1", network = {}, timeoutMs = 5000, signal }: Wish = {},
  ) => {
    const environment = { network: await makeNetwork(network), timeoutMs, signal };
    return readable(await kind.run({ ...config, host, port } as never, environment));
  };

  test("shows the address, and an IPv6 one in brackets", () => {
    expect(kind.target({ ...config, host: "EXAMPLE.com", port: 4242 } as never)).toContain(
      "example.com:4242",
    );
    expect(kind.target({ ...config, host: "::1", port: 4242 } as never)).toContain("[::1]:4242");
  });

  test("fails where no server listens, and where it hangs up", async () => {
    const gone = await lines(() => {});
    await gone.close();
    expect(await run(gone.port)).toMatchObject({ verdict: "failed", reasonCode: "refused" });
    const early = await lines((socket) => socket.end());
    expect(await run(early.port)).toMatchObject({ verdict: "failed", reasonCode: "protocol" });
    const resetting = await lines((socket) => socket.resetAndDestroy());
    expect(await run(resetting.port)).toMatchObject({ verdict: "failed", reasonCode: "protocol" });
  });

  test("fails when the server talks nonsense, and keeps that short", async () => {
    const garbage = Buffer.alloc(4096, "\u0000\uffff garbage ");
    const target = await lines((socket) => socket.end(garbage));
    const outcome = await run(target.port);
    expect(outcome).toMatchObject({ verdict: "failed", address: "127.0.0.1" });
    expect(outcome.reason?.length).toBeLessThan(300);
    const endless = await lines((socket) => {
      const more = () => void (socket.writable && socket.write(Buffer.alloc(65_536, "R\u0000\u0000"), more));
      more();
    });
    expect(await run(endless.port)).toMatchObject({ verdict: "failed" });
  });

  test("ends in its time when the server is silent", async () => {
    const silent = await lines(() => {});
    const startedMs = performance.now();
    expect(await run(silent.port, { timeoutMs: 100 })).toMatchObject({ reasonCode: "timeout" });
    expect(performance.now() - startedMs).toBeLessThan(1500);
  });

  test("ends at once when it is stopped, and lets go of the server", async () => {
    const signal = { isStopped: false, listener: null };
    const ended = Promise.withResolvers<void>();
    const target = await lines((socket) => {
      socket.on("close", () => ended.resolve());
      stopCheck(signal);
    });
    expect(await run(target.port, { signal })).toMatchObject({ reasonCode: "internal" });
    await ended.promise;
  });

  test("never connects to a refused address, and lets no driver look a name up", async () => {
    const target = await lines(() => {});
    const { port } = target;
    const policy = "public" as const;
    const inside = { addresses: [{ address: "127.0.0.1", family: 4 as const }], late: null };
    const resolver = { resolve: async () => inside };
    const lookup = vi.spyOn(dns, "lookup");
    onTestFinished(() => lookup.mockRestore());
    const attempts: unknown[] = [];
    const { connect } = net.Socket.prototype;
    net.Socket.prototype.connect = function (this: net.Socket, ...given: unknown[]) {
      attempts.push(given);
      return Reflect.apply(connect, this, given) as net.Socket;
    } as typeof connect;
    try {
      expect(await run(port, { network: { policy } })).toMatchObject({ reasonCode: "guard" });
      expect(await run(port, { host: "inside.test", network: { policy, resolver } })).toMatchObject({
        reasonCode: "dns",
        address: null,
      });
      expect(await run(port, { host: "169.254.169.254" })).toMatchObject({ reasonCode: "guard" });
      expect(await run(port, { host: "fe80::1" })).toMatchObject({ reasonCode: "guard" });
      expect([attempts, target.received]).toEqual([[], []]);
      await run(port, { host: "inside.test", network: { resolver }, timeoutMs: 100 });
      expect(attempts).toHaveLength(1);
      expect(JSON.stringify(attempts)).not.toContain("inside.test");
      expect(lookup).not.toHaveBeenCalled();
    } finally {
      net.Socket.prototype.connect = connect;
    }
  });
});

interface Wish {
  host?: string;
  network?: Partial<Network>;
  timeoutMs?: number;
  signal?: { isStopped: boolean; listener: (() => void) | null };
}
