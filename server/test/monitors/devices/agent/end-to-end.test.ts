import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { statfsSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { cpus, hostname, release, totalmem, userInfo } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { eventually } from "../../../harness/eventually.ts";
import { runCommand, startServerProcess, temporaryFolder } from "../../../harness/process.ts";

// biome-ignore lint/suspicious/noExplicitAny: answers of the API, each compared where it is used.
type Answer = any;

function newFolder(): string {
  const { folder, remove } = temporaryFolder();
  onTestFinished(remove);
  return folder;
}

/** A server of its own, as `npm start` runs it, with an owner's key. */
async function startInstallation() {
  const folder = newFolder();
  const email = "owner@vedette.test";
  const own = ["--data", folder];
  await runCommand(["user", "create", "--email", email, "--password", "correct horse battery", ...own]);
  const key = (await runCommand(["key", "create", "--email", email, ...own])).stdout.trim();
  const server = await startServerProcess(folder, { VEDETTE_RATE_LIMITS: "off" });
  onTestFinished(async () => void (await server.stop()));
  const api = async (method: string, path: string, body?: object): Promise<Answer> => {
    const answer = await fetch(server.url + path, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body && { "content-type": "application/json" }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    return answer.json();
  };
  return { url: server.url, api };
}

/** Saves the agent as the server gives it away, once its checksum has been compared. */
async function downloadAgent(url: string): Promise<string> {
  const bytes = Buffer.from(await (await fetch(`${url}/agent/vedette-agent.mjs`)).arrayBuffer());
  const reported = await (await fetch(`${url}/agent/vedette-agent.mjs.sha256`)).text();
  expect(reported.split(/\s/)[0]).toBe(createHash("sha256").update(bytes).digest("hex"));
  const file = join(newFolder(), "vedette-agent.mjs");
  writeFileSync(file, bytes);
  return file;
}

function start(args: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, args, { stdio: "ignore" });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

const isLinux = process.platform === "linux";

it.skipIf(!isLinux)(
  "shows of this machine what it is and what it is doing",
  { timeout: 120_000 },
  async () => {
    const { url, api } = await startInstallation();
    const agent = await downloadAgent(url);
    const listener = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void listener.close());
    await once(listener, "listening");
    const idle = "setInterval(() => {}, 1e6)";
    const busy = start(["-e", idle, "vedette-seen", "--password=hunter2", "https://shop:hunter2@shop.test/"]);
    const { data: made } = await api("POST", "/api/devices", { name: "This machine" });
    start([agent, "--server", url, "--token", made.token, "--data", newFolder()]);
    const path = `/api/devices/${made.device.id}`;
    const device = await eventually(
      async () => (await api("GET", path)).data,
      ({ isOnline }) => isOnline,
      60_000,
    );

    expect(device).toMatchObject({
      name: "This machine",
      hostname: hostname(),
      platform: "linux",
      kernel: release(),
      cpuCores: cpus().length,
      totalMemory: totalmem(),
      status: "online",
    });
    const { blocks, bsize, bfree } = statfsSync("/");
    expect(device.totalDisk).toBeGreaterThanOrEqual(blocks * bsize);

    const metrics = (await api("GET", `${path}/metrics?limit=1000`)).data as Answer[];
    const metricOf = (name: string) => metrics.find((each) => each.name === name)?.value as number;
    expect(metricOf("disk./.total")).toBe(blocks * bsize);
    // Others write meanwhile.
    expect(Math.abs(metricOf("disk./.used") - (blocks - bfree) * bsize)).toBeLessThan(0.05 * blocks * bsize);
    expect(metricOf("memory.used")).toBeGreaterThan(0);
    expect(metricOf("memory.used")).toBeLessThan(totalmem());

    // Lists come ten seconds later, so that it is known what processes use.
    const list = async (name: string) =>
      (await eventually(
        () => api("GET", `${path}/${name}`),
        ({ at }) => typeof at === "string",
        60_000,
        250,
      )) as { found: number; data: Answer[] };
    const { data: processes } = await list("processes");
    const seen = processes.find(({ pid }) => pid === busy.pid);
    expect(seen).toMatchObject({ user: userInfo().username });
    expect(seen.command).toContain("vedette-seen");
    expect(JSON.stringify(processes)).not.toContain("hunter2");

    const { data: connections } = await list("network");
    const { port } = listener.address() as AddressInfo;
    expect(
      connections.find(({ localPort, status }) => localPort === port && status === "listening"),
    ).toMatchObject({
      localAddress: "127.0.0.1",
      protocol: "tcp",
      processName: expect.any(String),
    });

    const { found, data: applications } = await list("applications");
    expect([found > 0, applications.length]).toEqual([true, found]);
  },
);
