import { mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { createResolver } from "../../../src/checks/resolve.ts";
import { listFor, type RdapQuery } from "../../../src/checks/toolbox/rdap/lists.ts";
import { lookUpRegistration } from "../../../src/checks/toolbox/rdap/look-up-registration.ts";
import { startDnsTarget } from "../../harness/dns-target.ts";
import { runCommand } from "../../harness/process.ts";
import { type RdapReply, type RdapTarget, registered, startRdapTarget } from "../../harness/rdap-target.ts";
import { type ApiAnswer, startTestServer, type TestServerOptions } from "../../harness/server.ts";
import { toolEnvironment } from "./run-tool.ts";

interface World {
  registry: RdapTarget;
  lookUp(query: string, family?: "api" | "v2"): Promise<ApiAnswer>;
  close(): Promise<void>;
}

async function openWorld(config: TestServerOptions["config"] = {}): Promise<World> {
  const registry = await startRdapTarget();
  const dns = await startDnsTarget();
  const server = await startTestServer({
    engine: "sqlite",
    config: { rdapBootstrap: registry.lists, resolvers: [dns.server], ...config },
  });
  return {
    registry,
    lookUp: (query, family = "api") => server.api("POST", `/${family}/toolbox/rdap`, { query }),
    close: async () => {
      await server.close();
      await Promise.all([registry.close(), dns.close()]);
    },
  };
}

/** A world of its own, for what would disturb other tests. */
async function startAlone(config?: TestServerOptions["config"]): Promise<World> {
  const world = await openWorld(config);
  onTestFinished(() => world.close());
  return world;
}

let shared: World;
beforeAll(async () => {
  shared = await openWorld();
  return () => shared.close();
});

/** The world that tests share, in which each has names of its own. */
function start(replies: Record<string, RdapReply> = {}): World {
  for (const [path, reply] of Object.entries(replies)) shared.registry.set(path, reply);
  return shared;
}

describe("POST rdap", () => {
  it("shows what the registry says of a domain, in the words of each family", async () => {
    const { lookUp } = start({ "/domain/shop.com": registered("shop.com") });
    const { status, body } = await lookUp("https://www.shop.com/cart");
    expect([status, body.message]).toEqual([200, "OK"]);
    expect(body.data).toMatchObject({
      query: "shop.com",
      kind: "domain",
      registered: true,
      name: "SHOP.COM",
      handle: "2336799_DOMAIN_COM-VRSN",
      status: ["client transfer prohibited"],
      registrar: "Registrar  Inc.",
      organization: "Shop Ltd.",
      country: "DE",
      abuseContact: "abuse@registrar.example",
      events: [
        { action: "registration", date: "1995-08-14T04:00:00.000Z" },
        { action: "expiration", date: "2027-08-13T04:00:00.000Z" },
      ],
      nameServers: ["ns1.example.com"],
      signed: true,
      listPublished: "2026-11-20T12:00:00.000Z",
    });
    const v2 = await lookUp("shop.com", "v2");
    expect(v2.body.data).toMatchObject({
      name_servers: ["ns1.example.com"],
      abuse_contact: "abuse@registrar.example",
    });
  });

  it("knows networks and AS numbers", async () => {
    const { lookUp } = start({
      "/ip/8.8.8.8": {
        body: {
          objectClassName: "ip network",
          name: "GOGL",
          startAddress: "8.8.8.0",
          endAddress: "8.8.8.255",
          country: "US",
        },
      },
      "/ip/2001:4860::8888": { body: { objectClassName: "ip network", name: "GOGL6" } },
      "/ip/2001%3A4860%3A%3A8888": { body: { objectClassName: "ip network", name: "GOGL6" } },
      "/autnum/15169": {
        body: { objectClassName: "autnum", name: "GOOGLE", startAutnum: 15169, endAutnum: 15169 },
      },
    });
    expect((await lookUp("8.8.8.8")).body.data).toMatchObject({
      ...{ kind: "ip", name: "GOGL", range: "8.8.8.0 – 8.8.8.255", country: "US" },
    });
    expect((await lookUp("::ffff:8.8.8.8")).body.data).toMatchObject({ query: "8.8.8.8", name: "GOGL" });
    expect((await lookUp("[2001:4860::8888]")).body.data).toMatchObject({ name: "GOGL6" });
    expect((await lookUp("as15169")).body.data).toMatchObject({ kind: "as", name: "GOOGLE", range: "15169" });
  });

  it("says that a registry knows nothing only where it says so itself", async () => {
    const { lookUp } = start({
      "/domain/empty.com": { status: 404 },
      "/domain/page.com": {
        status: 404,
        body: "<h1>Not found</h1>",
        headers: { "content-type": "text/html" },
      },
      "/domain/other-error.com": { status: 404, body: { errorCode: 500 } },
    });
    for (const free of ["free.com", "empty.com"]) {
      const { status, body } = await lookUp(free);
      expect([status, body.data.registered, body.message]).toEqual([
        ...[200, false, `The registry knows nothing of ${free}.`],
      ]);
    }
    for (const unclear of ["page.com", "other-error.com"]) expect((await lookUp(unclear)).status).toBe(502);
  });

  it("takes nothing else for an answer", { timeout: 20_000 }, async () => {
    const { lookUp } = start({
      "/domain/broken.com": { status: 503, headers: { "retry-after": "7" } },
      "/domain/refused.com": { status: 403 },
      "/domain/garbage.com": { body: "{" },
      "/domain/list.com": { body: "[]" },
      "/domain/odd.com": { status: 404, body: { errorCode: { toString: 1, valueOf: 1 } } },
      "/domain/foreign.com": registered("other.com"),
      "/domain/ns.com": { body: { objectClassName: "nameserver", ldhName: "ns.com" } },
      "/domain/huge.com": { body: `{"objectClassName":"domain","x":"${"x".repeat(1_100_000)}"}` },
      "/domain/hang.com": () => {},
      "/domain/ended.com": (answer) => answer.destroy(),
    });
    const hangs = lookUp("hang.com");
    const said = async (name: string) => {
      const { status, body, headers } = await lookUp(name);
      return [status, body.message, headers.get("retry-after")];
    };
    expect(await said("broken.com")).toEqual([502, expect.stringContaining("status 503"), "7"]);
    expect(await said("refused.com")).toEqual([502, expect.stringContaining("status 403"), null]);
    for (const name of ["garbage.com", "list.com", "odd.com", "foreign.com", "ns.com"]) {
      expect(await said(name)).toEqual([502, expect.stringContaining("not RDAP"), null]);
    }
    expect(await said("huge.com")).toEqual([502, expect.stringContaining("1 MiB"), null]);
    expect(await said("ended.com")).toEqual([502, expect.stringContaining("could not be reached"), "60"]);
    expect([(await hangs).status, (await hangs).body.message]).toEqual([502, expect.stringContaining("8 s")]);
  });

  it("leaves a registry alone for as long as that wants to be", async () => {
    const { lookUp, registry } = await startAlone();
    registry.set("/domain/busy.com", { status: 429, headers: { "retry-after": "120" } });
    const said = async (name: string) => {
      const { status, body, headers } = await lookUp(name);
      return [status, body.message, headers.get("retry-after")];
    };
    expect(await said("busy.com")).toEqual([502, expect.stringContaining("2 min"), "120"]);
    const count = registry.requests.length;
    expect(await said("free.com")).toEqual([502, expect.stringContaining("too often"), "120"]);
    expect(registry.requests).toHaveLength(count);
  });

  it("follows a redirect to where the answer is, and none to an address that must not be contacted", async () => {
    const { lookUp, registry } = start();
    registry.set("/domain/moved.com", {
      status: 302,
      headers: { location: `${registry.url}/elsewhere/domain/moved.com` },
    });
    registry.set("/elsewhere/domain/moved.com", registered("moved.com"));
    registry.set("/domain/inside.com", {
      status: 302,
      headers: { location: "http://169.254.169.254/domain/inside.com" },
    });
    expect((await lookUp("moved.com")).body.data).toMatchObject({ registered: true });
    const { status, body } = await lookUp("inside.com");
    expect([status, body.message]).toEqual([502, expect.stringContaining("must not be contacted")]);
  });

  it("queries no registry inside unless the operator names one", async () => {
    const { lookUp, registry } = await startAlone({ targets: "public" });
    registry.set("/domain/shop.com", registered("shop.com"));
    expect((await lookUp("shop.com")).status).toBe(502);
    expect(registry.requests).toEqual([]);
  });

  it("reads IANA's lists once, and goes by the one that came with it where they cannot be had", async () => {
    const { lookUp, registry } = await startAlone();
    await lookUp("shop.com");
    await lookUp("other.com");
    expect(registry.requests.filter((path) => path.startsWith("/lists/"))).toEqual(["/lists/dns.json"]);
    registry.set("/lists/asn.json", { body: { services: "none" } });
    const { body } = await lookUp("AS1");
    expect(body.message).toContain("rdap.arin.net");
  });

  it("queries an address without its zone", async () => {
    const { lookUp } = start();
    for (const zone of ["eth0", "a-b", "eth0.1"]) {
      const { status, body } = await lookUp(`2001:4860:4860::8888%${zone}`);
      expect([status, body.data?.query]).toEqual([200, "2001:4860:4860::8888"]);
    }
  });

  it("reads a list for the next caller where the first went away", async () => {
    const registry = await startRdapTarget();
    onTestFinished(() => registry.close());
    const environment = await toolEnvironment({}, {}, { rdapBootstrap: registry.lists });
    const stop = new AbortController();
    registry.set("/lists/dns.json", () => stop.abort(new Error("gone")));
    const first = lookUpRegistration.run({ query: "shop.com" }, { ...environment, signal: stop.signal });
    await expect(first).rejects.toThrow("gone");
    const list = { publication: "2026-11-20T12:00:00Z", services: [[["com"], [`${registry.url}/rdap/`]]] };
    registry.set("/lists/dns.json", { body: list });
    const found = await lookUpRegistration.run({ query: "shop.com" }, environment);
    expect(found).toMatchObject({ registered: false, listPublished: "2026-11-20T12:00:00.000Z" });
  });

  it.each([
    ["127.0.0.1", "10.0.0.1", "::1", "fe80::1", "169.254.169.254", "::ffff:10.0.0.1"],
    ["no name", "localhost", "example.notatld", "com", "AS0", "AS4294967296", "a".repeat(300)],
    ["example.de"],
  ])("refuses what no registry knows, and names the field (%#)", async (...queries) => {
    const { lookUp } = start();
    for (const query of queries) {
      const { status, body } = await lookUp(query);
      expect([query, status, Object.keys(body.errors ?? {})]).toEqual([query, 422, ["query"]]);
    }
  });
});

describe("vedette rdap", () => {
  it("prints what the registry says", async () => {
    const registry = await startRdapTarget({ "/domain/shop.com": registered("shop.com") });
    onTestFinished(() => registry.close());
    const environment = { VEDETTE_RDAP_BOOTSTRAP: registry.lists };
    const { code, stdout } = await runCommand(["rdap", "shop.com"], environment);
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^Name +SHOP\.COM\n(?:.*\n)*Registrar +Registrar {2}Inc\.\n/),
    ]);
    expect((await runCommand(["rdap", "free.com"], environment)).stdout).toMatch(
      /knows nothing of free\.com/,
    );
  });
});

