import { describe, expect, test, vi } from "vitest";
import { stopCheck } from "../../src/checks/deadline.ts";
import { checkIcmp, pingResult } from "../../src/checks/icmp.ts";
import type { Network } from "../../src/checks/network.ts";
import { missingServers } from "../harness/daemons.ts";
import { eventually } from "../harness/eventually.ts";
import { fakePing } from "../harness/fake-ping.ts";
import { readable } from "../harness/reasons.ts";
import { makeNetwork } from "./factories.ts";

type Config = Parameters<typeof checkIcmp.run>[0];

interface Wish {
  network?: Partial<Network>;
  timeoutMs?: number;
}

const run = async (config: Partial<Config> = {}, { network, timeoutMs = 5000 }: Wish = {}) =>
  readable(
    await checkIcmp.run({ host: "127.0.0.1", ...config }, { network: await makeNetwork(network), timeoutMs }),
  );

/** A name with these addresses. */
const named = (...addresses: string[]): Partial<Network> => ({
  resolver: {
    resolve: async () => ({
      addresses: addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
      late: null,
    }),
  },
});

const tally = (sent: number, received: number) =>
  `echo "${sent} packets transmitted, ${received} received, 0% packet loss, time 0ms"
   echo "rtt min/avg/max/mdev = 1.000/2.500/4.000/0.100 ms"`;

const missing = missingServers("ping");

describe.skipIf(missing)(`a ping by the system's program${missing ? ` (${missing})` : ""}`, () => {
  test("passes over IPv4 and IPv6, and the round trip is its response time", async () => {
    for (const host of ["127.0.0.1", "::1"]) {
      const { verdict, reason, address, phases } = await run({ host, count: 2 });
      expect({ verdict, reason, address }).toEqual({ verdict: "ok", reason: null, address: host });
      expect(phases.firstByteUs).toBeGreaterThan(0);
      expect(phases.totalUs).toBe(phases.firstByteUs);
    }
  });
});

describe("a ping", () => {
  test("counts what is lost", async () => {
    fakePing(tally(3, 2));
    expect(await run()).toMatchObject({ verdict: "ok", phases: { firstByteUs: 2500, totalUs: 2500 } });
    expect((await run({ maxLoss: 20 })).reason).toBe(
      "33% of the pings to 127.0.0.1 went unanswered, more than 20%.",
    );
    expect(await run({ maxLoss: 33 })).toMatchObject({ verdict: "ok" });
  });

  test("says that silence may be a matter of taste", async () => {
    const notes = fakePing(tally(3, 0).replace(/\n.*rtt.*/, ""));
    const outcome = await run({ count: 5 });
    expect(outcome).toMatchObject({
      reasonCode: "timeout",
      reason:
        "No answer within 5 s from 127.0.0.1. A host that is down looks the same as one that drops pings.",
    });
    expect(notes()).toBe("-4 -n -c 5 -i 0.2 -W 5 127.0.0.1\n");
  });

  test("sends no more than it has time to wait for", async () => {
    const notes = fakePing(tally(3, 3));
    await run({ count: 10 }, { timeoutMs: 1000 });
    expect(notes()).toContain("-c 3 ");
  });

  test("tries the host's other addresses when one does not answer", async () => {
    const notes = fakePing(`if [ "$1" = "-6" ]; then ${tally(3, 0)}; else ${tally(3, 3)}; fi`);
    const network = named("::1", "127.0.0.1");
    expect(await run({ host: "dual.test" }, { network })).toMatchObject({
      verdict: "ok",
      address: "127.0.0.1",
    });
    expect(notes().split("\n")).toHaveLength(3);
  });

  test("ends in its time, with what came until then", async () => {
    fakePing(`trap '${tally(2, 1).replaceAll("\n", ";")}; exit 1' INT; sleep 10 >/dev/null 2>&1 & wait`);
    // Long enough for a shell to start on a busy machine.
    expect(await run({}, { timeoutMs: 2000 })).toMatchObject({ verdict: "ok" });
    fakePing("trap '' INT; while :; do sleep 1; done");
    expect(await run({}, { timeoutMs: 300 })).toMatchObject({ reasonCode: "timeout" });
  });

  test("ends at once when it is stopped", async () => {
    const notes = fakePing("exec sleep 10");
    const signal = { isStopped: false, listener: null };
    const environment = { network: await makeNetwork(), timeoutMs: 5000, signal };
    const over = checkIcmp.run({ host: "127.0.0.1" }, environment);
    await eventually(notes, (said) => said !== "");
    stopCheck(signal);
    expect(readable(await over)).toMatchObject({ reasonCode: "internal" });
  });

  test("says what its machine lacks", async () => {
    fakePing('echo "ping: socktype: SOCK_RAW: Operation not permitted" >&2; exit 2');
    expect((await run()).reason).toContain("The probe may not send pings");
    fakePing('echo "ping: connect: Network is unreachable" >&2; exit 2');
    expect((await run()).reason).toBe("No ping to 127.0.0.1 could be sent: there is no route to it.");
    fakePing('echo "ping: invalid option -- 4" >&2; exit 64');
    expect(await run()).toMatchObject({ reasonCode: "internal" });
    vi.stubEnv("PATH", "/nowhere");
    expect((await run()).reason).toContain("The probe has no ping program");
  });

  test("never reaches a refused address, nor takes one for an option", async () => {
    const notes = fakePing(tally(3, 3));
    const policy = "public" as const;
    expect(await run({}, { network: { policy } })).toMatchObject({ reasonCode: "guard" });
    const inside = { ...named("127.0.0.1"), policy };
    expect(await run({ host: "inside.test" }, { network: inside })).toMatchObject({ reasonCode: "dns" });
    expect(await run({ host: "169.254.169.254" })).toMatchObject({ reasonCode: "guard" });
    expect(await run({ host: "-f" })).toMatchObject({ reasonCode: "dns" });
    expect(notes()).toBe("");
  });
});

test.each([
  [
    "iputils",
    "3 packets transmitted, 3 received, 0% packet loss, time 402ms\nrtt min/avg/max/mdev = 0.026/0.032/0.039/0.006 ms",
    { sent: 3, received: 3, averageMs: 0.032 },
  ],
  [
    "iputils, errors",
    "3 packets transmitted, 0 received, +3 errors, 100% packet loss, time 2037ms\npipe 3",
    { sent: 3, received: 0, averageMs: null },
  ],
  [
    "busybox",
    "2 packets transmitted, 2 packets received, 0% packet loss\nround-trip min/avg/max = 0.061/0.070/0.080 ms",
    { sent: 2, received: 2, averageMs: 0.07 },
  ],
  [
    "BSD",
    "2 packets transmitted, 1 packets received, 50.0% packet loss\nround-trip min/avg/max/stddev = 10.1/10.1/10.1/0.0 ms",
    { sent: 2, received: 1, averageMs: 10.1 },
  ],
  ["nothing", "", "unsent"],
])("reads what %s says", (_program, output, result) => {
  expect(pingResult(output)).toEqual(result);
});
