/** What is said of integrations and deployments, in English (see ../en.ts for the slots). */
export const integrations = {
  "integration.unreached": "{where} could not be reached.{ because}",
  "integration.refused": "{where} refused the credentials ({status}).",
  "integration.credentials":
    "{where} refused the credentials. Check each of them, and that none has expired.",
  "integration.forbidden": "{where} took the credentials, but they do not permit this ({status}).",
  "integration.no_subscription":
    "{where} shows no such subscription to this application. Check the id, and that the application has the role Reader on it.",
  "integration.not_coolify": "{where} does not answer as a Coolify instance does.",
  "integration.missing": "{where} knows no such resource.",
  "integration.rejected": "{where} rejected the request ({status}).",
  "integration.busy": "{where} takes no more requests for the moment.",
  "integration.failed": "{where} has a problem of its own ({status}).",
  "integration.redirect": "{where} answered with a redirect ({status}), which is not followed.",
  "integration.malformed": "{where} sent an answer that cannot be read.",
  "integration.revoked": "{where} does not honour this link any more. Link the account again.",
  "integration.client":
    "{where} refused this installation's own credentials. Its operator must check VEDETTE_VERCEL_CLIENT_ID and VEDETTE_VERCEL_CLIENT_SECRET.",
  "integration.no_refresh":
    "{where} gave no refresh token. The application that is registered there must ask for offline_access.",
  "integration.not_configured": "Set {variable} first, and restart Vedette.",
  "integration.state":
    "This link was begun by somebody else or more than 15 minutes ago, or was used already. Begin again.",
  "integration.unknown": "This version of Vedette knows no integration with {provider}.",
  "integration.gone": "The account was unlinked.",
  "integration.changed": "The account was changed meanwhile. Try again.",
  "integration.renewing": "The credentials are being renewed.",
  "integration.many": "An organization can link {limit} accounts.",
  "integration.removed": "{name} does not exist any more.",
  "integration.no_address": "{name} has no address that could be checked.",
  "integration.monitored": "{name} is monitored already.",
  "deployment.before": "Started {after:duration} after deployment{ version} of {name}{by:word}.",
  "deployment.during": "Started while deployment{ version} of {name}{by:word} was under way.",
  "by.somebody": " by {author}",
  "by.nobody": "",
  "deployment.ahead": "The {field} must not be in the future.",
  "deployment.length": "The {field} must be after {other}, by a day at most.",
  "deployment.signature": "The signature is not right. Check that both sides have the same secret.",
  "deployment.no_key":
    "A secret that begins with whsec_ is the key of a signature: at least 8 bytes in base64 have to follow.",
  "deployment.many_webhooks": "An organization can have {limit} deployment webhooks.",
} as const;
