/** See ../en.ts for the slots. */
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
    "{where} gave no refresh token. The application that is registered there must request offline_access.",
  "integration.not_configured": "Set {variable} first, and restart Vedette.",
  "integration.state":
    "This link was started by another person, is older than 15 minutes, or has been used already. Start again.",
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
  "by.author": " by {author}",
  "by.unknown": "",
  "deployment.ahead": "The {field} must not be in the future.",
  "deployment.length": "The {field} must be after {other}, by a day at most.",
  "deployment.signature": "The signature is not right. Check that both sides have the same secret.",
  "deployment.no_key":
    "A secret that begins with whsec_ is the key of a signature: at least 8 bytes in base64 have to follow.",
  "deployment.many_webhooks": "An organization can have {limit} deployment webhooks.",
} as const;

export const imports = {
  "import.format": "The format of this file is not recognised. Name it in the {field} field: {formats}.",
  "import.syntax": "This is not valid {format}: line {line} cannot be read.",
  "import.columns": "The first line must name the columns, among them url.",
  "import.version":
    "This file was written by another version of Vedette. This one reads files that begin with vedette: {version}.",
  "import.empty": "There is nothing to monitor in this file.",
  "import.encoding": "Line {line} has a character that could not be read. Save the file as UTF-8.",
  "import.many": "The file has {count} monitors; at most {limit} can be imported at once. Split it.",
  "import.unreadable": "This file cannot be read: it is nested too deeply, or is meant to use up memory.",
  "import.large": "The file is too large: at most {limit} MiB.",
  "import.database": "This is no database of Uptime Kuma: it has no monitors in it.",
  "import.database_damaged":
    "This database cannot be read. Stop Uptime Kuma before you copy kuma.db, so that the copy is whole.",
  "import.database_large": "There is more in this database than can be imported at once.",
  "import.nothing": "This is not a monitor.",
  "import.kind": "Vedette has no kind of check called {type}.",
  "import.address": "The address ({scheme}) cannot be understood.",
  "import.variables": "A value is needed for {names}.",
  "import.setting": "{setting} is not imported.",
  "import.notifications":
    "Notifications are not imported: set up channels for them under Settings → Channels.",
  "import.proxies": "Proxies are not imported: checks are made without one.",
  "import.changed": "{setting} becomes {to} instead of {from}.",
  "import.condition": "This condition is not imported: {condition}",
  "import.cut": "{setting} is cut to {limit} characters.",
  "import.opposite": "It counts as up when the check fails ({condition}). Vedette has no such setting.",
  "import.part": "Vedette finds the text anywhere in the response: {condition}",
  "import.record": "Vedette also counts it as down when the name has no record of that type: {condition}",
  "import.keyword_json":
    "Uptime Kuma removes whitespace from JSON before searching; Vedette searches the body as it is sent: {keyword}",
  "import.retries":
    "Uptime Kuma reports it {delay} s after the first failure (retryInterval). So that it is the same here, {count} failures {interval} s apart count as down.",
  "import.any_status":
    "As a condition is not imported and none is on the status, a status of {codes} is expected.",
  "import.external":
    "Its results are pushed from outside, and it has no heartbeat interval: Vedette could not know when one is overdue.",
  "import.suite": "A suite of requests that follow each other cannot be imported.",
  "import.placeholder": "{placeholder} in the body is sent unchanged: Vedette does not replace it.",
  "import.certificate_warning":
    "Vedette watches every certificate and notifies you before it expires. This cannot be switched off for a single monitor.",
  "import.certificate_days":
    "You are notified {days} d before the certificate expires, but it does not count as down: {condition}",
  "import.cells": "This line has {count} cells, more than the {columns} columns that the first line names.",
  "import.row": "This line cannot be read: its quotation marks do not match.",
  "import.row_long": "This line is too long.",
  "import.upside_down": "It counts as up when the check fails (upside down). Vedette has no such setting.",
  "import.auth": "It signs in by {method}, which Vedette cannot do.",
  "import.json_path": "The JSON query {path} is more than a path such as $.status.",
  "import.grpc":
    "It calls {method}. Vedette only queries the health, by the standard protocol (grpc.health.v1).",
  "import.browser": "The page is requested, but not opened in a browser.",
  "import.heartbeat": "It gets a new address, which the job must request instead of the old one.",
  "import.member": "{name} does not become a member, as it cannot be imported.",
  "import.reference_unknown": 'There is no monitor named "{name}", neither here nor in this file.',
  "import.reference_ambiguous":
    'Several monitors are named "{name}". Say which one with kind and target, as an export does.',
  "import.exists": "It is monitored already.",
  "import.twice": "The same is on line {line} of this file.",
  "import.repeated": "The same comes earlier in this file.",
} as const;
