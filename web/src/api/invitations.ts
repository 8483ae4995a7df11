import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type {
  projectInvitationPreview,
  projectMyInvitation,
} from "../../../server/src/accounts/schemas/organizations.ts";
import { apiPaths } from "../paths.ts";
import { ApiError, call } from "./client.ts";
import { switchOrganization } from "./session.ts";

export type Invitation = ReturnType<typeof projectMyInvitation>;

/** One whose link the reader has followed, and whether its address has an account. */
export type InvitationPreview = ReturnType<typeof projectInvitationPreview>;

/** What the invitation with this code says. It stays as it is read: accepting it uses it up. */
export const invitationPreviewQuery = (code: string) =>
  queryOptions({
    queryKey: ["invitation", code],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) =>
      (await call<InvitationPreview>("POST", apiPaths.invitation, { body: { invitation: code }, signal }))
        .data,
  });

/** What the API says of a code that is worth nothing, or not any more. */
export const codeErrorsOf = (error: Error | null): string[] | undefined =>
  error instanceof ApiError ? error.fields.invitation : undefined;

/** The code in what people were sent: itself, or the whole link that ends in it. */
export const codeIn = (text: string): string => text.slice(text.lastIndexOf("#") + 1).trim();

export const invitationsQuery = queryOptions({
  queryKey: ["invitations"],
  queryFn: async ({ signal }) => (await call<Invitation[]>("GET", apiPaths.invitations, { signal })).data,
});

/** Joins and moves there; everything is read again. `onGone`: withdrawn or expired, its card goes too. */
export function useAcceptInvitation({ onJoined, onGone }: Record<"onJoined" | "onGone", () => void>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ invitation, code }: { invitation: Invitation; code: string }) => {
      const path = apiPaths.acceptInvitation(invitation.id);
      const { data } = await call<{ id: number }>("POST", path, { body: { code } });
      await switchOrganization(client, data.id);
    },
    onSuccess: onJoined,
    onError: (error) => {
      if (error instanceof ApiError && error.status === 404) onGone();
      return client.invalidateQueries(invitationsQuery);
    },
  });
}

export function useDeclineInvitation(onDeclined: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: Invitation) => call("POST", apiPaths.declineInvitation(id)),
    onSuccess: onDeclined,
    onSettled: () => client.invalidateQueries(invitationsQuery),
  });
}
