import { expect, onTestFinished, test } from "vitest";
import { ingestBatch } from "../../src/pipeline.ts";
import { makeDomain } from "../domains/factories.ts";
import { startTestServer, type TestServer } from "../harness/server.ts";
import { eachEngine } from "../harness/stores.ts";
import { failed } from "../pipeline/setup.ts";

type Add = (server: TestServer, at: number) => Promise<unknown>;

const domain: Add = (server, at) => makeDomain(server, { name: `D${at}`, url: `https://d${at}.test` });
const post =
  (path: string, body: (at: number) => object): Add =>
  async (server, at) =>
    expect((await server.api("POST", path, body(at))).status).toBe(201);

/** Each list that is newest first otherwise, without its family, and how it gets one more. */
const LISTS: [path: string, add: Add][] = [
  ["domains", domain],
  ["devices", post("/api/devices", (at) => ({ name: `M${at}` }))],
  ["incidents", post("/api/incidents", (at) => ({ title: `I${at}`, severity: "low" }))],
  ["deployments", post("/api/deployments", (at) => ({ name: `shop ${at}`, version: `${at}` }))],
  ["organizations/OWN/audit-log", domain],
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
    const path = list.replace("OWN", String(server.person.organization.id));
    for (const at of [1, 2, 3]) await add(server, at);
    const all = (await server.api("GET", `/api/${path}`)).body.data;
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
