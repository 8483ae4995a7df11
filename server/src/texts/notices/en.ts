/** What incidents and notices say, in English; see ../en.ts. */
export const notices = {
  "incident.down": "{name} is down",
  "incident.down_over": "{name} was down",
  "incident.outage": "{name} has not been working since {since:time}.{ because}",
  "incident.outage_over": "{name} stopped working at {since:time}.{ because}",
  "incident.recovered": "{name} works again. It was down for {lasted:duration}.",
  "incident.unwatched":
    "{name} is no longer monitored, so this incident was closed after {lasted:duration}. Whether it works again is not known.",
  "incident.status_set": "The incident is now {stage:word}.",
  "stage.open": "open",
  "stage.investigating": "being investigated",
  "stage.identified": "identified: the cause is known",
  "stage.monitoring": "being watched after a fix",
  "stage.resolved": "resolved",
  "incident.reopened": "The incident was reopened.",
  "incident.merged": "The incident “{title}” was merged into this one.{ because}",

  "incident.outages": "{name} and {others:count} have not been working since {since:time}.{ because}",
  "incident.outages_over": "{name} and {others:count} stopped working at {since:time}.{ because}",
  "incident.outages_merged":
    "{name} and {others:count} are down, the first of them since {since:time}.{ because}",
  "incident.outages_merged_over":
    "{name} and {others:count} stopped working, the first of them at {since:time}.{ because}",
  "incident.down_several": "{name} and {others:count} are down",
  "incident.down_several_over": "{name} and {others:count} were down",
  "others.one": "{others} other monitor",
  "others.other": "{others} others",
  "incident.joined": "{name} is down as well.{ because}",
  "incident.joined_several": "{name} and {others:count} are down as well.{ because}",
  "incident.down_again": "{name} is down again.",
  "incident.down_again_several": "{name} and {others:count} are down again.",
  "incident.split": "{name} was taken out of this incident and has one of its own.{ because}",
  "incident.split_off": "{name} was taken out of another incident.{ because}",
  "incident.deleted": "The incident was deleted.",
  "incident.see": "See incident #{incident}.",
  "grouped.parent": "All of them depend on {name}.",
  "grouped.behind": "{name} went down, and the others depend on it.",
  "grouped.host": "All of them are on the host {host}.",
  "grouped.address": "All of them are at the address {address}.",
  "grouped.network": "None of them could be reached from {location:place}: its network may be at fault.",
  "grouped.merged": "A person merged their incidents.",
  "notice.down_together": "{name} and {others:count} have been down since {since:time}.{ because}",
  "notice.recovered_together": "{name} and {others:count} have been up again since {since:time}.",

  "notice.acknowledged": "{who} has acknowledged that {name} is down.",
  "notice.incident_acknowledged": "{who} has acknowledged this incident.",
  "notice.down": "{name} has been down since {since:time}.{ because}",
  "notice.down_among":
    "{name} has been down since {since:time}.{ because} It is one of {count} that are down together; {lead} was the first.",
  "notice.up": "{name} has been fully up again since {since:time}.",
  "notice.recovered": "{name} has been up again since {since:time}, after {lasted:duration}.",
  "notice.degraded": "{name} has been degraded since {since:time}.{ because}",
  "notice.flapping":
    "{name} keeps going down and coming back.{ because} You will hear of it again when it has been stable for a while.",
  "notice.settled_up":
    "{name} has settled: it has been up since {since:time}, for ten checks now. Before that it kept going down and coming back for {unstable:duration}.",
  "notice.settled_down":
    "{name} has settled, but it is down, since {since:time}. Before that it kept going down and coming back for {unstable:duration}.",
  "notice.stopped": "Monitoring of {name} stopped at {since:time}.{ because} Whether it is up is not known.",
  "notice.unwatched": "Monitoring of {name} ended at {since:time}.{ because}",
} as const;
