import {
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
  useSuspenseQuery,
} from "@tanstack/react-query";
import type { projectMember, projectUsage } from "../../../server/src/accounts/schemas/organizations.ts";
import { apiPaths } from "../paths.ts";
import { call } from "./client.ts";
import { type Session, sessionQuery, switchOrganization } from "./session.ts";

export type Member = ReturnType<typeof projectMember>;
export type Role = Member["role"];
export type OrganizationUsage = ReturnType<typeof projectUsage>;

const keys = { members: "members", usage: "usage" } as const;

/** The people of an organization, in the order they joined. */
export const membersQuery = (organizationId: number) =>
  queryOptions({
    queryKey: ["organization", organizationId, keys.members],
    queryFn: async ({ signal }) =>
      (await call<Member[]>("GET", apiPaths.members(organizationId), { signal })).data,
  });

export const usageQuery = (organizationId: number) =>
  queryOptions({
    queryKey: ["organization", organizationId, keys.usage],
    queryFn: async ({ signal }) =>
      (await call<OrganizationUsage>("GET", apiPaths.usage(organizationId), { signal })).data,
  });

export const readOrganizationAgain = (client: QueryClient) =>
  client.invalidateQueries({ queryKey: ["organization"] });

/** Who the reader is there, and what they may do, is read again as well. */
const readAllAgain = (client: QueryClient) =>
  Promise.all([client.refetchQueries(sessionQuery), readOrganizationAgain(client)]);

export function useRenameOrganization({ organization: { id } }: Session) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (name: string) => call("PUT", apiPaths.organization(id), { body: { name } }),
    onSuccess: () => readAllAgain(client),
  });
}

export function useChangeRole({ organization: { id } }: Session) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ member, role }: { member: Member; role: Role }) =>
      call("PUT", apiPaths.member(id, member.id), { body: { role } }),
    onSettled: () => readAllAgain(client),
  });
}

export function useRemoveMember({ organization: { id } }: Session) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (member: Member) => call("DELETE", apiPaths.member(id, member.id)),
    onSuccess: () => readOrganizationAgain(client),
  });
}

/** Makes another member an owner in the reader's place. */
export function useTransferOrganization({ organization: { id } }: Session) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { member: string; password: string }) => call("POST", apiPaths.transfer(id), { body }),
    onSuccess: () => readAllAgain(client),
  });
}

/** Ends the reader's own membership; they go on in another of their organizations, `onLeft` before that. */
export function useLeaveOrganization({ organization, organizations }: Session, onLeft: () => Promise<void>) {
  const client = useQueryClient();
  const other = organizations.find(({ id, deletesAt }) => id !== organization.id && deletesAt === null);
  return useMutation({
    mutationFn: () => call("DELETE", apiPaths.membership(organization.id)),
    onSuccess: async () => {
      await onLeft();
      if (other) await switchOrganization(client, other.id);
    },
  });
}

/** Has the organization deleted in a week. */
export function useDeleteOrganization({ organization: { id } }: Session) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (name: string) => call("DELETE", apiPaths.organization(id), { query: { name } }),
    // What it monitors is paused from now on.
    onSuccess: () => client.invalidateQueries(),
  });
}

export function useKeepOrganization({ organization: { id } }: Session) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call("POST", apiPaths.keep(id)),
    onSettled: () => client.invalidateQueries(),
  });
}

/** Whether the reader's organization has what comes with the Expert plan only: integrations, the toolbox, assistants. */
export function useHasExpertPlan(): boolean {
  const { data: session } = useSuspenseQuery(sessionQuery);
  return session?.organization.plan === "expert";
}
