import { utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { parseResolvConf, searchNames } from "../../src/checks/name-servers.ts";
import { createResolver, parseHosts, ResolveError, type Resolver } from "../../src/checks/resolve.ts";
import { temporaryFolder } from "../engine/probe/factories.ts";
import { type DnsRecord, type DnsTarget, startDnsTarget } from "../harness/dns-target.ts";

const open: DnsTarget[] = [];
afterEach(async () => {
  for (const target of open.splice(0)) await target.close();
});

async function setUp(records: Record<string, DnsRecord>, hosts = "") {
  const dns = await startDnsTarget(records);
  open.push(dns);
  const hostsFile = join(temporaryFolder(), "hosts");
  writeFileSync(hostsFile, hosts);
  const clock = { now: 0 };
  const system: string[] = [];
  const resolver = createResolver({
    servers: [dns.server],
    hostsFile,
    tryTimeoutMs: 300,
    now: () => clock.now,
    systemLookup: async (host) => {
      system.push(host);
      return host === "printer" ? [{ address: "10.1.2.3", family: 4 }] : [];
    },
  });
  return { dns, resolver, clock, hostsFile, system };
}

const addresses = async (resolver: Resolver, host: string) =>
  (await resolver.resolve(host)).addresses.map(({ address }) => address);

async function failure(resolver: Resolver, host: string) {
  const error = await resolver.resolve(host).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ResolveError);
  return error as ResolveError;
}

describe("names to addresses", () => {
  test("both families are queried, and IPv6 comes first", async () => {
    const { resolver } = await setUp({ "both.test": { a: ["127.0.0.1", "127.0.0.2"], aaaa: ["::1"] } });
    expect(await addresses(resolver, "both.test")).toEqual(["::1", "127.0.0.1", "127.0.0.2"]);
  });

  test("a name with one family, and a CNAME, resolve", async () => {
    const { resolver } = await setUp({ "one.test": { a: ["127.0.0.1"] }, "www.test": { cname: "one.test" } });
    expect(await addresses(resolver, "one.test")).toEqual(["127.0.0.1"]);
    expect(await addresses(resolver, "WWW.test.")).toEqual(["127.0.0.1"]);
  });

  test("an answer is cached for its TTL, then queried again", async () => {
    const { resolver, dns, clock } = await setUp({ "ttl.test": { a: ["127.0.0.1"], ttlSeconds: 20 } });
    await resolver.resolve("ttl.test");
    clock.now = 19_999;
    await resolver.resolve("ttl.test");
    expect(dns.queries.toSorted()).toEqual(["A ttl.test", "AAAA ttl.test"]);
    dns.set("ttl.test", { a: ["127.0.0.9"] });
    clock.now = 20_000;
    expect(await addresses(resolver, "ttl.test")).toEqual(["127.0.0.9"]);
    expect(dns.queries).toHaveLength(4);
  });

  test("a TTL of a day counts as 60 s, a TTL of 0 as 1 s", async () => {
    const { resolver, dns, clock } = await setUp({
      "day.test": { a: ["127.0.0.1"], ttlSeconds: 86_400 },
      "zero.test": { a: ["127.0.0.1"], ttlSeconds: 0 },
    });
    await Promise.all([resolver.resolve("day.test"), resolver.resolve("zero.test")]);
    clock.now = 999;
    await resolver.resolve("zero.test");
    expect(dns.queries).toHaveLength(4);
    clock.now = 1000;
    await resolver.resolve("zero.test");
    clock.now = 59_999;
    await resolver.resolve("day.test");
    expect(dns.queries).toHaveLength(6);
    clock.now = 60_000;
    await resolver.resolve("day.test");
    expect(dns.queries).toHaveLength(8);
  });

  test("many at once share one query", async () => {
    const { resolver, dns } = await setUp({ "busy.test": { a: ["127.0.0.1"] } });
    await Promise.all(Array.from({ length: 50 }, () => resolver.resolve("busy.test")));
    expect(dns.queries).toHaveLength(2);
  });

  test("a name server that never answers AAAA does not hold up the A answer", async () => {
    const { resolver } = await setUp({ "half.test": { a: ["127.0.0.1"], behaviour: { AAAA: "silent" } } });
    const before = performance.now();
    expect(await addresses(resolver, "half.test")).toEqual(["127.0.0.1"]);
    expect(performance.now() - before).toBeLessThan(1500);
  });

  test("no such name, no address, SERVFAIL and REFUSED are distinguished, and not cached: a recheck queries anew", async () => {
    const { resolver, dns } = await setUp({
      "empty.test": {},
      "broken.test": { behaviour: "servfail" },
      "closed.test": { behaviour: "refused" },
    });
    expect((await failure(resolver, "nothere.test")).code).toBe("nxdomain");
    expect((await failure(resolver, "empty.test")).code).toBe("nxdomain");
    expect((await failure(resolver, "broken.test")).code).toBe("servfail");
    expect((await failure(resolver, "closed.test")).code).toBe("refused");
    for (const name of ["nothere.test", "broken.test"]) {
      dns.set(name, { a: ["127.0.0.1"] });
      expect(await addresses(resolver, name)).toEqual(["127.0.0.1"]);
    }
  });
});

