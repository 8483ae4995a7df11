import { makeDnsResolver } from "../check/name-servers.ts";

const ANSWER_TIMEOUT_MS = 3_000;

/**
 * Whether the DNS knows a registrable domain such as `example.com`. One that it knows is registered. One that it
 * does not know (NXDOMAIN) may be registered all the same: held back, expired, or without name servers. Null: no name
 * server gave an answer to rely on.
 */
export async function isKnownToDns(registrable: string, servers: readonly string[]): Promise<boolean | null> {
  const resolver = makeDnsResolver(servers, { timeout: ANSWER_TIMEOUT_MS, tries: 2 });
  try {
    await resolver.resolveSoa(registrable);
    return true;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ENOTFOUND") return false;
    return code === "ENODATA" ? true : null;
  }
}
