import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type {
  CreatedInvitationRow,
  projectInvitation,
} from "../../../server/src/accounts/schemas/organizations.ts";
import { apiPaths } from "../paths.ts";
import { call } from "./client.ts";
import { type Role, readOrganizationAgain } from "./organization.ts";
import type { Session } from "./session.ts";

/** A person invited to join the reader's organization. */
export type PendingInvitation = ReturnType<typeof projectInvitation>;
/** With its code, which is shown this once. `sent`: whether it is mailed; where it may not be, the reason. */
export type NewInvitation = PendingInvitation &
  Pick<CreatedInvitationRow, "code" | "sent" | "notSentReason" | "notSentReasonFact">;

export const pendingInvitationsQuery = (organizationId: number) =>
  queryOptions({
    queryKey: ["organization", organizationId, "invitations"],
    queryFn: async ({ signal }) =>
      (await call<PendingInvitation[]>("GET", apiPaths.pendingInvitations(organizationId), { signal })).data,
  });

/** Invites an e-mail address; once more, the earlier invitation is replaced. */
export function useInvite({ organization: { id } }: Session) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (body: { email: string; role: Role }) =>
      (await call<NewInvitation>("POST", apiPaths.pendingInvitations(id), { body })).data,
    onSuccess: () => readOrganizationAgain(client),
  });
}

/** Makes an invitation anew, with another code and from now on. */
export function useResendInvitation({ organization }: Session) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ id }: PendingInvitation) =>
      (await call<NewInvitation>("POST", apiPaths.resendInvitation(organization.id, id))).data,
    onSettled: () => readOrganizationAgain(client),
  });
}

export function useCancelInvitation({ organization }: Session) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: PendingInvitation) =>
      call("DELETE", apiPaths.pendingInvitation(organization.id, id)),
    onSettled: () => readOrganizationAgain(client),
  });
}
