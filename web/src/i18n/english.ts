import type { Code } from "../../../server/src/texts/fact.ts";

/**
 * What the app says in English instead of the API's sentence, which names fields as the API does: by code, or by code and
 * field.
 */
export const english: Readonly<Partial<Record<Code | `${Code} ${string}`, string>>> = {
  "request.unauthenticated":
    "Your session has ended. To keep what you entered, sign in from another window, then save here again.",

  "account.setup_token":
    "This is not the one-time token that the server printed at startup. Restart the server to see it again.",
  "account.invitation_code": "This is not the code of this invitation. Ask the person who invited you.",
  "account.password_is_email": "The password must not be the e-mail address.",

  "input.required": "This is needed.",
  "input.required code": "Enter the code.",
  "input.required email": "Enter an e-mail address.",
  "input.required name": "Enter a name.",
  "input.required password": "Enter a password.",
  "input.required setupToken": "Enter the one-time token.",
  "input.required url": "Enter the URL to watch.",
  "input.choice": "Choose one of these: {choices}.",
  "input.short": "At least {limit} characters.",
  "input.short password": "The password needs at least {limit} characters.",
  "input.lengthy": "At most {limit} characters.",
  "input.lengthy password": "The password may not be longer than {limit} characters.",
  "input.minimum": "At least {limit}.",
  "input.maximum": "At most {limit}.",
  "input.empty": "Choose at least one.",
  "input.empty scopes": "Choose at least one permission.",
  "input.many": "At most {limit}.",
  "input.duplicate": "One value is there twice.",
  "input.format email": "This is not an e-mail address.",
  "input.malformed": "This is not in the form that is needed.",
  "input.nul": "This must not contain the character U+0000.",
  "input.future": "This must be in the future.",

  "url.spaces": "A URL has no spaces in it.",
  "url.scheme": "The URL must start with http:// or https://.",
  "url.malformed": "This is not a valid address.",
  "url.credentials":
    "Leave the user name and the password out of the URL. “All settings” has a place for them, where they are stored encrypted.",
  "url.long": "The URL may not be longer than {limit} characters.",
  "url.no_host": "The URL has no host, such as example.com.",
  "url.empty_label": "The URL's host has nothing between two of its dots.",
  "url.long_host": "The URL's host may not be longer than {limit} characters.",
  "url.long_label": "No part of the URL's host may be longer than {limit} characters.",

  "interval.recheck":
    "The recheck delay ({delay} seconds) must not be longer than the time between checks ({interval} seconds).",
  "interval.timeout":
    "The timeout ({timeout} seconds) must be shorter than the time between checks ({interval} seconds).",
  "interval.passive": "A check of type {type} has no timeout, as it asks nothing. Leave it empty.",

  "stored.changed":
    "A stored value ({secret}) is used only with the settings it was saved with; changed: {changed}. Enter it again.",
  "stored.auth": "{danger:word} Enter the sign-in details again, or choose no authentication.",
  "stored.headers": "{danger:word} Enter the headers again, or remove them.",
  "stored.header": "{danger:word} Enter the value of {name} again.",
  "danger.address": "Stored values are not sent to a different server.",
  "danger.certificate": "Without a certificate check, others could read the stored values in transit.",
};
