/** Decisions §7, in the order an incident goes through them. */
export type IncidentStatus = "open" | "investigating" | "identified" | "monitoring" | "resolved";
