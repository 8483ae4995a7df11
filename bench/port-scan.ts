/**
 * All 65,535 ports of a host: closed ones on this machine, and closed ones that answer after 20 ms, each against
 * `nmap -sT -T4 -p-` in the same run. Both happen in a network namespace where nothing listens (Linux, as root, with nmap,
 * ip, unshare and perl); packets go nowhere else.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { read, writeSync } from "node:fs";
import { promisify } from "node:util";
import { scanPorts } from "../server/src/checks/toolbox/ports/scan-ports.ts";
import { networkOfTools } from "../server/src/checks/toolbox/tool-verbs.ts";
import { type Measurement, machineLoad, median, report } from "./harness.ts";

const RUNS = 3;
const ALL_PORTS = 65_535;
const DEVICE = "slow0";
const SLOW_HOST = "10.99.0.2";

/** Opens a TUN device (TUNSETIFF: IFF_TUN | IFF_NO_PI), leaves it at descriptor 3, and becomes another program. */
const OPEN_TUN = `
use Fcntl; use POSIX; $^F = 10;
sysopen(my $tun, "/dev/net/tun", O_RDWR) or die $!;
my $wish = pack("a16 s x22", "${DEVICE}", 0x1001);
ioctl($tun, 0x400454ca, $wish) or die $!;
POSIX::dup2(fileno($tun), 3) if fileno($tun) != 3;
exec @ARGV;`;

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

if (process.argv[2] === "inside") await measureAll();
else if (process.argv[2] === "network") playSlowNetwork();
else await goInside();

/** The same program once more, in a network of its own. */
async function goInside(): Promise<void> {
  const script = `ip link set lo up && exec "$0" "$1" inside`;
  const child = spawn("unshare", ["-n", "sh", "-c", script, process.execPath, import.meta.filename], {
    stdio: "inherit",
  });
  const [code] = (await once(child, "close")) as [number | null];
  process.exitCode = code ?? 1;
}

async function measureAll(): Promise<void> {
  const closed = await compare("closed ports", "127.0.0.1", 2);
  const slow = spawn("perl", ["-e", OPEN_TUN, process.execPath, import.meta.filename, "network"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    await once(slow.stdout, "data");
    await run("ip", ["addr", "add", "10.99.0.1/24", "dev", DEVICE]);
    // As many connections as are begun at once: none of them waits for a packet that was dropped.
    await run("ip", ["link", "set", DEVICE, "txqueuelen", "10000", "up"]);
    const late = await compare("ports that answer after 20 ms", SLOW_HOST, 1);
    report([...closed, ...late, { name: "load of the machine", value: machineLoad(), unit: "" }]);
  } finally {
    slow.kill();
  }
}

/** Medians of scans in turns. `most`: how many times nmap's time it may take. */
async function compare(name: string, host: string, most: number): Promise<Measurement[]> {
  const [own, nmap]: [number[], number[]] = [[], []];
  for (let at = 0; at < RUNS; at += 1) {
    own.push(await secondsOf(() => scan(host)));
    nmap.push(await secondsOf(() => run("nmap", ["-sT", "-T4", "-p-", "-n", "-Pn", host])));
  }
  return [
    { name: `${name}: nmap -sT -T4 -p-`, value: median(nmap), unit: "s" },
    { name: `${name}: port-scanner`, value: median(own), unit: "s" },
    {
      name: `${name}: of nmap's time`,
      value: median(own) / median(nmap),
      unit: "×",
      target: { atMost: most },
    },
  ];
}

async function scan(host: string): Promise<void> {
  const found = await scanPorts.run(
    { target: host, scanType: "full" },
    {
      network: networkOfTools({ resolvers: [], policy: "all" }),
      sources: { geoDatabase: null, asnDatabase: null, rdapBootstrap: null, dataFolder: "" },
      signal: new AbortController().signal,
      reportProgress() {},
    },
  );
  if (found.closed !== ALL_PORTS) throw new Error(`Only ${found.closed} ports of ${host} were closed.`);
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const begunMs = performance.now();
  await work();
  return (performance.now() - begunMs) / 1_000;
}

async function run(program: string, args: string[]): Promise<void> {
  const child = spawn(program, args, { stdio: ["ignore", "ignore", "inherit"] });
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0) throw new Error(`${program} ended with ${code}.`);
}

/**
 * A network whose hosts have no open port, and say so 20 ms after a request: what is sent into the TUN device at descriptor 3 is
 * answered here.
 */
function playSlowNetwork(): void {
  for (let reader = 0; reader < READERS; reader += 1) void answer();
  setInterval(send, TICK_MS);
  process.stdout.write("ready\n");
}

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
function refusalOf(received: Buffer): Buffer | null {
  const start = ((received[0] ?? 0) & 0x0f) * 4;
  const isTcp = (received[0] ?? 0) >> 4 === 4 && received[9] === TCP;
  if (!isTcp || received[start + 13] !== SYN) return null;
  const packet = Buffer.alloc(40);
  packet.set([0x45, 0, 0, 40, 0, 0, 0x40, 0, 64, TCP]);
  received.copy(packet, 12, 16, 20);
  received.copy(packet, 16, 12, 16);
  packet.writeUInt16BE(sumOf(packet.subarray(0, 20), 0), 10);
  received.copy(packet, 20, start + 2, start + 4);
  received.copy(packet, 22, start, start + 2);
  packet.writeUInt32BE((received.readUInt32BE(start + 4) + 1) >>> 0, 28);
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
