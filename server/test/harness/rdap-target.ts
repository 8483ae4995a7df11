import { once } from "node:events";
import http, { type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What a registry answers at a path such as `/domain/shop.example`: a status and a body, or whatever else it does. */
export type RdapReply =
  | { status?: number; body?: object | string; headers?: Record<string, string> }
  | ((answer: ServerResponse) => void);

export interface RdapTarget {
  /** Where IANA's lists are, for `rdapBootstrap`. */
  lists: string;
  url: string;
  /** Every path that was requested, lists too. */
  requests: string[];
  set(path: string, reply: RdapReply): void;
  close(): Promise<void>;
}

/**
 * A registry on this machine that answers as RFC 9083 says, with 404 for what is not configured, and beside it IANA's lists,
 * which name it for `.com`, `.net`, for 8.0.0.0/8, 2001:4860::/32 and for AS 15000 to 16000.
 */
export async function startRdapTarget(replies: Record<string, RdapReply> = {}): Promise<RdapTarget> {
  const known = new Map(Object.entries(replies));
  const requests: string[] = [];
  const server = http.createServer((request, answer) => {
    const path = request.url ?? "/";
    requests.push(path);
    const reply = known.get(path) ?? known.get(path.replace(/^\/rdap/, "")) ?? lists(path) ?? MISSING;
    if (typeof reply === "function") return reply(answer);
    const { status = 200, body = "", headers = {} } = reply;
    answer.writeHead(status, { "content-type": "application/rdap+json", ...headers });
    answer.end(typeof body === "string" ? body : JSON.stringify(body));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const entries = {
    dns: ["com", "net"],
    ipv4: ["8.0.0.0/8"],
    ipv6: ["2001:4860::/32"],
    asn: ["15000-16000"],
  };
  const lists = (path: string): RdapReply | undefined => {
    const [, name] = /^\/lists\/(\w+)\.json$/.exec(path) ?? [];
    if (name === undefined) return undefined;
    const services = [[entries[name as keyof typeof entries], [`${url}/rdap/`]]];
    return { body: { version: "1.0", publication: "2026-11-20T12:00:00Z", services } };
  };
  return {
    lists: `${url}/lists`,
    url,
    requests,
    set: (path, reply) => void known.set(path, reply),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** As RFC 9083 §6 words it. */
const MISSING: RdapReply = { status: 404, body: { errorCode: 404, title: "Not Found" } };

/** A domain as a registry describes it. */
export const registered = (name: string): RdapReply => ({
  body: {
    rdapConformance: ["rdap_level_0"],
    objectClassName: "domain",
    handle: "2336799_DOMAIN_COM-VRSN",
    ldhName: name.toUpperCase(),
    status: ["client transfer prohibited"],
    events: [
      { eventAction: "registration", eventDate: "1995-08-14T04:00:00Z" },
      { eventAction: "expiration", eventDate: "2027-08-13T04:00:00Z" },
      { eventAction: "broken", eventDate: "yesterday" },
    ],
    secureDNS: { delegationSigned: true },
    nameservers: [{ objectClassName: "nameserver", ldhName: "NS1.EXAMPLE.COM" }],
    entities: [
      {
        objectClassName: "entity",
        roles: ["registrar"],
        vcardArray: [
          "vcard",
          [
            ["version", {}, "text", "4.0"],
            ["fn", {}, "text", "Registrar\u0007 Inc."],
          ],
        ],
        entities: [
          {
            roles: ["abuse"],
            vcardArray: ["vcard", [["email", {}, "text", "abuse@registrar.example"]]],
          },
        ],
      },
      {
        roles: ["registrant"],
        vcardArray: [
          "vcard",
          [
            ["fn", {}, "text", "A Person"],
            ["org", {}, "text", "Shop Ltd."],
            ["adr", { cc: "DE" }, "text", ["", "", "", "", "", "", ""]],
          ],
        ],
      },
    ],
  },
});
