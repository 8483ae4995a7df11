import type { FastifyRequest } from "fastify";
import type { TSchema } from "typebox";
import { callerWhere } from "../account/resolve-organization.ts";
import type { CallerContext, Context } from "../context.ts";
import {
  bodyWithOrganization,
  ORGANIZATION_FIELDS,
  queryWithOrganization,
} from "../wire/organization-fields.ts";
import type { RouteFacts } from "./route.ts";

type Described = RouteFacts & { querystring?: TSchema; body?: TSchema };

/** Whether a route is about an organization's things without naming the organization in its path. */
export const takesOrganization = ({
  family,
  resource,
  loopback,
}: Pick<RouteFacts, "family" | "resource" | "loopback">): boolean =>
  family !== "public" && resource !== null && resource !== "organization" && !loopback;

/** The route with `organization` and `organizationId` in its query and in the body it has. */
export function withOrganization<R extends Described>(route: R): R {
  if (!takesOrganization(route)) return route;
  const querystring = queryWithOrganization(route.querystring);
  return { ...route, querystring, ...(route.body && { body: bodyWithOrganization(route.body) }) };
}

/**
 * The context of a request, with its caller acting in the organization that it names, wherever and however it does
 * so. Throws 403 where role or plan there do not permit it, 404 for one that is not theirs, 422 for several.
 */
export async function inOrganization<C extends Context & Partial<CallerContext>>(
  ctx: C,
  route: RouteFacts,
  request: FastifyRequest,
): Promise<C> {
  if (!ctx.caller || route.resource === null) return ctx;
  const names = takesOrganization(route) ? organizationsNamed(request) : [];
  // What a path or a list of ids names belongs to some organization: the verb checks role and plan in that one.
  if (names.length === 0 && (route.elsewhere || route.url.includes("/:"))) return ctx;
  const caller = await callerWhere({ ...ctx, caller: ctx.caller }, names);
  return names.length === 0 ? ctx : { ...ctx, caller: { ...caller, organizationChosen: true } };
}

/** What the query and the body say of an organization, each name once. */
export const organizationsNamed = ({ query, body }: FastifyRequest): string[] => [
  ...new Set([...namedIn(query), ...namedIn(body)]),
];

function namedIn(part: unknown): string[] {
  const fields = (part ?? {}) as Record<string, string | number | undefined>;
  return ORGANIZATION_FIELDS.flatMap((name) => (fields[name] === undefined ? [] : [String(fields[name])]));
}
