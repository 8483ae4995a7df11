/** What the tools of the toolbox say, in English (see ../en.ts for the slots). */
export const toolbox = {
  "tool.given_up": "The tool was stopped because it took too long or too much memory. Try again.",
  "tool.name": "The domain field must be a domain name such as example.com, or an IP address.",
  "tool.inside":
    "The name servers of this installation are not asked for names that are not public. Name a name server to ask.",
  "tool.name_server":
    "The server field must be a name server's address or name, with a port if it is not 53.",
  "tool.dns_failed": "The name server {server} could not answer for {name}: {rcode:word}.",
  "rcode.SERVFAIL": "it found no answer (SERVFAIL)",
  "rcode.REFUSED": "it refuses to (REFUSED)",
  "rcode.NOTIMP": "it does not know this kind of question (NOTIMP)",
  "rcode.FORMERR": "it did not understand the question (FORMERR)",
  "rcode.other": "it answered with an error",
} as const;
