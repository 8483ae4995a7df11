/** See ../en.ts for the slots. */
export const toolbox = {
  "tool.given_up": "The tool was stopped because it took too long or too much memory. Try again.",
  "tool.name": "The domain field must be a domain name such as example.com, or an IP address.",
  "tool.inside":
    "The name servers of this installation are not queried for names that are not public. Name a name server to query.",
  "tool.name_server":
    "The server field must be a name server's address or name, with a port if it is not 53.",
  "tool.dns_failed": "The name server {server} could not answer for {name}: {rcode:word}.",
  "tool.ports_missing": "The ports field is required for a custom scan, such as 22,80,8000-8100.",
  "tool.ports_custom": "The ports field is for the scan type custom.",
  "tool.ports_malformed":
    'The ports field must be ports from 1 to 65535 and ranges of them, such as 22,80,8000-8100; "{part}" is neither.',
  "tool.ports_backwards": "The range {part} in the ports field ends before it begins.",
  "tool.at_once": "At most {limit} of these run at once for an organization. Wait until one has ended.",
  "tool.no_ping": "This server has no ping program that it could use: install iputils-ping where it runs.",
  "tool.ping_forbidden": "The system of this server lets it send no pings.",
  "tool.ip": "The ip field must be an IP address such as 203.0.113.7.",
  "tool.ip_not_public": "{address} is a private or reserved address: it has no location and no owner.",
  "tool.geo_unreadable":
    "The database that {variable} names cannot be read. Contact the operator of this installation.",
  "tool.geo_unknown": "The database does not know this address.",
  "tool.geo_country_only":
    "The installed database knows countries only. Databases of cities and providers can be added to the installation.",
  "tool.geo_no_city": "The database knows no city for this address.",
  "tool.geo_no_holder": "No provider is known for this address.",
  "tool.rdap_query":
    "The query field must be a domain such as example.com, an IP address, or an AS number such as AS64496.",
  "tool.rdap_none": "The registry of .{suffix} offers no RDAP service, so it cannot be queried.",
  "tool.rdap_unassigned": "No registry is responsible for {query}.",
  "tool.rdap_status": "The registry ({server}) answered with status {status}.",
  "tool.rdap_busy": "The registry ({server}) was queried too often. Try again in {wait:duration}.",
  "tool.rdap_garbage": "The registry ({server}) answered with something that is not RDAP.",
  "tool.rdap_large": "The registry ({server}) sent more than 1 MiB.",
  "tool.rdap_inside": "The registry ({server}) led to an address that must not be contacted.",
  "tool.rdap_unreached": "The registry ({server}) could not be reached.{ because}",
  "tool.tls_old":
    "The server still accepts {versions}, which browsers have given up because it can be broken.",
  "tool.tls_no_13": "The server does not speak TLS 1.3, which is faster and safer.",
  "tool.tls_weak_key": "The key of the certificate of {subject} is too short ({key}).",
  "tool.tls_unused": "The server also sends {subject}, which is not needed to verify its certificate.",
  "tool.tls_unused_expired":
    "The server also sends {subject}, which expired on {day:day}; it is not needed to verify the server's certificate.",
  "tool.http_status": "The server answers with status {status}.",
  "tool.http_plain": "The page comes without encryption.",
  "tool.http_downgrade": "A redirect leads from HTTPS to plain HTTP: {url}",
  "tool.http_cookie": "The cookie {name} lacks {flags}.",
  "tool.http_version_revealed": "The header {header} reveals which software runs there: {value}",
  "tool.http_redirects": "It takes {count} redirects to get to the page.",
  "tool.hsts_missing": "Strict-Transport-Security is missing: browsers can be led to plain HTTP.",
  "tool.hsts_short":
    "Strict-Transport-Security holds for {days} days only; half a year is the least that counts.",
  "tool.csp_missing":
    "Content-Security-Policy is missing: a script that gets into the page can do anything there.",
  "tool.nosniff_missing":
    "X-Content-Type-Options: nosniff is missing: browsers may take a file for a script.",
  "tool.framing_missing":
    "Neither X-Frame-Options nor frame-ancestors is set: other sites can show the page in a frame.",
  "tool.referrer_missing": "Referrer-Policy is missing or lets other sites see full addresses.",
  "tool.permissions_missing":
    "Permissions-Policy is missing: embedded content may request camera, microphone or location.",
  "rcode.SERVFAIL": "it found no answer (SERVFAIL)",
  "rcode.REFUSED": "it refuses to (REFUSED)",
  "rcode.NOTIMP": "it does not know this kind of query (NOTIMP)",
  "rcode.FORMERR": "it did not understand the query (FORMERR)",
  "rcode.other": "it answered with an error",
} as const;

export const assistant = {
  "model.key":
    "The assistant's endpoint refused the key of this installation. Its operator must check VEDETTE_ASSISTANT_KEY.",
  "model.model":
    "The assistant's endpoint does not know the model, or the address is wrong. The operator of this installation must check VEDETTE_ASSISTANT_MODEL and VEDETTE_ASSISTANT_URL.",
  "model.rejected":
    "The assistant's endpoint did not accept the request. The conversation may be too long for the model, or the model cannot call tools.",
  "model.busy": "The assistant's endpoint takes no more requests for the moment. Try again in a while.",
  "model.failed": "The assistant's endpoint failed. Try again in a while.",
  "model.unreached": "The assistant's endpoint could not be reached.",
  "model.cut": "The connection to the assistant's endpoint broke before the answer was complete.",
  "model.garbled":
    "What the assistant's endpoint answered could not be read. The operator of this installation must check VEDETTE_ASSISTANT_URL.",
  "model.slow": "The assistant's endpoint took too long to answer.",
  "model.long": "The assistant's answer was too long.",
  "assistant.not_configured": "No assistant is set up on this installation.",
  "assistant.answering": "An answer is already being written in this conversation.",
  "assistant.too_many_answers": "At most {limit} answers can be written for you at once.",
  "assistant.nothing_to_say": "There is nothing to go on with: write a message, or decide first.",
  "assistant.decided": "This was decided before, or has expired.",
  "assistant.ended": "Your access has ended meanwhile.",
  "assistant.stopped": "Stopped.",
  "assistant.at_limit": "Stopped after {limit} steps. Send another message to go on.",
  "assistant.cut_short": "The answer was cut short here.",
  "assistant.refused": "The model did not want to answer that.",
  "assistant.nothing_said": "The model said nothing.",
  "assistant.would_do": "I would like to do this, if you agree.",
  "assistant.agreed": "Agreed: {what}",
  "assistant.not_agreed": "Declined: {what}",
} as const;
