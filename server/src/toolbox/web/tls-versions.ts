import { isIP } from "node:net";
import tls from "node:tls";
import { assertAllowed, type TargetPolicy } from "../../check/guard.ts";
import { TLS_VERSIONS } from "../../wire/toolbox/tls-inspection.ts";

type TlsVersion = (typeof TLS_VERSIONS)[number];

/** What a server makes of a version of TLS. */
export interface VersionAnswer {
  version: TlsVersion;
  /** Null: it did not say in time. */
  accepted: boolean | null;
  /** The cipher it then chose. */
  cipher: string | null;
  /** What it chose of the protocols of the web. */
  alpn: string | null;
}

interface Peer {
  host: string;
  port: number;
  /** Where it was reached before. */
  address: string;
}

const TIMEOUT_MS = 5_000;
/** Old versions need what OpenSSL otherwise refuses; nothing is sent over them. */
const OLD_CIPHERS = "DEFAULT@SECLEVEL=0";
const OFFERED = ["h2", "http/1.1"];
/** What says nothing of the version: the server was not reached this time, or the system had no room. */
const SAYS_NOTHING = new Set([
  ...["ECONNREFUSED", "ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH"],
  ...["EMFILE", "ENFILE", "ENOBUFS", "EADDRNOTAVAIL"],
]);

/** Offers a server each version by itself, over a connection each. Throws GuardError for an address that must not be contacted. */
export function askForVersions(
  peer: Peer,
  { policy, signal }: { policy: TargetPolicy; signal: AbortSignal },
): Promise<VersionAnswer[]> {
  assertAllowed(peer.address, policy);
  return Promise.all(TLS_VERSIONS.map((version) => askForVersion(peer, version, signal)));
}

function askForVersion({ host, port, address }: Peer, version: TlsVersion, signal: AbortSignal) {
  const { promise, resolve } = Promise.withResolvers<VersionAnswer>();
  const isOld = version === "TLSv1" || version === "TLSv1.1";
  const socket = tls.connect({
    host: address,
    port,
    minVersion: version,
    maxVersion: version,
    ALPNProtocols: OFFERED,
    rejectUnauthorized: false,
    ...(isOld && { ciphers: OLD_CIPHERS }),
    ...(isIP(host) === 0 && { servername: host }),
  });
  const settle = (accepted: boolean | null) => {
    clearTimeout(timer);
    signal.removeEventListener("abort", giveUp);
    const { alpnProtocol } = socket;
    const seen = accepted
      ? { cipher: socket.getCipher().name, alpn: alpnProtocol || null }
      : { cipher: null, alpn: null };
    socket.destroy();
    resolve({ version, accepted, ...seen });
  };
  const giveUp = () => settle(null);
  const timer = setTimeout(giveUp, TIMEOUT_MS);
  signal.addEventListener("abort", giveUp, { once: true });
  socket.once("secureConnect", () => settle(true));
  socket.on("error", ({ code = "" }: NodeJS.ErrnoException) => settle(SAYS_NOTHING.has(code) ? null : false));
  socket.once("close", () => settle(false));
  return promise;
}
