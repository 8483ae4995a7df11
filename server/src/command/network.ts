import type { Network } from "../check/network.ts";
import { createResolver } from "../check/resolve.ts";
import type { Config } from "../config.ts";

/** Name resolution and target policy as configured. */
export const networkOf = (config: Config): Network => ({
  resolver: createResolver({ servers: config.resolvers }),
  policy: config.targets,
});
