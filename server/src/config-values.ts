import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** A setting that cannot be used. The message is one line for the person starting the program. */
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

/** `1.2.3.4`, `1.2.3.4:53`, `[::1]:53`; the port may be asked for. */
export function isEndpoint(item: string, portNeeded: boolean): boolean {
  if (!portNeeded && isIP(item)) return true;
  const match = /^(?:\[(.+)\]|([^:]+)):(\d{1,5})$/.exec(item);
  if (!match) return false;
  const port = Number(match[3]);
  return isIP(match[1] ?? match[2] ?? "") > 0 && port > 0 && port < 65_536;
}
