import { queryOptions } from "@tanstack/react-query";
import type {
  DeviceReportShape,
  IncidentReportShape,
} from "../../../server/src/reports/schemas/incidents-and-devices.ts";
import type { MonitorReportShape } from "../../../server/src/reports/schemas/monitors.ts";
import { apiPaths } from "../paths.ts";
import { ApiError, call, sentencesOf } from "./client.ts";

export type DeviceReport = DeviceReportShape;
export type IncidentReport = IncidentReportShape;
export type MonitorReport = MonitorReportShape;

interface Reports {
  domains: MonitorReport;
  services: MonitorReport;
  devices: DeviceReport;
  incidents: IncidentReport;
}

/** What has been is counted once a minute at most. */
const ageMs = 60_000;
/** Refetch interval of a report that ends now, while it stays open. */
const againMs = 5 * ageMs;

export const reportQuery = <Subject extends keyof Reports>(
  subject: Subject,
  query: Record<string, string> | null,
) =>
  queryOptions({
    queryKey: ["reports", subject, query],
    enabled: query !== null,
    staleTime: ageMs,
    refetchInterval: query?.["range"] === undefined ? false : againMs,
    queryFn: async ({ signal }) => {
      const request = { query: query ?? {}, signal };
      const { data } = await call<Reports[Subject]>("GET", apiPaths.report(subject), request).catch(
        sayWhatIsWrong,
      );
      return data;
    },
  });

/** Invalid dates are for the reader to correct: the message about them is the one that is shown. */
function sayWhatIsWrong(error: unknown): never {
  if (!(error instanceof ApiError) || error.status !== 422) throw error;
  throw new ApiError(error.status, sentencesOf(error).join(" "), error.fields);
}