describe("the lists that are kept in the data folder", () => {
  /** Whether IANA is sent a request for a list that is stored there, its file of this age. */
  async function isFetched(list: "asn" | "ipv4", wanted: RdapQuery, ageMs: number): Promise<boolean> {
    const dataFolder = await mkdtemp(join(tmpdir(), "vedette-rdap-"));
    onTestFinished(() => rm(dataFolder, { recursive: true, force: true }));
    const file = join(dataFolder, "rdap", `${list}.json`);
    await mkdir(join(dataFolder, "rdap"));
    const services = [[["15000-16000"], ["https://rdap.example/"]]];
    await writeFile(file, JSON.stringify({ publication: "2026-11-20T12:00:00Z", services }));
    const at = new Date(Date.now() - ageMs);
    await utimes(file, at, at);
    const dns = await startDnsTarget({ "data.iana.org": { a: ["127.0.0.1"] } });
    onTestFinished(() => dns.close());
    const environment = await toolEnvironment(
      {},
      { resolver: createResolver({ servers: [dns.server] }) },
      { dataFolder },
    );
    expect((await listFor(wanted, environment)).services).toEqual(services);
    return dns.queries.length > 0;
  }

  it("are fresh for a day, and not for longer because a clock was ahead when they were stored", async () => {
    expect(await isFetched("asn", { kind: "as", name: "15169" }, 3_600_000)).toBe(false);
    expect(await isFetched("ipv4", { kind: "ip", name: "8.8.8.8" }, -30 * 86_400_000)).toBe(true);
  });
});
