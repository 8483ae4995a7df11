import type { Caller, Needs } from "../account/caller.ts";
import type { createGuessLimits } from "./guess-limits.ts";
import type { Limiter } from "./limiter.ts";
import type { Family, RouteFacts } from "./route.ts";

/** A registered address with its facts; `alias`: another address documents it. */
export type ListedRoute = RouteFacts & { alias: boolean; needs: Needs; schema: object };

declare module "fastify" {
  interface FastifyRequest {
    /** Set by the guard of every route that is not public. */
    caller: Caller | null;
  }
  interface FastifyContextConfig {
    /** Of the API's own routes: in whose words failures are told. */
    family?: Family;
  }
  interface FastifyInstance {
    limiter: Limiter;
    guessLimits: ReturnType<typeof createGuessLimits>;
    routeList: ListedRoute[];
  }
}
