import { addMember } from "./account/add-member.ts";
import { changeRole } from "./account/change-role.ts";
import { foundOrganization } from "./account/found-organization.ts";
import { leaveOrganization } from "./account/leave-organization.ts";
import { listMembers } from "./account/list-members.ts";
import { getOrganization, listOrganizations } from "./account/organizations.ts";
import { removeMember } from "./account/remove-member.ts";
import { renameOrganization } from "./account/rename-organization.ts";
import type { Verb } from "./verb/verb.ts";

/** Everything that can be done, by name. */
export const VERBS = {
  addMember,
  changeRole,
  foundOrganization,
  getOrganization,
  leaveOrganization,
  listMembers,
  listOrganizations,
  removeMember,
  renameOrganization,
} satisfies Record<string, Verb>;
