import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { Connections } from "../src/linux/connections.ts";
import { CpuUse } from "../src/linux/cpu.ts";
import { DiskIo } from "../src/linux/disk-io.ts";
import { FileSystems } from "../src/linux/file-systems.ts";
import { memoryMetrics, readMemory } from "../src/linux/memory.ts";
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
  expect(memoryMetrics(readMemory(folder))).toEqual({
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
  expect(Object.keys(memoryMetrics(readMemory(folder)))).not.toContain("memory.swap.usage");
});

it("measures each file system once, and only those that are on disks", async () => {
  const { folder } = tree({});
  const mounts = [
    `1 0 8:1 / ${folder} rw - ext4 /dev/sda1 rw`,
    `2 1 8:1 /sub ${folder}/bind rw - ext4 /dev/sda1 rw`,
    `3 1 0:20 / /proc rw - proc proc rw`,
    `4 1 0:21 / /dev/shm rw - tmpfs tmpfs rw`,
    "5 1 8:2 / /nowhere/at\\040all rw - xfs /dev/sda2 rw",
  ];
  mkdirSync(join(folder, "self"));
  writeFileSync(join(folder, "self/mountinfo"), `${mounts.join("\n")}\n`);
  const spaces = await new FileSystems(folder).read();
  expect(spaces.map(({ path }) => path)).toEqual([folder]);
  expect(spaces[0]?.usage).toBeGreaterThan(0);
  expect(spaces[0]?.total).toBeGreaterThan(spaces[0]?.used ?? 0);
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

it("measures interfaces, also those whose name has a colon, but not the machine's talk with itself", () => {
  const head = "Inter-| Receive | Transmit\n face | bytes packets errs | bytes\n";
  const line = (name: string, rx: number, errors: number, tx: number) =>
    `${name}: ${rx} 1 ${errors} 0 0 0 0 0 ${tx} 1 0 0 0 0 0 0\n`;
  const { folder, write } = tree({ "net/dev": head + line("lo", 0, 0, 0) + line("  eth0:1", 100, 0, 50) });
  const network = new NetworkTraffic(folder);
  network.read(0);
  write({ "net/dev": head + line("lo", 9, 0, 9) + line("  eth0:1", 1_100, 10, 550) });
  expect(network.read(10_000)).toEqual({
    "network.eth0:1.rx": 100,
    "network.eth0:1.tx": 50,
    "network.eth0:1.errors": 1,
  });
});

it("says nothing where a counter began again", () => {
  const head = "Inter-|\n face |\n";
  const { folder, write } = tree({ "net/dev": `${head}eth0: 1000 0 0 0 0 0 0 0 1000 0 0 0 0 0 0 0\n` });
  const network = new NetworkTraffic(folder);
  network.read(0);
  write({ "net/dev": `${head}eth0: 5 0 0 0 0 0 0 0 2000 0 0 0 0 0 0 0\n` });
  expect(network.read(10_000)).toEqual({ "network.eth0.tx": 100, "network.eth0.errors": 0 });
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

it("tells of the 200 that use most, by processor time or memory", () => {
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
