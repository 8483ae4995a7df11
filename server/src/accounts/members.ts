import { Type } from "typebox";
import { requestConsentOfFormerMember } from "../alerts/channels/delivery.ts";
import {
  assertMayChange,
  assertMayGrant,
  findOrganizationNamed,
  lastOwner,
  ownRole,
  parseOrganizationKey,
} from "../platform/access/check-access.ts";
import { endAccess } from "../platform/access/ended-access.ts";
import { hashPassword } from "../platform/access/password.ts";
import { findMember, listMembers as queryMembers } from "../platform/access/queries/members.ts";
import { findOrganizationOf, listOrganizationsOf } from "../platform/access/queries/organizations.ts";
import { moveSessions } from "../platform/access/queries/sessions.ts";
import { lockUser } from "../platform/access/queries/users.ts";
import { invalidInput, notFound, PublicError } from "../platform/errors.ts";
import { normalizeEmail } from "../platform/formats/name.ts";
import { msg } from "../platform/i18n/message.ts";
import { Deleted, IdText, parseId, readId } from "../platform/operations/field.ts";
import { verb } from "../platform/operations/operation.ts";
import { PageQuery, pageOf } from "../platform/operations/paging.ts";
import { checkCredentials } from "./credentials.ts";
import { confirmPassword } from "./passwords.ts";
import { deleteMember, insertMember, lockOwners, updateMemberRole } from "./queries/members.ts";
import { MemberKey, MemberRole, NewMember, OrganizationTransfer } from "./schemas/credentials.ts";
import { OrganizationMember, projectMember } from "./schemas/organizations.ts";
import { addUser } from "./users.ts";

/**
 * Ends their keys there, too; their sessions move to another organization. Throws 404 if they are no member,
 * 409 for the last owner and for their only organization, without which they could not sign in.
 */
export const leaveOrganization = verb({
  resource: null,
  by: "session",
  action: "write",
  audit: "leave organization",
  input: Type.Object({ organization: IdText }),
  output: Deleted,
  async run(ctx, input) {
    const { db } = ctx;
    const { userId } = ctx.caller;
    const named = await findOrganizationOf(db, userId, parseOrganizationKey(input.organization));
    if (!named) throw notFound();
    const { id } = named;
    const owners = await lockOwners(db, id);
    // The membership or role may have changed while this waited.
    const organization = await findOrganizationOf(db, userId, { id });
    if (!organization) throw notFound();
    if (owners.length === 1 && owners[0] === userId) throw lastOwner();
    // Of two concurrent departures, the second sees the first.
    const user = await lockUser(db, userId);
    const other = (await listOrganizationsOf(db, userId)).find(
      (one) => one.id !== id && one.deletesAt === null,
    );
    if (!other) throw onlyOrganization();
    await moveSessions(db, userId, { from: id, to: other.id });
    await deleteMember(db, id, userId);
    if (user) await requestConsentOfFormerMember(ctx, db, { organizationId: id, email: user.email });
    endAccess(ctx, { of: "member", userId, organizationId: id });
    ctx.record({ id, before: organization.role, organizationId: id });
    return { id };
  },
});

/** Sign-in requires an organization. One that waits for its deletion does not count. */
export const onlyOrganization = () => new PublicError("conflict", msg("account.only_organization"));

/** With its keys and sessions. Throws 404, 403 when only an owner may, 409 for the last owner. */
export const removeMember = verb({
  resource: "organization",
  action: "write",
  audit: "remove member",
  input: MemberKey,
  output: Deleted,
  find: findOrganizationNamed,
  async run(ctx, input) {
    const { db } = ctx;
    const { organizationId } = ctx.caller;
    const key = parseId(input.member);
    const owners = await lockOwners(db, organizationId);
    const own = await ownRole(ctx);
    const member = await findMember(db, organizationId, key);
    if (!member) throw notFound();
    assertMayChange(ctx.caller, member.role, own);
    if (member.role === "owner" && owners.length === 1) throw lastOwner();
    await deleteMember(db, organizationId, member.id);
    await requestConsentOfFormerMember(ctx, db, { organizationId, email: member.email });
    endAccess(ctx, { of: "member", userId: member.id, organizationId });
    ctx.record({ id: member.id, name: member.name, before: member.role });
    return { id: member.id };
  },
});

