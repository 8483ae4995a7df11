import { useSuspenseQuery } from "@tanstack/react-query";
import { type Session, sessionQuery } from "./session.ts";

export type Role = Session["organization"]["role"];

/** All roles, the highest first. */
export const roles = ["owner", "admin", "member", "viewer"] as const satisfies readonly Role[];

/** Whether a role changes what is watched and makes API keys: a viewer only looks. */
export const mayWrite = (role: Role): boolean => role !== "viewer";

/** Whether a role runs the organization: changes its name and its people, and reads its audit log. */
export const manages = (role: Role): boolean => role === "owner" || role === "admin";

/** The reader's role; on pages behind the sign-in. */
export function useRole(): Role {
  const { data: session } = useSuspenseQuery(sessionQuery);
  return session?.organization.role ?? "viewer";
}

export const useMayWrite = (): boolean => mayWrite(useRole());
