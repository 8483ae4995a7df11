import { randomBytes, randomUUIDv7 } from "node:crypto";
import { Type } from "typebox";
import {
  findOrganizationNamed,
  organizationsOf,
  parseOrganizationKey,
} from "../platform/access/check-access.ts";
import { endAccess } from "../platform/access/ended-access.ts";
import { PLANS, type PlanName, planOf } from "../platform/access/plans.ts";
import {
  countOwned,
  findOrganization,
  findOrganizationOf,
  insertOrganization,
  type OwnOrganization,
  updateOrganization,
} from "../platform/access/queries/organizations.ts";
import { switchSession } from "../platform/access/queries/sessions.ts";
import type { Context } from "../platform/context.ts";
import type { Db } from "../platform/database/schema.ts";
import { notFound, PublicError } from "../platform/errors.ts";
import { checkName } from "../platform/formats/name.ts";
import { msg } from "../platform/i18n/message.ts";
import { IdText, oneOf } from "../platform/operations/field.ts";
import { verb } from "../platform/operations/operation.ts";
import { PageQuery, pageOf } from "../platform/operations/paging.ts";
import { describe } from "./describe-caller.ts";
import { MAX_OPEN_INVITATIONS } from "./invitations.ts";
import { insertMember } from "./queries/members.ts";
import { Me } from "./schemas/auth.ts";
import { OrganizationName } from "./schemas/credentials.ts";
import {
  Organization,
  OrganizationRef,
  projectOrganization,
  projectUsage,
  Usage,
} from "./schemas/organizations.ts";

const reads = { resource: "organization", action: "read" } as const;

/** Oldest first. */
export const listOrganizations = verb({
  ...reads,
  input: Type.Object(PageQuery),
  output: Type.Array(Organization),
  paged: true,
  async run(ctx, input) {
    return pageOf((await organizationsOf(ctx, ctx.db)).map(projectOrganization), input);
  },
});

/** By id, uuid or slug. Throws 404 for another's. */
export const getOrganization = verb({
  ...reads,
  input: Type.Object({ organization: IdText }),
  output: Organization,
  find: findOrganizationNamed,
  async run({ db, caller }) {
    const organization = await findOrganizationOf(db, caller.userId, { id: caller.organizationId });
    if (!organization) throw notFound();
    return projectOrganization(organization);
  },
});

/** On the installation's default plan; in a transaction. */
export async function createOrganization(
  { db, clock, config }: { db: Db } & Pick<Context, "clock" | "config">,
  input: { name: string; ownerId: number },
): Promise<OwnOrganization> {
  const now = clock.now();
  const organization = {
    uuid: randomUUIDv7(),
    name: input.name,
    plan: config.defaultPlan,
    // Self-hosted installations have everything; commercial ones sell reports separately.
    reports: config.defaultPlan === "expert",
  };
  const plain = slugOf(input.name);
  for (let slug = plain; ; slug = `${plain}-${randomBytes(3).toString("hex")}`) {
    const id = await insertOrganization(db, { ...organization, slug }, now);
    if (id === undefined) continue;
    await insertMember(db, { userId: input.ownerId, organizationId: id, role: "owner" }, now);
    return { id, slug, createdAt: now, deletesAt: null, role: "owner", ...organization };
  }
}

const MAX_LENGTH = 48;

/**
 * `Größe & Co.` becomes `grosse-co`, for addresses and filters. Never only digits, which would read as an id.
 */
export function slugOf(name: string): string {
  const slug = name
    .replaceAll("ß", "ss")
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, MAX_LENGTH)
    .replace(/-+$/, "");
  if (slug === "") return "organization";
  return /^\d+$/.test(slug) ? `organization-${slug}` : slug;
}

/** The slug stays, since addresses contain it. Throws 403, 404 or 422. */
export const renameOrganization = verb({
  resource: "organization",
  action: "write",
  audit: "update organization",
  input: Type.Object({ organization: IdText, ...OrganizationName.properties }, { title: "OrganizationName" }),
  output: Organization,
  find: findOrganizationNamed,
  async run({ db, caller, clock }, input) {
    const id = caller.organizationId;
    await updateOrganization(db, id, { name: checkName(input.name) }, clock.now());
    const organization = await findOrganizationOf(db, caller.userId, { id });
    if (!organization) throw notFound();
    return projectOrganization(organization);
  },
});

/** By id, uuid or slug. Throws 404 for another's. */
export const switchOrganization = verb({
  resource: null,
  by: "session",
  action: "write",
  audit: null,
  input: Type.Object({
    organization: Type.String({ minLength: 1, description: "Id, uuid or slug.", examples: ["example"] }),
  }),
  output: Me,
  async run(ctx, input) {
    const { db, caller } = ctx;
    const key = parseOrganizationKey(input.organization);
    const organization = await findOrganizationOf(db, caller.userId, key);
    if (!organization || caller.sessionId === null) throw notFound();
    await switchSession(db, caller.sessionId, organization.id);
    // Its streams belong to the former organization; reconnected clients get the new one's.
    endAccess(ctx, { of: "session", sessionId: caller.sessionId });
    return describe({ db, caller: { ...caller, organizationId: organization.id } });
  },
});

/** Throws 404 if it is not the caller's. */
export const getOrganizationUsage = verb({
  resource: "organization",
  action: "read",
  input: OrganizationRef,
  output: Usage,
  find: findOrganizationNamed,
  async run({ db, caller, clock }) {
    const { organizationId, plan, reports } = caller;
    const used = await countOwned(db, organizationId, clock.now());
    return projectUsage({ plan: planOf(plan), reports, used, invitations: MAX_OPEN_INVITATIONS });
  },
});

/**
 * By id, uuid, slug or name; `reports`: the add-on, absent leaves it. Throws 404 for an unknown organization,
 * 422 for an unknown plan.
 */
export const setPlan = verb({
  by: "operator",
  resource: null,
  action: "write",
  audit: null,
  input: Type.Object({
    organization: Type.String(),
    plan: oneOf(Object.keys(PLANS) as PlanName[]),
    reports: Type.Optional(Type.Boolean()),
  }),
  output: Type.Object({ slug: Type.String(), plan: Type.String(), reports: Type.Boolean() }),
  async run(ctx, { organization: named, plan, reports }) {
    const { db } = ctx;
    const organization =
      (await findOrganization(db, parseOrganizationKey(named))) ??
      (await findOrganization(db, { name: named }));
    if (!organization) throw notFound();
    const { id, slug } = organization;
    await updateOrganization(db, id, { plan, reports }, ctx.clock.now());
    endAccess(ctx, { of: "organization", organizationId: id });
    return { slug, plan, reports: reports ?? organization.reports };
  },
});

/** Owned by the caller. Throws 422 for an empty or overlong name, 403 for a key that could not act in it. */
export const foundOrganization = verb({
  resource: "organization",
  action: "write",
  audit: "create organization",
  input: OrganizationName,
  output: Organization,
  async run(ctx, input) {
    const { allOrganizations, userId } = ctx.caller;
    if (!allOrganizations) throw ownOnly();
    const founding = { name: checkName(input.name), ownerId: userId };
    return projectOrganization(await createOrganization(ctx, founding));
  },
});

const ownOnly = () => new PublicError("forbidden", msg("access.own_organization"));