describe("one family late, or not at all", () => {
  const late = { a: ["127.0.0.1"], aaaa: ["::1"], lateAMs: 120 };

  test("the quick family is there after 50 ms, the slow one joins", async () => {
    const { resolver } = await setUp({ "slow.test": late });
    const resolution = await resolver.resolve("slow.test");
    expect(resolution.addresses.map(({ address }) => address)).toEqual(["::1"]);
    expect(await resolution.late).toEqual([{ address: "127.0.0.1", family: 4 }]);
  });

  test("callers that share the query get the late answer too, and afterwards the whole is cached", async () => {
    const { resolver, dns } = await setUp({ "slow.test": late });
    const first = await resolver.resolve("slow.test");
    const second = await resolver.resolve("slow.test");
    expect(await second.late).toHaveLength(1);
    await first.late;
    await setImmediate();
    expect(await resolver.resolve("slow.test")).toEqual({
      addresses: [
        { address: "::1", family: 6 },
        { address: "127.0.0.1", family: 4 },
      ],
      late: null,
    });
    expect(dns.queries).toHaveLength(2);
  });

  test.each(["servfail", "refused", "silent"] as const)(
    "what one family said is not kept when the other was %s: the next check queries again",
    async (behaviour) => {
      const { resolver, dns } = await setUp({
        "half.test": { a: ["127.0.0.1"], aaaa: ["::1"], behaviour: { A: behaviour } },
      });
      const half = await resolver.resolve("half.test");
      expect(half.addresses).toEqual([{ address: "::1", family: 6 }]);
      expect((await half.late) ?? []).toEqual([]);
      await setImmediate();
      dns.set("half.test", { a: ["127.0.0.1"], aaaa: ["::1"] });
      expect(await addresses(resolver, "half.test")).toEqual(["::1", "127.0.0.1"]);
    },
  );

  test("a family that has no address is an answer, and cached with the other's", async () => {
    const { resolver, dns } = await setUp({
      "four.test": { a: ["127.0.0.1"], behaviour: { AAAA: "nxdomain" } },
    });
    await resolver.resolve("four.test");
    await resolver.resolve("four.test");
    expect(dns.queries).toHaveLength(2);
  });

  test("an answer with a hundred addresses gives sixteen", async () => {
    const a = Array.from({ length: 100 }, (_, index) => `127.0.1.${index}`);
    const { resolver } = await setUp({ "many.test": { a } });
    expect(await addresses(resolver, "many.test")).toHaveLength(16);
  });
});

describe("a check that follows a failure", () => {
  test("does not trust queries sent before it, but shares those sent since", async () => {
    const { resolver, dns, clock } = await setUp({ "moved.test": { a: ["127.0.0.1"] } });
    await resolver.resolve("moved.test");
    dns.set("moved.test", { a: ["127.0.0.9"] });
    clock.now = 10;
    const anew = async () => (await resolver.resolve("moved.test", 10)).addresses[0]?.address;
    expect(await Promise.all([anew(), anew()])).toEqual(["127.0.0.9", "127.0.0.9"]);
    expect(await anew()).toBe("127.0.0.9");
    expect(dns.queries).toHaveLength(4);
    expect(await addresses(resolver, "moved.test")).toEqual(["127.0.0.9"]);
    expect(dns.queries).toHaveLength(4);
  });
});

