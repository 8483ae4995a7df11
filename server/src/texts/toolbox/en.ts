/** What the tools of the toolbox say, in English (see ../en.ts for the slots). */
export const toolbox = {
  "tool.given_up": "The tool was stopped because it took too long or too much memory. Try again.",
  "tool.name": "The domain field must be a domain name such as example.com, or an IP address.",
  "tool.inside":
    "The name servers of this installation are not asked for names that are not public. Name a name server to ask.",
  "tool.name_server":
    "The server field must be a name server's address or name, with a port if it is not 53.",
  "tool.dns_failed": "The name server {server} could not answer for {name}: {rcode:word}.",
  "tool.ports_missing": "The ports field is required for a custom scan, such as 22,80,8000-8100.",
  "tool.ports_custom": "The ports field is for the scan type custom.",
  "tool.ports_malformed":
    'The ports field must be ports from 1 to 65535 and ranges of them, such as 22,80,8000-8100; "{part}" is neither.',
  "tool.ports_backwards": "The range {part} in the ports field ends before it begins.",
  "tool.scans": "At most {limit} port scans of an organization run at once. Wait until one has ended.",
  "rcode.SERVFAIL": "it found no answer (SERVFAIL)",
  "rcode.REFUSED": "it refuses to (REFUSED)",
  "rcode.NOTIMP": "it does not know this kind of question (NOTIMP)",
  "rcode.FORMERR": "it did not understand the question (FORMERR)",
  "rcode.other": "it answered with an error",
} as const;
