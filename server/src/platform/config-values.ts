import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** The message is one line for the person starting the program. */
export class ConfigError extends Error {}

/** Turns the text of a variable or flag `name` into its value, or throws ConfigError. */
export type Parser<T> = (text: string, name: string) => T;

export const text: Parser<string> = (value) => value;

/** A secret that is sent in a header. No message repeats it. */
export const headerValue: Parser<string> = (value, name) => {
  const key = value.trim();
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new ConfigError(`${name} must be of visible ASCII characters, without spaces.`);
};

export const oneOf =
  <T extends string>(...allowed: readonly T[]): Parser<T> =>
  (value, name) => {
    if (allowed.includes(value as T)) return value as T;
    throw new ConfigError(`${name} is "${value}"; it takes ${allowed.join(", ")}.`);
  };

export const whole =
  (smallest: number, largest: number): Parser<number> =>
  (value, name) => {
    const number = Number(value);
    if (value.trim() !== "" && Number.isInteger(number) && number >= smallest && number <= largest)
      return number;
    throw new ConfigError(`${name} is "${value}"; it takes a whole number from ${smallest} to ${largest}.`);
  };

export const url =
  (...schemes: string[]): Parser<string> =>
  (value, name) => {
    const parsed = URL.parse(value);
    if (parsed && parsed.port !== "0" && schemes.includes(parsed.protocol.slice(0, -1)))
      return value.replace(/\/+$/, "");
    throw new ConfigError(
      `${name} is not an address of the form ${schemes.map((s) => `${s}://…`).join(" or ")}.`,
    );
  };

/** An http(s) address that others are put behind: without user, password, query or fragment. */
export const webAddress: Parser<string> = (value, name) => {
  const address = url("http", "https")(value, name);
  if (!/[?#]/.test(address) && !URL.parse(address)?.username && !URL.parse(address)?.password) return address;
  throw new ConfigError(`${name} must be a plain address, without user, password, query or fragment.`);
};

/** An issuer as its tokens name it, to the letter: a slash at the end counts (OpenID Connect Core §2). */
export const issuer: Parser<string> = (value, name) => {
  webAddress(value, name);
  return value;
};

export const secretKey: Parser<Buffer> = (value, name) => {
  const key = Buffer.from(value, /^[0-9a-f]{64}$/i.test(value) ? "hex" : "base64");
  if (key.length === 32) return key;
  throw new ConfigError(`${name} must be 32 random bytes, as 64 hexadecimal digits or as base64.`);
};

export const list =
  (fits: (item: string) => boolean, form: string): Parser<string[]> =>
  (value, name) => {
    const items = value.split(",").map((item) => item.trim());
    const wrong = items.find((item) => !fits(item));
    if (wrong === undefined) return items;
    throw new ConfigError(`${name} contains "${wrong}"; it takes ${form}, separated by commas.`);
  };

export const NETWORK_NAMES = ["loopback", "linklocal", "uniquelocal"];

/** An address, a network in CIDR form, or one of NETWORK_NAMES. */
export function isNetwork(item: string): boolean {
  const [address = "", bits, rest] = item.split("/");
  const version = isIP(address);
  if (rest !== undefined || version === 0) return NETWORK_NAMES.includes(item);
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

/** The name by which this installation is reached; empty: none is known. */
export const ownHostOf = (publicUrl: string | null): string =>
  publicUrl === null ? "" : bareHost(new URL(publicUrl).hostname);

/** A host as an address writes it, an IPv6 address without its brackets. */
export const bareHost = (host: string): string => host.replace(/^\[(.*)\]$/, "$1");

/** Whether a host, IPv6 without brackets, is this machine by itself: `localhost`, 127.0.0.0/8, ::1, also within IPv6. */
export const isLoopbackHost = (host: string): boolean =>
  host === "localhost" || (ipaddr.isValid(host) && ipaddr.process(host).range() === "loopback");

/** `1.2.3.4`, `1.2.3.4:53`, `[::1]:53`; the port may be required. */
export function isEndpoint(item: string, portNeeded: boolean): boolean {
  if (!portNeeded && isIP(item)) return true;
  const match = /^(?:\[(.+)\]|([^:]+)):(\d{1,5})$/.exec(item);
  if (!match) return false;
  const port = Number(match[3]);
  return isIP(match[1] ?? match[2] ?? "") > 0 && port > 0 && port < 65_536;
}

export interface SmtpServer {
  /** A name or an address, IPv6 without brackets. */
  host: string;
  port: number;
  /** TLS from the first byte. */
  secure: boolean;
  /** Without it: whether the connection must, may or does not turn to TLS before anything is said. */
  startTls: "required" | "offered" | "never";
  verify: boolean;
  auth: { user: string; pass: string } | null;
  /** How this installation calls itself (EHLO); absent: by the address of its side of the connection. */
  ehloName?: string | undefined;
}

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

/** The host of the public address, if mail servers can find that in the DNS. */
export function publicEhloName(publicUrl: string | null): string | null {
  const host = bareHost(new URL(publicUrl ?? "http://localhost").hostname);
  const isName = isIP(host) === 0 && host.includes(".") && !isLoopbackHost(host) && EHLO_NAME.test(host);
  return isName ? host : null;
}

const FORM = "smtp://user:password@host:587 or smtps://user:password@host:465";
const PORTS: Record<string, number> = { "smtp:": 587, "smtps:": 465 };

/**
 * `smtp://` (STARTTLS) or `smtps://`, with `?starttls=required|never` and `?certificate=unverified`. A
 * password needs TLS unless `starttls=never`. No message repeats the value: it holds a password.
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
