import { isIP } from "node:net";
import { domainToASCII } from "node:url";
import { parse } from "tldts";
import { isLoopbackHost } from "../../platform/config-values.ts";
import { type MessageDescriptor, msg } from "../../platform/i18n/message.ts";

const [MINUTE_MS, DAY_MS] = [60_000, 86_400_000];
/** So long a host stays a page's own although the DNS says something else by now. */
export const GRACE_MS = 3 * DAY_MS;
/** When an unproven claim expires. */
const HOPE_MS = 30 * DAY_MS;
const MAX_LENGTH = 253;
/** What an address has beside its host, and hosts of no page. */
const OTHER = /[\s/?#@:\\%]/;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** What was found of one thing that the DNS has to say; `problem` null: what is needed. */
export interface DomainFinding {
  found: string[];
  problem: MessageDescriptor | null;
}

/** What a look at the DNS found: whether the host leads here, and whether its zone names the page. */
export interface DomainFindings {
  points: DomainFinding;
  proof: DomainFinding;
}

/** What a TXT record begins with that names a page. */
export const PROOF_PREFIX = "vedette-page=";

/** The name and the value of the TXT record that names the page. */
export const proofOf = ({ host, uuid }: { host: string; uuid: string }) => ({
  record: `_vedette.${host}`,
  value: PROOF_PREFIX + uuid,
});

/** Where an installation is reached; with `public` targets, sign-up is open. */
interface Installation {
  publicUrl: string | null;
  targets: "all" | "public";
}

/** A typed host name as the DNS has it, or what is wrong with it. */
export function readHost(
  text: string,
  { publicUrl, targets }: Installation,
): { host: string } | { problem: MessageDescriptor } {
  if (publicUrl === null) return { problem: msg("page.domain_address") };
  const typed = text.trim().replace(/\.$/, "");
  if (isIP(typed.replace(/^\[(.*)\]$/, "$1")) !== 0) return { problem: msg("page.domain_ip") };
  const host = OTHER.test(typed) ? "" : domainToASCII(typed).toLowerCase();
  if (!isHostName(host)) return { problem: msg("page.domain_form") };
  // `0x7f.1` is one as well.
  if (isIP(host) !== 0) return { problem: msg("page.domain_ip") };
  if (host === new URL(publicUrl).hostname) return { problem: msg("page.domain_own") };
  const { domain, isIcann, isPrivate } = parse(host, { allowPrivateDomains: true });
  const isKnown = isIcann || isPrivate || targets === "all";
  if (domain === null || !isKnown || isLoopbackHost(host) || host.endsWith(".localhost"))
    return { problem: msg("page.domain_suffix", { host }) };
  return { host };
}

const isHostName = (host: string): boolean =>
  host.length <= MAX_LENGTH - "_vedette.".length && host.split(".").every((label) => LABEL.test(label));

/** Whether the DNS says all that it has to. */
export const isProved = ({ points, proof }: DomainFindings): boolean =>
  points.problem === null && proof.problem === null;

/** Whether name servers did not answer, or not about the installation itself: that says nothing of the host. */
const isSilent = ({ points, proof }: DomainFindings): boolean =>
  [points, proof].some(
    ({ problem }) => problem && ["page.dns_silent", "page.own_unknown"].includes(problem.code),
  );

export type DomainState = "pending" | "verified" | "wrong";

/** A claim as far as that decides its state. `isServed`: the page is served there. */
interface Claim {
  findings: DomainFindings | null;
  isServed: boolean;
  claimedAt: number;
  failingSince: number | null;
}

/** `wrong`: there is something in the DNS, but not what is needed; `pending`: nothing yet, or nothing that is known. */
export function domainState({ findings, isServed, failingSince }: Claim): DomainState {
  if (isServed && failingSince === null) return "verified";
  if (isServed) return "wrong";
  const isThere =
    findings !== null &&
    [findings.points, findings.proof].some(({ found, problem }) => problem !== null && found.length > 0);
  return isThere ? "wrong" : "pending";
}

/** What follows from a look at the DNS. `serve`: whether the page is to be served at the host. */
export function evaluateDomain(
  claim: Omit<Claim, "findings">,
  findings: DomainFindings,
  now: number,
): { serve: boolean; failingSince: number | null; nextCheckAt: number | null } {
  const { isServed, claimedAt } = claim;
  const serveAgain = { serve: true, failingSince: null, nextCheckAt: now + 360 * MINUTE_MS };
  if (isProved(findings)) return serveAgain;
  if (!isServed) {
    const ageMs = now - claimedAt;
    const waitMs = ageMs < DAY_MS ? 2 * MINUTE_MS : 60 * MINUTE_MS;
    return { serve: false, failingSince: null, nextCheckAt: ageMs < HOPE_MS ? now + waitMs : null };
  }
  const isUnknown = isSilent(findings);
  const failingSince = isUnknown ? claim.failingSince : (claim.failingSince ?? now);
  // Unreachable name servers never take a host away; only a current answer does.
  const isOver = !isUnknown && failingSince !== null && now - failingSince >= GRACE_MS;
  return {
    serve: !isOver,
    failingSince: isOver ? null : failingSince,
    nextCheckAt: now + 15 * MINUTE_MS,
  };
}
