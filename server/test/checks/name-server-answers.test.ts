import dgram from "node:dgram";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import net from "node:net";
import { join } from "node:path";
import dnsPacket from "dns-packet";
import { expect, onTestFinished, test } from "vitest";
import { createResolver, ResolveError } from "../../src/checks/resolve.ts";
import { temporaryFolder } from "../engine/probe/factories.ts";

type Reply = Partial<dnsPacket.Packet> | Buffer | null;

/** A name server over UDP, and over TCP where it is said how; null: silence. */
async function answering(
  udp: (query: dnsPacket.Packet, name: string) => Reply | Reply[],
  tcp?: (query: dnsPacket.Packet, name: string) => Partial<dnsPacket.Packet>,
) {
  const queries: dnsPacket.Packet[] = [];
  const packed = (query: dnsPacket.Packet, reply: Partial<dnsPacket.Packet>) => {
    const packet: dnsPacket.Packet = { type: "response", questions: query.questions ?? [], ...reply };
    return { ...packet, id: reply.id ?? query.id ?? 0 };
  };
  const nameOf = (query: dnsPacket.Packet) => query.questions?.[0]?.name ?? "";
  const server = net.createServer((socket) => {
    socket.on("error", () => {});
    socket.on("data", (bytes: Buffer) => {
      const query = dnsPacket.streamDecode(bytes);
      queries.push(query);
      socket.end(dnsPacket.streamEncode(packed(query, tcp?.(query, nameOf(query)) ?? {})));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as net.AddressInfo;
  const socket = dgram.createSocket("udp4").bind(port, "127.0.0.1");
  await once(socket, "listening");
  onTestFinished(() => {
    socket.close();
    server.close();
  });
  socket.on("message", (bytes, peer) => {
    const query = dnsPacket.decode(bytes);
    queries.push(query);
    for (const reply of [udp(query, nameOf(query))].flat()) {
      if (reply === null) continue;
      const sent = Buffer.isBuffer(reply) ? reply : dnsPacket.encode(packed(query, reply));
      socket.send(sent, peer.port, peer.address);
    }
  });
  return { server: `127.0.0.1:${port}`, queries };
}

const address = (name: string, data: string): dnsPacket.Answer => ({ type: "A", name, ttl: 60, data });
const alias = (name: string, data: string, ttl = 60): dnsPacket.Answer => ({
  type: "CNAME",
  name,
  ttl,
  data,
});
const isA = (query: dnsPacket.Packet) => query.questions?.[0]?.type === "A";
const onlyA = (query: dnsPacket.Packet, answers: dnsPacket.Answer[]) => ({
  answers: isA(query) ? answers : [],
});

function resolverOf(servers: string[], more: Partial<Parameters<typeof createResolver>[0]> = {}) {
  const hostsFile = join(temporaryFolder(), "hosts");
  writeFileSync(hostsFile, "");
  return createResolver({ servers, hostsFile, tryTimeoutMs: 100, systemLookup: async () => [], ...more });
}

/** The addresses of a name, or why there are none. */
async function look(
  resolver: ReturnType<typeof createResolver>,
  name = "x.test",
): Promise<string[] | string> {
  try {
    return (await resolver.resolve(name)).addresses.map((one) => one.address);
  } catch (error) {
    if (error instanceof ResolveError) return error.code;
    throw error;
  }
}

test.each<[string, (name: string) => dnsPacket.Answer[]]>([
  ["of another name", () => [address("evil.test", "127.0.0.66")]],
  ["to which no alias leads", (name) => [alias(name, "y.test"), address("z.test", "127.0.0.66")]],
  [
    "behind a circle of aliases",
    (name) => [alias(name, "y.test"), alias("y.test", name), address("z.test", "127.0.0.66")],
  ],
])("an address %s is not trusted", async (_, answers) => {
  const { server } = await answering((query, name) => onlyA(query, answers(name)));
  expect(await look(resolverOf([server]))).toBe("nxdomain");
});

test("of an answer with both only what the query leads to counts", async () => {
  const { server } = await answering((query, name) =>
    onlyA(query, [
      address("evil.test", "127.0.0.66"),
      address("y.test", "127.0.0.7"),
      alias(name.toUpperCase(), "Y.test"),
    ]),
  );
  expect(await look(resolverOf([server]))).toEqual(["127.0.0.7"]);
});

test("an answer is cached no longer than its alias may be", async () => {
  const clock = { now: 0 };
  const { server, queries } = await answering((query, name) =>
    onlyA(query, [alias(name, "y.test", 2), address("y.test", "127.0.0.7")]),
  );
  const resolver = resolverOf([server], { now: () => clock.now });
  await look(resolver);
  clock.now = 1_999;
  await look(resolver);
  expect(queries).toHaveLength(2);
  clock.now = 2_000;
  await look(resolver);
  expect(queries).toHaveLength(4);
});

test("answers to other queries are passed over, and the right one is waited for", async () => {
  const { server } = await answering((query, name) => [
    { id: ((query.id ?? 0) + 1) & 0xffff, answers: [address(name, "127.0.0.66")] },
    { questions: [{ type: "A", name: "evil.test" }], answers: [address("evil.test", "127.0.0.66")] },
    Buffer.from("no message"),
    onlyA(query, [address(name, "127.0.0.7")]),
  ]);
  expect(await look(resolverOf([server]))).toEqual(["127.0.0.7"]);
});

test("a record that is cut short is no address, and the next server is queried", async () => {
  const broken = await answering((query, name) => {
    const bytes = dnsPacket.encode({
      ...{ type: "response", id: query.id ?? 0, questions: query.questions ?? [] },
      answers: [address(name, "127.0.0.66")],
    });
    bytes.writeUInt16BE(1, bytes.length - 6);
    return bytes.subarray(0, -3);
  });
  expect(await look(resolverOf([broken.server]))).toBe("servfail");
  const good = await answering((query, name) => onlyA(query, [address(name, "127.0.0.7")]));
  expect(await look(resolverOf([broken.server, good.server]))).toEqual(["127.0.0.7"]);
});

test("an answer too long for a datagram is read over TCP", async () => {
  const { server } = await answering(
    () => ({ flags: dnsPacket.TRUNCATED_RESPONSE }),
    (query, name) => onlyA(query, [address("evil.test", "127.0.0.66"), address(name, "127.0.0.7")]),
  );
  expect(await look(resolverOf([server]))).toEqual(["127.0.0.7"]);
});

test.each([1, 4])("a server that refuses EDNS with code %i is queried without it", async (code) => {
  const { server, queries } = await answering((query, name) =>
    query.additionals?.length === 0 ? onlyA(query, [address(name, "127.0.0.7")]) : { flags: code },
  );
  expect(await look(resolverOf([server]))).toEqual(["127.0.0.7"]);
  expect(queries.filter(isA).map(({ additionals }) => additionals?.length)).toEqual([1, 0]);
});

test("after silence the next server is queried, and the silent one comes last for five seconds", async () => {
  const clock = { now: 0 };
  const silent = await answering(() => null);
  const good = await answering((query, name) => onlyA(query, [address(name, "127.0.0.7")]));
  const resolver = resolverOf([silent.server, good.server], { now: () => clock.now });
  expect(await look(resolver, "a.test")).toEqual(["127.0.0.7"]);
  expect(silent.queries).toHaveLength(2);
  clock.now = 4_999;
  expect(await look(resolver, "b.test")).toEqual(["127.0.0.7"]);
  expect(silent.queries).toHaveLength(2);
  clock.now = 5_000;
  expect(await look(resolver, "c.test")).toEqual(["127.0.0.7"]);
  expect(silent.queries).toHaveLength(4);
});

test("what a server refuses another one may know", async () => {
  const refusing = await answering(() => ({ flags: 5 }));
  const good = await answering((query, name) => onlyA(query, [address(name, "127.0.0.7")]));
  expect(await look(resolverOf([refusing.server, good.server]))).toEqual(["127.0.0.7"]);
  expect(await look(resolverOf([refusing.server]))).toBe("refused");
});

test("a name that no query can carry does not exist", async () => {
  const { server, queries } = await answering((query, name) => onlyA(query, [address(name, "127.0.0.7")]));
  const resolver = resolverOf([server]);
  for (const name of [`${"a".repeat(64)}.test`, "a..test", `${"a.".repeat(130)}test`])
    expect([name, await look(resolver, name)]).toEqual([name, "nxdomain"]);
  expect(queries).toEqual([]);
});

test("resolv.conf says how often each server is tried, and that each comes first in turn", async () => {
  const [one, two] = [await answering(() => ({ flags: 2 })), await answering(() => ({ flags: 2 }))];
  const resolvConf = join(temporaryFolder(), "resolv.conf");
  const lines = [one, two].map(({ server }) => `nameserver ${server}\n`).join("");
  writeFileSync(resolvConf, `${lines}search\noptions timeout:1 attempts:2 rotate\n`);
  const resolver = resolverOf([], { resolvConf });
  const order: string[] = [];
  const noted = (which: typeof one, name: string) =>
    Object.assign(which.queries, { push: (query: dnsPacket.Packet) => (isA(query) ? order.push(name) : 0) });
  noted(one, "one");
  noted(two, "two");
  expect(await look(resolver, "a.test")).toBe("servfail");
  expect(order.splice(0)).toEqual(["one", "two", "one", "two"]);
  expect(await look(resolver, "b.test")).toBe("servfail");
  expect(order).toEqual(["two", "one", "two", "one"]);
});
