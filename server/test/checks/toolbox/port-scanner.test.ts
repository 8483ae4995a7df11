import dgram from "node:dgram";
import { once } from "node:events";
import net, { type AddressInfo } from "node:net";
import dnsPacket from "dns-packet";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { parsePorts } from "../../../src/checks/toolbox/ports/port-list.ts";
import { runQueue } from "../../../src/checks/toolbox/ports/port-queue.ts";
import { datagramBanner, scanPorts } from "../../../src/checks/toolbox/ports/scan-ports.ts";
import { eventually } from "../../harness/eventually.ts";
import { startTestServer, type TestServerOptions } from "../../harness/server.ts";
import { eachEngine } from "../../harness/stores.ts";
import { toolEnvironment } from "./run-tool.ts";

async function listening(greeting?: string): Promise<number> {
  const server = net.createServer((socket) => {
    socket.on("error", () => {});
    if (greeting !== undefined) socket.write(greeting);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** A port that says nothing, and counts its requests over UDP. */
async function mute() {
  const socket = dgram.createSocket("udp4").bind(0, "127.0.0.1");
  await once(socket, "listening");
  onTestFinished(() => void socket.close());
  let datagrams = 0;
  socket.on("message", () => (datagrams += 1));
  return { socket, port: socket.address().port, datagrams: () => datagrams };
}

async function start(options: Partial<TestServerOptions> = {}) {
  const server = await startTestServer({ engine: "sqlite", ...options });
  onTestFinished(() => server.close());
  return server;
}

type Server = Awaited<ReturnType<typeof start>>;

const post = (
  { url, key }: Pick<Server, "url" | "key">,
  body: object,
  signal?: AbortSignal,
  family = "api",
) =>
  fetch(`${url}/${family}/toolbox/port-scanner`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  });

/** All lines of an answer. */
async function scan(server: Server, body: object, family?: string) {
  const answer = await post(server, body, undefined, family);
  const lines = (await answer.text()).trimEnd().split("\n");
  return {
    status: answer.status,
    type: answer.headers.get("content-type"),
    lines: lines.map((line) => JSON.parse(line)),
  };
}

describe("POST port-scanner", () => {
  it("streams progress and ends with one result, in the words of each family", async () => {
    const server = await start();
    const ssh = await listening("SSH-2.0-Test\r\n");
    const silent = await listening();
    const ports = [ssh, silent, 1, 2].join(",");
    const { status, type, lines } = await scan(server, { target: "127.0.0.1", scanType: "custom", ports });
    expect([status, type]).toEqual([200, "application/x-ndjson; charset=utf-8"]);
    const progress = lines.slice(0, -1);
    expect(progress.map((line) => line.type)).toEqual(progress.map(() => "progress"));
    expect(progress.map((line) => line.progress)).toEqual(
      progress.map((line) => line.progress).toSorted((a, b) => a - b),
    );
    expect([progress[0].progress, progress.at(-1).progress]).toEqual([0, 100]);
    const openPorts = [ssh, silent].toSorted((a, b) => a - b);
    const { results } = lines.at(-1);
    expect(results).toMatchObject({ target: "127.0.0.1", openPorts, totalScanned: 4, closed: 2, silent: 0 });
    expect(results.services.find(({ port }: { port: number }) => port === ssh)).toEqual({
      ...{ port: ssh, protocol: "tcp", service: "ssh", banner: "SSH-2.0-Test" },
    });
    const v2 = await scan(server, { target: "127.0.0.1", scan_type: "custom", ports }, "v2");
    expect(v2.lines.at(-1)).toMatchObject({
      type: "result",
      results: { open_ports: openPorts, total_scanned: 4 },
    });
  });

  it("says how far it is while it waits for what open ports say", async () => {
    const server = await start();
    const silent = await listening();
    const { lines } = await scan(server, { target: "127.0.0.1", scanType: "custom", ports: `${silent}` });
    const whole = lines.filter(({ progress }) => progress === 100);
    expect([whole.length > 1, lines.at(-1).results.openPorts]).toEqual([true, [silent]]);
  });

  it("counts a port as open over UDP only when it answers, and sends a request in its protocol", async () => {
    const server = await start();
    const socket = dgram.createSocket("udp4").bind(0, "127.0.0.1");
    await once(socket, "listening");
    onTestFinished(() => void socket.close());
    const { port } = socket.address();
    const silent = await mute();
    socket.on("message", (_, peer) => socket.send("here", peer.port, peer.address));
    const ports = [port, silent.port, 1].join(",");
    const wish = { target: "127.0.0.1", scanType: "custom", protocol: "udp", timeout: 300, ports };
    const { lines } = await scan(server, wish);
    expect(lines.at(-1).results).toMatchObject({ openPorts: [port], totalScanned: 3, closed: 1, silent: 1 });
  });

  it.each<[object, string]>([
    [{ target: "" }, "target"],
    [{ target: "no name" }, "target"],
    [{ target: "a".repeat(10_000) }, "target"],
    [{ target: "127.0.0.1", scanType: "custom" }, "ports"],
    [{ target: "127.0.0.1", ports: "1" }, "ports"],
    [{ target: "127.0.0.1", scanType: "custom", ports: "1-0" }, "ports"],
    [{ target: "127.0.0.1", scanType: "custom", ports: "0" }, "ports"],
    [{ target: "127.0.0.1", scanType: "custom", ports: "65536" }, "ports"],
    [{ target: "127.0.0.1", scanType: "custom", ports: "1,,2" }, "ports"],
    [
      { target: "127.0.0.1", scanType: "custom", ports: Array(1e6).fill("1").join(",").slice(0, 100_000) },
      "ports",
    ],
    [{ target: "127.0.0.1", scanType: "all" }, "scanType"],
    [{ target: "127.0.0.1", protocol: "sctp" }, "protocol"],
    [{ target: "127.0.0.1", timeout: 99 }, "timeout"],
    [{ target: "127.0.0.1", timeout: 10_001 }, "timeout"],
    [{ target: "169.254.169.254" }, "target"],
    [{ target: "no-such-host.invalid" }, "target"],
  ])("refuses bad input and names the field, before the answer begins (%#)", async (body, field) => {
    const server = await start();
    const { status, body: answer } = await server.api("POST", "/api/toolbox/port-scanner", body);
    expect([status, Object.keys(answer.errors ?? {})]).toEqual([422, [field]]);
  });

  it("scans nothing inside where only public targets may be reached", async () => {
    const server = await start({ config: { targets: "public" } });
    const target = await listening();
    for (const host of ["127.0.0.1", "localhost", "0x7f000001", "[::1]", "10.0.0.1"]) {
      const wish = { target: host, scanType: "custom", ports: String(target) };
      const { status, body } = await server.api("POST", "/api/toolbox/port-scanner", wish);
      expect([host, status, Object.keys(body.errors ?? {})]).toEqual([host, 422, ["target"]]);
    }
  });

  it("stops within 200 ms when the client goes away", { retry: 2 }, async () => {
    const server = await start();
    const left = await mute();
    const other = await mute();
    // Each gets another request after half of its time.
    const wish = { target: "127.0.0.1", scanType: "custom", protocol: "udp", timeout: 400 };
    const gone = new AbortController();
    const answer = post(server, { ...wish, ports: String(left.port) }, gone.signal);
    await once(left.socket, "message");
    gone.abort();
    await answer.then((begun) => begun.text()).catch(() => {});
    await scan(server, { ...wish, ports: String(other.port) });
    expect([left.datagrams(), other.datagrams()]).toEqual([1, 2]);
  });
});

eachEngine("scans of an organization", (engine) => {
  it("are three at once at most, whatever the number of servers", async () => {
    const server = await start({ engine });
    const replica = await start({ engine, store: server.ctx.store });
    // A port that says nothing holds a scan until its time is up.
    const ports = String((await mute()).port);
    const wish = { target: "127.0.0.1", scanType: "custom", protocol: "udp", timeout: 10_000, ports };
    const ends = Array.from({ length: 3 }, () => new AbortController());
    const running = await Promise.all(ends.map(({ signal }) => post(server, wish, signal)));
    expect(running.map(({ status }) => status)).toEqual([200, 200, 200]);
    const elsewhere = await fetch(`${replica.url}/api/toolbox/port-scanner`, {
      method: "POST",
      headers: { authorization: `Bearer ${server.key}`, "content-type": "application/json" },
      body: JSON.stringify(wish),
    });
    expect([elsewhere.status, elsewhere.headers.get("retry-after")]).toEqual([429, "10"]);
    const outsider = await server.createKey({ plan: "expert" });
    const other = await post({ ...server, key: outsider }, { ...wish, timeout: 100 });
    expect([other.status, (await other.text()).includes('"result"')]).toEqual([200, true]);
    for (const end of ends) end.abort();
    const again = () => scan(server, { ...wish, timeout: 100 });
    await eventually(again, ({ status }) => status === 200);
  });
});

describe("a list of ports", () => {
  it("is read into each port once, in order, however it is written", () => {
    const port = fc.integer({ min: 1, max: 65_535 });
    const range = fc
      .tuple(port, fc.integer({ min: 0, max: 300 }))
      .map(([from, more]) => [from, Math.min(65_535, from + more)]);
    fc.assert(
      fc.property(fc.array(range, { minLength: 1, maxLength: 20 }), (ranges) => {
        const wanted = new Set(
          ranges.flatMap(([from = 1, to = 1]) => Array.from({ length: to - from + 1 }, (_, at) => from + at)),
        );
        const text = ranges.map(([from, to]) => (from === to ? String(from) : `${from} - ${to}`)).join(", ");
        expect(parsePorts(text)).toEqual({ ports: [...wanted].toSorted((a, b) => a - b) });
      }),
    );
  });
});

describe("the queue of a scan", () => {
  it("tries again what the system had no room for, and ends with nothing open", async () => {
    const ports = Array.from({ length: 500 }, (_, at) => at + 1);
    const order = {
      to: { address: "127.0.0.1", family: 4 as const },
      ports,
      timeoutMs: 1,
      signal: new AbortController().signal,
    };
    const tries = new Map<number, number>();
    let open = 0;
    let most = 0;
    await runQueue(order, (turn, port) => {
      const count = (tries.get(port) ?? 0) + 1;
      tries.set(port, count);
      most = Math.max(most, (open += 1));
      queueMicrotask(() => {
        if (count === 1 && port % 50 === 0) turn.putBack();
        open -= 1;
        turn.end();
      });
      return () => {};
    });
    expect([tries.size, open]).toEqual([500, 0]);
    expect([...tries].filter(([, count]) => count === 2).map(([port]) => port)).toEqual([
      50, 100, 150, 200, 250, 300, 350, 400, 450, 500,
    ]);
    expect(most).toBeLessThanOrEqual(1_000);
  });

  it("lets go of everything when it is stopped", async () => {
    const stop = new AbortController();
    const order = {
      to: { address: "127.0.0.1", family: 4 as const },
      ports: [1, 2, 3],
      timeoutMs: 1,
      signal: stop.signal,
    };
    const released: number[] = [];
    const over = runQueue(order, (_, port) => () => void released.push(port));
    stop.abort();
    await expect(over).rejects.toThrow();
    expect(released).toEqual([1, 2, 3]);
  });
});

/** A response of an SNMP agent whose sysDescr is this. */
const snmpAnswer = (sysDescr: string) => {
  const part = (type: number, ...values: Buffer[]) => {
    const value = Buffer.concat(values);
    const length = value.length < 128 ? [value.length] : [0x81, value.length];
    return Buffer.concat([Buffer.from([type, ...length]), value]);
  };
  const number = (value: number) => part(2, Buffer.from([value]));
  const name = part(6, Buffer.from("2b06010201010100", "hex"));
  const variables = part(0x30, part(0x30, name, part(4, Buffer.from(sysDescr))));
  return part(
    0x30,
    number(1),
    part(4, Buffer.from("public")),
    part(0xa2, number(1), number(0), number(0), variables),
  );
};

describe("the banner of an answer over UDP", () => {
  it.each<[string, number, Buffer, string | null]>([
    ["an SNMP agent", 161, snmpAnswer("Linux shop 6.1.0"), "Linux shop 6.1.0"],
    ["one with much to say, in part", 161, snmpAnswer("x".repeat(150)), `${"x".repeat(80)}…`],
    ["one that lies about lengths", 161, Buffer.from("3082ffff020101", "hex"), null],
    ["one whose parts are cut off", 161, snmpAnswer("Linux shop 6.1.0").subarray(0, 30), null],
    ["a time server", 123, Buffer.concat([Buffer.from([0x1c, 2]), Buffer.alloc(46)]), "NTPv3, stratum 2"],
    ["what is no time server", 123, Buffer.from("hello"), null],
    ["another port", 9999, snmpAnswer("Linux"), null],
    ["nothing", 161, Buffer.alloc(0), null],
  ])("gives what %s says of itself", (_, port, answer, banner) => {
    expect(datagramBanner(port, answer)).toBe(banner);
  });

  it.skipIf(process.getuid?.() !== 0)("is in the result of a scan", async () => {
    const socket = dgram.createSocket("udp4").bind(161, "127.0.0.61");
    await once(socket, "listening");
    onTestFinished(() => void socket.close());
    socket.on("message", (_, peer) => socket.send(snmpAnswer("Linux shop"), peer.port, peer.address));
    const environment = await toolEnvironment();
    const input = { target: "127.0.0.61", scanType: "custom", protocol: "udp", ports: "161" } as const;
    expect((await scanPorts.run(input, environment)).services).toEqual([
      { port: 161, protocol: "udp", service: "snmp", banner: "Linux shop" },
    ]);
  });
});

describe("a datagram to a port of a known protocol", () => {
  it("is a query that its servers answer", async () => {
    const { probeFor } = await import("../../../src/checks/toolbox/ports/port-queue.ts");
    expect(dnsPacket.decode(probeFor(53)).questions?.[0]).toMatchObject({ type: "NS", name: "." });
    expect([probeFor(123).length, (probeFor(123)[0] ?? 0) & 7]).toEqual([48, 3]);
    const snmp = probeFor(161);
    expect([snmp[0], snmp[1], snmp.includes("public")]).toEqual([0x30, snmp.length - 2, true]);
    expect(probeFor(9999)).toHaveLength(0);
  });
});
