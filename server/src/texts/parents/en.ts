/** What there is to say of what monitors depend on (see ../en.ts for the slots). */
export const parents = {
  "parent.itself": "A monitor cannot depend on itself.",
  "parent.cycle": '"{name}" depends on this monitor itself, directly or through others.',
  "parent.member":
    '"{name}" depends on this group, directly or through others, and so cannot be a member of it.',
  "watch.behind": "{name}, which it depends on, is down as well: nobody is told.",
  "watch.released": "What it depends on is no longer down: a fresh confirmation is needed.",
} as const;
