import { expect, test } from "vitest";
import { createResolver } from "../../../src/checks/resolve.ts";
import { startDnsTarget } from "../../harness/dns-target.ts";
import { check, closing, startHttpTarget } from "../factories.ts";

const setUp = async (records: Parameters<typeof startDnsTarget>[0]) => {
  const dns = closing(await startDnsTarget(records));
  return { dns, resolver: createResolver({ servers: [dns.server] }) };
};

test("a name is resolved once for many checks, and its phase is measured", async () => {
  const { dns, resolver } = await setUp({ "site.test": { a: ["127.0.0.1"] } });
  const target = await startHttpTarget();
  const first = await check(`http://site.test:${target.port}/`, { network: { resolver } });
  expect(first).toMatchObject({ verdict: "ok", address: "127.0.0.1" });
  expect(first.phases.dnsUs).toBeGreaterThan(0);
  await check(`http://site.test:${target.port}/`, { network: { resolver } });
  expect(dns.queries.toSorted()).toEqual(["A site.test", "AAAA site.test"]);
  expect(target.requests[0]?.headers.host).toBe(`site.test:${target.port}`);
});

test("a name that does not exist is down for that reason", async () => {
  const { resolver } = await setUp({});
  expect(await check("http://gone.test/", { network: { resolver } })).toMatchObject({
    verdict: "failed",
    reasonCode: "dns",
    reason: "The name gone.test does not exist in the DNS, or has no address.",
    address: null,
  });
});

test("a silent name server counts against the check's own timeout", async () => {
  const { resolver } = await setUp({ "mute.test": { behaviour: "silent" } });
  const outcome = await check("http://mute.test/", { network: { resolver }, timeoutMs: 300 });
  expect(outcome).toMatchObject({
    reasonCode: "timeout",
    reason: "Timed out after 0.3 s: the DNS did not answer for mute.test.",
  });
  expect(outcome.phases.totalUs).toBeLessThan(900_000);
});

test("a host whose IPv4 address comes late is up where IPv6 leads nowhere, and so at the recheck", async () => {
  const { resolver } = await setUp({ "dual.test": { aaaa: ["::1"], a: ["127.0.0.1"], lateAMs: 120 } });
  const target = await startHttpTarget();
  const url = `http://dual.test:${target.port}/`;
  const all = await Promise.all([1, 2, 3].map(() => check(url, { network: { resolver } })));
  all.push(await check(url, { network: { resolver } }));
  expect(all.map(({ verdict, address }) => `${verdict} ${address}`)).toEqual(Array(4).fill("ok 127.0.0.1"));
});

test("what the other family says late passes the guard as well", async () => {
  const { resolver } = await setUp({ "inside.test": { aaaa: ["fe80::1"], a: ["127.0.0.1"], lateAMs: 80 } });
  const target = await startHttpTarget();
  const url = `http://inside.test:${target.port}/`;
  expect(await check(url, { network: { resolver } })).toMatchObject({ verdict: "ok", address: "127.0.0.1" });
  const refused = await check(url, { network: { resolver, policy: "public" } });
  expect(refused).toMatchObject({ verdict: "failed", reasonCode: "dns", phases: { totalUs: null } });
  expect(target.requests).toHaveLength(1);
});

test("when the other family brings nothing the failure that was seen is reported, within the timeout", async () => {
  const { resolver } = await setUp({ "half.test": { aaaa: ["::1"], behaviour: { A: "silent" } } });
  const outcome = await check("http://half.test:9/", { network: { resolver }, timeoutMs: 400 });
  expect(outcome).toMatchObject({ verdict: "failed", reasonCode: "timeout" });
  expect(outcome.phases.totalUs).toBeLessThan(1_000_000);
});
