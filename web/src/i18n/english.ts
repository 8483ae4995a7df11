import type { Code } from "../../../server/src/platform/i18n/message.ts";

/**
 * What the app says in English instead of the server's texts, which name fields as the API does: by code, or by code and field.
 */
export const english: Readonly<Partial<Record<Code | `${Code} ${string}`, string>>> = {
  "request.unauthenticated":
    "Your session has ended. To keep what you entered, sign in from another window, then save here again.",
  "request.unavailable": "Vedette cannot answer right now. Try again in a moment.",
  "request.error": "Something went wrong on the server. Its log says what.",
  "access.role": "Your role in this organization ({role:word}) does not permit this.",

  "account.setup_token":
    "This is not the one-time token that the server printed at startup. Restart the server to see it again.",
  "account.invitation_code": "This is not the code of this invitation. Contact the person who invited you.",
  "account.password_is_email": "The password must not be the e-mail address.",

  "input.required": "Required",
  "input.required code": "Enter the code.",
  "input.required currentPassword": "Enter your current password.",
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
  "input.duplicate": "A value occurs twice.",
  "input.format email": "This is not an e-mail address.",
  "input.type": "This must be {types:word}.",
  "input.documented": "This is not one of the choices.",
  "input.variant": "This is not one of the choices.",
  "input.constant": "This must be {value}.",
  "input.above": "More than {limit}.",
  "input.below": "Less than {limit}.",
  "input.few": "At least {limit}.",
  "input.format": "This must be {format:word}.",
  "input.malformed": "Invalid format",
  "input.nul": "This must not contain the character U+0000.",
  "input.future": "This must be in the future.",
  "input.past": "This must not be in the future.",

  "url.spaces": "A URL has no spaces in it.",
  "url.scheme": "The URL must start with http:// or https://.",
  "url.malformed": "This is not a valid address.",
  "url.credentials":
    "Leave the user name and the password out of the URL. The setting “Authentication” has a place for them, where they are stored encrypted.",
  "url.no_query": "The URL must not contain a query or a fragment; paths are added to it.",
  "url.no_credentials": "The URL must not contain a user name or a password.",
  "url.long": "The URL may not be longer than {limit} characters.",
  "url.no_host": "The URL has no host, such as example.com.",
  "url.empty_label": "The URL's host has nothing between two of its dots.",
  "url.long_host": "The URL's host may not be longer than {limit} characters.",
  "url.long_label": "No part of the URL's host may be longer than {limit} characters.",

  "interval.plan": "At least {limit} seconds on the {plan} plan.",
  "interval.recheck":
    "The recheck delay ({delay} seconds) must not be longer than the check interval ({interval} seconds).",
  "interval.timeout":
    "The timeout ({timeout} seconds) must be shorter than the check interval ({interval} seconds).",
  "input.cron": "Five fields are needed (minute, hour, day, month, day of the week), such as 0 3 * * *.",
  "interval.passive": "This kind of check sends nothing and has no timeout. Leave it empty.",

  "stored.changed": "The stored value is used only with the settings it was saved with. Enter it again.",
  "stored.auth": "{danger:word} Enter the credentials again, or choose no authentication.",
  "stored.headers": "{danger:word} Enter the headers again, or remove them.",
  "stored.header": "{danger:word} Enter the value of {name} again.",
  "auth.header": "With this kind of authentication, Authorization must not be among the request headers.",
  "auth.typeless": "Choose which kind of authentication these credentials are for.",
  "auth.required": "This kind of authentication needs it.",
  "auth.colon": "The user name must not contain a colon (RFC 7617).",
  "expectation.limit": "Enter at least one of the two limits.",
  "expectation.value": "This comparison needs a value.",
  "expectation.number": "This comparison needs a number.",

  "danger.address": "Stored values are not sent to a different server.",
  "danger.certificate": "Without this TLS check, others could read the stored values in transit.",
};
