import { isIP } from "node:net";
import { domainToASCII } from "node:url";
import { parse } from "tldts";
import { reverseName } from "../../check/dns-records.ts";
import { isPublicAddress, type TargetPolicy } from "../../check/guard.ts";
import { fact } from "../../texts/fact.ts";
import { ToolError } from "../tool.ts";

const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/i;
const MAX_NAME = 253;

/**
 * The name to ask for: in ASCII, without a final dot. An address stands for its reverse name. Throws ToolError for what is no
 * name; and, where only public targets may be reached and the operator's own name servers are asked, for names that
 * only those may know.
 */
export function nameToAsk(typed: string, policy: TargetPolicy, isOwnServer: boolean): string {
  const given = typed.trim().replace(/\.$/, "");
  // What follows is no part of an address, only where it is (RFC 4007 §11).
  const text = isIP(given) === 0 ? given : (given.split("%", 1)[0] as string);
  const isPrivate = policy === "public" && isOwnServer;
  if (isIP(text) !== 0) {
    if (isPrivate && !isPublicAddress(text)) throw insideName();
    return reverseName("PTR", text) as string;
  }
  const name = domainToASCII(text);
  const labels = name.split(".");
  if (name === "" || name.length > MAX_NAME || !labels.every((label) => LABEL.test(label))) {
    throw new ToolError(fact("tool.name"), "domain");
  }
  if (isPrivate && (!parse(name).isIcann || name.endsWith(".arpa"))) throw insideName();
  return name;
}

const insideName = () => new ToolError(fact("tool.inside"), "domain");
