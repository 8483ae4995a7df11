import { expect, onTestFinished, test } from "vitest";
import type { ListedRoute } from "../../../src/platform/http/types.ts";
import { fillEveryTable, rowsOfOrganization } from "../../harness/rows.ts";
import { startTestServer, type TestServer } from "../../harness/server.ts";
import { eachEngine } from "../../harness/stores.ts";

const NOW = Date.UTC(2026, 10, 21, 12);
/** The numbers of the other organization's rows, which nothing of the caller's has. */
const OUTSIDERS = [700_001, 700_002, 700_003];
/** Text of the other organization: every column of text says its name and its row's number. */
const FOREIGN = /[a-z] 70000[1-3]\b/;

const uuidOf = (number: number) => `0193f2a0-0000-7000-8000-000000${number}`;

/** What queries look for before they check whose it is: with these a row is found unless its organization is. */
const COMMON: Record<string, unknown> = {
  // A sender is not known there, either: it is read before its signature is.
  "deployment_webhooks.monitors": "[]",
  "deployment_webhooks.tags": "[]",
  "deployment_webhooks.environments": "[]",
  "deployment_webhooks.last_failure": null,
  kind: "domain",
  type: "http",
  config: "{}",
  secrets: null,
  locations: null,
  tags: "[]",
  enabled: 1,
  deleted_at: null,
  resolved_at: null,
  plan: "expert",
  reports: 1,
  role: "owner",
  scopes: '["*:*"]',
  severity: "high",
  impact: "major",
  from_status: "up",
  to_status: "down",
  rules: "{}",
  last_result: null,
  report: "{}",
  action: "create domains",
  at: NOW,
  expires_at: NOW + 86_400_000,
  period_seconds: 86_400,
  "monitor_states.status": "down",
  "incidents.status": "open",
  "incident_updates.status": "open",
  "notifications.type": "error",
  "notifications.event": "monitor.down",
};

function outsidersValue(table: string, column: string, number: number): unknown {
  if (column === "uuid") return uuidOf(number);
  // Rows of the outbox need not have one.
  if (column === "organization_id") return number;
  // Locations are everybody's.
  if (table === "locations" && /code|name/.test(column)) return `L${number}`;
  const own = COMMON[`${table}.${column}`];
  if (own !== undefined) return own;
  if (Object.hasOwn(COMMON, column)) return COMMON[column];
  return column.endsWith("_at") ? NOW - 60_000 : undefined;
}

/** A body that a route may take, as if for the other organization's things. */
function bodyFor({ schema, url }: ListedRoute): object | undefined {
  const { body } = schema as { body?: { properties?: Record<string, { enum?: unknown[] }> } };
  if (!body) return undefined;
  const wanted: Record<string, unknown> = {
    name: "Mine now",
    url: "http://127.0.0.1:1/",
    scopes: ["read:*"],
    role: "viewer",
    email: "outsider@vedette.test",
    action: body.properties?.["action"]?.enum?.[0] ?? (url.endsWith("/bulk") ? "pause" : undefined),
    ids: [...OUTSIDERS, ...OUTSIDERS.map(uuidOf)],
  };
  const fields = Object.entries(wanted).filter(([name]) => Object.hasOwn(body.properties ?? {}, name));
  return Object.fromEntries(fields);
}

eachEngine("other organizations", (engine) => {
  const rowsOfAll = (server: TestServer) =>
    Promise.all(OUTSIDERS.map((id) => rowsOfOrganization(server.ctx.store, id)));

  async function start(): Promise<TestServer> {
    const server = await startTestServer({
      ...{ engine, allOrganizations: true, clock: { now: () => NOW } },
      // What the other organization has is in no one's way.
      alone: true,
    });
    onTestFinished(server.close);
    await server.api("POST", "/api/domains", { url: "http://127.0.0.1:1/" });
    await fillEveryTable(server.ctx.store, OUTSIDERS.length, {
      first: OUTSIDERS[0] as number,
      valueIn: outsidersValue,
    });
    return server;
  }

  /** Requests each of the strangers' things from a route, and again in the name of their organization. */
  async function tryAll(server: TestServer, route: ListedRoute): Promise<void> {
    const body = bodyFor(route);
    const [number] = OUTSIDERS as [number];
    const ids = route.url.includes(":") ? [number, uuidOf(number)] : [""];
    for (const id of ids) {
      const path = route.url.replaceAll(/:\w+/g, String(id));
      for (const query of ["", `?organization=${number}`, `?organizationId=${uuidOf(number)}`]) {
        const answer = await server.api(route.method, path + query, body, { headers: { via: "1.1 test" } });
        const said = JSON.stringify(answer.body ?? null);
        expect(FOREIGN.exec(said), `${route.method} ${path}${query} says ${said}`).toBeNull();
        // What a tool was to look at may not answer; that is no fault of ours.
        const most = route.resource === "toolbox" ? 502 : 499;
        expect(answer.status, `${route.method} ${path}${query} says ${said}`).toBeLessThanOrEqual(most);
      }
    }
  }

  test("are neither read nor changed by any route, whatever is sent", async () => {
    const server = await start();
    const before = await rowsOfAll(server);
    for (const rows of before) {
      const empty = Object.keys(rows).filter((table) => rows[table]?.length === 0);
      expect(empty, "tables in which the other organization has no row").toEqual([]);
    }
    const routes = server.app.routeList.filter(({ url, alias }) => !url.endsWith("/events") && !alias);
    const reading = routes.filter(({ method }) => method === "GET");
    const writing = routes.filter(({ method }) => method !== "GET");
    for (const route of [...reading, ...writing]) await tryAll(server, route);
    expect(await rowsOfAll(server)).toEqual(before);
  });
});
