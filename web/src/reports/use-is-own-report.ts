import { useSuspenseQuery } from "@tanstack/react-query";
import type { MonitorReport } from "../api/reports.ts";
import { sessionQuery } from "../api/session.ts";

/**
 * Whether a report is of the organization that the reader is in, as it is taken to be while it is on its way. What one of another
 * organization names has no page here.
 */
export function useIsOwnReport(report: Pick<MonitorReport, "organization"> | undefined): boolean {
  const { data: session } = useSuspenseQuery(sessionQuery);
  return !report || !session || report.organization.id === session.organization.id;
}
