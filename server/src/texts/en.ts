import { assistant } from "./assistant/en.ts";
import { channels } from "./channels/en.ts";
import { devices } from "./devices/en.ts";
import { expectations } from "./expectations/en.ts";
import { explanations } from "./explanations/en.ts";
import { heartbeats } from "./heartbeats/en.ts";
import { imports } from "./imports/en.ts";
import { integrations } from "./integrations/en.ts";
import { maintenance } from "./maintenance/en.ts";
import { notifications } from "./notices/en.ts";
import { pages } from "./pages/en.ts";
import { parents } from "./parents/en.ts";
import { refusals } from "./refusals/en.ts";
import { toolbox } from "./toolbox/en.ts";

/**
 * What Vedette has to say, in English. `{name}` is filled in from the parameters; `{name:word}` by the text `name.<value>`,
 * which is filled in likewise; `{name:day}`, `{name:time}`, `{name:duration}` and `{name:percent}` as the reader writes them; `{name:place}`
 * by `place.<code>`, where that location has a name for people. `{because}` is the message behind this one. With a space after
 * the brace, `{ because}`, a space stands before what is filled in, if that is anything. A reason's class is what stands
 * before the first dot of its code.
 */
export const en = {
  ...assistant,
  ...expectations,
  ...refusals,
  ...imports,
  ...integrations,
  ...channels,
  ...maintenance,
  ...parents,
  ...pages,
  ...notifications,
  ...devices,
  ...toolbox,
  ...heartbeats,
  ...explanations,

  "dns.missing": "The name {host} does not exist in the DNS, or has no address.",
  "dns.not_public": "The name {host} does not exist in the DNS, or has no public address.",
  "dns.silent": "No name server answered when asked for {host}.",
  "dns.servfail": "The name servers could not find out about {host} (SERVFAIL).",
  "dns.refused": "The name servers refused to answer about {host}.",
  "dns.unresolved": "The name {host} could not be resolved.",
  "dns.empty": "The name {host} has no address.",

  refused: "{where} refused the connection.",
  "unreachable.host": "There is no route to {where}.",
  "unreachable.network": "There is no route to the network of {where}.",
  "unreachable.address": "{where} cannot be reached from here.",
  "unreachable.forbidden": "The system forbids connections to {where}.",
  "unreachable.ping": "No ping to {where} could be sent: there is no route to it.",
  "unreachable.other": "The connection to {where} failed ({error}).",

  "timeout.dns": "Timed out after {seconds} s: the DNS did not answer for {where}.",
  "timeout.connect": "Timed out after {seconds} s: the TCP connection to {where} was not established.",
  "timeout.tls": "Timed out after {seconds} s: the TLS handshake with {where} did not finish.",
  "timeout.answer":
    "Timed out after {seconds} s: {where} accepted the connection but sent no complete answer.",
  "timeout.body": "Timed out after {seconds} s: {where} did not finish sending the body.",
  "timeout.line": 'Timed out after {seconds} s: {where} sent "{said}", which is not a complete line.',
  "timeout.expect": 'Timed out after {seconds} s: {where} sent "{said}", but not the expected "{wanted}".',
  "timeout.no_message": 'Timed out after {seconds} s: {where} sent no message; "{wanted}" was expected.',
  "timeout.datagram":
    "Timed out after {seconds} s: {where} did not answer. Over UDP nobody can tell a server that is down from a lost packet.",
  "timeout.ping":
    "No answer within {seconds} s from {where}. A host that is down cannot be told from one that drops pings.",
  "timeout.unanswered": "{where} did not answer the TCP connection.",
  "timeout.stalled": "{where} stopped answering.",

  "tls.closed": "{where} closed the connection during the TLS handshake.",
  "tls.reset": "{where} reset the connection during the TLS handshake.",
  "tls.not_tls": "{where} does not speak TLS on this port.",
  "tls.old_version": "{where} speaks only TLS versions that are too old (before 1.2).",
  "tls.version_refused": "{where} refused every TLS version offered (1.2 and 1.3).",
  "tls.no_cipher": "{where} found no cipher or setting in common.",
  "tls.unknown_name": "{where} has no certificate for this host name.",
  "tls.no_protocol": "{where} speaks neither HTTP/1.1 nor HTTP/2.",
  "tls.client_certificate": "{where} asks for a client certificate.",
  "tls.legacy_renegotiation":
    "Vedette ended the TLS handshake with {where}, which does not support secure renegotiation (RFC 5746). The setting “Allow legacy TLS renegotiation” (legacyRenegotiation) allows it.",
  "tls.weak_dh":
    "Vedette ended the TLS handshake with {where}, whose Diffie-Hellman key is too short to be safe.",
  "tls.rejected": "Vedette ended the TLS handshake with {where} ({error}).",
  "tls.other": "{where} broke off TLS ({error}).",

  "certificate.none": "The server showed no certificate.",
  "certificate.expired": "The certificate expired on {day:day}.",
  "certificate.expires": "It expires on {day:day}, in {left:duration}.",
  "certificate.ends_soon": "The certificate expires on {day:day}, in {days} days: fewer than {least}.",
  "certificate.intermediate_expired": 'The intermediate certificate "{name}" expired on {day:day}.',
  "certificate.root_expired": 'The root certificate "{name}" expired on {day:day}.',
  "certificate.path_expires": "{which:word}{ whose:word} expires on {day:day}, in {left:duration}.",
  "certificate.path_ends_soon": "{which:word} expires on {day:day}, in {days} days: fewer than {least}.",
  "certificate.path_not_yet_valid": "{which:word} is valid only from {day:day} on.",
  "certificate.weak_key": "{which:word} has a key that is too weak: {what}.",
  "certificate.weak_signature": "{which:word} has a signature that is too weak: {what}.",
  "certificate.rejected":
    "The certificate was rejected, and OpenSSL does not say which of its rules it breaks.",
  "certificate.at_host": "{host}: {because}",
  "which.leaf": "The certificate",
  "which.intermediate": 'The intermediate certificate "{name}"',
  "which.root": 'The root certificate "{name}"',
  "whose.own": "",
  "whose.host": "of {host}",
  "certificate.not_yet_valid": "The certificate is valid only from {day:day} on.",
  "certificate.nameless": "The certificate is for no name at all, not for {host}.",
  "certificate.host_mismatch": "The certificate is for {names}, not for {host}.",
  "certificate.host_mismatch_many": "The certificate is for {names} and {more} more, not for {host}.",
  "certificate.self_signed": "The certificate is self-signed: nobody but the server itself vouches for it.",
  "certificate.revoked": "The certificate has been revoked by its issuer.",
  "certificate.incomplete_chain":
    'The server does not send the intermediate certificate of "{issuer}", or that issuer is not trusted.',
  "certificate.untrusted": 'The certificate\'s issuer "{issuer}" is not trusted.',
  "certificate.unverified": "The certificate cannot be verified ({error}).",

  "protocol.unused": "{where} closed the connection before it was used.",
  "protocol.incomplete": "{where} closed the connection without a complete answer.",
  "protocol.in_body": "{where} closed the connection in the middle of the body.",
  "protocol.reset": "{where} reset the connection before the answer was complete.",
  "protocol.without_answer": "{where} {ended:word} without an answer.",
  "protocol.in_header": "{where} {ended:word} in the middle of the header.",
  "protocol.not_http": '{where} does not speak HTTP, its answer begins "{start}".',
  "protocol.is_tls": "{where} speaks TLS on this port: use https.",
  "protocol.status_line": '{where} sent a malformed status line: "{line}".',
  "protocol.header": '{where} sent a malformed header: "{line}".',
  "protocol.header_size": "{where} sent more than {size} KB of header.",
  "protocol.interim": "{where} sent interim answers (1xx) without end.",
  "protocol.content_length": '{where} sent an impossible Content-Length: "{value}".',
  "protocol.h2_reset": "{where} reset the HTTP/2 connection before the answer was complete.",
  "protocol.h2_error": "{where} ended the HTTP/2 exchange with {error}.",
  "protocol.h2_invalid": "{where} sent something that is not valid HTTP/2.",
  "protocol.h2_closed": "{where} closed the HTTP/2 connection without a complete answer.",
  "protocol.line_within": '{where} sent "{said}", which is not a complete line, within {size} KiB.',
  "protocol.line_closed": '{where} sent "{said}", which is not a complete line, and closed the connection.',
  "protocol.endless": "{where} did not come to an end within {lines} lines.",
  "protocol.size": "{where} sent more than {size} KiB.",
  "protocol.broken": "{where} does not keep to the protocol.",
  "protocol.dns_message": "{where} sent an answer that cannot be read as a DNS message.",
  "protocol.dns_question":
    "{where} sent a reply for {name} without the question section, which every DNS reply has to repeat.",
  "protocol.dns_record": "{where} sent a record for {name} that cannot be read.",
  "protocol.dns_other": "{where} replied to a different question than the one for {name}.",
  "protocol.subprotocol": "{where} chose none of the requested subprotocols: {requested}.",
  "protocol.subprotocol_other": '{where} chose the subprotocol "{found}", which was not requested.',
  "protocol.no_tls": "{where} offers no TLS.",
  "protocol.other": '{where} does not speak {protocol}, its answer begins "{start}".',

  "body.some": "Only {arrived} of {announced} bytes of the body arrived: {where} {ended:word}.",
  "body.after": "The body broke off after byte {arrived}: {where} {ended:word}.",
  "body.none": "None of the body arrived: {where} {ended:word}.",
  "body.chunk_invalid": "{where} sent a chunk without a valid size.",
  "body.chunk_sizeless": "{where} sent a chunk without a size.",
  "body.chunk_long": "{where} sent a chunk that is longer than it said.",
  "body.trailers": "{where} sent trailers that are too long.",
  "body.layers": "The server compressed the body too many times.",
  "body.not_offered": "The server compressed the body in a way that was not offered.",
  "body.truncated": "The server sent a compressed body that ends too early.",
  "body.corrupt": "The server sent a body that cannot be decompressed.",
  "ended.closed": "closed the connection",
  "ended.cut": "closed the connection in the middle of a TLS record",
  "ended.reset": "reset the connection",
  "ended.h2_stream": "ended the HTTP/2 stream",
  "ended.h2_reset": "reset the HTTP/2 connection",
  "ended.h2_error": "ended the HTTP/2 exchange with {error}",
  "ended.h2_invalid": "sent something that is not valid HTTP/2",

  "redirect.too_many": 'More than {count} redirects; the last one leads to "{url}".',
  "redirect.unfit": 'A redirect ({status}) to "{url}" cannot be followed: {unfit:word}.',
  "redirect.downgrade": 'A redirect ({status}) leads from https to "{url}", which is not encrypted.',
  "redirect.no_tls": 'The answer came from "{url}", which is not encrypted.',
  "redirect.ends_in_clear": 'The redirects end at "{url}", which is not encrypted.',
  "redirect.loop": 'Redirect loop: "{url}" was already requested.',
  "unfit.url": "it is not a valid URL",
  "unfit.scheme": "it is neither http nor https",
  "unfit.method": "the method is not valid",
  "unfit.header": "the header {name} is not valid",
  "unfit.long": "it is too long",
  "unfit.unencrypted": "it would send the body unencrypted",
  "unfit.other": "it could not be composed",

  "members.down": "{count} of {total} down: {names}.",
  "members.down_many": "{count} of {total} down: {names} and {more} more.",
  "members.degraded": "{count} of {total} degraded: {names}.",
  "members.degraded_many": "{count} of {total} degraded: {names} and {more} more.",
  "members.unknown": "{count} of {total} without a known status: {names}.",
  "members.unknown_many": "{count} of {total} without a known status: {names} and {more} more.",
  "members.none": "The group has no members left.",
  "members.left_out": "All members ({total}) are paused or in maintenance.",
  "members.up": "{up} of {total} up.",

  guard: "Checking {address} is not allowed: {why:word}.",
  "guard.embedded": "Checking {address} is not allowed: it stands for {inner}, and {why:word}.",
  "guard.name_server":
    "Give the name server to ask: this machine's own is not used for checks, as it may know more than the public does.",
  "why.metadata": "cloud metadata addresses are always refused",
  "why.link_local": "link-local addresses are always refused",
  "why.unspecified": "the unspecified address is always refused",
  "why.multicast": "multicast addresses are always refused",
  "why.broadcast": "the broadcast address is always refused",
  "why.no_address": "it is not an IP address",
  "why.not_public":
    "this installation checks public addresses only (VEDETTE_TARGETS=public), this one is {range:word}",
  "range.loopback": "loopback",
  "range.private": "private",
  "range.unique_local": "unique local",
  "range.carrier_grade_nat": "carrier grade nat",
  "range.reserved": "reserved",

  "internal.stopped": "The check was stopped before it finished.",
  "internal.error": "The check ended with an error of its own.",
  "internal.given_up": "The check did not end in time and was given up.",
  "internal.no_name_server": "This machine knows of no name server.",
  "internal.no_ping": "The probe has no ping program: install it (iputils-ping) where the probe runs.",
  "internal.ping_forbidden":
    "The probe may not send pings: allow it where the probe runs (CAP_NET_RAW, or net.ipv4.ping_group_range).",
  "internal.connections": "The probe has too many connections open.",
  "internal.unknown_kind": "This probe does not know this kind of check; it may be older than the server.",
  "internal.page": "The server stopped reading it because it took too long or too much memory.",
  "internal.cancelled": "The request was cancelled.",
  "internal.request": "The request cannot be made: {unfit:word}.",

  "check.passed": "The check passed.",

  "route.missing":
    "The probe cannot trace routes: it has no ping that names the routers on the way (iputils-ping).",
  "route.forbidden":
    "The probe may not trace routes: ping is not permitted (CAP_NET_RAW, or net.ipv4.ping_group_range).",
  "route.unsent": "The route was not traced: the probe's machine has no route there.",
  "route.busy": "The route was not traced: too many others were being traced at the time.",
  "route.silent": "The route is not known: nobody on the way answered.",

  "watch.silent": "No result came in for two intervals.",
  "watch.flapping": "It went down or came back {count} times within {checks} checks.",
  "watch.maintenance_began": "Maintenance began.",
  "watch.maintenance_ended": "Maintenance ended.",
  "watch.paused": "paused",
  "watch.deleted": "deleted",
  "watch.changed": "checked in another way from now on",
  "watch.failing": "failing.",
  "watch.location": "From {location:place}: {because}",
} as const;
