/** What its checks say of a component; `paused`: nobody looks. */
export const MEASURED_STATUSES = [
  "operational",
  "degraded",
  "outage",
  "maintenance",
  "unknown",
  "paused",
] as const;

/** What visitors are told of a component, with what people report, and of a group; `partial_outage`: a part of it is out. */
export const SHOWN_STATUSES = [...MEASURED_STATUSES, "partial_outage"] as const;

/** How a page stands as a whole: as its worst component, or as an outage of some or all of them. */
export const OVERALL_STATUSES = [
  "operational",
  "maintenance",
  "degraded",
  "partial_outage",
  "major_outage",
  "unknown",
] as const;
