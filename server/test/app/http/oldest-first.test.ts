import { randomUUIDv7 } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { insertChannelDeliveries } from "../../../src/alerts/queries/outbox.ts";
import { ingestBatch } from "../../../src/app/pipeline.ts";
import { insertConversation } from "../../../src/assistant/queries/conversations.ts";
import { startTestServer, type TestServer } from "../../harness/server.ts";
import { eachEngine } from "../../harness/stores.ts";
import { makeDomain } from "../../monitors/domains/factories.ts";
import { failed } from "../pipeline/setup.ts";

type Add = (server: TestServer, at: number) => Promise<unknown>;

const domain: Add = (server, at) => makeDomain(server, { name: `D${at}`, url: `https://d${at}.test` });
const post =
  (path: string, body: (at: number) => object): Add =>
  async (server, at) =>
    expect((await server.api("POST", path, body(at))).status).toBe(201);

const service = (at: number) => ({
  name: `P${at}`,
  protocol: "tcp",
  protocolConfig: { host: "127.0.0.1", port: at },
});

const conversation: Add = ({ ctx, person }, at) => {
  const owner = { userId: person.userId, organizationId: person.organization.id };
  const of = { ...owner, uuid: randomUUIDv7(), title: `Talk ${at}` };
  return insertConversation(ctx.store.db, of, ctx.clock.now() + at);
};

/** The number of the only one in a list; where there is none yet, it is made. */
async function only({ api }: TestServer, path: string, body: object): Promise<number> {
  const [known] = (await api("GET", path)).body.data;
  return (known ?? (await api("POST", path, body)).body.data).id;
}

const CHANNELS = "/api/notifications/channels";
const PAGES = "/api/status-pages";
const channelOf = (server: TestServer) =>
  only(server, CHANNELS, { name: "Hook", type: "webhook", config: { url: "http://127.0.0.1:9/" } });
const incidentOf = (server: TestServer) => only(server, "/api/incidents", { title: "Network" });
const pageOf = (server: TestServer) => only(server, PAGES, { name: "Shop", slug: "oldest-first" });

/** A message about the incident to the channel. */
const delivery: Add = async (server, at) => {
  const { ctx, person } = server;
  const now = ctx.clock.now();
  const about = {
    organizationId: person.organization.id,
    channelId: await channelOf(server),
    incidentId: await incidentOf(server),
  };
  const message = JSON.stringify({ event: "incident.updated", subject: `M${at}` });
  const row = { uuid: randomUUIDv7(), event: "incident.updated", message, recipient: "Hook", threadId: null };
  await insertChannelDeliveries(ctx.store.db, [{ ...about, ...row, givesUpAt: now + 60_000 }], { now });
};

const subscriber: Add = async (server, at) =>
  post(`${PAGES}/${await pageOf(server)}/subscribers`, () => ({
    kind: "webhook",
    address: `http://127.0.0.1:9/${at}`,
  }))(server, at);

/** Where lists are that are within something else: by the name that it has below. */
const WITHIN: Record<string, (server: TestServer) => Promise<number> | number> = {
  OWN: ({ person }) => person.organization.id,
  CHANNEL: channelOf,
  INCIDENT: incidentOf,
  PAGE: pageOf,
};

/** Each list that is newest first otherwise, without its family, and how it gets one more. */
const LISTS: [path: string, add: Add][] = [
  ["domains", domain],
  ["services", post("/api/services", service)],
  ["devices", post("/api/devices", (at) => ({ name: `M${at}` }))],
  ["incidents", post("/api/incidents", (at) => ({ title: `I${at}`, severity: "low" }))],
  ["deployments", post("/api/deployments", (at) => ({ name: `shop ${at}`, version: `${at}` }))],
  ["organizations/OWN/audit-log", domain],
  [
    "organizations/OWN/invitations",
    (server, at) =>
      post(`/api/organizations/${server.person.organization.id}/invitations`, () => ({
        ...{ email: `ada${at}@vedette.test`, role: "viewer" },
      }))(server, at),
  ],
  ["api-keys", (server) => server.createKey()],
  [
    "devices/enrollment-tokens",
    post("/api/devices/enrollment-tokens", (at) => ({ name: `E${at}`, expiresAt: null })),
  ],
  ["maintenance", post("/api/maintenance", (at) => ({ title: `W${at}`, duration: 3600, everything: true }))],
  ["chat/conversations", conversation],
  ["notifications/channels/CHANNEL/deliveries", delivery],
  ["incidents/INCIDENT/deliveries", delivery],
  ["status-pages/PAGE/subscribers", subscriber],
  [
    "notifications",
    async (server, at) => {
      const { id } = await makeDomain(server, {
        name: `N${at}`,
        url: `https://n${at}.test`,
        confirmations: 1,
      });
      await ingestBatch(server.ctx, [failed(id, server.ctx.clock.now(), { address: `192.0.2.${at}` })]);
    },
  ],
];

eachEngine("a list that is newest first", (engine) => {
  test.each(LISTS)("%s can be read from its oldest item on, whose pages do not shift", async (list, add) => {
    const server = await startTestServer({ engine, alone: true });
    onTestFinished(() => server.close());
    for (const at of [1, 2, 3]) await add(server, at);
    const [name] = /[A-Z]+/.exec(list) ?? [];
    const path = name === undefined ? list : list.replace(name, String(await WITHIN[name]?.(server)));
    // By creation, where the list is in another order without that.
    const all = (await server.api("GET", `/api/${path}?sort=-createdAt`)).body.data;
    const key = typeof all[0].id === "string" ? "message" : "id";
    for (const [family, query, of] of [
      ["/api", "sort=createdAt&limit=1", key],
      ["/v2", "sort=created_at&per_page=1", key === "id" ? "uuid" : key],
    ] as const) {
      const page = async (number: number) => {
        const answer = await server.api("GET", `${family}/${path}?${query}&page=${number}`);
        expect([answer.status, answer.body.errors]).toEqual([200, undefined]);
        return answer.body.data[0][of];
      };
      const first = await page(1);
      const second = await page(2);
      await add(server, 4 + (family === "/v2" ? 1 : 0));
      expect([await page(1), await page(2)]).toEqual([first, second]);
      expect(first).not.toBe(second);
      if (family === "/api") expect([all.at(-1), all.at(-2)].map((one) => one[of])).toEqual([first, second]);
    }
  });
});
