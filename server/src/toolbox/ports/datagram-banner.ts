import { excerpt } from "../../texts/fact.ts";

/** The kinds of BER that are read (X.690). */
const SEQUENCE = 0x30;
const OCTETS = 0x04;
const RESPONSE = 0xa2;

const NTP_LENGTH = 48;
const NTP_SERVER = 4;

/** What a server says of itself by its answer to what probeFor asks it; null where that is nothing, or no such answer. */
export function datagramBanner(port: number, answer: Buffer): string | null {
  const said = port === 161 ? describedBySnmp(answer) : port === 123 ? describedByNtp(answer) : null;
  const banner = excerpt(said ?? "");
  return banner.trim() === "" ? null : banner;
}

/** The version and stratum of a time server (RFC 5905 §7.3). */
function describedByNtp(answer: Buffer): string | null {
  const [first = 0, stratum = 0] = answer;
  if (answer.length < NTP_LENGTH || (first & 7) !== NTP_SERVER) return null;
  return `NTPv${(first >> 3) & 7}, stratum ${stratum}`;
}

/** The sysDescr in a response (RFC 3416 §3): the value of its first variable. */
function describedBySnmp(answer: Buffer): string | null {
  const [, , pdu] = partsOf(partOf(answer, SEQUENCE));
  const [, , , variables] = pdu?.type === RESPONSE ? partsOf(pdu.value) : [];
  const [first] = variables?.type === SEQUENCE ? partsOf(variables.value) : [];
  const [, value] = first?.type === SEQUENCE ? partsOf(first.value) : [];
  return value?.type === OCTETS ? value.value.toString("utf8") : null;
}

interface Part {
  type: number;
  value: Buffer;
}

const partOf = (bytes: Buffer, type: number): Buffer => {
  const [part] = partsOf(bytes);
  return part?.type === type ? part.value : Buffer.alloc(0);
};

/** The parts of a value, as far as their lengths are right: whoever answers may lie about them. */
function partsOf(bytes: Buffer): Part[] {
  const parts: Part[] = [];
  for (let at = 0; at + 2 <= bytes.length; ) {
    const [type = 0, short = 0] = bytes.subarray(at);
    const more = short < 0x80 ? 0 : short & 0x7f;
    if (more > 3 || at + 2 + more > bytes.length) break;
    const length = more === 0 ? (short === 0x80 ? 0 : short) : bytes.readUIntBE(at + 2, more);
    const from = at + 2 + more;
    if (from + length > bytes.length) break;
    parts.push({ type, value: bytes.subarray(from, from + length) });
    at = from + length;
  }
  return parts;
}
