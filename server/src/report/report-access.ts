/** What every report asks of its caller: the plan has reports, whatever it is otherwise. */
export const REPORT_ACCESS = { resource: "reports", action: "read", feature: "reports" } as const;
