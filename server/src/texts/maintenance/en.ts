/** What there is to say of maintenance windows, in English (see ../en.ts for the slots). */
export const maintenance = {
  "maintenance.rule":
    "This is not a recurrence rule that can be used. Write one such as FREQ=WEEKLY;BYDAY=SU, at most once a day, without DTSTART.",
  "maintenance.rule_never": "This rule never comes true.",
  "maintenance.rule_ends": "A recurrence rule has COUNT or UNTIL, not both.",
  "maintenance.overlap":
    "A window may not last longer than the time to the next one, which here is {gap:duration}.",
  "maintenance.nothing": "Say what it is for: everything, tags, or single monitors.",
  "maintenance.until": "The end must be later than the start.",
  "maintenance.span": "At most {days} days at a time.",
  "maintenance.far": "At most ten years from now.",
  "maintenance.past":
    "This time is over already. A window counts from now on: let it begin later, or last longer.",
  "maintenance.never": "With these settings the window never opens.",
  "maintenance.not_open": "It is not open at the moment, so there is nothing to end.",
  "maintenance.no_occurrence": "No occurrence that could be skipped begins at that time.",
  "maintenance.many": "An organization can have {limit} windows that are open or still to come.",
  "maintenance.monitor": "There is no domain, service or device with the id {id}.",
} as const;
