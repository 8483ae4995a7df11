/** A registered address, in Fastify's form (`/api/domains/:id`). */
export interface Address {
  methods: string[];
  url: string;
}

/** Which methods a path answers to, for 405 and `Allow`. A catch-all (`/*`) is no address of its own. */
export function allowedMethods(addresses: readonly Address[], url: string): string[] {
  const path = (url.split("?")[0] ?? url).split("/");
  const methods = addresses
    .filter((address) => fits(address.url.split("/"), path))
    .flatMap((address) => address.methods);
  return [...new Set(methods)].sort();
}

const fits = (pattern: string[], path: string[]): boolean =>
  pattern.length === path.length &&
  pattern.every((segment, at) => (segment.startsWith(":") ? path[at] !== "" : segment === path[at]));
