/** What visitors are told of a component; `paused`: nobody looks. */
export const COMPONENT_STATUSES = [
  "operational",
  "degraded",
  "outage",
  "maintenance",
  "unknown",
  "paused",
] as const;

/** What visitors are told of a group: as its worst component, or that only some of them are out. */
export const GROUP_STATUSES = [...COMPONENT_STATUSES, "partial_outage"] as const;

/** How a page stands as a whole: as its worst component, or as an outage of some or all of them. */
export const OVERALL_STATUSES = [
  "operational",
  "maintenance",
  "degraded",
  "partial_outage",
  "major_outage",
  "unknown",
] as const;
