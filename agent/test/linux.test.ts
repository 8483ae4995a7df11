import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { endianness, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { Connections } from "../src/linux/connections.ts";
import { CpuUse } from "../src/linux/cpu.ts";
import { DiskIo } from "../src/linux/disk-io.ts";
import { memoryMetrics } from "../src/linux/memory.ts";
import { NetworkTraffic } from "../src/linux/network.ts";
import { Processes } from "../src/linux/processes.ts";
import { Temperature } from "../src/linux/temperature.ts";
import { UserNames } from "../src/linux/users.ts";

/** A folder that looks like /proc or /sys, as far as these files say. */
function tree(files: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), "vedette-agent-proc-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const write = (more: Readonly<Record<string, string>>) => {
    for (const [name, text] of Object.entries(more)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
  };
  write(files);
  return { folder, write };
}

it("measures the use of processors since the look before, without waiting for disks and without guests twice", () => {
  const { folder, write } = tree({
    stat: "cpu  100 0 100 700 100 0 0 0 50 0\ncpu0 100 0 100 700 100 0 0 0 50 0\nintr 1\n",
    loadavg: "0.50 1.25 2.00 1/100 4242\n",
  });
  const cpu = new CpuUse(folder);
  expect(cpu.read()).toEqual({ "cpu.load1": 0.5, "cpu.load5": 1.25, "cpu.load15": 2 });
  write({ stat: "cpu  130 0 110 750 110 0 0 0 80 0\ncpu0 130 0 110 750 110 0 0 0 80 0\nintr 1\n" });
  expect(cpu.read()).toMatchObject({ "cpu.usage": 40, "cpu.core0.usage": 40 });
});

it("counts as used what the kernel would not give back at once", () => {
  const { folder } = tree({
    meminfo:
      "MemTotal: 1000 kB\nMemFree: 100 kB\nMemAvailable: 750 kB\nSwapTotal: 200 kB\nSwapFree: 150 kB\n",
  });
  expect(memoryMetrics(folder)).toEqual({
    "memory.used": 250 * 1024,
    "memory.available": 750 * 1024,
    "memory.usage": 25,
    "memory.swap.used": 50 * 1024,
    "memory.swap.usage": 25,
  });
});

it("says nothing of swap where there is none", () => {
  const { folder } = tree({
    meminfo: "MemTotal: 1000 kB\nMemAvailable: 750 kB\nSwapTotal: 0 kB\nSwapFree: 0 kB\n",
  });
  expect(Object.keys(memoryMetrics(folder))).not.toContain("memory.swap.usage");
});

const ARC = (size: number, least: number) =>
  `13 1 0x01 147 39984 3 9\nname type data\nhits 4 99\nsize 4 ${size * 1024}\nc_min 4 ${least * 1024}\nc_max 4 99999999\n`;
const MEMINFO = "MemTotal: 1000 kB\nMemAvailable: 100 kB\n";
const LXCFS = "90 1 0:44 /proc/meminfo /proc/meminfo rw - fuse.lxcfs lxcfs rw\n";

it.each([
  ["counts no cache that ZFS would give back", { "spl/kstat/zfs/arcstats": ARC(700, 50) }, 250],
  ["counts the least that ZFS keeps", { "spl/kstat/zfs/arcstats": ARC(40, 50) }, 900],
  ["never has more available than there is", { "spl/kstat/zfs/arcstats": ARC(5_000, 50) }, 0],
  [
    "takes the host's ZFS for none of a container's, whose memory lxcfs shows",
    { "spl/kstat/zfs/arcstats": ARC(700, 50), "self/mountinfo": LXCFS },
    900,
  ],
  ["takes statistics of another form for none", { "spl/kstat/zfs/arcstats": "other\n" }, 900],
])("%s as memory in use", (_, more, usedKb) => {
  const { folder } = tree({ meminfo: MEMINFO, ...(more as Record<string, string>) });
  expect(memoryMetrics(folder)).toEqual({
    "memory.used": usedKb * 1024,
    "memory.available": (1_000 - usedKb) * 1024,
    "memory.usage": usedKb / 10,
  });
});

it("measures disks, not their partitions or what lies on them", () => {
  const line = (name: string, read: number, written: number, busyMs: number) =>
    `   8 0 ${name} 1 0 ${read} 0 1 0 ${written} 0 0 ${busyMs} 0\n`;
  const { folder: sys } = tree({ "block/sda/stat": "", "block/dm-0/stat": "", "block/loop0/stat": "" });
  const { folder, write } = tree({
    diskstats: line("sda", 0, 0, 0) + line("sda1", 0, 0, 0) + line("dm-0", 0, 0, 0) + line("loop0", 0, 0, 0),
  });
  const disks = new DiskIo(folder, sys);
  expect(disks.read(0)).toEqual({});
  write({
    diskstats: line("sda", 20, 40, 5_000) + line("sda1", 20, 40, 5_000) + line("dm-0", 20, 40, 5_000),
  });
  expect(disks.read(10_000)).toEqual({
    "disk.sda.read": 1_024,
    "disk.sda.write": 2_048,
    "disk.sda.busy": 50,
  });
});

