import dgram from "node:dgram";
import { once } from "node:events";
import dnsPacket from "dns-packet";
import { describe, expect, it, onTestFinished } from "vitest";
import { exchange } from "../../../src/checks/dns.ts";
import { encodeDnsQuery } from "../../../src/checks/dns-message.ts";
import { withoutInsideHints } from "../../../src/checks/toolbox/dns/look-up-dns.ts";
import { type DnsRecord, startDnsTarget } from "../../harness/dns-target.ts";
import { noNameServer, startNameServer } from "../../harness/name-server.ts";
import { startTestServer, type TestServerOptions } from "../../harness/server.ts";
import { toolEnvironment } from "./run-tool.ts";

const DIGEST = "d2abde240d7cd3ee6b4b28c54df034b97983a1d16e8a410e4561cb106618e971";
const ZONE = `
$TTL 300
@ IN SOA ns.here.example. post.here.example. 2026112401 3600 600 86400 60
@ IN NS ns.here.example.
@ 120 IN A 192.0.2.1
@ IN AAAA 2001:db8::1
@ IN MX 10 mx.here.example.
@ IN TXT "v=spf1 " "-all"
@ IN CAA 0 issue "ca.example"
@ IN DNSKEY 257 3 13 mdsswUyr3DPW132mOi8V9xESWE8jTo0dxCjjnopKl+GqJxpVXckHAeF+KkxLbxILfDLUT0rAK9iUzy1L53eKGQ==
@ IN HTTPS 1 . alpn="h2,h3" port=8443 ipv4hint=192.0.2.1,192.0.2.2 ipv6hint=2001:db8::1
ns IN A 127.0.0.1
www IN CNAME here.example.
child IN NS ns.here.example.
child IN DS 60485 5 2 ${DIGEST}
_dns IN SVCB 1 ns.here.example. alpn=dot key65333=hello
_sip._udp IN SRV 1 2 5060 ns.here.example.
_443._tcp IN TLSA 3 1 1 ${DIGEST}
sip IN NAPTR 100 50 "s" "SIP+D2U" "" _sip._udp.here.example.
${Array.from({ length: 40 }, (_, at) => `many IN TXT "${at} ${"x".repeat(200)}"`).join("\n")}
`;
const REVERSE = `
$TTL 300
@ IN SOA ns.here.example. post.here.example. 2026112401 3600 600 86400 60
@ IN NS ns.here.example.
1 IN PTR here.example.
`;

async function start(more: Partial<TestServerOptions> = {}) {
  const server = await startTestServer({ engine: "sqlite", ...more });
  onTestFinished(() => server.close());
  const lookUp = (body: object, family: "api" | "v2" = "api") =>
    server.api("POST", `/${family}/toolbox/dns-lookup`, body);
  return { server, lookUp };
}

/** A server whose own name server has these names. */
async function startWith(
  records: Record<string, DnsRecord>,
  more: Partial<TestServerOptions["config"]> = {},
) {
  const dns = await startDnsTarget(records);
  onTestFinished(() => dns.close());
  const started = await start({ config: { resolvers: [dns.server], ...more } });
  return { ...started, dns };
}

it.each([
  ["1 . alpn=h2 ipv4hint=192.168.1.4,8.8.8.8 ipv6hint=fd00::1", "1 . alpn=h2 ipv4hint=8.8.8.8", 2],
  ["1 . ipv4hint=8.8.8.8 port=443", "1 . ipv4hint=8.8.8.8 port=443", 0],
  ["1 inside.example ipv6hint=::ffff:10.0.0.1", "1 inside.example", 1],
])("leaves addresses inside out of the hints of %j", (binding, value, withheld) => {
  expect(withoutInsideHints(binding)).toEqual({ value, withheld });
});

