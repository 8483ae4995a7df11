import ipaddr from "ipaddr.js";

/** The names of parameters by number (RFC 9460 §14.3, RFC 9461, RFC 9540). */
const KEYS = [
  ...["mandatory", "alpn", "no-default-alpn", "port", "ipv4hint", "ech", "ipv6hint", "dohpath", "ohttp"],
];
const MAX_LABEL = 63;

/**
 * An SVCB or HTTPS record as `dig` writes it, such as `1 . alpn=h2,h3 port=8443` (RFC 9460 §2). Null for bytes that are
 * none.
 */
export function serviceBindingText(bytes: Buffer): string | null {
  try {
    const priority = bytes.readUInt16BE(0);
    const target = readName(bytes, 2);
    const params = readParams(bytes, target.end);
    return [priority, target.name, ...params].join(" ");
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** A name that is not compressed (RFC 9460 §2.2). Throws RangeError. */
function readName(bytes: Buffer, from: number): { name: string; end: number } {
  const labels: string[] = [];
  let at = from;
  for (;;) {
    const length = bytes.readUInt8(at);
    if (length > MAX_LABEL) throw new RangeError("no label");
    at += 1 + length;
    if (at > bytes.length) throw new RangeError("cut label");
    if (length === 0) return { name: labels.length === 0 ? "." : labels.join("."), end: at };
    labels.push(bytes.toString("latin1", at - length, at));
  }
}

function readParams(bytes: Buffer, from: number): string[] {
  const params: string[] = [];
  let at = from;
  while (at < bytes.length) {
    const key = bytes.readUInt16BE(at);
    const end = at + 4 + bytes.readUInt16BE(at + 2);
    if (end > bytes.length) throw new RangeError("cut parameter");
    const name = KEYS[key] ?? `key${key}`;
    const value = valueText(name, bytes.subarray(at + 4, end));
    params.push(value === "" ? name : `${name}=${value}`);
    at = end;
  }
  return params;
}

function valueText(name: string, value: Buffer): string {
  if (name === "port") return String(value.readUInt16BE(0));
  if (name === "alpn") return textsOf(value).join(",");
  if (name === "mandatory") {
    return chunks(value, 2)
      .map((each) => KEYS[each.readUInt16BE(0)] ?? `key${each.readUInt16BE(0)}`)
      .join(",");
  }
  if (name === "ipv4hint" || name === "ipv6hint") {
    return chunks(value, name === "ipv4hint" ? 4 : 16)
      .map((each) => ipaddr.fromByteArray([...each]).toString())
      .join(",");
  }
  return name === "ech" ? value.toString("base64") : value.toString("utf8");
}

/** Texts that each have their length before them. Throws RangeError. */
function textsOf(value: Buffer): string[] {
  const texts: string[] = [];
  for (let at = 0; at < value.length; ) {
    const end = at + 1 + value.readUInt8(at);
    if (end > value.length) throw new RangeError("cut text");
    texts.push(value.toString("utf8", at + 1, end));
    at = end;
  }
  return texts;
}

/** Throws RangeError unless it is a whole number of parts. */
function chunks(value: Buffer, size: number): Buffer[] {
  if (value.length === 0 || value.length % size !== 0) throw new RangeError("cut list");
  return Array.from({ length: value.length / size }, (_, at) => value.subarray(at * size, (at + 1) * size));
}
