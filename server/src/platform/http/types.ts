import type { AnonymousClient, Caller, Needs } from "../access/caller.ts";
import type { Turns } from "./begin-in-turns.ts";
import type { createGuessLimits, Limiter } from "./rate-limits.ts";
import type { Faults } from "./request-edge.ts";
import type { Family, RouteDetails } from "./route.ts";

/** A registered address with its details; `alias`: another address documents it. */
export type ListedRoute = RouteDetails & { alias: boolean; needs: Needs; schema: object };

declare module "fastify" {
  interface FastifyRequest {
    /** Set by the guard of every route that is not public. */
    caller: Caller | null;
    /** Set where an agent was admitted by its token. */
    agent: Pick<AnonymousClient, "device" | "enroller"> | null;
  }
  interface FastifyContextConfig {
    /** Of the API's own routes: in whose words failures are reported. */
    family?: Family;
    /** Where it is not the failure envelope. */
    failure?: RouteDetails["failure"];
    maxBodyValues?: RouteDetails["maxBodyValues"];
  }
  interface FastifyInstance {
    limiter: Limiter;
    faults: Faults;
    turns: Turns;
    guessLimits: ReturnType<typeof createGuessLimits>;
    routeList: ListedRoute[];
  }
}