describe.skipIf(noNameServer)(`a real name server (${noNameServer ?? "BIND"})`, () => {
  it("is queried for every type of record, with its real TTL", async () => {
    const port = await startNameServer({ "here.example": ZONE, "2.0.192.in-addr.arpa": REVERSE });
    const { lookUp } = await start();
    const values = async (domain: string, type?: string) => {
      const { status, body } = await lookUp({
        domain,
        server: `127.0.0.1:${port}`,
        ...(type && { record_type: type }),
      });
      expect(status, JSON.stringify(body)).toBe(200);
      return body.data.records.map((one: { type: string; value: string }) => `${one.type} ${one.value}`);
    };
    const found = {
      A: await values("here.example"),
      AAAA: await values("here.example", "AAAA"),
      CAA: await values("here.example", "CAA"),
      CNAME: await values("www.here.example", "CNAME"),
      DNSKEY: await values("here.example", "DNSKEY"),
      DS: await values("child.here.example", "DS"),
      HTTPS: await values("here.example", "HTTPS"),
      MX: await values("here.example", "MX"),
      NAPTR: await values("sip.here.example", "NAPTR"),
      NS: await values("here.example", "NS"),
      PTR: await values("192.0.2.1", "PTR"),
      SOA: await values("here.example", "SOA"),
      SRV: await values("_sip._udp.here.example", "SRV"),
      SVCB: await values("_dns.here.example", "SVCB"),
      TLSA: await values("_443._tcp.here.example", "TLSA"),
      TXT: await values("here.example", "TXT"),
      alias: await values("www.here.example", "A"),
      address: await values("192.0.2.1"),
    };
    expect(found).toEqual({
      A: ["A 192.0.2.1"],
      AAAA: ["AAAA 2001:db8::1"],
      CAA: ["CAA 0 issue ca.example"],
      CNAME: ["CNAME here.example"],
      DNSKEY: [
        "DNSKEY 257 3 13 mdsswUyr3DPW132mOi8V9xESWE8jTo0dxCjjnopKl+GqJxpVXckHAeF+KkxLbxILfDLUT0rAK9iUzy1L53eKGQ==",
      ],
      DS: [`DS 60485 5 2 ${DIGEST.toUpperCase()}`],
      HTTPS: ["HTTPS 1 . alpn=h2,h3 port=8443 ipv4hint=192.0.2.1,192.0.2.2 ipv6hint=2001:db8::1"],
      MX: ["MX 10 mx.here.example"],
      NAPTR: ['NAPTR 100 50 "s" "SIP+D2U" "" _sip._udp.here.example'],
      NS: ["NS ns.here.example"],
      PTR: ["PTR here.example"],
      SOA: ["SOA ns.here.example post.here.example 2026112401 3600 600 86400 60"],
      SRV: ["SRV 1 2 5060 ns.here.example"],
      SVCB: ["SVCB 1 ns.here.example alpn=dot key65333=hello"],
      TLSA: [`TLSA 3 1 1 ${DIGEST.toUpperCase()}`],
      TXT: ["TXT v=spf1 -all"],
      alias: ["CNAME here.example", "A 192.0.2.1"],
      address: ["PTR here.example"],
    });
    // Too long for a datagram.
    expect(await values("many.here.example", "TXT")).toHaveLength(40);
    const { body } = await lookUp({ domain: "here.example", server: `127.0.0.1:${port}` }, "v2");
    expect(body.data.records).toEqual([{ type: "A", name: "here.example", value: "192.0.2.1", ttl: 120 }]);
    expect(body.data.response_time).toBeGreaterThan(0);
    const all = await lookUp({ domain: "here.example", server: `127.0.0.1:${port}`, record_type: "ANY" });
    expect(new Set(all.body.data.records.map((one: { type: string }) => one.type))).toEqual(
      new Set(["A", "AAAA", "CAA", "DNSKEY", "HTTPS", "MX", "NS", "SOA", "TXT"]),
    );
  });
});

