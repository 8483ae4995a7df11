import { X509Certificate } from "node:crypto";
import tls from "node:tls";

/** Finds trusted certificates by the name they are issued to. */
export type TrustAnchors = (name: string | undefined) => readonly X509Certificate[];

/** A server's certificate and those that vouch for it, up to a trusted one where there is such a path. */
export interface CertificatePath {
  certificates: readonly X509Certificate[];
  /** Whether it ends at a trust anchor, which is its last certificate. */
  isAnchored: boolean;
}

/** OpenSSL compares names without regard to case and to runs of spaces (RFC 5280 §7.1). */
const nameKey = (name: string | undefined) => (name ?? "").toLowerCase().replace(/ +/g, " ");

function byName(list: readonly string[]): ReadonlyMap<string, readonly X509Certificate[]> {
  const found = new Map<string, X509Certificate[]>();
  for (const pem of list) {
    const certificate = new X509Certificate(pem);
    const key = nameKey(certificate.subject);
    found.set(key, [...(found.get(key) ?? []), certificate]);
  }
  return found;
}

/** Read at the first TLS connection: that takes a tenth of a second. */
let ofRuntime: ReturnType<typeof byName> | undefined;
const added = new WeakMap<readonly string[], ReturnType<typeof byName>>();

/** The runtime's own trust anchors, those of NODE_EXTRA_CA_CERTS, and these (PEM). */
export function trustAnchors(more: readonly string[]): TrustAnchors {
  ofRuntime ??= byName(tls.getCACertificates("default"));
  const usual = ofRuntime;
  const own = added.get(more) ?? byName(more);
  added.set(more, own);
  return (name) => [...(usual.get(nameKey(name)) ?? []), ...(own.get(nameKey(name)) ?? [])];
}

export const isSame = (one: X509Certificate, other: X509Certificate): boolean =>
  one.fingerprint256 === other.fingerprint256;
const endOf = (certificate: X509Certificate) => certificate.validToDate.getTime();
const isValidAt = (certificate: X509Certificate, at: number) =>
  certificate.validFromDate.getTime() <= at && at < endOf(certificate);

/** As OpenSSL does: the first that is valid then, else the one that lasts longest. */
function pickIssuer(candidates: readonly X509Certificate[], at: number): X509Certificate | undefined {
  const lasting = candidates.toSorted((a, b) => endOf(b) - endOf(a));
  return candidates.find((each) => isValidAt(each, at)) ?? lasting[0];
}

/**
 * As OpenSSL at that time (build_chain in x509_vfy.c), from a server's certificates, its own first: trust
 * anchors first, and only what is needed. Not empty.
 */
function buildPath(
  sent: readonly [X509Certificate, ...X509Certificate[]],
  anchors: TrustAnchors,
  at: number,
): CertificatePath {
  const [leaf, ...rest] = sent;
  const path = [leaf];
  let pool = rest.filter((each) => !isSame(each, leaf));
  for (let current = leaf; ; ) {
    const issues = (issuer: X509Certificate) => current.checkIssued(issuer);
    const isSelfSigned = issues(current);
    const anchor = pickIssuer(anchors(current.issuer).filter(issues), at);
    if (anchor !== undefined && (!isSelfSigned || isSame(anchor, current))) {
      if (!isSelfSigned) path.push(anchor);
      return { certificates: path, isAnchored: true };
    }
    const issuer = isSelfSigned ? undefined : pickIssuer(pool.filter(issues), at);
    if (issuer === undefined) break;
    pool = pool.filter((each) => !isSame(each, issuer));
    path.push(issuer);
    current = issuer;
  }
  const isTrusted = anchors(leaf.subject).some((each) => isSame(each, leaf));
  return isTrusted ? { certificates: [leaf], isAnchored: true } : { certificates: path, isAnchored: false };
}

export const firstToEnd = ({ certificates }: CertificatePath): X509Certificate =>
  certificates.reduce((first, each) => (endOf(each) < endOf(first) ? each : first));

/**
 * Of all paths that verify from now (milliseconds) on, the one that lasts longest. One that does not verify
 * now is as it is.
 */
export function lastingPath(
  sent: readonly [X509Certificate, ...X509Certificate[]],
  anchors: TrustAnchors,
  now: number,
): CertificatePath {
  let path = buildPath(sent, anchors, now);
  // Each turn ends later than the one before, at one of the certificates.
  while (path.isAnchored) {
    const end = endOf(firstToEnd(path));
    if (end <= now) return path;
    const next = buildPath(sent, anchors, end);
    if (!holdsAt(next, end)) return path;
    path = next;
  }
  return path;
}

/** Whether a path that was not verified by OpenSSL would be, by what most often prevents it. */
const holdsAt = ({ certificates, isAnchored }: CertificatePath, at: number): boolean =>
  isAnchored &&
  certificates.every((each, index) => {
    const issuer = certificates[index + 1];
    return isValidAt(each, at) && (issuer === undefined || (issuer.ca && each.verify(issuer.publicKey)));
  });
