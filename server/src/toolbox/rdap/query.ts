import { isIP } from "node:net";
import { domainToASCII } from "node:url";
import ipaddr from "ipaddr.js";
import { parse } from "tldts";
import { isPublicAddress } from "../../check/guard.ts";
import { msg } from "../../texts/message.ts";
import { ToolError } from "../tool.ts";

/** What a registry is asked for (RFC 9082 §3.1). `name` is as registries write it. */
export interface RdapQuery {
  kind: "domain" | "ip" | "as";
  name: string;
}

const AS_NUMBER = /^as ?(\d{1,10})$/i;
const MAX_AS = 0xffff_ffff;

/**
 * Reads what somebody wants to know of a domain, an address or an AS number: of a longer name, its registrable part.
 * Throws ToolError for what no registry knows: an address that is not public, a name under no public suffix.
 */
export function parseRdapQuery(typed: string): RdapQuery {
  const text = typed.trim();
  const [, digits] = AS_NUMBER.exec(text) ?? [];
  if (digits !== undefined) {
    if (Number(digits) < 1 || Number(digits) > MAX_AS) throw new ToolError(msg("tool.rdap_query"), "query");
    return { kind: "as", name: String(Number(digits)) };
  }
  const address = text.replace(/^\[(.*)\]$/, "$1");
  if (isIP(address) !== 0) {
    const name = ipaddr.process(address.split("%", 1)[0] as string).toString();
    if (!isPublicAddress(name)) throw new ToolError(msg("tool.ip_not_public", { address: name }), "query");
    return { kind: "ip", name };
  }
  const { domain, isIcann } = parse(text, { allowPrivateDomains: false });
  const name = domain === null ? "" : domainToASCII(domain);
  if (name === "" || !isIcann) throw new ToolError(msg("tool.rdap_query"), "query");
  return { kind: "domain", name };
}