describe("POST dns-lookup", () => {
  it("distinguishes names that do not exist from those without such a record", async () => {
    const { lookUp } = await startWith({ "shop.example": { a: ["192.0.2.1"] } });
    const missing = await lookUp({ domain: "none.example" });
    expect([missing.status, missing.body.message, missing.body.data]).toMatchObject([
      200,
      "There is no name none.example (NXDOMAIN).",
      { records: [], total: 0, status: "NXDOMAIN" },
    ]);
    const empty = await lookUp({ domain: "shop.example", record_type: "MX" });
    expect([empty.body.message, empty.body.data]).toMatchObject([
      "shop.example has no such record.",
      { records: [], total: 0, status: "NOERROR" },
    ]);
  });

  it("says how a name server failed, and never gives an empty list for it", async () => {
    const { lookUp } = await startWith({
      "broken.example": { behaviour: "servfail" },
      "closed.example": { behaviour: "refused" },
      "quiet.example": { behaviour: "silent" },
    });
    const said = async (domain: string) => {
      const { status, body } = await lookUp({ domain });
      return [status, body.message];
    };
    expect(await said("broken.example")).toEqual([502, expect.stringContaining("SERVFAIL")]);
    expect(await said("closed.example")).toEqual([502, expect.stringContaining("REFUSED")]);
    expect(await said("quiet.example")).toEqual([502, expect.stringContaining("5 s")]);
  });

  it.each<[object, string]>([
    [{ domain: "" }, "domain"],
    [{ domain: "no name" }, "domain"],
    [{ domain: "a..example" }, "domain"],
    [{ domain: `${"a".repeat(64)}.example` }, "domain"],

    [{ domain: "shop.example", record_type: "AXFR" }, "record_type"],
    [{ domain: "shop.example", server: "not a server" }, "server"],
    [{ domain: "shop.example", server: "127.0.0.1:0" }, "server"],
    [{ domain: "shop.example", server: "127.0.0.1:70000" }, "server"],
    [{ domain: "shop.example", server: "169.254.169.254" }, "server"],
    [{ domain: "shop.example", server: "no-such-server.invalid" }, "server"],
  ])("refuses %j and names the field", async (body, field) => {
    const { lookUp } = await startWith({});
    const answer = await lookUp(body);
    expect([answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([422, [field]]);
  });

  it("requests the name of an address without its zone", async () => {
    const { lookUp } = await startWith({});
    const { status, body } = await lookUp({ domain: "2001:db8::1%eth0.1" });
    expect([status, body.data?.domain]).toEqual([200, expect.stringMatching(/^1\.0\..*\.ip6\.arpa$/)]);
  });

  it("requests the name of an address, however that is written and whatever type is requested", async () => {
    const { lookUp, dns } = await startWith({});
    for (const body of [{ domain: "192.0.2.1." }, { domain: "192.0.2.1", record_type: "ANY" }]) {
      dns.queries.length = 0;
      expect((await lookUp(body)).status).toBe(200);
      expect(dns.queries).toEqual(["PTR 1.2.0.192.in-addr.arpa"]);
    }
  });

  it("refuses a name of 10,000 characters", async () => {
    const { lookUp } = await startWith({});
    const { status, body } = await lookUp({ domain: "a".repeat(10_000) });
    expect([status, Object.keys(body.errors)]).toEqual([422, ["domain"]]);
  });

  it("says of which types the name server said nothing where several are requested", async () => {
    const { lookUp } = await startWith({
      "partly.example.com": { a: ["192.0.2.1"], behaviour: { MX: "servfail", TXT: "refused" } },
    });
    const partly = await lookUp({ domain: "partly.example.com", record_type: "ANY" });
    expect([partly.status, partly.body.message]).toEqual([
      200,
      "The name server gave no answer for MX, TXT.",
    ]);
    expect(partly.body.data).toMatchObject({ records: [{ type: "A" }], unanswered: ["MX", "TXT"] });
    const alone = await lookUp({ domain: "partly.example.com" });
    expect([alone.body.message, alone.body.data.unanswered]).toEqual(["OK", []]);
  });

  it("keeps names and addresses of the inside to itself where only public targets may be reached", async () => {
    const { lookUp, dns } = await startWith(
      {
        "shop.example.com": { a: ["10.1.2.3", "8.8.8.8"], aaaa: ["fd00::1"] },
        "db.internal": { a: ["10.1.2.4"] },
      },
      { targets: "public" },
    );
    const shop = await lookUp({ domain: "shop.example.com" });
    expect(shop.body.data).toMatchObject({ records: [{ value: "8.8.8.8" }], total: 1, withheld: 1 });
    dns.queries.length = 0;
    for (const domain of ["db.internal", "10.1.2.4", "4.2.1.10.in-addr.arpa", "localhost"]) {
      expect((await lookUp({ domain })).status, domain).toBe(422);
    }
    expect((await lookUp({ domain: "shop.example.com", server: dns.server })).body.errors).toHaveProperty(
      "server",
    );
    expect(dns.queries).toEqual([]);
  });

  type Respond = (query: dnsPacket.Packet) => Buffer | dnsPacket.Packet;

  /** What is said of `shop.example` on the word of a name server that responds like this. */
  async function wordOf(respond: Respond, type = "A") {
    const socket = dgram.createSocket("udp4").bind(0, "127.0.0.1");
    await once(socket, "listening");
    onTestFinished(() => void socket.close());
    socket.on("message", (bytes, { port }) => {
      const answer = respond(dnsPacket.decode(bytes));
      socket.send(Buffer.isBuffer(answer) ? answer : dnsPacket.encode(answer), port, "127.0.0.1");
    });
    const { lookUp } = await start();
    const server = `127.0.0.1:${socket.address().port}`;
    const { status, body } = await lookUp({ domain: "shop.example", server, record_type: type });
    return [status, body.data?.records ?? body.message];
  }

  const withAnswers = ({ id, questions }: dnsPacket.Packet, answers: unknown[]) =>
    dnsPacket.encode({ type: "response", id, questions, answers } as never);
  const address = { type: "A", name: "shop.example", data: "192.0.2.1", ttl: 60 };

  it("fails on a record that cannot be read, and on a message that is cut", async () => {
    const binding = Buffer.from("00010003616263", "hex");
    const malformed: Respond = (query) =>
      withAnswers(query, [{ type: "UNKNOWN_65", name: "shop.example", data: binding }]);
    expect(await wordOf(malformed, "HTTPS")).toEqual([
      502,
      expect.stringMatching(/ sent a record for shop\.example that cannot be read\.$/),
    ]);
    const longer: Respond = (query) => {
      const answer = malformed(query) as Buffer;
      answer.writeUInt16BE(0xffff, answer.length - binding.length - 2);
      return answer;
    };
    const cut: Respond = (query) => withAnswers(query, [address]).subarray(0, -1);
    for (const [respond, type] of [[longer, "HTTPS"] as const, [cut, "A"] as const]) {
      expect(await wordOf(respond, type)).toEqual([
        502,
        expect.stringMatching(/ sent an answer that cannot be read as a DNS message\.$/),
      ]);
    }
  });

  it("shows what the aliases lead to, and nothing of other names", async () => {
    const alias = { type: "CNAME", name: "shop.example", data: "y.example", ttl: 60 };
    const stray = { ...address, name: "evil.example" };
    expect(await wordOf((query) => withAnswers(query, [stray]))).toEqual([200, []]);
    const [, records] = await wordOf((query) =>
      withAnswers(query, [stray, { ...address, name: "Y.example" }, alias]),
    );
    expect(records.map((one: { type: string; name: string }) => `${one.type} ${one.name}`)).toEqual([
      "CNAME shop.example",
      "A Y.example",
    ]);
  });

  it("queries again without EDNS, and names an answer without its query", async () => {
    const old: Respond = (query) =>
      (query.additionals ?? []).length === 0
        ? withAnswers(query, [address])
        : { type: "response", id: query.id ?? 0, flags: 1 };
    expect(await wordOf(old)).toEqual([200, [expect.objectContaining({ value: "192.0.2.1" })]]);
    expect(await wordOf((query) => withAnswers({ ...query, questions: [] }, [address]))).toEqual([
      502,
      expect.stringContaining("without repeating the query"),
    ]);
  });

  it("reads no more than some of the answers to other queries", async () => {
    const socket = dgram.createSocket("udp4").bind(0, "127.0.0.1");
    await once(socket, "listening");
    onTestFinished(() => void socket.close());
    const answers = [{ type: "A", name: "shop.example", data: "192.0.2.1", ttl: 60 }];
    socket.on("message", async (bytes, { port }) => {
      const { id, questions } = dnsPacket.decode(bytes);
      const answer = dnsPacket.encode({ type: "response", id, questions, answers } as never);
      const send = (sent: Buffer) =>
        new Promise<void>((done) => socket.send(sent, port, "127.0.0.1", () => done()));
      const other = dnsPacket.encode({ type: "response", id, questions: [{ type: "A", name: "x.example" }] });
      for (let at = 0; at < 100; at += 1) await send(other);
      await send(answer);
    });
    const environment = { network: (await toolEnvironment()).network, timeoutMs: 1_000 };
    const peer = { host: "127.0.0.1", port: socket.address().port, environment };
    const evaluations: unknown[] = [];
    const { reason } = await exchange(peer, encodeDnsQuery("shop.example", "A", {}), (answer) => {
      evaluations.push(answer);
      return null;
    });
    expect([evaluations, reason?.code]).toEqual([[], "protocol.dns_other"]);
  });
});
