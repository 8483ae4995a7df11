export const notifications = {
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
  "incident.flapping": "{name} is flapping",
  "incident.flapping_several": "{name} and {others:count} are flapping",
  "incident.keeps_failing": "{name} has been going down and coming back since {since:time}.{ because}",
  "incident.keep_failing":
    "{name} and {others:count} have been going down and coming back since {since:time}.{ because}",
  "incident.down_several": "{name} and {others:count} are down",
  "incident.down_several_over": "{name} and {others:count} were down",
  "incident.problems_several": "{name} and {others:count} have problems",
  "incident.problems_several_over": "{name} and {others:count} had problems",
  "incident.problems": "{name} and {others:count} have had problems since {since:time}.{ because}",
  "incident.problems_over": "{name} and {others:count} had problems, the first at {since:time}.{ because}",
  "others.one": "{others} other monitor",
  "others.other": "{others} others",
  "incident.joined": "{name} is down as well.{ because}",
  "incident.joined_several": "{name} and {others:count} are down as well.{ because}",
  "incident.down_again": "{name} is down again.",
  "incident.down_again_several": "{name} and {others:count} are down again.",
  "incident.split": "{name} was taken out of this incident and has one of its own.{ because}",
  "incident.split_off": "{name} was taken out of another incident.{ because}",
  "incident.acknowledged_more": "Also acknowledged: {names}.",
  "incident.acknowledged_more_via": "Also acknowledged through {channel}: {names}.",
  "incident.deleted": "The incident was deleted.",
  "incident.see": "See incident #{incident}.",
  "grouped.parent": "They depend on {name}.",
  "grouped.behind_one": "{other} depends on {name}.",
  "grouped.behind": "{name} went down, and the others depend on it.",
  "grouped.host": "They are on the same host: {host}.",
  "grouped.address": "They are at the same address: {address}.",
  "grouped.network": "They could not be reached from {location:place}: its network may be at fault.",
  "grouped.merged": "A person merged their incidents.",
  "notification.down_together": "{name} and {others:count} have been down since {since:time}.{ because}",
  "notification.recovered_together": "{name} and {others:count} have been up again since {since:time}.",

  "notification.acknowledged": "{who} has acknowledged that {name} is down.",
  "notification.acknowledged_device": "{who} has acknowledged the problem with {name}.",
  "notification.incident_acknowledged": "{who} has acknowledged this incident.",
  "notification.down": "{name} has been down since {since:time}.{ because}",
  "notification.behind":
    "{name} has been down since {since:time}. It depends on {parent}, which is down as well.{ because}",
  "notification.down_among":
    "{name} has been down since {since:time}.{ because} It is one of {count} that are down together; {lead} was the first.",
  "notification.up": "{name} has been fully up again since {since:time}.",
  "notification.recovered": "{name} has been up again since {since:time}, after {lasted:duration}.",
  "notification.certificate_soon": "{name}'s certificate expires on {day:day}, in {left:duration}.",
  "notification.certificate_path_soon": "{name}:{ because}",
  "notification.certificate_bad": "{name}'s certificate is not valid.{ because}",
  "notification.certificate_ok": "{name}'s certificate is OK again: it is valid until {day:day}.",
  "notification.budget_fast": "{name} is using up its error budget fast.{ because}",
  "notification.budget_slow": "{name} is slowly using up its error budget.{ because}",
  "notification.budget_steady": "{name} is no longer using up its error budget too fast.{ because}",
  "notification.degraded": "{name} has been degraded since {since:time}.{ because}",
  "incident.critical": "{name} is in a critical state",
  "incident.critical_over": "{name} was in a critical state",
  "incident.unhealthy": "{name} has been in a critical state since {since:time}.{ because}",
  "incident.unhealthy_over": "{name} was in a critical state from {since:time} on.{ because}",
  "incident.not_healthy": "{name} is not healthy",
  "incident.offline_critical_over": "{name} was offline and in a critical state",
  "incident.now_critical": "{name} is in a critical state.{ because}",
  "incident.now_critical_over": "{name} was in a critical state.{ because}",
  "incident.now_warning": "{name} is no longer in a critical state, but it is not healthy yet.{ because}",
  "incident.now_warning_over": "{name} was in a critical state, and at the end not healthy.{ because}",
  "incident.returned_critical":
    "{name} has been online again since {since:time}, but it is in a critical state.{ because}",
  "incident.returned_critical_over":
    "{name} was online again from {since:time} on, but in a critical state.{ because}",
  "incident.returned_warning":
    "{name} has been online again since {since:time}, but it is not healthy yet.{ because}",
  "incident.returned_warning_over":
    "{name} was online again from {since:time} on, but not healthy.{ because}",
  "incident.healthy": "{name} is well again. The problem lasted {lasted:duration}.",
  "notification.offline": "{name} has been offline since {since:time}.{ because}",
  "notification.online": "{name} has been online and well again since {since:time}.",
  "notification.back_online": "{name} has been online again since {since:time}, after {lasted:duration}.",
  "notification.unhealthy": "{name} has not been healthy since {since:time}.{ because}",
  "notification.critical": "{name} has been in a critical state since {since:time}.{ because}",
  "notification.well": "{name} has been healthy again since {since:time}.",
  "notification.healthy": "{name} has been healthy again since {since:time}, after {lasted:duration}.",
  "notification.flapping":
    "{name} keeps going down and coming back.{ because} The next notification follows when it has been stable for a while.",
  "notification.stable_up":
    "{name} is stable again: it has been up since {since:time}, for ten checks now. Before that it went down and came back repeatedly for {unstable:duration}.",
  "notification.stable_down":
    "{name} has stopped flapping, but it is down, since {since:time}. Before that it went down and came back repeatedly for {unstable:duration}.",
  "notification.stopped":
    "Monitoring of {name} stopped at {since:time}.{ because} Whether it is up is not known.",
  "notification.unwatched": "Monitoring of {name} ended at {since:time}: {because}.",
} as const;