it("measures a disk that is plugged in later", () => {
  const line = (at: number) => `   8 0 sdb 1 0 ${at} 0 1 0 0 0 0 0 0\n`;
  const sys = tree({ "block/sda/stat": "" });
  const { folder, write } = tree({ diskstats: line(0) });
  const disks = new DiskIo(folder, sys.folder);
  disks.read(0);
  sys.write({ "block/sdb/stat": "" });
  disks.read(10_000);
  write({ diskstats: line(20) });
  expect(disks.read(20_000)).toMatchObject({ "disk.sdb.read": 1_024 });
});

const head = "Inter-| Receive | Transmit\n face | bytes packets errs | bytes\n";
const line = (name: string, rx: number, errors: number, tx: number) =>
  `${name}: ${rx} 1 ${errors} 0 0 0 0 0 ${tx} 1 0 0 0 0 0 0\n`;

it("measures interfaces, also those whose name has a colon, but not the machine's talk with itself", () => {
  const { folder, write } = tree({ "net/dev": head + line("lo", 0, 0, 0) + line("  eth0:1", 100, 0, 50) });
  const network = new NetworkTraffic(folder, tree({}).folder);
  network.read(0);
  write({ "net/dev": head + line("lo", 9, 0, 9) + line("  eth0:1", 1_100, 10, 550) });
  expect(network.read(10_000)).toEqual({
    "network.eth0:1.rx": 100,
    "network.eth0:1.tx": 50,
    "network.eth0:1.errors": 1,
    "network.rx": 100,
    "network.tx": 50,
    "network.errors": 1,
  });
});

it("sums a Xen host's cards, and not the ends of its guests' cables", () => {
  const { folder } = tree({ "class/net/eth0/device/x": "", "class/net/vif1.0/device/x": "" });
  symlinkSync("../../../../bus/xen-backend", join(folder, "class/net/vif1.0/device/subsystem"));
  symlinkSync("../../../../bus/pci", join(folder, "class/net/eth0/device/subsystem"));
  const own = tree({ "net/dev": head + line("eth0", 0, 0, 0) + line("vif1.0", 0, 0, 0) });
  const network = new NetworkTraffic(own.folder, folder);
  network.read(0);
  own.write({ "net/dev": head + line("eth0", 100, 0, 0) + line("vif1.0", 70, 0, 0) });
  expect(network.read(10_000)).toMatchObject({ "network.rx": 10, "network.vif1.0.rx": 7 });
});

it("says nothing where a counter began again, and no sum without it", () => {
  const { folder, write } = tree({ "net/dev": head + line("eth0", 1_000, 0, 1_000) });
  const network = new NetworkTraffic(folder, tree({}).folder);
  network.read(0);
  write({ "net/dev": head + line("eth0", 5, 0, 2_000) });
  expect(network.read(10_000)).toEqual({
    "network.eth0.tx": 100,
    "network.eth0.errors": 0,
    "network.tx": 100,
    "network.errors": 0,
  });
});

/** What each of these interfaces has received is a power of ten a second: the sum shows which count. */
function received(
  names: readonly string[],
  files: Record<string, string>,
  masters: Record<string, string> = {},
) {
  const sys = tree(files);
  for (const [name, master] of Object.entries(masters))
    symlinkSync(`../${master}`, join(sys.folder, `class/net/${name}/master`));
  const { folder, write } = tree({ "net/dev": head + names.map((name) => line(name, 0, 0, 0)).join("") });
  const network = new NetworkTraffic(folder, sys.folder);
  network.read(0);
  write({ "net/dev": head + names.map((name, at) => line(name, 10 ** at * 10, 0, 0)).join("") });
  const rates = network.read(10_000);
  expect(names.filter((name) => rates[`network.${name}.rx`] === undefined)).toEqual([]);
  return rates["network.rx"];
}

