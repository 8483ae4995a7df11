import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Caller } from "../../account/caller.ts";
import { planOf } from "../../account/plans.ts";
import { clientNetwork } from "../client-network.ts";
import type { RouteLimit } from "../route.ts";
import { allTools } from "../tools/list-tools.ts";
import type { RpcMessage } from "./messages.ts";

/** Of clients that nobody knows; most ask for the list of tools and go. */
const STRANGERS_A_MINUTE = 120;

interface Asked {
  request: FastifyRequest;
  reply: FastifyReply;
  caller: Caller | null;
  messages: readonly RpcMessage[];
}

/** Counts each message, notifications too, as a request of what it asks for: a tool as its endpoint. Throws 429. */
export async function takeFromLimits(
  app: FastifyInstance,
  { request, reply, caller, messages }: Asked,
): Promise<void> {
  for (const message of messages) {
    if (!caller) {
      await app.limiter.take(reply, "public", `address:${clientNetwork(request.ip)}`, STRANGERS_A_MINUTE);
      continue;
    }
    const limit = limitOf(message);
    const [group, perMinute] =
      typeof limit === "string"
        ? [limit, planOf(caller.plan).requestsPerMinute[limit]]
        : [limit.group, limit.perMinute];
    await app.limiter.take(reply, group, `user:${caller.userId}`, perMinute);
  }
}

function limitOf({ method, params }: RpcMessage): RouteLimit {
  const name = params?.["name"];
  if (method !== "tools/call" || typeof name !== "string") return "read";
  return allTools().get(name)?.limit ?? "read";
}
