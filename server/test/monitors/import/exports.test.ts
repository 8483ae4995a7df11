import { expect, test } from "vitest";
import type { checkKinds } from "../../../src/checks/registry.ts";
import type { TestServer } from "../../harness/server.ts";
import { eachEngine } from "../../harness/stores.ts";
import { serve } from "../domains/factories.ts";

const peer = { host: "peer.test", port: 4711 };
const login = { ...peer, user: "me", password: "s3cret" };

/** Of each kind one with everything that matters: defaults that are changed, secrets, texts that a file has to quote. */
const CONFIGS: Record<Exclude<keyof typeof checkKinds, "group">, object> = {
  http: { url: "https://ünï.test/a?b=${HOME}", method: "POST", body: "$$ ${x}\n- a: 'b'\n", bodyBytes: 0 },
  tcp: { ...peer, tls: true, send: "PING\r\n\t#\u2028a\u2029b\u0085c\rd", expect: "yes" },
  udp: { ...peer, send: "  a " },
  icmp: { host: "2001:db8::1", count: 5 },
  dns: { hostname: "shop.test", recordType: "TXT", dnssec: true, expect: "v=spf1 ~all: #" },
  ftp: { ...login, security: "tls" },
  ssh: peer,
  imap: login,
  pop3: { ...login, ignoreCertificate: true },
  tls: { ...peer, starttls: "imap", minDays: 30 },
  websocket: { ...peer, path: "/?a=b", headers: { "X-Api-Key": "s3cret", "X-Team": "web" } },
  smtp: login,
  grpc: { ...peer, service: "shop.Orders" },
  postgres: { ...login, database: "shop", query: "SELECT 'a: b'" },
  mysql: { ...login, tls: false },
  redis: { ...login, key: "1" },
  mongodb: { ...login, role: "primary" },
  mqtt: { ...login, topic: "a/+/#" },
  heartbeat: { grace: 300 },
};

const SETTINGS = {
  checkInterval: 90,
  confirmations: 4,
  recoveries: 3,
  recheckDelay: 7,
  severity: "low",
  description: "Ada's: #1\n- call ${her}",
  tags: ["null", "1.0", "yes"],
  enabled: false,
};

async function fill({ api }: TestServer): Promise<void> {
  const domains = [
    { url: "https://a.test" },
    { url: "https://a.test", name: "~ The same: again #1" },
    {
      url: "https://b.test",
      authType: "basic",
      authConfig: { username: "me", password: "s3cret" },
      ...SETTINGS,
    },
    { url: "https://c.test", headers: { Authorization: "Bearer s3cret", "X-Team": "web" }, timeout: 5 },
    { url: "https://d.test", assertions: [{ type: "json", path: "$.a", operator: "eq", value: "1" }] },
  ];
  const services = Object.entries(CONFIGS).map(([protocol, protocolConfig]) => ({
    name: `A ${protocol}`,
    protocol,
    protocolConfig,
  }));
  const answers = [
    ...(await Promise.all(domains.map((body) => api("POST", "/api/domains", body)))),
    ...(await Promise.all(services.map((body) => api("POST", "/api/services", body)))),
    await api("POST", "/api/services", { name: "Odd", protocol: "tcp", protocolConfig: peer, ...SETTINGS }),
  ];
  for (const { status, body } of answers) if (status !== 201) throw new Error(JSON.stringify(body));
}

const SECRET = "s3cret";

/** Groups of both kinds, of each other, and of two monitors with one name; made in this order, the outermost first. */
async function addGroups({ api }: TestServer): Promise<number> {
  const make = async (name: string, members: string[], more: object = {}) => {
    const body = { name, protocol: "group", protocolConfig: { members, ...more } };
    const { status, body: answer } = await api("POST", "/api/services", body);
    if (status !== 201) throw new Error(JSON.stringify(answer));
    return answer.data.uuid as string;
  };
  const uuidOf = async (path: string, at = 0) => (await api("GET", path)).body.data[at].uuid as string;
  const twin = { name: "A tcp", url: "https://twin.test" };
  const { uuid } = (await api("POST", "/api/domains", twin)).body.data;
  const tcp = await uuidOf("/api/services?search=A+tcp");
  const outer = await make("Everything: #1", [tcp]);
  const inner = await make("$ Inner", [tcp, uuid], { rule: "count", count: 2 });
  await make("Alone", [await uuidOf("/api/domains?search=b.test")], { rule: "any" });
  const protocolConfig = { members: [inner, await uuidOf("/api/services?search=A+mqtt"), uuid] };
  await api("PUT", `/api/services/${outer}`, { protocolConfig });
  const late = { name: "Late", protocol: "tcp", protocolConfig: { ...peer, port: 1 } };
  await api("POST", "/api/services", late);
  return 5;
}

