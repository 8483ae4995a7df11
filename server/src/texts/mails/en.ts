/**
 * What mail says, in English: of each kind the subject, the text above its link, what the link is called, and what stands
 * below it. The slots are those of ../en.ts; what fills in `{name:fact}` is a message, said in the language of the mail.
 */
export const mails = {
  "reset.subject": "Choose a new password",
  "reset.text":
    "Someone, probably you, asked for a new password for your Vedette account. Choose it within the hour:",
  "reset.action": "Choose a new password",
  "reset.ending":
    "The link works once. If it was not you, there is nothing to do: your password has not changed.",

  "confirm.subject": "Confirm your new e-mail address",
  "confirm.text":
    "Someone, probably you, asked to use {email} for a Vedette account. If that was you, confirm it within the hour:",
  "confirm.action": "Confirm this address",
  "confirm.ending": "The link works once. If it was not you, there is nothing to do.",

  "changed.subject": "Your e-mail address has changed",
  "changed.text":
    "Your Vedette account now has the e-mail address {email}. Sign in with it from now on; mail goes there, too.",
  "changed.ending": "If it was not you, tell the people who run this installation of Vedette at once.",

  "invitation.subject": "{name} invites you to {organization}",
  "invitation.text":
    "{name} invites you to join {organization} on Vedette as {role:word}. You can sign in, or create an account, when you accept:",
  "invitation.action": "See the invitation",
  "invitation.ending":
    "The invitation is for {email}, works once and is valid until {until:time}. If you do not know {name}, there is nothing to do.",

  "test.subject": "A test mail from Vedette",
  "test.text":
    "You asked for this mail in the settings of Vedette. It has arrived, so Vedette can send mail.",

  "channel_off.subject": "The channel “{name}” was disabled",
  "channel_off.text":
    "Vedette has disabled the channel {name}, because the other side refuses its messages. {why:fact}",
  "channel_off.action": "See the channels",
  "channel_off.ending":
    "Fix its settings and turn it on again. Until then it is tried once a day, and otherwise notifies nobody.",

  "footer.text": "Sent by Vedette at {address}",
} as const;
