import { inputs } from "../inputs/en.ts";

/**
 * Why a request is refused, in English, as the API says it (see ../en.ts for the slots). No text names a field of the
 * API by itself: such names are params, so that v2 can say them in its own way.
 */
export const refusals = {
  ...inputs,
  "request.unauthenticated": "Unauthenticated.",
  "request.not_found": "Resource not found.",
  "request.too_many": "Too Many Attempts.",
  "request.too_many_streams": "At most {limit} live streams a person.",
  "request.unavailable": "Service Unavailable",
  "request.error": "Server Error",
  "request.foreign":
    "This request did not come from this installation's own pages: its Origin header is missing or names another site.",
  "request.foreign_open":
    "This request did not come from this installation's own pages. Open it at {address}.",
  "request.forwarded":
    "This request came through a proxy that Vedette was not told about. Set VEDETTE_PUBLIC_URL and VEDETTE_TRUSTED_PROXIES, restart Vedette and try again.",
  "request.unknown_host":
    "Vedette can be set up only at an address it knows. Open it at {address}, or set VEDETTE_PUBLIC_URL to the address that people will use.",
  "chat.long": "A message can be at most {limit} KiB long.",
  "chat.many_conversations":
    "You can keep {limit} conversations about an organization. Delete one that you no longer need.",
  "chat.many_messages": "A conversation can have {limit} messages. Begin a new one.",
  "request.unreadable": "The request could not be read.",
  "request.not_json": "The body is not valid JSON.",
  "request.not_utf8": "The body is not valid UTF-8.",
  "request.packed": "The body could not be unpacked as its Content-Encoding says.",
  "request.content_coding":
    "Unsupported Content-Encoding. Supported are gzip, deflate, br and zstd, one of them at a time.",
  "request.deep": "The body is nested too deeply: at most {limit} levels.",
  "request.values": "The body has too many values: at most {limit}.",
  "request.keys": "An object in the body has too many fields: at most {limit}.",
  "request.address": "The address of the request cannot be read.",
  "request.host": "The request must have one Host header.",
  "request.method": "Method not allowed.",
  "request.methods": "Method not allowed. This address answers to {methods}.",
  "request.slow": "The request took too long to arrive.",
  "request.large": "The body is too large: at most {limit} KB.",
  "request.long": "The address is too long.",
  "request.media": "The body must be JSON: send Content-Type: application/json.",
  "request.expectation": "Only Expect: 100-continue can be met.",
  "request.coding": "Only the transfer coding chunked is supported.",
  "request.header": "The header of the request is too large: at most 16 KB.",
  "request.refused": "The request was refused.",

  "assistant.subscriptions": "At most {limit} subscriptions a session.",
  "assistant.confirmation":
    "This confirms no such call: it is for another one, is older than five minutes, or was used before. Make the call without it to get a new one.",
  "access.plan": "This feature requires {needs:word} Plan subscription.",
  "needs.free": "a Free",
  "needs.pro": "a Pro",
  "needs.expert": "an Expert",
  "needs.reports": "a Reports",
  "access.scope": "This API key lacks the scope {scope}.",
  "access.role": "Your role in this organization ({role:word}) does not permit {scope}.",
  "access.low_role": "Your role in this organization ({role:word}) does not permit this.",
  "role.owner": "owner",
  "role.admin": "admin",
  "role.member": "member",
  "role.viewer": "viewer",
  "access.session": "This is for a signed-in person; an API key cannot do it.",
  "access.grant_scope": "This API key cannot grant the scope {scope}: it lacks it itself.",
  "access.grant_everywhere": "This API key cannot make one for all organizations: it acts in its own only.",
  "access.own_organization":
    "This API key acts in its own organization only. Make one for all of your organizations, or sign in.",
  "access.recovered":
    "This API key is older than the recovery of this account, so somebody else may have made it. Make a new key, or sign in.",
  "access.owner": "Only an owner may make or change an owner.",
  "access.foreign_scopes":
    "None of this token's scopes lets anything in here. They look like read:domains or write:incidents; a token that says none may do what its person may.",
  "access.owner_session":
    "Owners are made and changed by an owner who has signed in; an API key cannot do it.",
  "access.grant_role":
    "This API key cannot make anyone {role}: it lacks the scope {scope}, which that role includes.",
  "access.sign_up": "Sign-up is closed on this installation. Ask its owner for an account.",
  "quota.devices": "Your plan allows {limit} devices, and you have {count}.",
  "quota.monitors": "Your plan allows {limit} monitors (domains and services), and you have {count}.",
  "quota.invitations":
    "An organization can have {limit} open invitations. Withdraw one that is no longer needed.",

  "account.set_up": "This installation is set up already. Sign in instead.",
  "account.setup_token":
    "The setup token field must be the one-time token that the server printed at startup; a restart prints it again.",
  "account.credentials": "The e-mail address or the password is wrong.",
  "account.password": "The password is wrong.",
  "account.present_password": "The current password is wrong.",
  "account.password_is_email": "The password field must differ from the e-mail address.",
  "account.code": "The code is wrong, or was used already.",
  "account.busy": "Too many people are signing in at once. Try again in a moment.",
  "account.homeless":
    "This account does not belong to any organization any more. Ask for an invitation, and sign in with its link.",
  "account.email_taken": "The email has already been taken.",
  "account.member": "This person is a member already.",
  "account.invitation_code":
    "The code field must be the code that came with this invitation. Ask the person who invited you.",
  "account.invitation":
    "This invitation is no longer valid: it has expired, or was used or withdrawn. Ask for a new one.",
  "account.only_organization": "This is your only organization. Create or join another one first.",
  "account.last_owner": "This is the organization's last owner. Make somebody else an owner first.",
  "account.no_member": "This person is not a member of the organization.",
  "account.owner_already": "This person is an owner already.",
  "organization.name": "This is not the organization's name. Type it exactly as it is.",
  "organization.ending":
    "This organization will be deleted at {at:time}; until then nothing is monitored in it. An owner can keep it.",
  "organization.staying": "This organization is not to be deleted.",
  "organization.ended": "The week in which this organization could be kept is over: it is being deleted.",
  "audit.many": "More than {limit} entries: narrow the list to a shorter time.",
  "report.future": "The report must begin in the past.",
  "report.range": "Give either a range or a beginning, not both.",
  "report.long": "A report covers at most {days} days.",
  "account.two_factor_on": "Two-factor sign-in is on already. Turn it off first.",
  "account.two_factor_off": "Two-factor sign-in is off. Turn it on first.",
  "account.two_factor_secret": "Ask for a new two-factor secret first.",
  "account.organization_twice": "The organization is given twice, with different values.",
  "account.scope": "The scope {scope} is not known. Scopes look like read:domains or write:*.",
  "account.key_end": "The new key must expire at {latest} or before: the API key that makes it ends then.",

  "account.link": "This link has expired, or was used already. Ask for a new one.",
  "account.own_email": "This is your e-mail address already.",
  "mail.off": "This installation sends no mail. Whoever runs it can change that by setting SMTP_URL.",
  "mail.no_address":
    "This installation sends no mail with links. Whoever runs it can change that by setting VEDETTE_PUBLIC_URL.",
  "mail.accepted": "The mail server {where} accepted it: {said}",
  "mail.deferred": "The mail server {where} does not take it now: {said}",
  "mail.refused": "The mail server {where} refused it: {said}",
  "mail.sign_in": "The mail server {where} refused the user name or password: {said}",
  "mail.tls": "No secure connection to the mail server {where} could be made ({error}).",
  "mail.silent": "The mail server {where} did not answer in time.",
  "mail.unreachable": "The mail server {where} cannot be reached ({error}).",
  "mail.recipient": "Mail cannot be sent to {address}: it is not a valid e-mail address.",
  "mail.confirm_first":
    "Confirm your own e-mail address first: open the mail that you were sent, or have it sent again in your profile. Until then no mail goes from you to others.",
  "mail.external_limit":
    "You have had as many mails sent to others as are allowed within a day, or this address has been sent as many. Try again tomorrow.",
  "mail.many":
    "This address has been sent several invitations within the hour. Wait a while before sending another.",
  "delivery.late": "It could not be sent in time.",
  "delivery.error": "Vedette failed to send it; its log says why.",

  "incident.is_resolved": "This incident is resolved. Reopen it first.",
  "incident.has_begun": "Work on this incident has begun, so it cannot go back to open.",
  "incident.is_merged": "This incident was merged into incident {into}. Go on there.",
  "incident.is_over": "This incident is resolved: there is nothing left to acknowledge.",
  "incident.is_open": "This incident is not resolved.",
  "incident.acknowledged": "{name} acknowledged this incident at {at:time}.",
  "incident.no_incident": "There is no such incident in this organization.",
  "incident.itself": "An incident cannot be merged into itself.",
  "incident.into_resolved": "The other incident is resolved. Reopen it first.",
  "incident.into_merged":
    "Incident {other} was merged into incident {into}. Merge this one into {into} as well.",
  "incident.into_own": "Incident {other} was merged into this one already.",
  "incident.not_affected": "The incident does not affect a monitor with this id.",
  "incident.no_monitor": "There is no domain, service or device {id} in this organization.",
  "incident.no_device": "There is no device {id} in this organization.",
  "incident.no_page": "There is no status page {id} in this organization.",
  "incident.foreign_comment": "Only its author, an admin or an owner can change this comment.",
  "incident.written_by_itself": "Vedette wrote this update itself, so its text cannot be changed or deleted.",
  "incident.many_updates":
    "An incident has at most {limit} updates. Report another incident, or edit an update.",

  "name.control": "The name must not contain control characters.",
  "name.long": "The name must not be longer than {limit} characters.",
  "name.taken_device": "There is a device {name} already. Give this one another name.",
  "name.taken": "You monitor {target} under the name {name} already. Give this one another name.",
  "tag.empty": "A tag must not be empty.",
  "tag.action": "The {field} field is allowed only with the action tag.",
  "tag.none": "The {field} field is required: say which tags to add or remove.",
  "tag.both": "A tag cannot be added and removed at once.",
  "tag.many": "A {noun:word} has at most {limit} tags; this one would have {count}.",
  "agent.no_runtime":
    "This server has no Node for that machine. Install Node 20 or newer on it: https://nodejs.org/en/download.",
  "agent.not_built":
    "The agent is not built in this installation. Run `npm run build -w agent` in the folder of the checkout.",
  "noun.device": "device",
  "noun.domain": "domain",
  "noun.service": "service",
  "host.malformed": "The host must be a host name or an IP address, without a port.",
  "host.server_name":
    "The server name must be a host name without a port. A TLS handshake cannot ask for an IP address.",
  "url.spaces": "The url must not contain spaces or control characters.",
  "url.scheme": "The url must start with http:// or https://.",
  "url.malformed": "The url is not a valid address.",
  "url.credentials":
    'The url must not contain a user name or password. Set {type} to "basic" and give them in {config}, where they are stored encrypted.',
  "url.no_query": "The url must not contain a query or a fragment: paths are added to it.",
  "url.no_credentials": "The url must not contain a user name or password.",
  "url.long": "The url may not be longer than {limit} characters.",
  "url.no_host": "The url must name a host.",
  "url.empty_label": "The url's host must not contain an empty part between two dots.",
  "url.long_host": "The url's host may not be longer than {limit} characters.",
  "url.long_label": "The url's host may not have a part longer than {limit} characters.",
  "url.port": "Port 0 is not allowed in a URL.",
  "page.unreadable": "The page could not be read.{ because}",
  "registrable.malformed": "The domain field must be a domain name such as example.com.",
  "registrable.port": "The port in the domain field must be between 1 and 65535.",
  "registrable.unknown": "Whether {domain} is free cannot be said.{ because}",

  "interval.plan": "The check interval must be at least {limit} seconds on the {plan} plan.",
  "interval.timeout":
    "The timeout ({timeout} seconds) must be shorter than the check interval ({interval} seconds).",
  "interval.recheck":
    "The recheck delay ({delay} seconds) must not be longer than the check interval ({interval} seconds).",
  "interval.passive": "A check of type {type} has no timeout, as it asks nothing. Leave it out.",
  "check.passive":
    "There is nothing to check here: the status follows from what is reported, or from the members of a group.",
  "check.paused": "It is paused. Resume it before checking it.",
  "check.nowhere": "No probe is running at its locations. Start one, then try again.",
  "check.late": "No result has come in time. If the check still ends, its result is stored.",
  "member.unknown": "There is no domain or service {uuid}.",
  "member.cycle": '"{name}" leads back to this group, and a group cannot contain itself.',
  "member.itself": "A group cannot contain itself.",
  "member.deep": "Groups can be nested {limit} deep at most.",
  "member.count": "At most {limit}, as many as the group has members.",
  "location.unknown": "There is no location {unknown}. Known locations: {known}.",
  "location.none": "There is no location {unknown}. Known locations: none yet.",
  "location.one": "The {plan} plan checks a monitor from at most 1 location.",
  "location.many": "The {plan} plan checks a monitor from at most {limit} locations.",

  "stored.changed":
    "A stored {secret} is used only with the settings that it was sent with, and {changed} changed. Send it again in this request.",
  "stored.auth": "{danger:word} Send all of {config} again in this request, or set {type} to none.",
  "stored.headers": "{danger:word} Send the headers again in this request, or {none} to remove them.",
  "stored.header": "{danger:word} Send the value of {name} again.",
  "danger.address": "Stored credentials are not sent to a different scheme, host, port or server name.",
  "danger.certificate": "Without this TLS check, others could read the stored credentials in transit.",
  "header.twice": "The header {name} is given twice.",
  "header.nothing_kept": "The header {name} has no stored value to keep.",
  "auth.header": "The headers must not hold Authorization beside {type} authentication.",
  "auth.typeless": "The authentication's secret needs a type: basic, bearer or header.",
  "auth.required": "The {field} is required for {type} authentication.",
  "auth.colon": "The username must not contain a colon (RFC 7617).",
  "expectation.limit": "A response time assertion needs at least one of its two limits.",
  "expectation.value": "The value is required for the operator {comparison}.",
  "expectation.number": "The value must be a number for the operator {comparison}.",
} as const;
