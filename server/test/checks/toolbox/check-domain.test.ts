import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { createResolver } from "../../../src/checks/resolve.ts";
import { firstAnswerUs } from "../../../src/checks/toolbox/check-domain.ts";
import { cacheAnswers } from "../../../src/checks/toolbox/tool-runner.ts";
import { hang, status } from "../../harness/behaviours.ts";
import { type DnsRecord, startDnsTarget } from "../../harness/dns-target.ts";
import { type RdapReply, registered, startRdapTarget } from "../../harness/rdap-target.ts";
import { startTestServer, type TestServerOptions } from "../../harness/server.ts";
import { startHttpTarget } from "../../harness/targets.ts";

interface World {
  /** What its name server knows. */
  names?: Record<string, DnsRecord>;
  /** What the registry of .com and .net answers; 404 for the rest. */
  registry?: Record<string, RdapReply>;
}

async function openWorld(more: Partial<TestServerOptions> = {}) {
  const dns = await startDnsTarget();
  const registry = await startRdapTarget();
  const config = { resolvers: [dns.server], rdapBootstrap: registry.lists, ...more.config };
  const server = await startTestServer({ engine: "sqlite", ...more, config });
  return {
    ...{ dns, registry, server },
    check: (domain: string) => server.api("GET", `/check-domain?domain=${encodeURIComponent(domain)}`),
    close: async () => {
      await server.close();
      await Promise.all([registry.close(), dns.close()]);
    },
  };
}

let shared: Awaited<ReturnType<typeof openWorld>>;
beforeAll(async () => {
  shared = await openWorld();
  return () => shared.close();
});

/** The world that tests share, each with names of its own, or one of its own where more is requested. */
async function start({ names = {}, registry = {} }: World = {}, more?: Partial<TestServerOptions>) {
  const world = more ? await openWorld(more) : shared;
  if (more) onTestFinished(() => world.close());
  for (const [name, record] of Object.entries(names)) world.dns.set(name, record);
  for (const [path, reply] of Object.entries(registry)) world.registry.set(path, reply);
  return world;
}

const requestsFor = (requests: readonly string[], name: string) =>
  requests.filter((path) => path.endsWith(`/domain/${name}`)).length;

describe("GET /check-domain", () => {
  it("needs no key and answers at both addresses", async () => {
    const { server } = await start({
      registry: { "/domain/vedette-taken.com": registered("vedette-taken.com") },
    });
    for (const path of ["/check-domain", "/api/check-domain"]) {
      const answer = await server.api("GET", `${path}?domain=vedette-taken.com`, undefined, { key: null });
      expect(answer.status).toBe(200);
      expect(answer.body).toMatchObject({
        success: true,
        data: { domain: "vedette-taken.com", available: false },
      });
    }
  });

  it("calls a domain available when its registry says that it is not registered", async () => {
    const { check } = await start();
    const { status: code, body } = await check("www.vedette-free.com");
    expect([code, body.message]).toEqual([
      200,
      "vedette-free.com is not registered, according to its registry.",
    ]);
    expect(body.data).toEqual({
      domain: "www.vedette-free.com",
      available: true,
      reachable: false,
      response_time: null,
    });
  });

  it("does not call a name available that is registered and not in the DNS", async () => {
    const { check } = await start({
      registry: { "/domain/vedette-held.com": registered("vedette-held.com") },
    });
    const { body } = await check("vedette-held.com");
    expect([body.data.available, body.message]).toEqual([false, "OK"]);
  });

  it.each<[string, RdapReply]>([
    ["is queried too often", { status: 429, headers: { "retry-after": "30" } }],
    ["fails", { status: 500 }],
    ["answers with a page", { status: 404, body: "<p>Not found</p>" }],
    ["answers with garbage", { body: "garbage" }],
    ["hangs up", (answer) => answer.destroy()],
  ])(
    "does not guess where the registry %s: an error, or registered where the DNS knows the name",
    async (how, reply) => {
      const { check } = await start(
        {
          names: { "vedette-known.com": {} },
          registry: { "/domain/vedette-unclear.com": reply, "/domain/vedette-known.com": reply },
        },
        {},
      );
      const unclear = await check("vedette-unclear.com");
      expect([how, unclear.status, unclear.body.data]).toEqual([how, 503, undefined]);
      expect(unclear.body.message).toMatch(
        /^Whether vedette-unclear\.com is free cannot be said\. The registry /,
      );
      expect(unclear.headers.get("retry-after")).toBe(how === "is queried too often" ? "30" : "60");
      const known = await check("vedette-known.com");
      expect([known.status, known.body.data]).toMatchObject([200, { available: false }]);
    },
  );

  it("gives a clear error, too, where neither registry nor name server answers", async () => {
    const { check } = await start({
      names: { "vedette-quiet.com": { behaviour: "servfail" } },
      registry: { "/domain/vedette-quiet.com": { status: 502 } },
    });
    expect((await check("vedette-quiet.com")).status).toBe(503);
  });

  it("says which field it is where no registry can be queried", async () => {
    const { check } = await start();
    const { status: code, body } = await check("vedette-free.org");
    expect([code, body.errors.domain]).toEqual([
      422,
      [expect.stringContaining(".org offers no RDAP service")],
    ]);
  });

  it("queries once for all requests at the same time, and keeps the answer for a minute", async () => {
    let now = Date.now();
    const { check, registry } = await start({}, { clock: { now: () => now } });
    const answers = await Promise.all(Array.from({ length: 5 }, () => check("vedette-many.com")));
    expect(answers.map(({ status: code }) => code)).toEqual([200, 200, 200, 200, 200]);
    await check("vedette-many.com");
    expect(requestsFor(registry.requests, "vedette-many.com")).toBe(1);
    now += 60_001;
    await check("vedette-many.com");
    expect(requestsFor(registry.requests, "vedette-many.com")).toBe(2);
  });

  it("queries the registry once for all hosts of a domain", async () => {
    const { check, registry } = await start();
    for (const host of ["a", "b", "c"]) await check(`${host}.vedette-hosts.com`);
    expect(requestsFor(registry.requests, "vedette-hosts.com")).toBe(1);
  });

  it("keeps no failure: the next request gets another try", async () => {
    const { check, registry } = await start({ registry: { "/domain/vedette-soon.com": { status: 500 } } });
    expect((await check("vedette-soon.com")).status).toBe(503);
    registry.set("/domain/vedette-soon.com", registered("vedette-soon.com"));
    expect((await check("vedette-soon.com")).body.data).toMatchObject({ available: false });
  });

  it("answers an address thirty times a minute", async () => {
    const { check } = await start({}, { config: { rateLimits: true } });
    const codes: number[] = [];
    for (let count = 0; count < 31; count += 1) codes.push((await check("vedette-often.com")).status);
    expect([codes.filter((code) => code === 200).length, codes.at(-1)]).toEqual([30, 429]);
  });

  it("never looks at private addresses for an anonymous client, whatever the installation allows", async () => {
    const { check } = await start({
      names: { "vedette-inside.com": { a: ["127.0.0.1"] } },
      registry: { "/domain/vedette-inside.com": registered("vedette-inside.com") },
    });
    const answer = await check("vedette-inside.com");
    expect(answer.body.data).toMatchObject({ available: false, reachable: false, response_time: null });
  });

  it.each(["", "localhost", "127.0.0.1", "no dots", "example.notatld", "http://"])(
    "refuses %j",
    async (domain) => {
      const { check } = await start();
      const answer = await check(domain);
      expect(answer.status).toBe(422);
      expect(answer.body.errors.domain).toHaveLength(1);
    },
  );

  it.each(["example.com:99999", "https://example.com:0/", "example.com:65536/x", "example.com:http"])(
    "refuses %s for its port, before any lookup",
    async (domain) => {
      const { check, registry, dns } = await start();
      const before = [registry.requests.length, dns.queries.length];
      const answer = await check(domain);
      expect([answer.status, answer.body.errors?.domain]).toEqual([422, [expect.any(String)]]);
      expect([registry.requests.length, dns.queries.length]).toEqual(before);
    },
  );

  it("requests the registrable part of a longer name, and takes a whole address", async () => {
    const { check, registry } = await start({
      registry: { "/domain/vedette-longer.com": registered("vedette-longer.com") },
    });
    const answer = await check("https://www.vedette-longer.com/x");
    expect(answer.body.data).toMatchObject({ domain: "www.vedette-longer.com", available: false });
    expect(requestsFor(registry.requests, "vedette-longer.com")).toBe(1);
  });
});

