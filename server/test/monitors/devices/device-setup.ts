import { randomUUID } from "node:crypto";
import { gzipSync } from "node:zlib";
import { onTestFinished } from "vitest";
import { ingestBatch, sweepStale } from "../../../src/app/pipeline.ts";
import { missSignals } from "../../../src/monitors/miss-signals.ts";
import type { AgentReport, AgentReports } from "../../../src/monitors/schemas/agent-report.ts";
import { startTestServer, type TestServerOptions } from "../../harness/server.ts";
import type { EngineName } from "../../harness/stores.ts";

export const T0 = Date.UTC(2026, 10, 21, 9);
export const SECOND = 1_000;

export const system = (hostname = "web-1"): NonNullable<AgentReport["system"]> => ({
  hostname,
  platform: "linux",
  os: "Debian GNU/Linux 13 (trixie)",
  kernel: "6.12.48",
  architecture: "x64",
  cpu: "Four cores of something",
  cpuCores: 4,
  totalMemory: 8 * 1024 ** 3,
  totalSwap: 0,
  totalDisk: 100 * 1024 ** 3,
  bootedAt: T0 - 86_400_000,
});

export const metrics = (more: Record<string, number> = {}) => ({
  "cpu.usage": 12.5,
  "cpu.load1": 0.4,
  "memory.usage": 41,
  "memory.used": 3_000_000_000,
  "disk./.usage": 55,
  "disk./var.usage": 70,
  "network.eth0.rx": 1_000,
  ...more,
});

/** An engine that checks nothing, and stores the reports that it gets. */
export const storingEngine: NonNullable<TestServerOptions["startEngine"]> = async (ctx) => ({
  ...ctx.engine,
  accept: async (results, prepareResults) =>
    void (await ingestBatch(ctx, results, undefined, prepareResults)),
  stop: async () => {},
});

/** A server with a clock of the test's own, whose engine stores reports and looks for missed ones. */
export async function serverWithDevices(engine: EngineName, options: Partial<TestServerOptions> = {}) {
  const clock = { ms: T0, now: () => clock.ms };
  const server = await startTestServer({
    engine,
    clock,
    startEngine: storingEngine,
    ...options,
  });
  onTestFinished(server.close);
  const { ctx } = server;
  return {
    server,
    ctx,
    clock,
    api: server.api,
    addDevice: (body: object = {}) => addDevice(server, body),
    /** As time does: a device that was silent for too long is offline. */
    async look() {
      await missSignals(ctx, [], (results, prepareResults) =>
        ingestBatch(ctx, results, undefined, prepareResults),
      );
      await sweepStale(ctx);
    },
    send: (token: string, body: object, headers?: Record<string, string>) =>
      sendReport(server.url, token, body, headers),
  };
}

type Server = Awaited<ReturnType<typeof startTestServer>>;

async function addDevice(server: Server, body: object) {
  const made = await server.api("POST", "/api/devices", { name: "web-1", ...body });
  if (made.status !== 201) throw new Error(JSON.stringify(made.body));
  const { device, token } = made.body.data as { device: { id: number; uuid: string }; token: string };
  return { ...device, token, agent: agentOf(server, token) };
}

/** POST /api/agent/report. */
export async function sendReport(
  url: string,
  token: string,
  body: object | string | Buffer,
  headers: Record<string, string> = {},
) {
  const bytes = Buffer.isBuffer(body)
    ? body
    : gzipSync(typeof body === "string" ? body : JSON.stringify(body));
  const answer = await fetch(`${url}/api/agent/report`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      "content-encoding": "gzip",
      ...headers,
    },
    body: bytes,
  });
  // biome-ignore lint/suspicious/noExplicitAny: the body of an API answer.
  return { status: answer.status, body: (await answer.json()) as any };
}

type Sent = Partial<AgentReport>;

/** An agent that reports with this token: each report has the next sequence, and is sent as soon as it is made. */
export function agentOf(
  server: Pick<Server, "url" | "ctx">,
  token: string,
  identity: Partial<AgentReports["agent"]> = {},
) {
  const agent = {
    version: "1.0.0",
    instance: randomUUID(),
    machineId: "machine-1",
    bootId: "boot-1",
    run: randomUUID(),
    ...identity,
  };
  let sequence = 0;
  const bodyOf = (reports: readonly Sent[], more: object = {}) => {
    const sentAt = server.ctx.clock.now();
    return {
      ...{ agent, sentAt, dropped: 0 },
      reports: reports.map((report) => ({ sequence: (sequence += 1), at: sentAt, ...report })),
      ...more,
    };
  };
  return {
    agent,
    bodyOf,
    report: (...reports: Sent[]) =>
      sendReport(server.url, token, bodyOf(reports.length > 0 ? reports : [{ metrics: metrics() }])),
  };
}
