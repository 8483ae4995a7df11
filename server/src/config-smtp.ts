import { isIP } from "node:net";
import { bareHost, ConfigError, isLoopbackHost, type Parser } from "./config-values.ts";

/** The mail server that sends for this installation. */
export interface SmtpServer {
  /** A name or an address, IPv6 without brackets. */
  host: string;
  port: number;
  /** TLS from the first byte. */
  secure: boolean;
  /** Without it: whether the connection must, may or does not turn to TLS before anything is said. */
  startTls: "required" | "offered" | "never";
  /** Whether the server must show a valid certificate. */
  verify: boolean;
  auth: { user: string; pass: string } | null;
  /** How this installation calls itself (EHLO); absent: by the address of its side of the connection. */
  ehloName?: string | undefined;
}

/** Who mail is from. */
export interface MailAddress {
  name: string;
  address: string;
}

const LABEL = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
const EHLO_NAME = new RegExp(`^${LABEL}(?:\\.${LABEL})*$`, "i");

/** A name, or an address in brackets (RFC 5321 §4.1.1.1). */
export const ehloName: Parser<string> = (value, name) => {
  const [, v6, v4] = /^\[(?:IPv6:([^\]]+)|([\d.]+))\]$/i.exec(value) ?? [];
  const isLiteral = isIP(v6 ?? "") === 6 || isIP(v4 ?? "") === 4;
  if (isLiteral || (EHLO_NAME.test(value) && value.length <= 253 && isIP(value) === 0)) return value;
  throw new ConfigError(
    `${name} is neither a name such as vedette.example.org nor an address such as [192.0.2.1] or [IPv6:2001:db8::1].`,
  );
};

/** The name by which mail servers find this installation in the DNS: the host of its public address, if that is one. */
export function publicEhloName(publicUrl: string | null): string | null {
  const host = bareHost(new URL(publicUrl ?? "http://localhost").hostname);
  const isName = isIP(host) === 0 && host.includes(".") && !isLoopbackHost(host) && EHLO_NAME.test(host);
  return isName ? host : null;
}

const FORM = "smtp://user:password@host:587 or smtps://user:password@host:465";
const PORTS: Record<string, number> = { "smtp:": 587, "smtps:": 465 };

/**
 * `smtp://` (STARTTLS) or `smtps://`, with `?starttls=required|never` and `?certificate=unverified`. A password goes over
 * the network in TLS only, unless `starttls=never` says otherwise. No message repeats the value: it holds a password.
 */
export const smtpServer: Parser<SmtpServer> = (value, name) => {
  const url = URL.parse(value);
  const port = url && PORTS[url.protocol];
  if (!url || !port || url.hostname === "" || url.port === "0" || !/^\/?$/.test(url.pathname) || url.hash)
    throw new ConfigError(`${name} is not an address of the form ${FORM}.`);
  const host = bareHost(url.hostname);
  const user = decoded(url.username, name);
  const auth = user === "" ? null : { user, pass: decoded(url.password, name) };
  const { starttls, certificate } = options(url, name);
  return {
    host,
    port: url.port === "" ? port : Number(url.port),
    secure: url.protocol === "smtps:",
    startTls: starttls ?? (auth && !isLoopbackHost(host) ? "required" : "offered"),
    verify: certificate !== "unverified",
    auth,
  };
};

function options({ searchParams }: URL, name: string) {
  const allowed = { starttls: ["required", "never"], certificate: ["unverified"] } as const;
  for (const [key, value] of searchParams) {
    const values: readonly string[] = Object.hasOwn(allowed, key) ? allowed[key as keyof typeof allowed] : [];
    if (values.includes(value)) continue;
    throw new ConfigError(
      `${name} takes the options starttls=required, starttls=never and certificate=unverified, and no others.`,
    );
  }
  type Chosen = { [Key in keyof typeof allowed]?: (typeof allowed)[Key][number] };
  return Object.fromEntries(searchParams) as Chosen;
}

function decoded(text: string, name: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new ConfigError(`${name} has a % that begins no character; write %25 for a percent sign.`);
  }
}

/** `vedette@example.org`, or `Vedette <vedette@example.org>`. */
export const mailAddress: Parser<MailAddress> = (value, name) => {
  const [, title = "", bracketed] = /^([^<>]*)<([^<>]*)>$/.exec(value.trim()) ?? [];
  const address = (bracketed ?? value).trim();
  const isPlain = /^[^\s@<>(),;:"\\[\]]+@[^\s@<>(),;:"\\[\]]+$/.test(address);
  if (isPlain && !/[\0-\x1f\x7f]/.test(title)) {
    return { name: title.trim().replace(/^"(.*)"$/, "$1") || "Vedette", address };
  }
  throw new ConfigError(`${name} is not of the form vedette@example.org or Vedette <vedette@example.org>.`);
};
