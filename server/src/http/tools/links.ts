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
  toolbox: { page: "/toolbox" },
  dashboard: { page: "/" },
  account: { page: "/" },
};

/** Links to what a tool's answer is about; `id`: to the one thing of it. */
export function linksTo(address: string, resource: string | undefined, id?: unknown): Links | undefined {
  const known = resource === undefined ? undefined : PAGES[resource];
  if (!known) return undefined;
  const { page, item } = known;
  const isOne = item !== undefined && (typeof id === "number" || typeof id === "string");
  if (isOne) return { page: address + item.replace("{id}", encodeURIComponent(id)) };
  return { page: address + page, ...(item && { item: address + item }) };
}
