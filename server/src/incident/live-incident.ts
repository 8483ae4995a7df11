/** What an `incident` event of the live stream needs to know; times in milliseconds. */
export interface LiveIncident {
  id: number;
  uuid: string;
  monitorId: number;
  title: string;
  status: string;
  severity: string;
  startedAt: number;
  resolvedAt: number | null;
}
