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

/** What visitors of the page get. */
export async function publicOf(server: TestServer, slug: string) {
  const answer = await server.api("GET", `${PAGES}/${slug}/public`, undefined, { key: null });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return answer.body.data;
}
