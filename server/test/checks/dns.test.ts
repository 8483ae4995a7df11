import dgram from "node:dgram";
import { once } from "node:events";
import net, { type AddressInfo } from "node:net";
import dnsPacket from "dns-packet";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { checkDns } from "../../src/checks/dns.ts";
import type { Network } from "../../src/checks/network.ts";
import { noNameServer, startNameServer } from "../harness/name-server.ts";
import { readable } from "../harness/reasons.ts";
import { makeNetwork } from "./factories.ts";

type Config = Parameters<typeof checkDns.run>[0];

async function run(config: Config, { network, timeoutMs = 5000 }: Wish = {}) {
  const environment = { network: await makeNetwork(network), timeoutMs };
  return readable(await checkDns.run(config, environment));
}

interface Wish {
  network?: Partial<Network>;
  timeoutMs?: number;
}

const ZONE = `
$TTL 300
@ IN SOA ns.here.test. post.here.test. 2026112201 3600 600 86400 60
@ IN NS ns.here.test.
ns IN A 127.0.0.1
www IN A 192.0.2.1
www IN A 192.0.2.2
www IN AAAA 2001:db8::1
alias IN CNAME www
@ IN MX 10 mx.here.test.
@ IN CAA 0 issue "ca.example"
@ IN TXT "v=spf1 " "-all"
quoted IN TXT "say \\"hi\\" \\195\\188 \\\\"
_ldap._tcp IN SRV 1 2 389 www.here.test.
1.2.0.192 IN PTR www.here.test.
${Array.from({ length: 40 }, (_, at) => `many IN TXT "${at} ${"x".repeat(200)}"`).join("\n")}
`;

describe.skipIf(noNameServer)(`a check of a real name server (${noNameServer ?? "BIND"})`, () => {
  test("finds records of each type, by one of their values", async () => {
    const port = await startNameServer({ "here.test": ZONE });
    const up = { verdict: "ok", reason: null, address: "127.0.0.1" };
    const server = "localhost";
    const check = (hostname: string, recordType: Config["recordType"], expected?: string) =>
      run({ hostname, server, port, recordType, ...(expected && { expect: expected }) });
    expect(await check("www.here.test", "A")).toMatchObject(up);
    expect(await check("www.here.test", "A", "192.0.2.2")).toMatchObject(up);
    expect(await check("www.here.test", "AAAA", "2001:db8::1")).toMatchObject(up);
    expect(await check("alias.here.test", "CNAME", "WWW.here.test.")).toMatchObject(up);
    expect(await check("alias.here.test", "A", "192.0.2.1")).toMatchObject(up);
    expect(await check("here.test", "MX", "10 mx.here.test")).toMatchObject(up);
    expect(await check("here.test", "TXT", "v=spf1 -all")).toMatchObject(up);
    expect(await check("here.test", "CAA", "0 issue ca.example")).toMatchObject(up);
    expect(await check("here.test", "NS", "ns.here.test")).toMatchObject(up);
    expect(await check("_ldap._tcp.here.test", "SRV", "1 2 389 www.here.test")).toMatchObject(up);
    const soa = "ns.here.test post.here.test 2026112201 3600 600 86400 60";
    expect(await check("here.test", "SOA", soa)).toMatchObject(up);
    // Word for word what `dig +short` prints.
    const printed: [string, Config["recordType"], string][] = [
      ["here.test", "TXT", '"v=spf1 " "-all"'],
      ["quoted.here.test", "TXT", '"say \\"hi\\" \\195\\188 \\\\"'],
      ["here.test", "CAA", '0 issue "ca.example"'],
      ["here.test", "NS", "ns.here.test."],
      ["here.test", "MX", "10 mx.here.test."],
      ["here.test", "SOA", "ns.here.test. post.here.test. 2026112201 3600 600 86400 60"],
      ["www.here.test", "AAAA", "2001:0DB8:0::1"],
    ];
    for (const [hostname, type, line] of printed)
      expect(await check(hostname, type, line), line).toMatchObject(up);
    for (const other of ['"v=spf1 " "+all"', '"v=spf1 "', '""'])
      expect(await check("here.test", "TXT", other), other).toMatchObject({ verdict: "failed" });
    // Too long for a datagram.
    expect(await check("many.here.test", "TXT", `39 ${"x".repeat(200)}`)).toMatchObject(up);
    const where = `localhost (127.0.0.1:${port})`;
    expect((await check("www.here.test", "A", "192.0.2.9")).reason).toMatch(
      /answered "192\.0\.2\.\d, 192\.0\.2\.\d", not the expected "192\.0\.2\.9"\.$/,
    );
    expect((await check("none.here.test", "A")).reason).toBe(
      `${where} does not know the name none.here.test.`,
    );
    expect((await check("www.here.test", "MX")).reason).toBe(`${where} has no MX record for www.here.test.`);
    expect((await check("elsewhere.test", "A")).reason).toBe(`${where} answered REFUSED for elsewhere.test.`);
    expect((await run({ hostname: "www.here.test", server, port, dnssec: true })).reason).toBe(
      `${where} did not vouch for www.here.test by DNSSEC.`,
    );
  });
});

