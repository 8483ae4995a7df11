import { lookUpRecords } from "../check/ask-name-server.ts";

const ROUNDS_MS = [3_000, 3_000];

/**
 * Whether the DNS knows a registrable domain such as `example.com`. One that it knows is registered. One that it
 * does not know (NXDOMAIN) may be registered all the same: held back, expired, or without name servers. Null: no name
 * server gave an answer to rely on.
 */
export async function isKnownToDns(registrable: string, servers: readonly string[]): Promise<boolean | null> {
  const answer = await lookUpRecords(servers, { name: registrable, type: "SOA" }, ROUNDS_MS);
  return answer && answer.rcode !== "NXDOMAIN";
}
