import { randomUUID } from "node:crypto";
import { gzipSync } from "node:zlib";

const GIB = 1024 ** 3;

/** A machine as its agent describes it. */
export const system = {
  hostname: "web-1.northwind.test",
  platform: "linux",
  os: "Debian GNU/Linux 13 (trixie)",
  kernel: "6.12.48",
  architecture: "x64",
  cpu: "Four cores of something",
  cpuCores: 4,
  totalMemory: 8 * GIB,
  totalSwap: GIB,
  totalDisk: 100 * GIB,
  bootedAt: Date.now() - 86_400_000,
};

/** What it measures. */
export const metrics = {
  "cpu.usage": 37,
  "memory.usage": 61.5,
  "disk./.usage": 55,
  "disk./var.usage": 70,
  "network.eth0.rx": 120_000,
  "network.eth0.tx": 48_000,
  "network.lo.rx": 9_000_000,
};

export const processOf = (name: string, more: object = {}) => ({
  ...{ pid: 4711, name, command: `/usr/sbin/${name}`, cpuPercent: 3.5, memoryMB: 120 },
  ...{ status: "running", user: "root", ...more },
});

/** A list as a report has it. */
export const listOf = (items: object[]) => ({ total: items.length, items });

/** An agent with a device's token: each of its reports has the next number. Gives the answer's status. */
export function agentWith(server: { url: string }, token: string) {
  const agent = { version: "1.0.0", instance: randomUUID(), machineId: randomUUID(), bootId: "boot-1" };
  const run = randomUUID();
  let sequence = 0;
  return async (...reports: ({ at?: number } & Record<string, unknown>)[]): Promise<number> => {
    const sentAt = Date.now();
    const body = {
      ...{ agent: { ...agent, run }, sentAt, dropped: 0 },
      reports: reports.map((report) => ({ sequence: (sequence += 1), at: sentAt, ...report })),
    };
    const { status } = await fetch(`${server.url}/api/agent/report`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        "content-encoding": "gzip",
      },
      body: gzipSync(JSON.stringify(body)),
    });
    return status;
  };
}
