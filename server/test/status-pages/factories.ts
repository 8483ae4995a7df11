import { insertMany } from "../../src/platform/database/bulk.ts";
import { monitorRow } from "../harness/rows.ts";
import type { TestServer } from "../harness/server.ts";

export const PAGES = "/api/status-pages";

let counter = 0;

/** A slug that no other test of this process uses. */
export const newSlug = (): string => `page-${process.pid}-${(counter += 1)}`;

/** A status page, made through the API. */
export async function makePage(
  server: TestServer,
  more: object = {},
): Promise<{ id: number; uuid: string; slug: string; url: string | null }> {
  const answer = await server.api("POST", PAGES, { name: "Example", slug: newSlug(), ...more });
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return answer.body.data;
}

/** Puts a domain on a page; returns the component. */
export async function linkDomain(
  server: TestServer,
  page: { id: number },
  domain: { id: number },
  more: object = {},
): Promise<{ id: number; uuid: string }> {
  const body = { domainId: domain.id, displayName: "Shop", ...more };
  const answer = await server.api("POST", `${PAGES}/${page.id}/domains`, body);
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return answer.body.data;
}

/** What visitors of the page get, once it is read anew. */
export async function publicOf(server: TestServer, slug: string) {
  server.app.statusPages.forget(slug);
  const answer = await server.api("GET", `${PAGES}/${slug}/public`, undefined, { key: null });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return answer.body.data;
}

/** A row of a page, for tests that need many. */
export const pageRow = (organizationId: number) => ({
  uuid: crypto.randomUUID(),
  organization_id: organizationId,
  name: "Status",
  slug: newSlug(),
  description: "",
  is_public: 1,
  show_automatic: 1,
  time_zone: "UTC",
  allowed_networks: "[]",
  appearance: "{}",
  created_at: 0,
  updated_at: 0,
});

/** A row of a component of the page. */
export const componentRow = (
  page: { id: number },
  organizationId: number,
  monitorId: number,
  more: object = {},
) => ({
  uuid: crypto.randomUUID(),
  organization_id: organizationId,
  page_id: page.id,
  monitor_id: monitorId,
  position: 0,
  display_name: `Component ${monitorId}`,
  description: "",
  shows_uptime: 1,
  shows_days: 1,
  shows_response_times: 1,
  ...more,
});

/** That many monitors of the server's first organization, without any history; their numbers. */
export async function manyMonitors(server: TestServer, count: number): Promise<number[]> {
  const { db } = server.ctx.store;
  const { id: organization_id } = server.person.organization;
  const uuids = Array.from({ length: count }, () => crypto.randomUUID());
  const rows = uuids.map((uuid, at) => {
    const { id: _, ...row } = monitorRow(0, { uuid, organization_id, name: `Monitor ${at}` });
    return { ...row, target: `https://${uuid}.test/`, display_target: uuid };
  });
  await insertMany(db, "monitors", rows);
  const found = await db
    .selectFrom("monitors")
    .select("id")
    .where("uuid", "in", uuids)
    .orderBy("id")
    .execute();
  return found.map(({ id }) => id);
}
