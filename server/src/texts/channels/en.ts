/** What channels are told of and answer, in English. The slots are those of ../en.ts. */
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
  "channel.taken": "A channel named {name} already exists. Give this one another name.",
  "channel.many": "An organization can have {limit} channels.",
  "channel.template_name": "The template names {name}, which no message has.",
  "channel.template_block":
    "The template says {block}. It only fills in fields such as {field}; it has no loops and no conditions.",
  "channel.template_json": "The template begins like JSON but is not valid JSON once it is filled in.",
  "channel.key_or_urls": "Give either the key of a stored configuration or the URLs.",
  "channel.hours": "The hours must be two different times such as 08:00 and 18:00.",
  "delivery.over": "It was over before it could be delivered.",
  "settings.unconfirmed":
    "Nobody has confirmed yet that this address is yours. Until you use the link in the mail that asks, no messages are sent to it.",
  "settings.confirmed": "There is nothing to ask: messages are sent to your address.",
  "settings.nowhere": "There is no address to send a test to. Set one and save first.",
  "notice.digest": "{count} monitors changed.",
  "push.gone": "This browser is not subscribed any more.",
  "push.https": "The address of a push service starts with https://.",
  "push.keys": "These are not the keys of a browser's subscription.",
  "notice.reminder_device": "{name} has had trouble for {lasted:duration}, and nobody has acknowledged it.",
  "notice.reminder": "{name} has been down for {lasted:duration}, and nobody has acknowledged it.",
  "notice.certificate_expiring": "{because}{ issued:word}",
  "notice.certificate_invalid": "{because} The check accepts it.{ issued:word}",
  "notice.certificate_renewed": "It is valid until {day:day}.{ issued:word}",
  "notice.certificate_unwatched": "{name}'s certificate is no longer watched ({because}).",
  "notice.objective_burning":
    "{share:percent} of its error budget was used up within {span:duration}.{ because}",
  "notice.objective_steady": "It is no longer being used up too fast.{ because}",
  "notice.objective_unwatched": "The error budget is no longer watched ({because}).",
  "notice.no_objective": "there is no objective any more",
  "notice.budget_left":
    "{left:duration} of {allowed:duration} are left: the objective is {percent:percent} in {days} days.",
  "notice.budget_spent":
    "All {allowed:duration} are used up, and {over:duration} more: the objective is {percent:percent} in {days} days.",
  "issued.by": "It was issued by {issuer}.",
  "issued.unknown": "",
  "notice.incident_said": "{said}",
  "notice.incident_fact": "{because}",
  "notice.test": "This is a test. Messages about your monitors will arrive here.",
  "delivery.unconfirmed":
    "The address has not been confirmed yet. Until then, it is sent nothing but the question.",
  "delivery.needless":
    "The question is not needed any more: it was answered, or the channel has another address.",
  "delivery.question":
    "This asks whether the address may be written to. Have it sent again with POST …/confirmation, or on the page of the channel.",
  "channel.confirmed": "The channel is confirmed: there is nothing to ask.",
  "channel.asked_often":
    "This address has been asked several times within a day. Try again tomorrow, and look into the spam folder meanwhile.",
  "channel.many_asked": "The organization has asked many addresses within a day. Try again tomorrow.",
  "notice.confirmation":
    "{organization} wants Vedette to write to {address} when something that it monitors goes down, and when it is up again. If you want that, confirm it within seven days. If not, there is nothing to do: nothing is sent to you then.",
  "notice.confirmation_own":
    "Somebody has made an account with the address {address} on {where}, where Vedette watches websites and services. If it is yours, confirm it within seven days: then you are told by mail when something goes down, and when it is up again. If not, there is nothing to do: no such mails are sent to you.",
  "notice.channel_off": "The channel {name} was turned off: it refuses messages for good.{ because}",
} as const;
