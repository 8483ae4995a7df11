import { isIP } from "node:net";
import { domainToASCII } from "node:url";
import { parse } from "tldts";
import { isLoopbackHost } from "../../platform/config-values.ts";
import { type MessageDescriptor, msg } from "../../platform/i18n/message.ts";

const [MINUTE_MS, DAY_MS] = [60_000, 86_400_000];
/** How long a page stays at its host after the DNS has changed. */
export const GRACE_MS = 3 * DAY_MS;
/** When an unproven claim expires. */
const HOPE_MS = 30 * DAY_MS;
const MAX_LENGTH = 253;
const OTHER = /[\s/?#@:\\%]/;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** `problem` null: as required. */
export interface DomainFinding {
  found: string[];
  problem: MessageDescriptor | null;
}

export interface DomainFindings {
  points: DomainFinding;
  proof: DomainFinding;
}

/** Of TXT records. */
export const PROOF_PREFIX = "vedette-page=";

export const proofOf = ({ host, uuid }: { host: string; uuid: string }) => ({
  record: `_vedette.${host}`,
  value: PROOF_PREFIX + uuid,
});

/** With `public` targets, sign-up is open. */
interface Installation {
  publicUrl: string | null;
  targets: "all" | "public";
}

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

export const isProved = ({ points, proof }: DomainFindings): boolean =>
  points.problem === null && proof.problem === null;

/** No answer, or none about the installation itself: says nothing of the host. */
const isSilent = ({ points, proof }: DomainFindings): boolean =>
  [points, proof].some(
    ({ problem }) => problem && ["page.dns_silent", "page.own_unknown"].includes(problem.code),
  );

export type DomainState = "pending" | "verified" | "wrong";

interface Claim {
  findings: DomainFindings | null;
  isServed: boolean;
  claimedAt: number;
  failingSince: number | null;
}

/** `wrong`: records exist, but not the required ones; `pending`: none yet, or unknown. */
export function domainState({ findings, isServed, failingSince }: Claim): DomainState {
  if (isServed && failingSince === null) return "verified";
  if (isServed) return "wrong";
  const isThere =
    findings !== null &&
    [findings.points, findings.proof].some(({ found, problem }) => problem !== null && found.length > 0);
  return isThere ? "wrong" : "pending";
}

/** `serve`: whether the page is to be served at the host. */
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
