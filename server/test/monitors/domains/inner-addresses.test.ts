import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { type DnsTarget, startDnsTarget } from "../../harness/dns-target.ts";
import { startTestServer, type TestServer } from "../../harness/server.ts";
import { startHttpTarget, type Target } from "../../harness/targets.ts";

/** The ways to write one IPv4 address in a URL. */
function spellings(dotted: string): string[] {
  const parts = dotted.split(".").map(Number);
  const [a = 0, b = 0, c = 0, d = 0] = parts;
  const whole = ((a * 256 + b) * 256 + c) * 256 + d;
  const hex = (part: number, digits: number) => part.toString(16).padStart(digits, "0");
  const pairs = `${hex(a * 256 + b, 4)}:${hex(c * 256 + d, 4)}`;
  const fullWidth = dotted.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)));
  return [
    dotted,
    `${dotted}.`,
    String(whole),
    `0x${hex(whole, 8)}`,
    `0X${hex(whole, 8).toUpperCase()}`,
    `0${whole.toString(8)}`,
    parts.map((part) => `0${part.toString(8)}`).join("."),
    parts.map((part) => `0x${hex(part, 2)}`).join("."),
    `${a}.${b}.${c * 256 + d}`,
    `${a}.${(b * 256 + c) * 256 + d}`,
    fullWidth,
    fullWidth.replaceAll(".", "\u3002"),
    dotted.replace(/^\d/, (digit) => `%3${digit}`),
    `[::ffff:${dotted}]`,
    `[::FFFF:${pairs}]`,
    `[64:ff9b::${pairs}]`,
    `[2002:${pairs}::1]`,
    `[::${dotted}]`,
    `someone@${dotted}`,
  ];
}

/** Refused where targets are public. */
const INSIDE = [
  ...["127.0.0.1", "10.1.2.3", "192.168.1.1", "172.16.0.9"].flatMap(spellings),
  ...["100.64.0.1", "192.0.2.1", "198.18.0.1", "240.0.0.1", "127.255.255.254", "127.1"],
  ...["[::1]", "[0:0:0:0:0:0:0:1]", "[fc00::1]", "[FD12::1]", "[fec0::1]", "[2001:db8::1]", "[4000::1]"],
  ...["localhost", "LOCALHOST", "localhost.", "shop.localhost", "Shop.LocalHost.", "\uff4cocalhost"],
  "local\u00adhost",
];

/** Refused everywhere. */
const NEVER = [
  ...spellings("169.254.169.254"),
  ...["169.254.0.1", "100.100.100.200", "168.63.129.16", "0.0.0.0", "0", "224.0.0.1", "255.255.255.255"],
  ...["[::]", "[fe80::1]", "[FEBF::1]", "[ff02::1]", "[fd00:ec2::254]", "[64:ff9b:1::a9fe:a9fe]"],
];

const PUBLIC = ["8.8.8.8", "134744072", "[2606:4700::1111]", "[64:ff9b::8.8.8.8]", "www.example.test"];

const CHECKED_AS_DOMAIN = (host: string) => `/check-domain?domain=${encodeURIComponent(host)}`;