/**
 * Of each kind the subject, the text above its link, the link's name, the text below. Slots: ../en.ts; what
 * fills in `{name:message}` is a message in the mail's language.
 */
export const mails = {
  "reset.subject": "Choose a new password",
  "reset.text":
    "Someone, probably you, requested a new password for your Vedette account. Choose it within the hour:",
  "reset.action": "Choose a new password",
  "reset.ending":
    "The link works once. If it was not you, there is nothing to do: your password has not changed.",

  "confirm.subject": "Confirm your new e-mail address",
  "confirm.text":
    "Someone, probably you, entered {email} for a Vedette account. If that was you, confirm it within the hour:",
  "confirm.action": "Confirm this address",
  "confirm.ending": "The link works once. If it was not you, there is nothing to do.",

  "changed.subject": "Your e-mail address has changed",
  "changed.text":
    "Your Vedette account now has the e-mail address {email}. Sign in with it from now on; mail goes there, too.",
  "changed.ending": "If it was not you, contact the people who run this installation of Vedette at once.",

  "invitation.subject": "{name} invites you to {organization}",
  "invitation.text":
    "{name} invites you to join {organization} on Vedette as {role:word}. You can sign in, or create an account, when you accept:",
  "invitation.action": "See the invitation",
  "invitation.ending":
    "The invitation is for {email}, works once and is valid until {until:time}. If you do not know {name}, there is nothing to do.",

  "test.subject": "A test mail from Vedette",
  "test.text":
    "You requested this mail in the settings of Vedette. It has arrived, so Vedette can send mail.",

  "channel_off.subject": "The channel “{name}” was disabled",
  "channel_off.text":
    "Vedette has disabled the channel {name}, because the other side refuses its messages. {why:message}",
  "channel_off.action": "See the channel",
  "channel_off.ending":
    "Fix its settings and turn it on again. Until then it is tried once a day; nothing else is sent there.",

  "footer.text": "Sent by Vedette at {address}",
} as const;

/** The slots are those of ../en.ts, filled in already. */
export const en = {
  "subject.weekly": "{organization}: the week from {from} to {to}",
  "subject.monthly": "{organization}: {month}",
  "heading.weekly": "Weekly report: {from} to {to}",
  "heading.monthly": "Monthly report: {month}",
  intro: "What {organization} watched, on the clocks of {zone}.",
  "totals.title": "In all",
  "totals.domain": "Domains ({count})",
  "totals.service": "Services ({count})",
  "totals.device": "Devices ({count})",
  "totals.line": "{uptime} up (before: {previous}), {outages}",
  "totals.down": "{line}, {down} down in all",
  "totals.unknown": "nothing is known of that time",
  "outages.none": "no outage",
  "outages.one": "{count} outage",
  "outages.other": "{count} outages",
  "worst.title": "Least uptime",
  "worst.line": "{uptime} up, {outages}, {down} down",
  "slowest.title": "Slowest",
  "slowest.line": "95% of the checks took up to {time}",
  "happened.title": "What happened",
  "happened.none": "No incidents.",
  "happened.over": "{since}, for {lasted}",
  "happened.open": "since {since}, still open",
  "happened.more.one": "and {count} more incident",
  "happened.more.other": "and {count} more incidents",
  "budgets.title": "Error budgets",
  "budgets.left": "{left} of {allowed} left ({percent} in {days} days)",
  "budgets.spent": "used up, and {over} more ({percent} in {days} days)",
  "budgets.none": "nothing to go by yet ({percent} in {days} days)",
  "between.name": "{name}: {text}",
  action: "See the report",
} as const;

export type ReportMailTexts = Readonly<Record<keyof typeof en, string>>;