eachEngine("the export of all monitors", (engine) => {
  const textOf = async ({ api }: TestServer, key?: string, path = "/v2/exports") => {
    const answer = await api("GET", path, undefined, key ? { key } : {});
    expect([answer.status, answer.headers.get("content-type")]).toEqual([
      200,
      "application/yaml; charset=utf-8",
    ]);
    return String(answer.body);
  };

  test("imports into an empty organization as what exports to the same text again, for every kind", async () => {
    const server = await serve({ engine });
    await fill(server);
    const added = await addGroups(server);
    const text = await textOf(server);
    expect(text).not.toContain(SECRET);
    const key = await server.createKey({ person: await server.createOrganization() });
    const imported = await server.api("POST", "/v2/imports", { content: text }, { key });
    const { missing } = imported.body.data;
    expect(missing).toContain("A_POSTGRES_PASSWORD");
    const variables = Object.fromEntries(missing.map((name: string) => [name, SECRET]));
    const body = { content: text, variables, dry_run: false };
    const { data } = (await server.api("POST", "/v2/imports", body, { key })).body;
    expect(data.entries.filter(({ outcome }: { outcome: string }) => outcome !== "created")).toEqual([]);
    expect(data.total).toBe(6 + Object.keys(CONFIGS).length + added);
    expect(await textOf(server, key)).toBe(text);
    const again = await server.api("POST", "/v2/imports", { ...body, dry_run: true }, { key });
    expect(again.body.data.summary).toMatchObject({ duplicate: data.total });
  }, 240_000);

  test("names the members of groups, and says more of those that share a name", async () => {
    const server = await serve({ engine });
    await fill(server);
    await addGroups(server);
    const text = await textOf(server);
    expect(text.slice(text.indexOf("  - name: $$ Inner"))).toBe(`  - name: $$ Inner
    protocol: group
    protocolConfig:
      members:
        - kind: service
          name: A tcp
          target: peer.test:4711
        - kind: domain
          name: A tcp
          target: https://twin.test
      rule: count
      count: 2
  - name: Alone
    protocol: group
    protocolConfig:
      members:
        - b.test
      rule: any
  - name: "Everything: #1"
    protocol: group
    protocolConfig:
      members:
        - $$ Inner
        - A mqtt
        - kind: domain
          name: A tcp
          target: https://twin.test
`);
  });

  test("says only what is not usual, and requests secrets", async () => {
    const server = await serve({ engine });
    await server.api("POST", "/api/domains", { url: "https://a.test" });
    const service = { name: "Dienst für Bücher", protocol: "postgres" };
    const protocolConfig = { ...peer, database: "shop", user: "me", password: SECRET };
    await server.api("POST", "/api/services", { ...service, protocolConfig, checkInterval: 30 });
    expect((await textOf(server)).replace(/^#.*\n/gm, "")).toBe(
      `vedette: 1
domains:
  - name: a.test
    url: https://a.test
services:
  - name: Dienst für Bücher
    protocol: postgres
    protocolConfig:
      host: peer.test
      port: 4711
      database: shop
      user: me
      password: \${DIENST_FUR_BUCHER_PASSWORD}
    checkInterval: 30
`,
    );
  });

  test("has what its reader may see, of the own organization", async () => {
    const server = await serve({ engine });
    await fill(server);
    const viewer = await server.createKey({ role: "viewer", person: server.person });
    expect(await textOf(server, viewer)).toContain("A postgres");
    const domainsOnly = await server.createKey({ scopes: ["read:domains"] });
    const text = await textOf(server, domainsOnly, "/api/exports");
    expect([text.includes("a.test"), text.includes("A postgres")]).toEqual([true, false]);
    expect(text).toContain("# services are left out");
    const other = await server.createKey({ person: await server.createOrganization() });
    expect(await textOf(server, other)).toContain("domains: []\nservices: []\n");
    const neither = await server.createKey({ scopes: ["read:incidents"] });
    expect((await server.api("GET", "/v2/exports", undefined, { key: neither })).status).toBe(403);
  });

  test("is a file with the organization's name", async () => {
    const server = await serve({ engine });
    const { headers } = await server.api("GET", "/v2/exports");
    expect(headers.get("content-disposition")).toMatch(/^attachment; filename="vedette-[\w-]+\.yaml"$/);
  });
});