describe("a host that must not be checked", () => {
  const servers: { [Policy in "public" | "all"]?: TestServer } = {};
  let target: Target;
  let dns: DnsTarget;

  beforeAll(async () => {
    target = await startHttpTarget();
    dns = await startDnsTarget({ "inside.test": { a: ["10.1.2.3"] } });
    for (const targets of ["public", "all"] as const) {
      const config = { targets, resolvers: [dns.server] };
      servers[targets] = await startTestServer({ engine: "sqlite", config });
    }
    return async () => {
      for (const server of Object.values(servers)) await server.close();
      await target.close();
      await dns.close();
    };
  });

  /** Every way in, each with what it answers about `host`; nothing may have been connected to. */
  async function everyDoor(policy: "public" | "all", host: string) {
    const server = servers[policy] as TestServer;
    const connections = target.connections();
    const url = `http://${host}:${target.port}/`;
    const added = await server.api("POST", "/api/domains", { url: `https://${randomName()}.test` });
    const { id } = added.body.data;
    const title = `/api/domains/fetch-title?url=${encodeURIComponent(url)}`;
    const answers = {
      create: await server.api("POST", "/api/domains", { url }),
      createBare: await server.api("POST", "/v2/domains", { name: "Bare", url: host }),
      update: await server.api("PUT", `/api/domains/${id}`, { url }),
      updateV2: await server.api("PUT", `/v2/domains/${id}`, { url }),
      fetchTitle: await server.api("GET", title),
      test: await server.api("POST", "/api/domains/test", { url }),
    };
    expect(target.connections()).toBe(connections);
    return Object.entries(answers).map(([door, { status, body }]) =>
      status === 422 && body.errors.url.length === 1
        ? "422 url"
        : `${door} ${status} ${JSON.stringify(body)}`,
    );
  }

  /** The tools of the toolbox, each with the field that takes a host; nothing may have been connected to. */
  async function everyTool(policy: "public" | "all", host: string) {
    const server = servers[policy] as TestServer;
    const connections = target.connections();
    const { port } = target;
    const wishes: [tool: string, field: string, wish: object][] = [
      ["port-scanner", "target", { target: host, scanType: "custom", ports: `${port}` }],
      ["ping", "target", { target: host, count: 1 }],
      ["traceroute", "target", { target: host }],
      ["tls-inspection", "host", { host, port }],
      ["http-inspection", "url", { url: `http://${host}:${port}/` }],
      ["dns-lookup", "server", { domain: "www.example.test", server: host }],
      ["rdap", "query", { query: host }],
      ["ip-scanner", "ip", { ip: host }],
    ];
    const reported: string[] = [];
    for (const [tool, field, wish] of wishes) {
      const { status, body } = await server.api("POST", `/api/toolbox/${tool}`, wish);
      const fields = Object.keys(body.errors ?? {}).join();
      if (status !== 422 || fields !== field) reported.push(`${tool} ${status} ${fields} ${body.message}`);
    }
    expect(target.connections()).toBe(connections);
    return reported;
  }

  const REFUSED = Array<string>(6).fill("422 url");

  it.each(INSIDE)("%s is refused at every door where targets are public", async (host) => {
    expect(await everyDoor("public", host)).toEqual(REFUSED);
    const refused = await (servers.public as TestServer).api("GET", CHECKED_AS_DOMAIN(host));
    expect(refused.status).toBe(422);
    expect(refused.body.errors.domain).toHaveLength(1);
    expect(await everyTool("public", host)).toEqual([]);
  });

  it.each(NEVER)("%s is refused at every door whatever the targets are", async (host) => {
    expect(await everyDoor("public", host)).toEqual(REFUSED);
    expect(await everyDoor("all", host)).toEqual(REFUSED);
    expect(await everyTool("public", host)).toEqual([]);
    expect(await everyTool("all", host)).toEqual([]);
  });

  it("a name that leads inside is refused by every tool that would go there, and queries nothing but the DNS", async () => {
    const reported = await everyTool("public", "inside.test");
    expect(reported).toEqual([]);
  });

  it.each(PUBLIC)("%s is accepted where targets are public", async (host) => {
    const server = servers.public as TestServer;
    const made = await server.api("POST", "/api/domains", { url: `http://${host}/${randomName()}` });
    expect(made.status).toBe(201);
  });

  it("loopback is accepted where everything may be checked", async () => {
    const server = servers.all as TestServer;
    const made = await server.api("POST", "/api/domains", { url: "http://localhost:9/" });
    expect(made.status).toBe(201);
  });

  it("a domain that was made before the rule became strict can still be renamed, its address sent along", async () => {
    const free = servers.all as TestServer;
    const url = "http://127.0.0.1:9/old";
    const { id } = (await free.api("POST", "/api/domains", { url })).body.data;
    const config = { targets: "public" as const };
    const strict = await startTestServer({ engine: "sqlite", config, store: free.ctx.store });
    onTestFinished(() => strict.close());
    const key = free.key;
    const rename = (changes: object) => strict.api("PUT", `/api/domains/${id}`, changes, { key });
    expect((await rename({ url, name: "Old shop" })).status).toBe(200);
    expect((await rename({ url: `${url}er` })).status).toBe(422);
  });

  it("a name that points inside and one that does not exist read the same, and take a lookup each time", async () => {
    const server = servers.public as TestServer;
    const titleOf = async (host: string) => {
      const answer = await server.api("GET", `/api/domains/fetch-title?url=${host}`);
      return JSON.stringify([answer.status, answer.body]).replaceAll(host, "HOST");
    };
    const [inside, missing] = [await titleOf("inside.test"), await titleOf("absent.test")];
    expect(inside).toContain("The name HOST does not exist in the DNS, or has no public address.");
    expect(inside).toBe(missing);
    const before = dns.queries.length;
    expect(await titleOf("inside.test")).toBe(inside);
    expect(dns.queries).toHaveLength(before + 2);
  });
});

let names = 0;
const randomName = () => `name-${(names += 1)}`;
