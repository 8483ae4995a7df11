import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { projectMyInvitation } from "../../../server/src/wire/legacy/invitations.ts";
import { apiPaths } from "../paths.ts";
import { call } from "./client.ts";
import { switchOrganization } from "./session.ts";

/** An organization that asks the reader to join. */
export type Invitation = ReturnType<typeof projectMyInvitation>;

/** Where the reader is invited to. */
export const invitationsQuery = queryOptions({
  queryKey: ["invitations"],
  queryFn: async ({ signal }) => (await call<Invitation[]>("GET", apiPaths.invitations, { signal })).data,
});

/** Joins the organization and moves there; everything that was read before is read anew, so that its card is gone. */
export function useAcceptInvitation(onJoined: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ invitation, code }: { invitation: Invitation; code: string }) => {
      const path = apiPaths.acceptInvitation(invitation.id);
      const { data } = await call<{ id: number }>("POST", path, { body: { code } });
      await switchOrganization(client, data.id);
    },
    onSuccess: onJoined,
    onError: () => client.invalidateQueries(invitationsQuery),
  });
}

/** Does not join. */
export function useDeclineInvitation() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: Invitation) => call("POST", apiPaths.declineInvitation(id)),
    onSettled: () => client.invalidateQueries(invitationsQuery),
  });
}
