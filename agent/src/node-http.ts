import type * as http from "node:http";
import type * as https from "node:https";
import { createRequire } from "node:module";

const load = createRequire(import.meta.url);

/**
 * Node's own HTTP. By `import` it would come with everything that its parts can give, TLS and a second client among that: 9 MB of
 * memory in Node 26.
 */
export const plainHttp = (): typeof http => load("node:http") as typeof http;

/** The same over TLS: memory that only those need who use it. */
export const tlsHttp = (): typeof https => load("node:https") as typeof https;
