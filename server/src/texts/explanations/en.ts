/** Why an incident opened and closed, and what other settings would have done, in English; see ../en.ts. */
export const explanations = {
  "explain.down":
    "Down: {failing} of {fresh} locations failing, {needed} needed. First failure {first:time} from {location:place}.{ because}",
  "explain.down_alone":
    "Down: {failures} failures in a row at {location:place}, {needed} needed. First failure {first:time}.{ because}",
  "explain.down_once": "Down: one failure at {location:place} is enough. It was at {first:time}.{ because}",
  "explain.up":
    "Up again: {up} of {fresh} locations answer, {needed} needed. First success {first:time} from {location:place}.",
  "explain.up_alone":
    "Up again: {successes} successes in a row at {location:place}, {needed} needed. First success {first:time}.",
  "explain.up_once": "Up again: one success at {location:place} is enough. It was at {first:time}.",
  "explain.first": "Up: it worked at {first:time} from {location:place}.",
  "explain.degraded":
    "Degraded: it works, but slowly or not from everywhere. {failing} of {fresh} locations failing, {needed} needed for an outage.{ because}",
  "explain.recorded": "{state:word} since {at:time}.{ because}",
  "place.local": "the Vedette server",
  "state.up": "Up",
  "state.degraded": "Degraded",
  "state.down": "Down",
  "state.unknown": "Unknown",
  "explain.vote_failing": "From {location:place}: failing, {count} in a row since {since:time}.{ because}",
  "explain.vote_suspect":
    "From {location:place}: {count} failed in a row since {since:time}, {needed} needed to count.{ because}",
  "explain.vote_recovering":
    "From {location:place}: {count} succeeded in a row since {since:time}, {needed} needed to count as up.",
  "explain.vote_ok": "From {location:place}: up, {count} in a row since {since:time}.",
  "explain.vote_stale": "From {location:place}: silent since {since:time}, so it does not count.",
  "explain.no_results":
    "The check results behind this are no longer kept, so only what was noted at the time can be told.",
  "explain.differs":
    "The monitor was changed since, or results came in late: with its present settings the stored results give another course than what was recorded.",
  "explain.cut": "There are too many results to go through them all: those after {until:time} were left out.",
  "explain.deleted": "The monitor was deleted, and its results with it.",
  "explain.maintenance":
    "It is in maintenance until {until:time}: it is still checked, but nobody is told of it.",
  "explain.more": "The first {shown} of {total} outages are explained.",
  "whatif.same":
    "Failures in a row until down: {confirmations}; successes until up: {recoveries}; {quorum:word}. It would have been detected at the same moment.",
  "whatif.later":
    "Failures in a row until down: {confirmations}; successes until up: {recoveries}; {quorum:word}. It would have been detected {by:duration} later.",
  "whatif.earlier":
    "Failures in a row until down: {confirmations}; successes until up: {recoveries}; {quorum:word}. It would have been detected {by:duration} earlier.",
  "whatif.none":
    "Failures in a row until down: {confirmations}; successes until up: {recoveries}; {quorum:word}. There would have been no alarm at all.",
  "quorum.majority": "more than half of the locations",
  "quorum.count": "failing locations: {locations}",
  "whatif.closed_later": "It would have closed {by:duration} later.",
  "whatif.closed_earlier": "It would have closed {by:duration} earlier.",
  "whatif.open": "It would still be open.",
  "whatif.several": "There would have been {count} alarms instead of {before}.",
  "whatif.assumed":
    "Rechecks that these settings would have asked for, and that were not made, are taken to have come out like the checks before and after them ({count}).",

  "incident.not_grouped": "There is nothing to separate: the incident is about one monitor.",
  "incident.not_in_it": "No monitor with this id is down in the incident.",
} as const;
