/**
 * All 65,535 ports of a host: closed ones on this machine, and closed ones that answer after 20 ms, each against
 * `nmap -sT -T4 -p-` in the same run. Both happen in a network namespace where nothing listens (Linux, as root, with nmap,
 * ip, unshare and perl); packets go nowhere else.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { networkOfTools } from "../server/src/toolbox/network-of-tools.ts";
import { scanPorts } from "../server/src/toolbox/ports/scan-ports.ts";
import { type Measurement, machineLoad, median, report } from "./measurement.ts";

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

if (process.argv.includes("inside")) await measureAll();
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
  const slow = spawn("perl", ["-e", OPEN_TUN, process.execPath, `${import.meta.dirname}/slow-network.ts`], {
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
      tell() {},
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
