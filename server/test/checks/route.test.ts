import { describe, expect, onTestFinished, test, vi } from "vitest";
import { hopArgs, type Route, readHop, routeSchema, traceRoute } from "../../src/checks/route.ts";
import { getValidator } from "../../src/platform/operations/validator.ts";
import { missingServers } from "../harness/daemons.ts";
import { eventually } from "../harness/eventually.ts";
import { fakePing } from "../harness/fake-ping.ts";

const TARGET = { address: "192.0.2.9", family: 4 } as const;

async function trace(
  to: { address: string; family: 4 | 6 } = TARGET,
  policy: "all" | "public" = "all",
  signal = new AbortController().signal,
): Promise<Route | null> {
  const route = await traceRoute(to, { policy, signal });
  if (route !== null) expect(getValidator(routeSchema, { isText: false })(route)).toBe(true);
  return route;
}

/** What iputils writes when a router says that a packet has passed enough of them; `$9` is the hop. */
const passing = (address: string) =>
  `echo "[$(date +%s).000001] From ${address} icmp_seq=1 Time to live exceeded"; echo "1 packets transmitted, 0 received, +1 errors"`;
const reached = `echo "64 bytes from 192.0.2.9: icmp_seq=1 ttl=60 time=7.25 ms"; echo "1 packets transmitted, 1 received"`;
const silent = `echo "1 packets transmitted, 0 received, 100% packet loss"`;
const byHop = (cases: string) => `while [ "$1" != "-t" ]; do shift; done; case $2 in ${cases} esac`;

const missing = missingServers("ping");

test.skipIf(missing)(
  "the way to this machine is itself, by the system's program, over IPv4 and IPv6",
  async () => {
    for (const [address, family] of [
      ["127.0.0.1", 4],
      ["::1", 6],
    ] as const) {
      const route = await trace({ address, family });
      expect(route).toMatchObject({ hops: [{ hop: 1, address }], isReached: true, problem: null });
      expect(route?.hops[0]?.ms).toBeGreaterThan(0);
    }
  },
);