/** A name server with these answers. `at`: the port of a TCP server that listens; one chosen for UDP may be taken there. */
async function answering(answer: (query: dnsPacket.Packet) => (Buffer | dnsPacket.Packet)[], at = 0) {
  const socket = dgram.createSocket("udp4").bind(at, "127.0.0.1");
  await once(socket, "listening");
  onTestFinished(() => void socket.close());
  const received: dnsPacket.Packet[] = [];
  socket.on("message", (bytes, { port }) => {
    const query = dnsPacket.decode(bytes);
    received.push(query);
    for (const one of answer(query)) {
      socket.send(Buffer.isBuffer(one) ? one : dnsPacket.encode(one), port, "127.0.0.1");
    }
  });
  return { port: socket.address().port, received };
}

const answerTo = (query: dnsPacket.Packet, flags: number, data = "192.0.2.1"): dnsPacket.Packet => ({
  type: "response",
  id: query.id,
  flags,
  questions: query.questions ?? [],
  answers: [{ type: "A", name: query.questions?.[0]?.name ?? "", data }],
});

/** An answer of which reading one name takes thousands of steps, and that has thousands of them. */
function pointersOnPointers(query: dnsPacket.Packet, size: number): Buffer {
  const head = dnsPacket.encode({ type: "response", id: query.id, questions: query.questions ?? [] });
  const bytes = Buffer.alloc(size);
  head.copy(bytes);
  let at = head.length;
  const record = (name: number, type: number, length: number) => {
    bytes.writeUInt16BE(0xc000 | name, at);
    bytes.writeUInt16BE(type, at + 2);
    bytes.writeUInt16BE(1, at + 4);
    bytes.writeUInt16BE(length, at + 10);
    at += 12 + length;
  };
  // The query's name, to which the first of a chain points.
  let last = 12;
  const chain = 16_000;
  record(last, 65_400, chain - (chain % 2));
  for (let to = at - chain; to + 2 <= at; to += 2) {
    bytes.writeUInt16BE(0xc000 | last, to);
    last = to;
  }
  let count = 1;
  for (; at + 12 <= size; count++) record(last, 65_400, 0);
  bytes.writeUInt16BE(count, 6);
  return bytes.subarray(0, at);
}

const here = (port: number): Config => ({ hostname: "here.test", server: "127.0.0.1", port });

