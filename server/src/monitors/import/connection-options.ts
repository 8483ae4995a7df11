import { isPlain, own, textOf } from "./monitor-names.ts";

interface Tls {
  tls?: boolean;
  ignoreCertificate?: true;
}

interface Found {
  config: Tls;
  /** Names of options that are not imported. */
  unused: string[];
}

/** Of node-postgres, for which `prefer` requires TLS, too. */
const SSL_MODES: Readonly<Record<string, Tls>> = {
  disable: { tls: false },
  prefer: { tls: true },
  require: { tls: true },
  "verify-ca": { tls: true },
  "verify-full": { tls: true },
  "no-verify": { tls: true, ignoreCertificate: true },
};
const SWITCHED: Readonly<Record<string, Tls>> = {
  ...{ true: { tls: true }, 1: { tls: true } },
  ...{ false: { tls: false }, 0: { tls: false } },
};
/** Of MongoDB. */
const TRUSTING = ["tlsInsecure", "tlsAllowInvalidCertificates"];
const MAX_SHOWN = 100;

/** Options after the `?` of a connection string, as the drivers of Uptime Kuma understand them. */
export function connectionOptions(address: string, protocol: string): Found {
  const options = new URLSearchParams(/\?([^#]*)/.exec(address)?.[1] ?? "");
  const found: Found = { config: {}, unused: [] };
  for (const [name, value] of options) {
    if (name === "authSource" && protocol === "mongodb") continue;
    const tls = tlsOf(name, value, protocol);
    if (tls === null) found.unused.push(name.slice(0, MAX_SHOWN));
    else {
      Object.assign(found.config, tls.config);
      found.unused.push(...tls.unused);
    }
  }
  return found;
}

/** Null: another option. */
function tlsOf(name: string, value: string, protocol: string): Found | null {
  const known = (config: Tls | undefined): Found | null => (config ? { config, unused: [] } : null);
  if (name === "sslmode") return known(Object.hasOwn(SSL_MODES, value) ? SSL_MODES[value] : undefined);
  if (TRUSTING.includes(name) && protocol === "mongodb")
    return known(value === "true" ? { ignoreCertificate: true } : {});
  if (name !== "ssl" && name !== "tls") return null;
  const switched = known(Object.hasOwn(SWITCHED, value) ? SWITCHED[value] : undefined);
  return switched ?? (protocol === "mysql" ? sslOfMysql(value) : null);
}

/** Settings in JSON, or the name of a set of authorities. */
function sslOfMysql(value: string): Found {
  const settings = parsed(value);
  if (!isPlain(settings)) return { config: { tls: true }, unused: ["ssl"] };
  const isTrusting = textOf(own(settings, "rejectUnauthorized")) === "false";
  const others = Object.keys(settings).filter((name) => name !== "rejectUnauthorized");
  return {
    config: { tls: true, ...(isTrusting && { ignoreCertificate: true }) },
    unused: others.map((name) => `ssl.${name.slice(0, MAX_SHOWN)}`),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