describe("a route", () => {
  test("is followed hop by hop up to the address, by fixed arguments", async () => {
    const notes = fakePing(byHop(`1) ${passing("10.0.0.1")};; 2) ${silent};; 3) ${reached};; *) exit 1;;`));
    expect(await trace()).toEqual({
      hops: [
        { hop: 1, address: "10.0.0.1", ms: expect.toSatisfy((ms) => ms === null || ms >= 0) },
        { hop: 2, address: null, ms: null },
        { hop: 3, address: "192.0.2.9", ms: 7.25 },
      ],
      isReached: true,
      problem: null,
    });
    expect(notes()).toContain("-4 -n -c 1 -D -t 3 -W 1 192.0.2.9\n");
  });

  test("waits for the hops before one that no packet was sent to", async () => {
    fakePing(byHop(`1) sleep 0.5; ${passing("10.0.0.1")};; *) exit 1;;`));
    expect(await trace()).toMatchObject({ hops: [{ address: "10.0.0.1" }], isReached: false, problem: null });
  });

  test("ends where a router reports no way on, and after eight silent hops", async () => {
    const barred = 'echo "From 198.51.100.7 icmp_seq=1 Packet filtered"';
    fakePing(byHop(`1) ${passing("198.51.100.1")};; 2) ${barred};; *) ${silent};;`));
    const route = await trace();
    expect(route?.hops.map(({ address }) => address)).toEqual(["198.51.100.1", "198.51.100.7"]);
    expect(route?.isReached).toBe(false);
    const notes = fakePing(byHop(`1) ${passing("198.51.100.1")};; *) ${silent};;`));
    expect((await trace())?.hops).toHaveLength(1);
    expect(notes().trim().split("\n").length).toBeLessThan(30);
  });

  test("has at most thirty hops", async () => {
    const notes = fakePing(passing("198.51.100.1"));
    expect((await trace())?.hops).toHaveLength(30);
    expect(notes().trim().split("\n")).toHaveLength(30);
  });

  test("says nothing of addresses inside where private targets are not allowed", async () => {
    fakePing(
      byHop(
        `1) ${passing("10.0.0.1")};; 2) ${passing("9.9.9.9")};; *) ${reached.replaceAll("192.0.2.9", "8.8.8.8")};;`,
      ),
    );
    const addresses = async (policy: "all" | "public") =>
      (await trace({ address: "8.8.8.8", family: 4 }, policy))?.hops.map(({ address }) => address);
    expect(await addresses("public")).toEqual(["private", "9.9.9.9", "8.8.8.8"]);
    expect(await addresses("all")).toEqual(["10.0.0.1", "9.9.9.9", "8.8.8.8"]);
  });

  test("is never traced to a refused address, nor to what is none", async () => {
    const notes = fakePing(reached);
    await expect(trace({ address: "10.0.0.1", family: 4 }, "public")).rejects.toThrow("guard");
    await expect(trace({ address: "169.254.169.254", family: 4 })).rejects.toThrow("guard");
    await expect(trace({ address: "-f", family: 4 })).rejects.toThrow("guard");
    expect(notes()).toBe("");
  });

  test("says what its machine lacks", async () => {
    const routeProblem = async () => (await trace())?.problem;
    fakePing('echo "ping: socktype: SOCK_RAW: Operation not permitted" >&2; exit 2');
    expect(await routeProblem()).toBe("forbidden");
    fakePing('echo "ping: connect: Network is unreachable" >&2; exit 2');
    expect(await routeProblem()).toBe("unsent");
    fakePing('echo "ping: unrecognized option: D" >&2; exit 1');
    expect(await routeProblem()).toBe("missing");
    vi.stubEnv("PATH", "/nowhere");
    expect(await routeProblem()).toBe("missing");
  });

  test("ends at once when it is stopped, and its programs with it", async () => {
    const notes = fakePing('echo "pid $$" >> "$NOTES"; exec sleep 60');
    const ending = new AbortController();
    const over = trace(TARGET, "all", ending.signal);
    await eventually(notes, (said) => said.includes("pid "));
    ending.abort();
    expect(await over).toBeNull();
    const pids = [...notes().matchAll(/pid (\d+)/g)].map(([, pid]) => Number(pid));
    await eventually(
      () => pids.filter(isAlive),
      (left) => left.length === 0,
    );
  });

  test("takes ten seconds at most, whatever the program does", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    fakePing("trap '' INT; exec sleep 60");
    const over = trace();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await over).toEqual({ hops: [], isReached: false, problem: null });
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test("each known system's program gets its own arguments", () => {
  expect(hopArgs(TARGET, 5, "darwin")).toEqual(["-n", "-c", "1", "-m", "5", "-W", "1000", "192.0.2.9"]);
  expect(hopArgs({ address: "2001:db8::1", family: 6 }, 5, "darwin")).toBeNull();
  expect(hopArgs(TARGET, 5, "win32")).toBeNull();
});

test.each([
  [
    "iputils",
    "[1795408668.200544] From 10.9.1.2 icmp_seq=1 Time to live exceeded",
    { address: "10.9.1.2", ms: 201, as: "passing" },
  ],
  [
    "iputils, older",
    "From 10.9.1.2: icmp_seq=1 Time to live exceeded",
    { address: "10.9.1.2", ms: null, as: "passing" },
  ],
  [
    "iputils, IPv6",
    "[1795408668.01] From 2001:db8::1 icmp_seq=1 Time exceeded: Hop limit",
    { address: "2001:db8::1", ms: 10, as: "passing" },
  ],
  [
    "iputils, link-local",
    "From fe80::1%eth0 icmp_seq=1 Time exceeded: Hop limit",
    { address: "fe80::1", ms: null, as: "passing" },
  ],
  [
    "iputils, unreachable",
    "From 10.9.1.2 icmp_seq=1 Destination Host Unreachable",
    { address: "10.9.1.2", ms: null, as: "barred" },
  ],
  [
    "BSD",
    "92 bytes from 10.9.1.2: Time to live exceeded\nVr HL TOS  Len   ID",
    { address: "10.9.1.2", ms: null, as: "passing" },
  ],
  [
    "BSD, an answer",
    "64 bytes from 1.1.1.1: icmp_seq=0 ttl=55 time=13.214 ms",
    { address: "1.1.1.1", ms: 13.214, as: "target" },
  ],
  [
    "a redirect",
    "From 10.9.1.2 icmp_seq=1 Redirect Host(New nexthop: 10.9.1.1)\n1 packets transmitted, 0 received",
    null,
  ],
  ["no address", "From ::::: icmp_seq=1 Time to live exceeded\n1 packets transmitted, 0 received", null],
  ["a name", "From <b>x</b> icmp_seq=1 Time to live exceeded\n1 packets transmitted, 0 received", null],
  [
    "times of another age",
    "[9999999999.0] From 10.0.0.1 icmp_seq=1 Time to live exceeded",
    { address: "10.0.0.1", ms: null, as: "passing" },
  ],
  [
    "times that are none",
    "64 bytes from 10.0.0.1: icmp_seq=1 ttl=1 time=1.2.3.4 ms",
    { address: "10.0.0.1", ms: null, as: "target" },
  ],
  ["nothing", "", "unsent"],
  ["noise", "From ".repeat(3_000), "unsent"],
])("reads what %s says", (_program, output, answer) => {
  expect(readHop(output, 1_795_408_668_000)).toEqual(answer);
});
