import type { FastifyRequest } from "fastify";
import type { TSchema } from "typebox";
import { callerIn } from "../account/resolve-organization.ts";
import type { CallerContext, Context } from "../context.ts";
import { invalidInput } from "../errors.ts";
import {
  bodyWithOrganization,
  ORGANIZATION_FIELDS,
  queryWithOrganization,
} from "../wire/organization-fields.ts";
import type { RouteFacts } from "./route.ts";

type Described = RouteFacts & { querystring?: TSchema; body?: TSchema };

/** Whether a route is about things of an organization which its path does not name already. */
const takesOrganization = ({ family, resource, loopback }: RouteFacts): boolean =>
  family !== "public" && resource !== undefined && resource !== "organization" && !loopback;

/** The route with `organization` and `organizationId` in its query and in the body it has. */
export function withOrganization<R extends Described>(route: R): R {
  if (!takesOrganization(route)) return route;
  const querystring = queryWithOrganization(route.querystring);
  return { ...route, querystring, ...(route.body && { body: bodyWithOrganization(route.body) }) };
}

/**
 * The context of a request whose caller acts in the organization that it names, wherever and however it does so.
 * Throws 403 where role or plan there do not permit it, 404 for one that is not theirs, 422 for several.
 */
export async function inOrganization<C extends Context & Partial<CallerContext>>(
  ctx: C,
  route: RouteFacts,
  request: FastifyRequest,
): Promise<C> {
  if (!ctx.caller || route.resource === undefined) return ctx;
  const filter = takesOrganization(route) ? namedOrganization(request) : undefined;
  // What a path or a list of ids names is in some organization: the verb asks for role and plan in that one.
  if (filter === undefined && (route.elsewhere || route.url.includes("/:"))) return ctx;
  const caller = await callerIn({ ...ctx, caller: ctx.caller }, filter);
  return filter === undefined ? ctx : { ...ctx, caller: { ...caller, organizationChosen: true } };
}

/** The organization that the query or the body names; undefined: none. Throws 422 for two. */
export function namedOrganization({ query, body }: FastifyRequest): string | undefined {
  const [first, ...others] = [...namedIn(query), ...namedIn(body)];
  if (others.some((other) => other !== first)) {
    throw invalidInput({ organization: ["The organization is given twice, with different values."] });
  }
  return first;
}

function namedIn(part: unknown): string[] {
  const fields = (part ?? {}) as Record<string, string | number | undefined>;
  return ORGANIZATION_FIELDS.flatMap((name) => (fields[name] === undefined ? [] : [String(fields[name])]));
}
