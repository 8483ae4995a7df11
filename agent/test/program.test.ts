import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { cpus, hostname, totalmem } from "node:os";
import { join } from "node:path";
import { Value } from "typebox/value";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { AgentReports } from "../../server/src/monitors/schemas/agent-report.ts";
import { buildProgram, emptyFolder, startProgram, startServer } from "./harness/program.ts";

/** Nodes of this machine that the agent is to run on: the pinned one, and one that is older. */
const NODES = [process.execPath, ...["/usr/bin/node", "/usr/local/bin/node"].filter(isNewEnough)];
const SETTINGS = { intervals: { metrics: 10 } };

function isNewEnough(file: string): boolean {
  if (!existsSync(file)) return false;
  const major = execFileSync(file, ["-p", "process.versions.node.split('.')[0]"], { encoding: "utf8" });
  return Number(major) >= 20;
}

let program = "";
beforeAll(async () => {
  program = await buildProgram();
});
afterAll(() => rmSync(join(program, ".."), { recursive: true }));

it.each(NODES)("prints one report of this machine as JSON, in one file and on %s", async (node) => {
  expect(readdirSync(join(program, ".."))).toEqual(["vedette-agent.mjs"]);
  const listening = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void listening.close());
  await new Promise((resolve) => listening.once("listening", resolve));
  const once = startProgram(program, ["once"], { node });
  expect(await once.ended).toBe(0);
  const report = JSON.parse(once.output) as Omit<AgentReports["reports"][number], "sequence" | "at">;
  expect(Value.Errors(AgentReports.properties.reports.items, { sequence: 1, at: 0, ...report })).toEqual([]);
  expect(report.system).toMatchObject({ hostname: hostname(), cpuCores: cpus().length });
  expect(report.system?.totalMemory).toBe(totalmem());
  expect(report.metrics?.["cpu.usage"]).toBeGreaterThanOrEqual(0);
  expect(report.processes?.items.length).toBe(Math.min(200, report.processes?.total ?? 0));
  const { port } = listening.address() as AddressInfo;
  expect(report.connections?.items).toContainEqual(
    expect.objectContaining({ localPort: port, localAddress: "127.0.0.1", status: "listening" }),
  );
  expect(report.applications?.total).toBe(report.applications?.items.length);
});

it.skipIf(process.platform !== "linux" || process.execve === undefined)(
  "runs as lean by hand as it does as a service, in the same process",
  async () => {
    const server = await startServer(() => ({ status: 200, data: SETTINGS }));
    const args = ["--server", server.url, "--token", "vda_own", "--data", emptyFolder()];
    const { child } = startProgram(program, args);
    await server.nextRequest();
    const words = readFileSync(`/proc/${child.pid}/cmdline`, "utf8").split("\0");
    expect(words).toEqual([process.execPath, "--lite-mode", "--max-semi-space-size=1", program, ...args, ""]);
  },
);

it("trades an enrollment token for one of its own, which only its user reads and which the next start uses", async () => {
  const server = await startServer(({ path }) =>
    path.endsWith("/enroll")
      ? { status: 201, data: { token: "vda_own", deviceId: 7 } }
      : { status: 200, data: SETTINGS },
  );
  const data = emptyFolder();
  const args = ["--server", server.url, "--enroll", "vde_invitation", "--data", data];
  const first = startProgram(program, args);
  await server.nextRequest();
  const { token, body } = await server.nextRequest();
  expect(server.requests.map((one) => [one.path, one.token])).toEqual([
    ["/api/agent/enroll", "vde_invitation"],
    ["/api/agent/report", "vda_own"],
  ]);
  expect([token, body.reports[0]?.system?.hostname]).toEqual(["vda_own", hostname()]);
  const identity = join(data, "identity.json");
  expect(readFileSync(identity, "utf8")).toContain("vda_own");
  expect(statSync(identity).mode & 0o777).toBe(0o600);
  first.child.kill("SIGTERM");
  expect(await first.ended).toBe(0);
  const instance = body.agent.instance;
  startProgram(program, args);
  const again = await server.nextRequest();
  expect([again.path, again.token, again.body.agent.instance]).toEqual([
    "/api/agent/report",
    "vda_own",
    instance,
  ]);
});

it("enrolls again with another enrollment token, and not with one that it was enrolled with already", async () => {
  const [first, second] = ["1", "2"].map((digit) => `vde_${digit.repeat(43)}`) as [string, string];
  let enrolled = 0;
  const server = await startServer(({ path }) =>
    path.endsWith("/enroll")
      ? { status: 201, data: { token: `vda_own${(enrolled += 1)}`, deviceId: 7 } }
      : { status: 200, data: SETTINGS },
  );
  const data = emptyFolder();
  const reported = async (enrollment: string) => {
    const agent = startProgram(program, ["--server", server.url, "--enroll", enrollment, "--data", data]);
    const before = server.requests.length;
    while (!server.requests.slice(before).some(({ path }) => path.endsWith("/report")))
      await server.nextRequest();
    agent.child.kill("SIGTERM");
    await agent.ended;
    return server.requests.slice(before).map(({ token }) => token);
  };
  expect(await reported(first)).toEqual([first, "vda_own1"]);
  expect(await reported(first)).toEqual(["vda_own1"]);
  expect(await reported(second)).toEqual([second, "vda_own2"]);
  expect(await reported(second)).toEqual(["vda_own2"]);
  // The token itself is not stored.
  expect(readFileSync(join(data, "identity.json"), "utf8")).not.toContain(second.slice(0, 20));
});