describe("name servers that change", () => {
  async function follow() {
    const [before, after] = [await startDnsTarget(), await startDnsTarget()];
    open.push(before, after);
    const resolvConf = join(temporaryFolder(), "resolv.conf");
    const announce = (dns: DnsTarget) => writeFileSync(resolvConf, `# x\nnameserver ${dns.server}\n`);
    announce(before);
    const clock = { now: 0 };
    const resolver = createResolver({ servers: [], resolvConf, tryTimeoutMs: 100, now: () => clock.now });
    return { before, after, announce, clock, resolver };
  }

  test("are followed within a second, and what the old ones said is forgotten", async () => {
    const { before, after, announce, clock, resolver } = await follow();
    before.set("shop.test", { a: ["127.0.0.1"] });
    after.set("shop.test", { a: ["127.0.0.2"] });
    expect(await addresses(resolver, "shop.test")).toEqual(["127.0.0.1"]);
    announce(after);
    clock.now = 1000;
    expect(await addresses(resolver, "shop.test")).toEqual(["127.0.0.2"]);
  });

  test("do not leave checks with a query to the old ones that is still under way", async () => {
    const { before, after, announce, clock, resolver } = await follow();
    before.set("shop.test", { behaviour: "silent" });
    after.set("shop.test", { a: ["127.0.0.2"] });
    const lost = failure(resolver, "shop.test");
    announce(after);
    clock.now = 1000;
    expect(await addresses(resolver, "shop.test")).toEqual(["127.0.0.2"]);
    expect((await lost).code).toBe("timeout");
  });

  test("are not followed where others are configured", async () => {
    const { before, after, announce, clock } = await follow();
    before.set("shop.test", { a: ["127.0.0.1"] });
    const resolver = createResolver({ servers: [before.server], now: () => clock.now });
    await resolver.resolve("shop.test");
    announce(after);
    clock.now = 60_000;
    expect(await addresses(resolver, "shop.test")).toEqual(["127.0.0.1"]);
  });

  test.each([
    ["nameserver 192.0.2.1", ["192.0.2.1"]],
    ["search x\nnameserver\t2001:db8::1 \r\nnameserver 192.0.2.1 # two", ["2001:db8::1", "192.0.2.1"]],
    ["nameserver [2001:db8::1]:5353\nnameserver 192.0.2.1:54", ["[2001:db8::1]:5353", "192.0.2.1:54"]],
    ["nameserver fe80::1%eth0", ["fe80::1%eth0"]],
    ["#nameserver 192.0.2.1\nnameserver unknown\nnameserver", []],
  ])("%j names %j", (text, servers) => {
    expect(parseResolvConf(text).servers).toEqual(servers);
  });
});

