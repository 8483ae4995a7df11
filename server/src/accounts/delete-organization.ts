import { resumeSuspendedMonitors, suspendMonitors } from "../monitors/suspend-monitors.ts";
import { assertStays, findOrganizationNamed } from "../platform/access/check-access.ts";
import {
  findOrganizationOf,
  listOrganizationsOf,
  lockOrganization,
  updateOrganization,
} from "../platform/access/queries/organizations.ts";
import { lockUser } from "../platform/access/queries/users.ts";
import { invalidInput, notFound, PublicError } from "../platform/errors.ts";
import { msg } from "../platform/i18n/message.ts";
import { type Running, verb } from "../platform/operations/operation.ts";
import { onlyOrganization } from "./members.ts";
import {
  DeletionOfOrganization,
  Organization,
  OrganizationRef,
  projectOrganization,
} from "./schemas/organizations.ts";

/** Time to change one's mind. */
const GRACE_MS = 7 * 86_400_000;

/** Sessions only: a key that could delete an organization would exceed its scopes. */
const owners = { resource: "organization", action: "write", role: "owner", by: "session" } as const;

/**
 * Pauses its monitors at once; retention deletes it a week later. Throws 422 unless its name is given, 409
 * for the caller's only organization and for a marked one.
 */
export const deleteOrganization = verb({
  ...owners,
  audit: "delete organization",
  input: DeletionOfOrganization,
  output: Organization,
  find: findOrganizationNamed,
  async run(ctx, { name }) {
    const { db, clock } = ctx;
    const { organizationId: id, userId } = ctx.caller;
    const organization = await lockOrganization(db, id);
    assertStays(organization);
    if (name?.trim() !== organization?.name) throw invalidInput({ name: [msg("organization.name")] });
    // Of two concurrent deletions, the second sees the first.
    await lockUser(db, userId);
    const others = (await listOrganizationsOf(db, userId)).filter((one) => one.id !== id);
    if (!others.some(({ deletesAt }) => deletesAt === null)) throw onlyOrganization();
    await updateOrganization(db, id, { deletesAt: clock.now() + GRACE_MS }, clock.now());
    await suspendMonitors(ctx);
    return changed(ctx);
  },
});

/**
 * Revokes the deletion; monitors that were active resume. Throws 409 for an unmarked one, and after the week.
 */
export const keepOrganization = verb({
  ...owners,
  audit: "keep organization",
  input: OrganizationRef,
  output: Organization,
  find: findOrganizationNamed,
  async run(ctx) {
    const { db, clock, caller } = ctx;
    const organization = await lockOrganization(db, caller.organizationId);
    if (!organization) throw notFound();
    if (organization.deletesAt === null) throw conflict("organization.staying");
    if (organization.deletesAt <= clock.now()) throw conflict("organization.ended");
    await updateOrganization(db, caller.organizationId, { deletesAt: null }, clock.now());
    await resumeSuspendedMonitors(ctx);
    return changed(ctx);
  },
});

const conflict = (code: "organization.staying" | "organization.ended") =>
  new PublicError("conflict", msg(code));

async function changed({ db, caller }: Running) {
  const organization = await findOrganizationOf(db, caller.userId, { id: caller.organizationId });
  if (!organization) throw notFound();
  return projectOrganization(organization);
}