it.each([
  [
    "the hardware alone, below a bond, a bridge, a VLAN, a tunnel and a tap",
    ["eth0", "eth1", "bond0", "br0", "bond0.7", "wg0", "tap0"],
    {
      "class/net/eth0/device/x": "",
      "class/net/eth1/device/x": "",
      "class/net/br0/uevent": "DEVTYPE=bridge\n",
    },
    { eth0: "bond0", eth1: "bond0" },
    11,
  ],
  [
    "a cloud's interface once that has a fast one behind it",
    ["eth0", "enP1"],
    { "class/net/eth0/device/x": "", "class/net/enP1/device/x": "" },
    { enP1: "eth0" },
    1,
  ],
  [
    "that of an OpenVZ container, which is of no kind, and not a tunnel through it",
    ["venet0", "tun0", "wg0"],
    {
      "class/net/venet0/type": "65535\n",
      "class/net/tun0/type": "65534\n",
      "class/net/tun0/tun_flags": "0x1001\n",
      "class/net/wg0/type": "65534\n",
    },
    {},
    1,
  ],
  [
    "the cards of an OpenVZ host, and not the way to its containers",
    ["eth0", "venet0"],
    { "class/net/eth0/device/x": "", "class/net/venet0/type": "65535\n" },
    {},
    1,
  ],
  [
    "whatever a container has that was given a tunnel alone",
    ["wg0"],
    { "class/net/wg0/type": "65534\n" },
    {},
    1,
  ],
  [
    "the ports of a switch chip once, at the chip",
    ["eth0", "lan1"],
    {
      "class/net/eth0/device/x": "",
      "class/net/lan1/device/x": "",
      "class/net/eth0/ifindex": "2\n",
      "class/net/eth0/iflink": "2\n",
      "class/net/lan1/ifindex": "3\n",
      "class/net/lan1/iflink": "2\n",
    },
    {},
    1,
  ],
  [
    "the end of its cable in a container, which has no hardware",
    ["eth0", "docker0", "wg0", "tun0"],
    {
      "class/net/eth0/type": "1\n",
      "class/net/docker0/type": "1\n",
      "class/net/docker0/uevent": "DEVTYPE=bridge\nINTERFACE=docker0\n",
      "class/net/wg0/type": "65534\n",
      "class/net/tun0/type": "1\n",
      "class/net/tun0/tun_flags": "0x1002\n",
    },
    {},
    1,
  ],
])("sums of its interfaces %s", (_, names, files, masters, sum) => {
  expect(received(names, files as Record<string, string>, masters as Record<string, string>)).toBe(sum);
});

it("takes the processor's sensors, and no value that no processor can have", () => {
  const { folder } = tree({
    "class/hwmon/hwmon0/name": "nvme\n",
    "class/hwmon/hwmon0/temp1_input": "70000\n",
    "class/hwmon/hwmon1/name": "coretemp\n",
    "class/hwmon/hwmon1/temp1_input": "41000\n",
    "class/hwmon/hwmon1/temp2_input": "43500\n",
    "class/hwmon/hwmon1/temp3_input": "-274000\n",
  });
  expect(new Temperature(folder).read()).toEqual({ "cpu.temperature": 43.5 });
});

/** /proc/PID/stat: fields 14 and 15 are ticks, 22 the start, 24 the pages in memory. */
const stat = (pid: number, name: string, ticks: number, startedAt: number, pages: number) =>
  `${pid} (${name}) S 1 1 1 0 -1 0 0 0 0 0 ${ticks} 0 0 0 20 0 1 0 ${startedAt} 0 ${pages} 0`;

it("gives each process its share since the look before, also one of an old number that is new", () => {
  const { folder, write } = tree({
    "10/stat": stat(10, "worker", 1_000, 100, 256),
    "10/cmdline": "/srv/worker\0--token\0abc\0",
    "11/stat": stat(11, "old", 5_000, 200, 256),
    passwd: "",
  });
  const processes = new Processes(folder, new UserNames(join(folder, "passwd")));
  processes.read(100);
  write({
    "10/stat": stat(10, "worker", 1_500, 100, 256),
    "11/stat": stat(11, "new) (one", 50, 10_500, 512),
  });
  const { total, items } = processes.read(110);
  expect(total).toBe(2);
  expect(items.map(({ pid, name, cpuPercent, memoryMB }) => [pid, name, cpuPercent, memoryMB])).toEqual([
    [10, "worker", 50, 1],
    [11, "new) (one", 10, 2],
  ]);
  expect(items[0]?.command).toBe("/srv/worker --token •••");
});

it.skipIf(endianness() !== "LE")("counts memory in pages of the size that the kernel has", () => {
  const auxv = Buffer.alloc(48);
  for (const [at, word] of [33, 0xffff, 6, 65_536, 0, 0].entries()) auxv.writeUInt32LE(word, at * 8);
  const { folder } = tree({ "10/stat": stat(10, "worker", 0, 100, 256), passwd: "" });
  mkdirSync(join(folder, "self"));
  writeFileSync(join(folder, "self/auxv"), auxv);
  const { items } = new Processes(folder, new UserNames(join(folder, "passwd"))).read(100);
  expect(items[0]?.memoryMB).toBe(16);
});