describe("search domains", () => {
  async function searching(conf: string, records: Record<string, DnsRecord>, tryTimeoutMs = 300) {
    const dns = await startDnsTarget(records);
    open.push(dns);
    const resolvConf = join(temporaryFolder(), "resolv.conf");
    writeFileSync(resolvConf, `nameserver ${dns.server}\n${conf}`);
    const resolver = createResolver({
      servers: [],
      resolvConf,
      hostsFile: join(temporaryFolder(), "hosts"),
      tryTimeoutMs,
      systemLookup: async () => [],
    });
    const queried = () => [...new Set(dns.queries.map((query) => query.replace(/^\S+ /, "")))];
    return { dns, resolver, queried, resolvConf };
  }

  const CLUSTER = "search ns.svc.cluster.test svc.cluster.test cluster.test\noptions ndots:5\n";
  const service = { a: ["127.0.0.7"] };

  test("complete a name with fewer dots than ndots, in their order", async () => {
    const { resolver, queried } = await searching(CLUSTER, {
      "grafana.monitoring.svc.cluster.test": service,
    });
    expect(await addresses(resolver, "grafana.monitoring")).toEqual(["127.0.0.7"]);
    expect(queried()).toEqual([
      "grafana.monitoring.ns.svc.cluster.test",
      "grafana.monitoring.svc.cluster.test",
    ]);
  });

  test("come before the name as it is where that has few dots, and after it otherwise", async () => {
    const few = await searching(CLUSTER, { "www.shop.test": service });
    expect(await addresses(few.resolver, "www.shop.test")).toEqual(["127.0.0.7"]);
    expect(few.queried().at(-1)).toBe("www.shop.test");
    expect(few.queried()).toHaveLength(4);
    const enough = await searching("search corp.test\n", {
      "db.lan.corp.test": service,
      "www.shop.test": service,
    });
    expect(await addresses(enough.resolver, "www.shop.test")).toEqual(["127.0.0.7"]);
    expect(enough.queried()).toEqual(["www.shop.test"]);
    expect(await addresses(enough.resolver, "db.lan")).toEqual(["127.0.0.7"]);
    expect(enough.queried().slice(1)).toEqual(["db.lan", "db.lan.corp.test"]);
  });

  test.each(["refused", "silent"] as const)(
    "are given up where one is answered with %s, and the name as it is is still queried",
    async (behaviour) => {
      const { resolver, queried } = await searching("search one.test two.test\noptions ndots:5\n", {
        "www.shop.test.one.test": { behaviour },
        "www.shop.test": service,
      });
      expect(await addresses(resolver, "www.shop.test")).toEqual(["127.0.0.7"]);
      expect(queried()).toEqual(["www.shop.test.one.test", "www.shop.test"]);
    },
  );

  test("do not complete a name that ends in a dot", async () => {
    const { resolver, queried } = await searching(CLUSTER, {
      "grafana.monitoring.svc.cluster.test": service,
    });
    expect(await addresses(resolver, "grafana.monitoring")).toEqual(["127.0.0.7"]);
    expect((await failure(resolver, "grafana.monitoring.")).code).toBe("nxdomain");
    expect(queried().at(-1)).toBe("grafana.monitoring");
  });

  test("are tried after a name without addresses and after SERVFAIL, not after silence", async () => {
    const conf = "search one.test two.test\n";
    const found = { "db.lan.two.test": service };
    for (const lan of [{}, { behaviour: "servfail" as const }, { behaviour: "refused" as const }]) {
      const { resolver } = await searching(conf, { ...found, "db.lan": lan });
      expect(await addresses(resolver, "db.lan")).toEqual(["127.0.0.7"]);
    }
    const { resolver } = await searching(conf, { ...found, "db.lan.one.test": { behaviour: "servfail" } });
    expect(await addresses(resolver, "db.lan")).toEqual(["127.0.0.7"]);
    const silent = await searching(conf, { ...found, "db.lan": { behaviour: "silent" } }, 50);
    expect((await failure(silent.resolver, "db.lan")).code).toBe("timeout");
    expect(silent.queried()).toEqual(["db.lan"]);
  });

  test("leave the reason to the name as it is, where that came first", async () => {
    const records = {
      "db.lan.corp.test": { behaviour: "servfail" as const },
      "www.lan": { behaviour: "servfail" as const },
    };
    const { resolver } = await searching("search corp.test\n", records);
    expect((await failure(resolver, "db.lan")).code).toBe("nxdomain");
    expect((await failure(resolver, "www.lan")).code).toBe("servfail");
    const later = await searching("search corp.test\noptions ndots:4\n", records);
    expect((await failure(later.resolver, "db.lan")).code).toBe("servfail");
  });

  test("one family's quick answer counts at once, also of a completed name", async () => {
    const { resolver } = await searching("search corp.test\n", {
      "db.lan.corp.test": { a: ["127.0.0.1"], aaaa: ["::1"], lateAMs: 120 },
    });
    const resolution = await resolver.resolve("db.lan");
    expect(resolution.addresses.map(({ address }) => address)).toEqual(["::1"]);
    expect(await resolution.late).toEqual([{ address: "127.0.0.1", family: 4 }]);
  });

  test("do not apply to configured name servers", async () => {
    const { dns, resolvConf } = await searching(CLUSTER, { "a.b.cluster.test": service });
    const resolver = createResolver({ servers: [dns.server], resolvConf, tryTimeoutMs: 50 });
    expect((await failure(resolver, "a.b")).code).toBe("nxdomain");
  });

  test.each([
    ["search a.test b.test", ["a.test", "b.test"], 1],
    ["search a.test\ndomain B.test.\n", ["b.test"], 1],
    ["domain b.test\nsearch a.test\tc.test\r\noptions rotate ndots:2 timeout:1", ["a.test", "c.test"], 2],
    ["options ndots:99\nsearch .", [""], 15],
    ["#search a.test\n;search b.test\noptions ndots:x", ["lan.test"], 1],
    ["search a..test \u0000 /etc b.test", ["b.test"], 1],
    ["options ndots:0\nsearch", [], 0],
  ])("%j has %j", (text, search, ndots) => {
    expect(parseResolvConf(text, "host.lan.test")).toMatchObject({ servers: [], search, ndots });
  });

  test.each([
    ["a.b", ["a.b", "a.b.x", "a.b.y"], 1],
    ["a", ["a.x", "a.y", "a"], 1],
    ["a", ["a", "a.x", "a.y"], 0],
    ["a.b", ["a.b.x", "a.b.y", "a.b"], 2],
    ["a.b.", ["a.b"], 5],
  ])("%j is looked up as %j with ndots:%i", (host, names, ndots) => {
    expect(searchNames(host, { search: ["x", "y"], ndots })).toEqual(names);
  });

  test("with the root among them leave the name as it is to its place", () => {
    expect(searchNames("a", { search: ["", "x"], ndots: 1 })).toEqual(["a", "a.x"]);
  });
});