/** Throws 404, 403 when only an owner may, 409 for the last owner. */
export const changeRole = verb({
  resource: "organization",
  action: "write",
  audit: "change role",
  input: MemberRole,
  output: OrganizationMember,
  find: findOrganizationNamed,
  async run(ctx, { member: id, role }) {
    const { db } = ctx;
    const { organizationId } = ctx.caller;
    const key = parseId(id);
    const owners = await lockOwners(db, organizationId);
    const own = await ownRole(ctx);
    const member = await findMember(db, organizationId, key);
    if (!member) throw notFound();
    assertMayGrant(ctx.caller, role, own);
    assertMayChange(ctx.caller, member.role, own);
    if (member.role === "owner" && role !== "owner" && owners.length === 1) throw lastOwner();
    await updateMemberRole(db, organizationId, member.id, role);
    endAccess(ctx, { of: "member", userId: member.id, organizationId });
    ctx.record({ id: member.id, name: member.name, before: member.role, after: role });
    return projectMember({ ...member, role });
  },
});

/** In the order they joined. Throws 404 for another's organization. */
export const listMembers = verb({
  resource: "organization",
  action: "read",
  input: Type.Object({ organization: IdText, ...PageQuery }),
  output: Type.Array(OrganizationMember),
  paged: true,
  find: findOrganizationNamed,
  async run({ db, caller }, input) {
    return pageOf((await queryMembers(db, caller.organizationId)).map(projectMember), input);
  },
});

/**
 * The caller becomes an admin. Throws 422 for a wrong password, and for one who is no member or an owner
 * already.
 */
export const transferOrganization = verb({
  resource: "organization",
  by: "session",
  action: "write",
  role: "owner",
  audit: "transfer organization",
  input: OrganizationTransfer,
  output: OrganizationMember,
  find: findOrganizationNamed,
  prepare: confirmPassword,
  async run(ctx, input) {
    const { db } = ctx;
    const { organizationId, userId } = ctx.caller;
    await lockOwners(db, organizationId);
    assertMayChange(ctx.caller, "owner", await ownRole(ctx));
    const ref = readId(String(input.member));
    const successor = ref && (await findMember(db, organizationId, ref));
    if (!successor) throw invalidInput({ member: [msg("account.no_member")] });
    if (successor.role === "owner") throw invalidInput({ member: [msg("account.owner_already")] });
    for (const [id, role] of [
      [successor.id, "owner"],
      [userId, "admin"],
    ] as const) {
      await updateMemberRole(db, organizationId, id, role);
      endAccess(ctx, { of: "member", userId: id, organizationId });
    }
    ctx.record({ id: successor.id, name: successor.name, before: successor.role, after: "owner" });
    return projectMember({ ...successor, role: "owner" });
  },
});

/**
 * For people without an account; others are invited (inviteMember). Throws 422 for invalid input or an
 * address with an account, 403 when only an owner may grant the role.
 */
export const addMember = verb({
  resource: "organization",
  action: "write",
  audit: "add member",
  input: NewMember,
  output: OrganizationMember,
  find: findOrganizationNamed,
  async prepare({ caller }, { role, email, password }) {
    assertMayGrant(caller, role);
    checkCredentials({ email: normalizeEmail(email), password });
    return hashPassword(password);
  },
  async run(ctx, { email, name, role }, passwordHash) {
    const { organizationId } = ctx.caller;
    const { id } = await addUser(ctx, { email, name, passwordHash });
    await insertMember(ctx.db, { userId: id, organizationId, role }, ctx.clock.now());
    const member = await findMember(ctx.db, organizationId, { id });
    if (!member) throw notFound();
    ctx.record({ id, name: member.name, after: role });
    return projectMember(member);
  },
});