it("says of a process what the kernel says of it, VmRSS", () => {
  const own = new Processes("/proc", new UserNames()).read(1e6).items.find(({ pid }) => pid === process.pid);
  const kb = Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1]);
  expect(own?.memoryMB).toBeGreaterThan(kb / 1024 / 2);
  expect(own?.memoryMB).toBeLessThan((kb / 1024) * 2);
});

it("reads once what a process was started with, and again for another of its number and once in a while", () => {
  const { folder, write } = tree({
    "10/stat": stat(10, "worker", 0, 100, 1),
    "10/cmdline": "one\0",
    passwd: "",
  });
  const processes = new Processes(folder, new UserNames(join(folder, "passwd")));
  let uptime = 100;
  const look = () => processes.read((uptime += 60)).items[0]?.command;
  expect([look(), look()]).toEqual(["one", "one"]);
  write({ "10/cmdline": "renamed\0" });
  const later = Array.from({ length: 10 }, look);
  expect(later[0]).toBe("one");
  expect(later).toContain("renamed");
  write({ "10/stat": stat(10, "worker", 0, 9_000, 1), "10/cmdline": "another\0" });
  expect(look()).toBe("another");
});

it("leaves alone the memory of a process that waits for a disk, and reads its command once it no longer does", () => {
  const waiting = stat(10, "worker", 0, 100, 1).replace(") S ", ") D ");
  const { folder, write } = tree({ "10/stat": waiting, "10/cmdline": "/srv/worker\0", passwd: "" });
  const processes = new Processes(folder, new UserNames(join(folder, "passwd")));
  const look = (uptime: number) => processes.read(uptime).items[0];
  expect(look(100)).toMatchObject({ name: "worker", command: "", status: "waiting for disk" });
  expect(look(160)?.command).toBe("");
  write({ "10/stat": stat(10, "worker", 0, 100, 1) });
  expect(look(220)?.command).toBe("/srv/worker");
  write({ "10/stat": waiting });
  expect(look(280)?.command).toBe("/srv/worker");
});

it("lists the 200 that use most, by processor time or memory", () => {
  const many = Object.fromEntries(
    Array.from({ length: 500 }, (_, at) => [
      `${at + 1}/stat`,
      stat(at + 1, "x", at < 150 ? 1_000 : 0, 0, at),
    ]),
  );
  const { folder } = tree({ ...many, passwd: "" });
  const { total, items } = new Processes(folder, new UserNames(join(folder, "passwd"))).read(100);
  expect(total).toBe(500);
  expect(items).toHaveLength(200);
  expect(items.filter(({ cpuPercent }) => cpuPercent > 0)).toHaveLength(100);
  expect(items.some(({ pid }) => pid === 500)).toBe(true);
});

it("shows sockets of both families with their process, as far as it may be seen", () => {
  const head =
    "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n";
  const { folder } = tree({
    "net/tcp": `${head}   0: 0100007F:1F90 00000000:0000 0A 0:0 0:0 0 0 0 111 1\n   1: 0100007F:1F90 0200007F:C350 01 0:0 0:0 0 0 0 112 1\n`,
    "net/tcp6": `${head}   0: B80D0120000000000000000001000000:01BB 00000000000000000000000000000000:0000 0A 0:0 0:0 0 0 0 113 1\n   1: 0000000000000000FFFF00000100007F:01BB 0000000000000000FFFF00000200007F:C351 06 0:0 0:0 0 0 0 0 1\n`,
    "net/udp": `${head}   0: 00000000:0035 00000000:0000 07 0:0 0:0 0 0 0 114 1\n`,
    "20/comm": "server\n",
    "20/fd/0": "",
  });
  symlinkSync("socket:[111]", join(folder, "20/fd/3"));
  symlinkSync("socket:[112]", join(folder, "20/fd/4"));
  const { total, items } = new Connections(folder).read();
  expect(total).toBe(5);
  const local = { protocol: "tcp", localAddress: "127.0.0.1" };
  expect(items).toEqual([
    {
      ...local,
      localPort: 8080,
      remoteAddress: null,
      remotePort: null,
      status: "listening",
      processName: "server",
    },
    {
      ...local,
      localAddress: "2001:db8::1",
      localPort: 443,
      remoteAddress: null,
      remotePort: null,
      status: "listening",
      processName: null,
    },
    {
      protocol: "udp",
      localAddress: "0.0.0.0",
      localPort: 53,
      remoteAddress: null,
      remotePort: null,
      status: "listening",
      processName: null,
    },
    {
      ...local,
      localPort: 8080,
      remoteAddress: "127.0.0.2",
      remotePort: 50_000,
      status: "established",
      processName: "server",
    },
    {
      ...local,
      localPort: 443,
      remoteAddress: "127.0.0.2",
      remotePort: 50_001,
      status: "time-wait",
      processName: null,
    },
  ]);
});