describe("a check of a name server", () => {
  test("is content with an answer that is vouched for", async () => {
    const { port } = await answering((query) => [answerTo(query, dnsPacket.AUTHENTIC_DATA)]);
    expect(await run({ ...here(port), dnssec: true })).toMatchObject({ verdict: "ok" });
  });

  test("passes over what is no answer to its query", async () => {
    const { port } = await answering((query) => [
      Buffer.alloc(0),
      Buffer.from("garbage that is long enough"),
      Buffer.alloc(512, 0xc0),
      { ...answerTo(query, 0, "192.0.2.66"), id: ((query.id ?? 0) + 1) % 65_536 },
      { ...answerTo(query, 0, "192.0.2.66"), questions: [{ type: "A", name: "other.test" }] },
      { ...answerTo(query, 0, "192.0.2.66"), type: "query" },
      answerTo(query, 0),
    ]);
    expect(await run({ ...here(port), expect: "192.0.2.1" })).toMatchObject({ verdict: "ok", reason: null });
  });

  test("reads no answer that would keep the thread for long", async () => {
    const { port } = await answering((query) => [pointersOnPointers(query, 65_000), answerTo(query, 0)]);
    const { name } = dnsPacket as unknown as { name: { decode: (bytes: Buffer) => string } };
    const decode = vi.spyOn(name, "decode");
    onTestFinished(() => decode.mockRestore());
    expect(await run(here(port))).toMatchObject({ verdict: "ok", reason: null });
    const server = net.createServer((socket) => {
      socket.once("data", (bytes) => {
        const answer = pointersOnPointers(dnsPacket.streamDecode(bytes as Buffer) ?? {}, 65_000);
        const length = Buffer.alloc(2);
        length.writeUInt16BE(answer.length);
        socket.end(Buffer.concat([length, answer]));
      });
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    onTestFinished(() => void server.close());
    const { port: cut } = server.address() as AddressInfo;
    await answering((query) => [answerTo(query, dnsPacket.TRUNCATED_RESPONSE)], cut);
    expect(await run(here(cut))).toMatchObject({
      reasonCode: "protocol",
      reason: expect.stringContaining("16 KiB"),
    });
    expect(decode).toHaveBeenCalled();
    expect(Math.max(...decode.mock.calls.map(([bytes]) => bytes.length))).toBeLessThan(65_000);
  });

  type Records = NonNullable<dnsPacket.Packet["answers"]>;
  const a = (name: string, data = "192.0.2.1"): Records[number] => ({ type: "A", name, data });
  const alias = (name: string, data: string): Records[number] => ({ type: "CNAME", name, data });
  const server = (answers: Records) => answering((query) => [{ ...answerTo(query, 0), answers }]);

  test.each<[string, Records]>([
    ["its name in another case", [a("HERE.test")]],
    ["aliases in their order", [alias("here.test", "y.test"), alias("y.test", "z.test"), a("z.test")]],
    ["aliases in reverse order", [a("z.test"), alias("y.test", "z.test"), alias("here.test", "y.test")]],
    [
      "an alias that another server has added to",
      [alias("here.test", "y.test"), a("y.test"), a("evil.test")],
    ],
    ["an alias of the domain above", [{ type: "DNAME", name: "test", data: "example" }, a("here.example")]],
  ])("takes a record to which %s lead", async (_, answers) => {
    const { port } = await server(answers);
    expect(await run({ ...here(port), expect: "192.0.2.1" })).toMatchObject({ verdict: "ok", reason: null });
  });

  const stray = (found: string) => `sent A records of ${found}, to which no alias of here.test leads.`;
  test.each<[string, Records, string]>([
    ["another name", [a("evil.test")], stray("evil.test")],
    ["a name above it", [a("test")], stray("test")],
    ["a name behind no alias", [alias("here.test", "y.test"), a("z.test")], stray("z.test")],
    ["aliases in a circle", [alias("here.test", "y.test"), alias("y.test", "here.test")], "has no A record"],
    ["another class", [{ ...a("here.test"), class: "CH" } as Records[number]], "has no A record"],
  ])("fails on records of %s", async (_, answers, reason) => {
    const { port } = await server(answers);
    for (const expected of [{}, { expect: "192.0.2.1" }]) {
      expect(await run({ ...here(port), ...expected })).toMatchObject({
        verdict: "failed",
        reasonCode: "assertion",
        reason: expect.stringContaining(reason),
      });
    }
  });

  /** An answer with one record, whose content is these bytes. */
  function withContent(query: dnsPacket.Packet, type: number, content: Buffer, announced = content.length) {
    const head = dnsPacket.encode({ type: "response", id: query.id, questions: query.questions ?? [] });
    const fields = Buffer.alloc(12);
    fields.writeUInt16BE(0xc00c, 0);
    fields.writeUInt16BE(type, 2);
    fields.writeUInt16BE(1, 4);
    fields.writeUInt16BE(announced, 10);
    head.writeUInt16BE(1, 6);
    return Buffer.concat([head, fields, content]);
  }

  test.each<[string, Config["recordType"], number, Buffer, number?]>([
    ["an address cut to one byte", "A", 1, Buffer.of(192)],
    ["an address that is too long", "A", 1, Buffer.of(192, 0, 2, 1, 0)],
    ["an IPv6 address of four bytes", "AAAA", 28, Buffer.of(192, 0, 2, 1)],
    ["a text that runs over its end", "TXT", 16, Buffer.of(200, 65)],
    ["a mail exchanger without a name", "MX", 15, Buffer.of(0, 10)],
    ["a name with bytes behind it", "NS", 2, Buffer.of(1, 65, 0, 7)],
    ["an alias that points at itself", "A", 5, Buffer.of(0xc0, 0x27)],
    ["more than there is", "A", 1, Buffer.of(192, 0, 2, 1), 400],
  ])("fails on %s", async (_, recordType, type, content, announced) => {
    const { port } = await answering((query) => [withContent(query, type, content, announced)]);
    for (const expected of [{}, { expect: "192.0.2.1" }]) {
      const outcome = await run({ ...here(port), recordType, ...expected });
      expect(outcome).toMatchObject({ verdict: "failed", reasonCode: "protocol" });
      expect(outcome.reason).not.toContain("undefined");
    }
  });

  test("sends the query again without EDNS where the server does not know that", async () => {
    for (const code of [1, 4]) {
      const { port, received } = await answering((query) =>
        (query.additionals ?? []).length === 0
          ? [answerTo(query, dnsPacket.AUTHENTIC_DATA)]
          : [{ type: "response", id: query.id, flags: code, questions: code === 1 ? [] : query.questions }],
      );
      const outcome = await run({ ...here(port), dnssec: true, expect: "192.0.2.1" });
      expect(outcome).toMatchObject({ verdict: "ok", reason: null, address: "127.0.0.1" });
      expect(outcome.phases.totalUs).toBeGreaterThanOrEqual(outcome.phases.firstByteUs ?? 0);
      expect(received.map(({ additionals }) => additionals?.length)).toEqual([1, 0]);
      const own = { nameServers: () => [`127.0.0.1:${port}`, `127.0.0.9:${port}`] };
      expect(await run({ hostname: "here.test" }, { network: own })).toMatchObject({ verdict: "ok" });
    }
    const always = await answering((query) => [{ type: "response", id: query.id, flags: 1 }]);
    expect((await run(here(always.port))).reason).toMatch(/answered FORMERR for here\.test\.$/);
    expect(always.received).toHaveLength(2);
    const badVersion = {
      type: "OPT",
      name: ".",
      udpPayloadSize: 512,
      extendedRcode: 1,
      flags: 0,
      options: [],
    };
    const newer = await answering((query) =>
      (query.additionals ?? []).length === 0
        ? [answerTo(query, 0)]
        : [{ ...answerTo(query, 0), answers: [], additionals: [badVersion as never] }],
    );
    expect(await run(here(newer.port))).toMatchObject({ verdict: "ok" });
  });

  test("names what is wrong with an answer, and does not wait for another", async () => {
    const bare = await answering((query) => [{ ...answerTo(query, 0), questions: [] }]);
    expect(await run(here(bare.port))).toMatchObject({
      reasonCode: "protocol",
      reason: expect.stringMatching(/ sent a reply for here\.test without repeating the query/),
    });
    const code = await answering((query) => [{ type: "response", id: query.id, flags: 2 }]);
    expect((await run(here(code.port))).reason).toMatch(/answered SERVFAIL for here\.test\.$/);
    const other = await answering((query) => [
      { ...answerTo(query, 0), questions: [{ type: "A", name: "other.test" }] },
    ]);
    expect(await run(here(other.port), { timeoutMs: 200 })).toMatchObject({
      reasonCode: "protocol",
      reason: expect.stringMatching(/replied to a query other than the one for here\.test\.$/),
    });
  });

  test("knows an IPv6 address however it is written", async () => {
    const { port } = await answering((query) => [
      { ...answerTo(query, 0), answers: [{ type: "AAAA", name: "here.test", data: "2001:db8:0:0:1:0:0:0" }] },
    ]);
    const ask = (expected: string) => run({ ...here(port), recordType: "AAAA", expect: expected });
    // The last one is how `dig` writes it: the longest run of zeros is left out, not the first.
    for (const written of ["2001:db8:0:0:1:0:0:0", "2001:DB8::1:0:0:0", "2001:db8:0:0:1::"])
      expect(await ask(written), written).toMatchObject({ verdict: "ok" });
    expect((await ask("2001:db8::2")).reason).toMatch(/answered "2001:db8:0:0:1::", not /);
  });

  test.each([
    ["of one byte", "00"],
    ["without a tag", "000061"],
    ["with a tag that is longer than it", "00096973737565"],
  ])("takes no CAA record %s", async (_what, hex) => {
    const content = Buffer.from(hex, "hex");
    const { port } = await answering((query) => {
      const answers = [{ type: "A" as const, name: "here.test", data: "192.0.2.1" }];
      const bytes = dnsPacket.encode({ ...answerTo(query, 0), answers });
      const before = Buffer.from(bytes.subarray(0, -4));
      before.writeUInt16BE(257, before.length - 10);
      before.writeUInt16BE(content.length, before.length - 2);
      return [Buffer.concat([before, content])];
    });
    expect(await run({ ...here(port), recordType: "CAA" })).toMatchObject({
      verdict: "failed",
      reasonCode: "protocol",
    });
  });

  test("reports silence", async () => {
    const { port, received } = await answering(() => []);
    const outcome = await run(here(port), { timeoutMs: 200 });
    expect(outcome).toMatchObject({ verdict: "failed", reasonCode: "timeout" });
    expect(received).toHaveLength(3);
  });

  test("goes on over TCP when the answer was cut, and fails where no server listens there", async () => {
    const open = new Set<net.Socket>();
    const silent = net.createServer((socket) => void open.add(socket)).listen(0, "127.0.0.1");
    await once(silent, "listening");
    const { port } = silent.address() as AddressInfo;
    await answering((query) => [answerTo(query, dnsPacket.TRUNCATED_RESPONSE)], port);
    expect(await run(here(port), { timeoutMs: 300 })).toMatchObject({
      reasonCode: "timeout",
      reason: expect.stringMatching(/^Timed out after 0\.\d{1,3} s: /),
    });
    for (const socket of open) socket.destroy();
    await new Promise((resolve) => silent.close(resolve));
    expect(await run(here(port))).toMatchObject({ verdict: "failed", reasonCode: "refused" });
  });

  test("looks up an address's name in reverse", async () => {
    const { port, received } = await answering(() => []);
    await run({ ...here(port), hostname: "192.0.2.1", recordType: "PTR" }, { timeoutMs: 50 });
    await run({ ...here(port), hostname: "2001:db8::1", recordType: "PTR" }, { timeoutMs: 50 });
    const names = new Set(received.map(({ questions }) => questions?.[0]?.name));
    expect([...names]).toEqual(["1.2.0.192.in-addr.arpa", `1.${"0.".repeat(23)}8.b.d.0.1.0.0.2.ip6.arpa`]);
  });

  test("queries the machine's own name servers where none is given, one after the other", async () => {
    const { port, received } = await answering((query) => [answerTo(query, 0)]);
    const checkWith = (...servers: string[]) =>
      run({ hostname: "here.test" }, { network: { nameServers: () => servers }, timeoutMs: 2000 });
    expect(await checkWith(`127.0.0.1:${port}`)).toMatchObject({ verdict: "ok", address: "127.0.0.1" });
    const silent = dgram.createSocket("udp4").bind(port, "127.0.0.2");
    await once(silent, "listening");
    onTestFinished(() => void silent.close());
    const second = await checkWith(`127.0.0.2:${port}`, `127.0.0.1:${port}`);
    expect(second).toMatchObject({ verdict: "ok", address: "127.0.0.1" });
    // What the second took is its own, not the wait for the first.
    expect(second.phases.firstByteUs).toBeLessThan(400_000);
    expect(received).toHaveLength(2);
  });

  test.each(["::1", "fe80::1%lo", "2001:db8::53"])(
    "knows the own name server %s, which no rule bars",
    async (own) => {
      const network = { nameServers: () => [own] };
      const outcome = await run({ hostname: "here.test" }, { network, timeoutMs: 100 });
      expect(outcome.address).toBe(own);
      expect(outcome.reasonCode).not.toBe("guard");
    },
  );

  test("keeps the machine's own name servers from those who may only check public targets", async () => {
    const { port, received } = await answering((query) => [answerTo(query, 0)]);
    const network = { nameServers: () => [`127.0.0.1:${port}`], policy: "public" as const };
    expect(await run({ hostname: "here.test" }, { network })).toMatchObject({ reasonCode: "guard" });
    expect(received).toEqual([]);
    expect(await run({ hostname: "here.test" }, { network: { nameServers: () => [] } })).toMatchObject({
      reason: "This machine knows of no name server.",
    });
    expect(await run(here(port), { network })).toMatchObject({ reasonCode: "guard" });
  });
});
