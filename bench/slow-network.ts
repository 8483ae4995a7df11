/**
 * A network whose hosts have no open port, and say so 20 ms after they were asked: what is sent into the TUN device at
 * descriptor 3 is answered here. For port-scan.ts, which starts it in a network namespace of its own.
 */
import { read, writeSync } from "node:fs";
import { promisify } from "node:util";

const TUN = 3;
const ANSWER_MS = 20;
/** Reading blocks a thread of the pool each, of which there are four. */
const READERS = 3;
const MTU = 1_500;
const TCP = 6;
const SYN = 0x02;
const RST_ACK = 0x14;
const TICK_MS = 1;

const readFrom = promisify(read);
/** Answers in the order in which they are due. */
const due: { atMs: number; packet: Buffer }[] = [];

function send(): void {
  const now = performance.now();
  let count = 0;
  for (const { atMs, packet } of due) {
    if (atMs > now) break;
    writeSync(TUN, packet);
    count += 1;
  }
  due.splice(0, count);
}

async function answer(): Promise<void> {
  const bytes = Buffer.alloc(MTU);
  for (;;) {
    await readFrom(TUN, bytes, 0, MTU, null);
    const packet = refusalOf(bytes);
    if (packet !== null) due.push({ atMs: performance.now() + ANSWER_MS, packet });
  }
}

/** The reset that answers a SYN over IPv4 (RFC 9293 §3.10.7.1); null for anything else. */
function refusalOf(asked: Buffer): Buffer | null {
  const start = ((asked[0] ?? 0) & 0x0f) * 4;
  const isTcp = (asked[0] ?? 0) >> 4 === 4 && asked[9] === TCP;
  if (!isTcp || asked[start + 13] !== SYN) return null;
  const packet = Buffer.alloc(40);
  packet.set([0x45, 0, 0, 40, 0, 0, 0x40, 0, 64, TCP]);
  asked.copy(packet, 12, 16, 20);
  asked.copy(packet, 16, 12, 16);
  packet.writeUInt16BE(sumOf(packet.subarray(0, 20), 0), 10);
  asked.copy(packet, 20, start + 2, start + 4);
  asked.copy(packet, 22, start, start + 2);
  packet.writeUInt32BE((asked.readUInt32BE(start + 4) + 1) >>> 0, 28);
  packet.set([0x50, RST_ACK], 32);
  // The sum covers the addresses, the protocol and the length too (RFC 9293 §3.1).
  const ofAddresses = [12, 14, 16, 18].reduce((sum, at) => sum + packet.readUInt16BE(at), TCP + 20);
  packet.writeUInt16BE(sumOf(packet.subarray(20), ofAddresses), 36);
  return packet;
}

/** The checksum of the internet protocols (RFC 1071). */
function sumOf(bytes: Buffer, initial: number): number {
  let sum = initial;
  for (let at = 0; at < bytes.length; at += 2) sum += bytes.readUInt16BE(at);
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >>> 16);
  return ~sum & 0xffff;
}

for (let reader = 0; reader < READERS; reader += 1) void answer();
setInterval(send, TICK_MS);
process.stdout.write("ready\n");
