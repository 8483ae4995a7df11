import type { FastifyRequest } from "fastify";
import type { TSchema } from "typebox";
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

/** What the query and the body say of an organization, each name once. */
export const organizationsNamed = ({ query, body }: FastifyRequest): string[] => [
  ...new Set([...namedIn(query), ...namedIn(body)]),
];

function namedIn(part: unknown): string[] {
  const fields = (part ?? {}) as Record<string, string | number | undefined>;
  return ORGANIZATION_FIELDS.flatMap((name) => (fields[name] === undefined ? [] : [String(fields[name])]));
}
