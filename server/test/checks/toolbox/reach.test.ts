import { describe, expect, it, onTestFinished } from "vitest";
import { pingHost, readReplies } from "../../../src/checks/toolbox/reach/ping-host.ts";
import { traceRoute } from "../../../src/checks/toolbox/reach/trace-route.ts";
import { fakePing } from "../../harness/fake-ping.ts";
import { runCommand } from "../../harness/process.ts";
import { startTestServer } from "../../harness/server.ts";
import { refusalOf, toolEnvironment } from "./run-tool.ts";

const IPUTILS = `cat <<'END'
PING 192.0.2.1 (192.0.2.1) 56(84) bytes of data.
64 bytes from 192.0.2.1: icmp_seq=1 ttl=57 time=12.5 ms
64 bytes from 192.0.2.1: icmp_seq=3 ttl=57 time=14.5 ms
64 bytes from 192.0.2.1: icmp_seq=3 ttl=57 time=19.9 ms (DUP!)

--- 192.0.2.1 ping statistics ---
4 packets transmitted, 2 received, +1 duplicates, 50% packet loss, time 603ms
rtt min/avg/max/mdev = 12.500/13.500/14.500/1.000 ms
END`;

describe("ping", () => {
  it("reports each answer, how many were lost, and how long they took", async () => {
    const notes = fakePing(IPUTILS);
    const environment = await toolEnvironment({ "shop.test": ["192.0.2.1"] });
    expect(await pingHost.run({ target: "shop.test", count: 4 }, environment)).toEqual({
      ...{ target: "shop.test", address: "192.0.2.1", sent: 4, received: 2, loss: 50 },
      ...{ min: 12.5, average: 13.5, max: 14.5 },
      replies: [
        { sequence: 1, ttl: 57, time: 12.5 },
        { sequence: 3, ttl: 57, time: 14.5 },
      ],
    });
    expect(notes()).toMatch(/^-4 .*-c 4 .*192\.0\.2\.1\n$/);
  });

  it("reads what busybox and BSD write, which count from 0", () => {
    const busybox =
      "64 bytes from 127.0.0.1: seq=0 ttl=64 time=0.048 ms\n64 bytes from 127.0.0.1: seq=1 ttl=64 time=0.1 ms";
    expect(readReplies(busybox).map(({ sequence, time }) => [sequence, time])).toEqual([
      [1, 0.048],
      [2, 0.1],
    ]);
  });

  it("is no error where there is no answer", async () => {
    fakePing("echo '3 packets transmitted, 0 received, 100% packet loss, time 402ms'");
    const found = await pingHost.run({ target: "192.0.2.1", count: 3 }, await toolEnvironment());
    expect(found).toMatchObject({ sent: 3, received: 0, loss: 100, average: null, replies: [] });
    expect(pingHost.message?.(found)).toBe("192.0.2.1 answers no pings.");
  });

  it("says what the system lacks", async () => {
    const environment = await toolEnvironment();
    fakePing("echo 'ping: socket: Operation not permitted' >&2; exit 2");
    expect((await refusalOf(pingHost, { target: "192.0.2.1" }, environment))[1]).toContain(
      "lets it send no pings",
    );
  });

  it("ends the program when the request is aborted", async () => {
    fakePing("exec sleep 60");
    const stop = new AbortController();
    const running = pingHost.run(
      { target: "192.0.2.1" },
      { ...(await toolEnvironment()), signal: stop.signal },
    );
    setTimeout(() => stop.abort(new Error("gone")), 20);
    await expect(running).rejects.toThrow("gone");
  });
});

describe("traceroute", () => {
  it("names the routers on the way, and whether the target was reached", async () => {
    fakePing(`case "$*" in
      *"-t 1 "*) echo "[1000.5] From 10.0.0.1 icmp_seq=1 Time to live exceeded";;
      *"-t 2 "*) echo "1 packets transmitted, 0 received, 100% packet loss";;
      *) echo "[1000.5] 64 bytes from 192.0.2.1: icmp_seq=1 ttl=60 time=9.5 ms";;
    esac`);
    const found = await traceRoute.run({ target: "192.0.2.1" }, await toolEnvironment());
    expect(found).toMatchObject({ address: "192.0.2.1", reached: true });
    expect(found.hops.map(({ hop, address }) => [hop, address])).toEqual([
      [1, "10.0.0.1"],
      [2, null],
      [3, "192.0.2.1"],
    ]);
  });

  it("reveals no addresses inside where only public targets may be reached", async () => {
    fakePing(`case "$*" in
      *"-t 1 "*) echo "[1000.5] From 10.0.0.1 icmp_seq=1 Time to live exceeded";;
      *) echo "[1000.5] 64 bytes from 8.8.8.8: icmp_seq=1 ttl=60 time=9.5 ms";;
    esac`);
    const found = await traceRoute.run(
      { target: "8.8.8.8" },
      await toolEnvironment({}, { policy: "public" }),
    );
    expect(found.hops.map(({ address }) => address)).toEqual(["private", "8.8.8.8"]);
  });
});

describe("over the API", () => {
  it("both find this machine, in both families", { timeout: 20_000 }, async () => {
    const server = await startTestServer({ engine: "sqlite" });
    onTestFinished(() => server.close());
    for (const family of ["api", "v2"]) {
      const ping = await server.api("POST", `/${family}/toolbox/ping`, { target: "127.0.0.1", count: 1 });
      expect(ping.body.data, JSON.stringify(ping.body)).toMatchObject({ sent: 1, received: 1, loss: 0 });
      const way = await server.api("POST", `/${family}/toolbox/traceroute`, { target: "127.0.0.1" });
      expect(way.body.data).toMatchObject({ reached: true, hops: [{ hop: 1, address: "127.0.0.1" }] });
    }
    for (const body of [
      { target: "" },
      { target: "no name" },
      { target: "127.0.0.1", count: 21 },
      { target: "a".repeat(10_000) },
    ]) {
      const { status, body: answer } = await server.api("POST", "/api/toolbox/ping", body);
      expect([status, Object.keys(answer.errors)]).toEqual([422, ["count" in body ? "count" : "target"]]);
    }
  });
});

describe("vedette ping and traceroute", () => {
  it("print tables", async () => {
    expect((await runCommand(["ping", "127.0.0.1", "--count", "1"])).stdout).toMatch(
      /^Request +TTL +Time \(ms\)\n +1 +64 +[\d.]+\n127\.0\.0\.1: 1 of 1 answered, 0 % lost/,
    );
    expect((await runCommand(["traceroute", "127.0.0.1"])).stdout).toMatch(
      /^Hop +Address +Time \(ms\)\n +1 +127\.0\.0\.1 +[\d.]+\n127\.0\.0\.1 was reached\n$/,
    );
  });
});