describe("answers that are cached", () => {
  it("are found out again after a minute, and once the clock was set back", async () => {
    let nowMs = 100_000_000;
    const answer = cacheAnswers<number>(() => nowMs);
    let found = 0;
    const read = () => answer("shop.example", async () => (found += 1));
    const readAt = (ms: number) => {
      nowMs = ms;
      return read();
    };
    expect([await read(), await readAt(100_059_999)]).toEqual([1, 1]);
    expect([await readAt(100_060_000), await readAt(13_600_000)]).toEqual([2, 3]);
  });

  it("are found out fifty at once and no more", async () => {
    const answer = cacheAnswers<string>(() => 0);
    const { promise, resolve } = Promise.withResolvers<string>();
    const running = Array.from({ length: 50 }, (_, at) => answer(`${at}`, () => promise));
    await expect(answer("one more", () => promise)).rejects.toMatchObject({ kind: "unavailable" });
    expect(answer("0", () => Promise.reject(new Error("read twice")))).toBe(running[0]);
    resolve("found");
    await Promise.all(running);
    expect(await answer("one more", async () => "found too")).toBe("found too");
  });
});

describe("firstAnswerUs", () => {
  it("queries all at once, so that one that says nothing takes nobody's time", async () => {
    const site = await startHttpTarget({ handler: status(200) });
    const silent = await startHttpTarget({ handler: hang });
    onTestFinished(() => site.close());
    const ctx = { network: { resolver: createResolver({ servers: [] }), policy: "public" as const } };
    const answer = firstAnswerUs(ctx, [silent.url, site.url], "all");
    await expect.poll(() => [silent.connections(), site.connections()], { timeout: 5_000 }).toEqual([1, 1]);
    await silent.close();
    expect(await answer).toBeGreaterThan(0);
  });

  it("counts any HTTP answer as reachable, and tries the next address when one does not answer", async () => {
    const site = await startHttpTarget({ handler: status(500) });
    const dead = await startHttpTarget();
    onTestFinished(() => site.close());
    await dead.close();
    const ctx = { network: { resolver: createResolver({ servers: [] }), policy: "public" as const } };
    expect(await firstAnswerUs(ctx, [dead.url, site.url], "all")).toBeGreaterThan(0);
    expect(await firstAnswerUs(ctx, [dead.url], "all")).toBeNull();
    expect(await firstAnswerUs(ctx, [site.url], "public")).toBeNull();
  });
});
