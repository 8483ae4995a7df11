/** What visitors of a status page read, in English. The slots are those of ../en.ts. */
export const en = {
  "language.name": "English",
  "language.choose": "Language",

  "overall.operational": "All systems operational",
  "overall.maintenance": "Maintenance in progress",
  "overall.degraded": "Degraded performance",
  "overall.partial_outage": "Partial outage",
  "overall.major_outage": "Major outage",
  "overall.unknown": "Status unknown",
  "overall.empty": "Nothing is shown on this page yet",
  "overall.at": "As of {at}",
  "overall.old": "This is how things stood at {at}. Newer information is not available right now.",

  "status.operational": "Operational",
  "status.degraded": "Degraded",
  "status.outage": "Outage",
  "status.maintenance": "Maintenance",
  "status.unknown": "Unknown",
  "status.paused": "Not monitored",
  "status.no_data": "No data",

  "stage.open": "Open",
  "stage.investigating": "Investigating",
  "stage.identified": "Identified",
  "stage.monitoring": "Monitoring",
  "stage.resolved": "Resolved",

  "part.incidents": "Current incidents",
  "part.maintenance": "Maintenance",
  "part.ahead": "Scheduled maintenance",
  "part.components": "Systems",
  "part.recent": "Recent incidents",
  "part.history": "Incident history",
  "part.updates": "Updates",

  "incident.since": "Since {since}",
  "incident.lasted": "{from}, lasted {lasted}",
  "incident.affects": "Affects {names}",
  "incident.quiet": "No updates yet.",
  "incident.all": "All incidents",
  "recent.none": "No incidents in the last {count} days.",
  "history.none": "No incidents in this month.",
  "history.newer": "Newer",
  "history.older": "Older",
  "history.months": "Months",
  back: "Back to the current status",

  "maintenance.running": "In progress, until {until}",
  "maintenance.ahead": "{from} to {until}",

  "days.first.one": "{count} day ago",
  "days.first.other": "{count} days ago",
  "days.last": "Today",
  "days.uptime": "{percent} uptime",
  "days.trouble.none": "No outages in the last {count} days.",
  "days.trouble.one": "{days} day with problems in the last {count}.",
  "days.trouble.other": "{days} days with problems in the last {count}.",
  "day.outage": "Outage {from} to {to}",
  "day.outage_since": "Outage since {from}",
  "day.more": "and {count} more",
  "speed.label": "Response time, 24 hours",
  "speed.now": "{ms} ms",
  "speed.chart": "Between {least} and {most} ms",

  "foot.calendar": "Maintenance calendar",
  "foot.zone": "Times are in the time zone {zone}.",
  "foot.made": "Made with {maker}",

  "missing.title": "Page not found",
  "missing.text": "There is nothing at this address.",
  "away.title": "The status cannot be shown right now",
  "away.text":
    "This page is there, but its data cannot be reached. It tries again by itself every 15 seconds.",

  "feed.title": "{name}: status",
  "feed.description": "Incidents and maintenance of {name}",
  "feed.maintenance": "Maintenance: {title}",
  "calendar.title": "Maintenance of {name}",
  "badge.uptime": "uptime",
  "badge.response": "response time",
  "widget.title": "Status of {name}",

  "automatic.down": "{name} is not available",
  "automatic.down_several": "{name} and {others} more are not available",
  "automatic.went_down": "{name} is not available.",
  "automatic.came_back": "{name} is available again.",
} as const;

/** The texts of status pages in a language. */
export type StatusPageTexts = Readonly<Record<keyof typeof en, string>>;
