import { randomInt } from "node:crypto";
import dnsPacket from "dns-packet";

/** `00 1b…`: version 3, client (RFC 5905 §7.3; older servers answer that as well). */
const NTP_LENGTH = 48;
const NTP_CLIENT = 0x1b;

/** A request for sysDescr.0 by SNMPv2c with the community `public` (RFC 3416 §4.2.1), in BER. */
const SNMP = Buffer.from(
  "302902010104067075626c6963a01c020400000001020100020100300e300c06082b060102010101000500",
  "hex",
);

/** Questions that a server of the port's protocol answers. */
const PROBES: Readonly<Record<number, () => Buffer>> = {
  53: () =>
    dnsPacket.encode({
      type: "query",
      id: randomInt(65_536),
      flags: dnsPacket.RECURSION_DESIRED,
      questions: [{ type: "NS", name: "." }],
    }),
  123: () => {
    const packet = Buffer.alloc(NTP_LENGTH);
    packet[0] = NTP_CLIENT;
    return packet;
  },
  161: () => SNMP,
};

const NOTHING = Buffer.alloc(0);

/** What to send to a port; an empty datagram where its protocol is not known. */
export const probeFor = (port: number): Buffer => PROBES[port]?.() ?? NOTHING;