describe("names outside the DNS", () => {
  test("a literal is its own answer", async () => {
    const { resolver, dns } = await setUp({});
    expect(await resolver.resolve("127.0.0.1")).toEqual({
      addresses: [{ address: "127.0.0.1", family: 4 }],
      late: null,
    });
    expect(await addresses(resolver, "::1")).toEqual(["::1"]);
    expect(dns.queries).toEqual([]);
  });

  test("localhost is loopback, whatever the hosts file and the DNS say", async () => {
    const { resolver } = await setUp({ localhost: { a: ["10.0.0.1"] } }, "10.0.0.2 localhost\n");
    expect(await addresses(resolver, "localhost")).toEqual(["127.0.0.1", "::1"]);
    expect(await addresses(resolver, "app.localhost")).toEqual(["127.0.0.1", "::1"]);
  });

  test("the hosts file comes before the DNS and is read again when it changes", async () => {
    const { resolver, dns, clock, hostsFile } = await setUp(
      { "own.test": { a: ["127.0.0.3"] } },
      "127.0.0.4 own.test # mine\n",
    );
    expect(await addresses(resolver, "own.test")).toEqual(["127.0.0.4"]);
    writeFileSync(hostsFile, "127.0.0.55 Own.test\n");
    utimesSync(hostsFile, 1, 1);
    clock.now = 1000;
    expect(await addresses(resolver, "own.test")).toEqual(["127.0.0.55"]);
    expect(dns.queries).toEqual([]);
    writeFileSync(hostsFile, "");
    clock.now = 2000;
    expect(await addresses(resolver, "own.test")).toEqual(["127.0.0.3"]);
  });

  test("the system resolves names without a dot that the DNS does not know, and no others", async () => {
    const { resolver, system } = await setUp({});
    expect(await addresses(resolver, "printer")).toEqual(["10.1.2.3"]);
    await failure(resolver, "scanner.local");
    await failure(resolver, "www.elsewhere.test");
    expect(system).toEqual(["printer", "scanner.local"]);
  });

  test("a hosts file with nonsense gives what makes sense", () => {
    const hosts = parseHosts("::1 a b\n# 1.1.1.1 c\nnonsense d\n\n127.0.0.1\ta # two\r\n127.0.0.1 a");
    expect([...hosts.keys()]).toEqual(["a", "b"]);
    expect(hosts.get("a")?.map(({ address }) => address)).toEqual(["::1", "127.0.0.1"]);
  });
});
