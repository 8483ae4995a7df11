import { readFileSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { hang } from "../../harness/behaviours.ts";
import { eventually } from "../../harness/eventually.ts";
import { runCommand, startAtKnownPort, startServerProcess, temporaryFolder } from "../../harness/process.ts";
import { startHttpTarget } from "../../harness/targets.ts";

function dataFolder(): string {
  const { folder, remove } = temporaryFolder();
  onTestFinished(remove);
  return folder;
}

async function start(folder = dataFolder(), environment: Record<string, string> = {}) {
  const server = await startServerProcess(folder, environment);
  onTestFinished(async () => void (await server.stop()));
  return server;
}

describe("vedette start", () => {
  it("prints one line with the address once it answers, live and ready", async () => {
    const server = await start();
    expect(server.output.stdout).toBe(`Vedette is ready at ${server.url}\n`);
    const health = await fetch(`${server.url}/api/health`);
    expect(health.status).toBe(200);
    expect(await health.json()).toEqual({ status: "ok", timestamp: expect.stringMatching(/^\d{4}-.*Z$/) });
    const ready = () => fetch(`${server.url}/api/health?ready=1`).then((answer) => answer.status);
    await eventually(ready, (code) => code === 200);
  });

  it("prints the public address and the one that it listens on, where they differ", async () => {
    const server = await start(dataFolder(), { VEDETTE_PUBLIC_URL: "https://status.example.org" });
    expect(server.output.stdout).toMatch(
      `Vedette is ready at https://status.example.org (listening on ${server.url})\n`,
    );
    expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d+$/);
    expect((await fetch(`${server.url}/api/health`)).status).toBe(200);
  });

  it.each(["0.0.0.0", "::"])(
    "listening on %s, prints a set-up link that this machine can open",
    async (host) => {
      const server = await start(dataFolder(), { VEDETTE_HOST: host });
      const { port } = new URL(server.url);
      const reported = () => server.output.stdout;
      await eventually(reported, (text) => text.includes("in place of localhost.\n"));
      expect(reported()).toContain(` at http://localhost:${port}/set-up#`);
      expect(reported()).toMatch(
        /\nFrom another machine, use the address of this one in place of localhost\.\n$/,
      );
    },
  );

  it("prints, where others can reach it, the token that makes the first owner, until there is one", async () => {
    const folder = dataFolder();
    const environment = { VEDETTE_TRUSTED_PROXIES: "loopback" };
    const server = await start(folder, environment);
    const printed = await eventually(
      async () =>
        /^There is no account yet\. .+ at (\S+)\/set-up#(\S+) or there with the one-time token (\S+)\n$/m.exec(
          server.output.stdout,
        ),
      (line) => line !== null,
    );
    expect(printed).toMatchObject({ 1: server.url, 3: printed?.[2] });
    const owner = { email: "a@vedette.test", password: "correct horse battery" };
    const setUp = (body: object) =>
      fetch(`${server.url}/api/auth/setup`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      }).then(({ status }) => status);
    expect(await setUp(owner)).toBe(422);
    expect(await setUp({ ...owner, setupToken: printed?.[2] })).toBe(201);
    await server.stop();
    const again = await start(folder, environment);
    await again.stop();
    expect(again.output.stdout).toBe(`Vedette is ready at ${again.url}\n`);
  });

  it("ends with 0 on SIGTERM, even while a check and a live stream are running", async () => {
    const folder = dataFolder();
    const target = await startHttpTarget({ handler: hang });
    onTestFinished(() => target.close());
    const server = await start(folder);
    const owner = ["--email", "owner@vedette.test", "--data", folder];
    await runCommand(["user", "create", ...owner, "--password", "correct horse battery"]);
    const key = (await runCommand(["key", "create", ...owner])).stdout.trim();
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const body = JSON.stringify({ name: "hanging", url: target.url, timeout: 9, checkInterval: 10 });
    expect((await fetch(`${server.url}/api/domains`, { method: "POST", headers, body })).status).toBe(201);
    const stream = await fetch(`${server.url}/api/events`, { headers });
    expect(stream.status).toBe(200);
    await eventually(target.connections, (count) => count > 0);
    const begun = performance.now();
    expect(await server.stop()).toBe(0);
    expect(performance.now() - begun).toBeLessThan(10_000);
    await stream.text().catch(() => {});
  });

  it("refuses a data folder that another instance holds, and takes it over after kill -9", async () => {
    const folder = dataFolder();
    const server = await start(folder);
    const second = await runCommand(["start", "--port", "0", "--data", folder]);
    expect(second.code).toBe(1);
    expect(second.stderr).toMatch(/^vedette: Another Vedette is running on the data folder [^\n]+\n$/);
    await server.stop("SIGKILL");
    await start(folder);
  });

  it("says that a port is in use", async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void taken.close());
    const { port } = taken.address() as AddressInfo;
    const refused = await runCommand(["start", "--port", String(port), "--data", dataFolder()]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(new RegExp(`^vedette: Port ${port} is in use\\.[^\\n]+\\n$`));
  });

  it("is started by tests at another port where the one that was free is taken meanwhile", async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void taken.close());
    const { port } = taken.address() as AddressInfo;
    const [folder, tried]: [string, string[]] = [dataFolder(), []];
    const server = await startAtKnownPort(
      folder,
      (own) => {
        tried.push(own);
        return { VEDETTE_PUBLIC_URL: `http://127.0.0.1:${own}` };
      },
      [String(port)],
    );
    onTestFinished(async () => void (await server.stop()));
    expect(tried).toEqual([String(port), new URL(server.url).port]);
    await expect(startServerProcess(dataFolder(), {}, String(port))).rejects.toThrow(
      `Port ${port} is in use`,
    );
  });

  it("stops at an unknown variable, a bad value and a file that is no database, in one line each", async () => {
    const unknown = await runCommand(["start"], { VEDETTE_PROT: "1" });
    expect(unknown).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^vedette: Unknown variable VEDETTE_PROT\.[^\n]+\n$/),
    });
    const bad = await runCommand(["start", "--port", "http"]);
    expect(bad).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^vedette: --port is "http";[^\n]+\n$/),
    });
    const folder = dataFolder();
    const file = join(folder, "vedette.db");
    const content = "not a database, but long enough to look like something".repeat(100);
    writeFileSync(file, content);
    const damaged = await runCommand(["start", "--port", "0", "--data", folder]);
    expect(damaged).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^vedette: [^\n]*not a[^\n]*database[^\n]*\n$/i),
    });
    expect(damaged.stderr).toContain(file);
    expect(readFileSync(file, "utf8")).toBe(content);
  });

  it("does not start with another key than the one the secrets were sealed with", async () => {
    const folder = dataFolder();
    const server = await start(folder);
    await server.stop();
    const other = await runCommand(["start", "--port", "0", "--data", folder], {
      VEDETTE_SECRET_KEY: "ab".repeat(32),
    });
    expect(other.code).toBe(1);
    expect(other.stderr).toMatch(/^vedette: The secret key does not fit this database\.[^\n]+\n$/);
  });
});