it.each([
  [401, "Unauthenticated."],
  [403, "The plan allows 3 devices."],
])("ends with what the server says where it refuses it for good: %d", async (status, message) => {
  const server = await startServer(() => ({ status, message }));
  const agent = startProgram(program, [
    ...["--server", server.url, "--enroll", "vde_x"],
    ...["--data", emptyFolder()],
  ]);
  expect(await agent.ended).toBe(2);
  expect(agent.errors).toContain(`vedette-agent: ${message}`);
});

it("notes that the server refuses the token that it was given, for who installs it again", async () => {
  const server = await startServer(({ path }) =>
    path.endsWith("/enroll")
      ? { status: 201, data: { token: "vda_own", deviceId: 7 } }
      : { status: 401, message: "Unauthenticated." },
  );
  const data = emptyFolder();
  const agent = startProgram(program, [
    ...["--server", server.url, "--enroll", "vde_x", "--exit-on-revoke"],
    ...["--data", data],
  ]);
  expect(await agent.ended).toBe(3);
  expect(readFileSync(join(data, "identity.json"), "utf8")).toContain('"isRefused":true');
});

it.each([401, 403])(
  "stays the device that it is where another enrollment token is refused: %d",
  async (status) => {
    const server = await startServer(({ path, token }) => {
      if (!path.endsWith("/enroll")) return { status: 200, data: SETTINGS };
      if (token === "vde_good") return { status: 201, data: { token: "vda_own", deviceId: 7 } };
      return { status, message: "No more devices." };
    });
    const data = emptyFolder();
    const started = (enrollment: string) =>
      startProgram(program, ["--server", server.url, "--enroll", enrollment, "--data", data]);
    const first = started("vde_good");
    await server.nextRequest();
    await server.nextRequest();
    first.child.kill("SIGTERM");
    await first.ended;
    const before = server.requests.length;
    const second = started("vde_expired");
    await Promise.race([server.nextRequest().then(server.nextRequest), second.ended]);
    expect(server.requests.slice(before).map(({ token }) => token)).toEqual(["vde_expired", "vda_own"]);
    second.child.kill("SIGTERM");
    expect(await second.ended).toBe(0);
    expect(second.errors).toContain("No more devices.");
  },
);

it("exits for a revoked token where configured", async () => {
  const server = await startServer(() => ({ status: 401, message: "Unauthenticated." }));
  const agent = startProgram(program, [
    ...["--server", server.url, "--token", "vda_old", "--exit-on-revoke"],
    ...["--data", emptyFolder()],
  ]);
  expect(await agent.ended).toBe(3);
  expect(agent.errors).toContain("refuses this token");
});

it("refuses the folder of an agent that runs, and takes over that of one that was killed", async () => {
  const server = await startServer(() => ({ status: 200, data: SETTINGS }));
  const args = ["--server", server.url, "--token", "vda_own", "--data", emptyFolder()];
  const first = startProgram(program, args);
  await server.nextRequest();
  const second = startProgram(program, args);
  expect(await second.ended).toBe(2);
  expect(second.errors).toContain(`Another agent (process ${first.child.pid})`);
  first.child.kill("SIGKILL");
  await first.ended;
  startProgram(program, args);
  expect((await server.nextRequest()).token).toBe("vda_own");
});

it("brings what waited when it was killed, without a record that was torn, each under its own sequence", async () => {
  let isAway = true;
  const server = await startServer(() => (isAway ? { status: 503 } : { status: 200, data: SETTINGS }));
  const data = emptyFolder();
  const args = ["--server", server.url, "--token", "vda_own", "--data", data];
  const killed = startProgram(program, args);
  const { body: lost } = await server.nextRequest();
  killed.child.kill("SIGKILL");
  await killed.ended;
  const queue = join(data, "queue");
  const [segment = ""] = readdirSync(queue).sort().slice(-1);
  // As far as the disk got with the next one.
  const record = readFileSync(join(queue, segment)).subarray(-200);
  appendFileSync(join(queue, segment), record.subarray(0, 150));
  isAway = false;
  const again = startProgram(program, args);
  const { body } = await server.nextRequest();
  expect(body.reports.map(({ sequence }) => sequence)).toEqual([1, 2]);
  expect(body.reports[0]?.metrics).toEqual(lost.reports[0]?.metrics);
  expect(body.agent.run).not.toBe(lost.agent.run);
  expect(body.agent.instance).toBe(lost.agent.instance);
  expect(again.errors).not.toContain("error");
});
