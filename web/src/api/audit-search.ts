/** What of the log is shown; days are `2026-11-22`, in the reader's zone. */
export interface AuditFilter {
  person?: number | undefined;
  action?: string | undefined;
  subject?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

export interface AuditSearch extends AuditFilter {
  /** From the second on. */
  page?: number | undefined;
}

export function readAuditSearch(search: Record<string, unknown>): AuditSearch {
  const { page } = search;
  return {
    person: numberFrom(search["person"], 1),
    action: textFrom(search["action"]),
    subject: textFrom(search["subject"])?.slice(0, 255),
    from: dayFrom(search["from"]),
    to: dayFrom(search["to"]),
    page: numberFrom(page, 2),
  };
}

const numberFrom = (value: unknown, least: number): number | undefined =>
  Number.isSafeInteger(Number(value)) && Number(value) >= least ? Number(value) : undefined;

/** The router reads `?subject=404` as a number. */
const textFrom = (value: unknown): string | undefined =>
  typeof value === "string" || typeof value === "number" ? String(value) || undefined : undefined;

const dayFrom = (value: unknown): string | undefined =>
  typeof value === "string" && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value))
    ? value
    : undefined;
