/** See ../en.ts for the slots. */
export const parents = {
  "parent.unknown": "There is no domain, service or device {uuid}.",
  "parent.itself": "A monitor cannot depend on itself.",
  "parent.cycle": '"{name}" depends on this monitor itself, directly or through others.',
  "parent.member":
    '"{name}" depends on this group, directly or through others, and so cannot be a member of it.',
  "watch.behind": "{name}, which it depends on, is down as well: no notifications are sent.{ because}",
  "watch.released": "What it depends on is no longer down: a fresh confirmation is needed.",
  "watch.notified": "Nothing that it depends on is down: notifications are sent.{ because}",
  "explain.held_back": "Held back since {at:time}: {name}, which it depends on, was down.{ because}",
  "explain.released":
    "Released {at:time}: nothing that it depends on was down any more. From then on it took a fresh confirmation.",
  "explain.notified": "Confirmed anew {at:time}: notifications were sent.{ because}",
} as const;
