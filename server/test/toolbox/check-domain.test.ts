import { describe, expect, it, onTestFinished } from "vitest";
import { createResolver } from "../../src/check/resolve.ts";
import { firstAnswerUs } from "../../src/toolbox/check-domain.ts";
import { status } from "../harness/behaviours.ts";
import { type DnsRecord, startDnsTarget } from "../harness/dns-target.ts";
import { startTestServer } from "../harness/server.ts";
import { startHttpTarget } from "../harness/targets.ts";

/** A server whose names all come from a name server of the test's own. */
async function start(records: Record<string, DnsRecord>) {
  const dns = await startDnsTarget(records);
  onTestFinished(() => dns.close());
  const server = await startTestServer({ engine: "sqlite", config: { resolvers: [dns.server] } });
  onTestFinished(() => server.close());
  return server;
}

describe("GET /check-domain", () => {
  it("needs no key and answers at both addresses", async () => {
    const server = await start({ "vedette-taken.com": { a: ["127.0.0.1"] } });
    for (const path of ["/check-domain", "/api/check-domain"]) {
      const answer = await server.api("GET", `${path}?domain=vedette-taken.com`, undefined, { key: null });
      expect(answer.status).toBe(200);
      expect(answer.body).toMatchObject({
        success: true,
        data: { domain: "vedette-taken.com", available: false },
      });
    }
  });

  it("does not call a domain available because the DNS does not know it, and says so", async () => {
    const server = await start({});
    const answer = await server.api("GET", "/check-domain?domain=www.vedette-free.com");
    expect(answer.body.message).toBe(
      "The DNS does not know vedette-free.com. Whether it can be registered is not known: only its registry can tell.",
    );
    expect(answer.body.data).toEqual({
      domain: "www.vedette-free.com",
      available: false,
      reachable: false,
      response_time: null,
    });
  });

  it("never looks at private addresses for a stranger, whatever the installation allows", async () => {
    const server = await start({ "vedette-inside.com": { a: ["127.0.0.1"] } });
    const answer = await server.api("GET", "/check-domain?domain=vedette-inside.com");
    expect(answer.body.data).toMatchObject({ available: false, reachable: false, response_time: null });
  });

  it.each(["", "localhost", "127.0.0.1", "no dots", "example.notatld", "http://"])(
    "refuses %j",
    async (domain) => {
      const server = await start({});
      const answer = await server.api("GET", `/check-domain?domain=${encodeURIComponent(domain)}`);
      expect(answer.status).toBe(422);
      expect(answer.body.errors.domain).toHaveLength(1);
    },
  );

  it.each(["example.com:99999", "https://example.com:0/", "example.com:65536/x", "example.com:http"])(
    "refuses %s for its port, before any lookup",
    async (domain) => {
      const server = await start({});
      const answer = await server.api("GET", `/check-domain?domain=${encodeURIComponent(domain)}`);
      expect([answer.status, answer.body.errors?.domain]).toEqual([422, [expect.any(String)]]);
    },
  );

  it("asks for the registrable part of a longer name, and takes a whole address", async () => {
    const server = await start({ "vedette-taken.com": {} });
    const answer = await server.api("GET", "/check-domain?domain=https%3A%2F%2Fwww.vedette-taken.com%2Fx");
    expect(answer.body.data).toMatchObject({ domain: "www.vedette-taken.com", available: false });
  });

  it("does not guess when the name servers do not answer", async () => {
    const server = await start({ "vedette-quiet.com": { behaviour: "servfail" } });
    const answer = await server.api("GET", "/check-domain?domain=vedette-quiet.com");
    expect(answer.status).toBe(503);
    expect(answer.headers.get("retry-after")).toBe("60");
  });
});

describe("firstAnswerUs", () => {
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
