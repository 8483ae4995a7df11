import { useSuspenseQuery } from "@tanstack/react-query";
import { sessionQuery } from "./session.ts";

/** Whether the reader's organization has what comes with the Expert plan only: integrations, the toolbox, assistants. */
export function useHasExpertPlan(): boolean {
  const { data: session } = useSuspenseQuery(sessionQuery);
  return session?.organization.plan === "expert";
}
