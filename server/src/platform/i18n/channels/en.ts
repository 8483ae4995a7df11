/** The slots are those of ../en.ts. */
export const channels = {
  "delivery.accepted": "{where} accepted it ({status}).",
  "delivery.refused": "{where} refused it ({status}): {said}",
  "delivery.ended": "{where} takes no more messages from here ({status}): {said}",
  "delivery.failed": "{where} could not take it ({status}): {said}",
  "delivery.busy": "{where} takes no more messages for the moment ({status}).",
  "delivery.redirect": "{where} answered with a redirect ({status}), which is not followed.",
  "delivery.unreached": "It could not be delivered.{ because}",
  "delivery.channel_off": "The channel is turned off.",
  "delivery.channel_gone": "The channel does not exist any more.",
  "delivery.unknown_type": "This version of Vedette knows no channel of the type {type}.",
  "delivery.waits": "It is waiting to be sent already.",
  "delivery.followed":
    "This message is out of date: a newer one about the same was sent, or tried, after it. Nothing was sent. If you need one again, take the newest.",
  "delivery.recovered":
    "This message is out of date: {name} has recovered since. Nothing was sent. The incident shows who was notified of that.",
  "delivery.down_again":
    "This message is out of date: there is a problem with {name} again. Nothing was sent. The incident shows who was notified of that.",
  "delivery.regrouped":
    "This message is out of date: the incident that it is about was merged, split or deleted since. Nothing was sent. Take a newer message, or look at the incident.",
  "delivery.changed":
    "This message is out of date: what it says is no longer so. Nothing was sent. Vedette sends the channel by itself what it still lacks.",
  "channel.taken": "A channel named {name} already exists. Give this one another name.",
  "channel.many": "An organization can have {limit} channels.",
  "channel.template_name": "The template names {name}, which no message has.",
  "channel.template_block":
    "The template says {block}. It only fills in fields such as {field}; it has no loops and no conditions.",
  "channel.template_json": "The template begins like JSON but is not valid JSON once it is filled in.",
  "channel.key_or_urls": "Give either the key of a stored configuration or the URLs.",
  "channel.hours": "The hours must be two different times such as 08:00 and 18:00.",
  "delivery.merged": "It became part of another message.",
  "delivery.over": "It was over before it could be delivered.",
  "settings.unconfirmed":
    "This address has not been confirmed yet. Until you use the link in the confirmation mail, no messages are sent to it.",
  "settings.confirmed": "There is nothing to confirm: messages are sent to your address already.",
  "settings.nowhere": "There is no address to send a test to. Set one and save first.",
  "notification.digest": "{count} monitors changed.",
  "push.gone": "This browser is not subscribed any more.",
  "push.https": "The address of a push service starts with https://.",
  "push.keys": "These are not the keys of a browser's subscription.",
  "notification.reminder_device":
    "{name} has had problems for {lasted:duration}, and it has not been acknowledged.",
  "notification.reminder": "{name} has been down for {lasted:duration}, and it has not been acknowledged.",
  "notification.certificate_expiring": "{because}{ issued:word}",
  "notification.certificate_invalid": "{because} The check accepts it.{ issued:word}",
  "notification.certificate_renewed": "It is valid until {day:day}.{ issued:word}",
  "notification.certificate_unwatched": "{name}'s certificate is no longer watched ({because}).",
  "notification.objective_burning":
    "{share:percent} of its error budget was used up within {span:duration}.{ because}",
  "notification.objective_steady": "It is no longer being used up too fast.{ because}",
  "notification.objective_unwatched": "The error budget is no longer watched ({because}).",
  "notification.no_objective": "there is no objective any more",
  "notification.budget_left":
    "{left:duration} of {allowed:duration} are left: the objective is {percent:percent} in {days} days.",
  "notification.budget_spent":
    "All {allowed:duration} are used up, and {over:duration} more: the objective is {percent:percent} in {days} days.",
  "issued.by": "It was issued by {issuer}.",
  "issued.unknown": "",
  "notification.incident_said": "{said}",
  "notification.incident_log": "{because}",
  "notification.test": "This is a test. Messages about your monitors will arrive here.",
  "delivery.unconfirmed":
    "The address has not been confirmed yet. Until then, it is sent nothing but the confirmation request.",
  "delivery.needless":
    "The confirmation request is not needed any more: it was answered, or the channel has another address.",
  "delivery.is_confirmation":
    "This is a confirmation request. Send it again with POST …/confirmation, or on the page of the channel.",
  "channel.confirmed": "The channel is confirmed already.",
  "channel.address_limit":
    "Several confirmation requests were sent to this address within a day. Check its spam folder, or try again tomorrow.",
  "channel.confirmation_limit":
    "The organization has sent too many confirmation requests within a day. Try again tomorrow.",
  "notification.confirmation":
    "{organization} wants Vedette to write to {address} when something that it monitors goes down, and when it is up again. If you want that, confirm it within seven days. If not, there is nothing to do: nothing is sent to you then.",
  "notification.confirmation_own":
    "An account was created with the address {address} on {where}, where Vedette watches websites and services. If it is yours, confirm it within seven days: then you get a mail when something goes down, and when it is up again. If not, there is nothing to do: no such mails are sent to you.",
  "notification.channel_off": "The channel {name} was disabled: the other side refuses messages.{ because}",
} as const;

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
    "The check results behind this have been deleted, so only what was recorded at the time can be shown.",
  "explain.differs":
    "The monitor was changed since, or results came in late: with its present settings the stored results give another course than what was recorded.",
  "explain.cut": "There are too many results to go through them all: those after {until:time} were left out.",
  "explain.deleted": "The monitor was deleted, and its results with it.",
  "explain.maintenance":
    "It is in maintenance until {until:time}: it is still checked, but no notifications are sent.",
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
    "Rechecks that these settings would have triggered, but that were not made, are assumed to have had the same result as the checks before and after them ({count}).",

  "incident.not_grouped": "There is nothing to separate: the incident is about one monitor.",
  "incident.not_in_it": "No monitor with this id is down in the incident.",
} as const;
