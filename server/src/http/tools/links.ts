import type { Links } from "./answer.ts";

/** Where the app shows things of a resource, and one of them. */
const PAGES: Readonly<Record<string, { page: string; item?: string }>> = {
  domains: { page: "/domains", item: "/domains/{id}" },
  services: { page: "/services", item: "/services/{id}" },
  devices: { page: "/devices", item: "/devices/{id}" },
  incidents: { page: "/incidents", item: "/incidents/{id}" },
  maintenance: { page: "/maintenance", item: "/maintenance/{id}" },
  "status-pages": { page: "/status-pages", item: "/status-pages/{id}" },
  notifications: { page: "/settings/channels" },
  integrations: { page: "/settings/integrations" },
  toolbox: { page: "/toolbox" },
  dashboard: { page: "/" },
  account: { page: "/" },
};

/** What of a resource an answer is about: one thing, whose id it is; each of a list; or none. */
type About = { id: unknown } | { isList: boolean };

/** Links to what a tool's answer is about. */
export function linksTo(
  address: string,
  resource: string | undefined,
  about: About = { isList: false },
): Links | undefined {
  const known = resource === undefined ? undefined : PAGES[resource];
  if (!known) return undefined;
  const { page, item } = known;
  if (item === undefined) return { page: address + page };
  if ("isList" in about) return { page: address + page, ...(about.isList && { item: address + item }) };
  const { id } = about;
  const isId = typeof id === "number" || typeof id === "string";
  return { page: address + (isId ? item.replace("{id}", encodeURIComponent(id)) : page) };
}
