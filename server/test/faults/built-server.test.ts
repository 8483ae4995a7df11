import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { eventually } from "../harness/eventually.ts";
import { runCommand } from "../harness/process.ts";
import { startHttpTarget } from "../harness/targets.ts";
import { expectWell, type Installed, installElsewhere } from "./installed-elsewhere.ts";

/** Builds it as `npm run build -w server` does. */
function build({ folder }: Installed): void {
  const server = join(folder, "server");
  const command = join(server, "node_modules", "rolldown", "bin", "cli.mjs");
  const args = ["--preserve-symlinks", command, "-c", "rolldown.config.mjs", "--log-level", "silent"];
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: server, encoding: "utf8" });
  expect([status, stderr]).toEqual([0, ""]);
}

it("runs what was built: its threads and processes check, read files and build the API document, and pages have their style", async () => {
  const installed = installElsewhere();
  build(installed);
  const owner = ["--email", "owner@vedette.test", "--data", join(installed.folder, "data")];
  await runCommand(["user", "create", "--password", "correct horse battery", ...owner]);
  const { stdout: key } = await runCommand(["key", "create", ...owner]);
  const server = await installed.start();
  const api = async (path: string, body?: object) => {
    const answer = await fetch(server.url + path, {
      method: body === undefined ? "GET" : "POST",
      headers: { authorization: `Bearer ${key.trim()}`, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return (await answer.json()) as { data: Record<string, unknown> };
  };
  const target = await startHttpTarget();
  onTestFinished(() => target.close());
  const { data: domain } = await api("/api/domains", { url: target.url });
  await eventually(
    () => api(`/api/domains/${String(domain["id"])}`),
    ({ data }) => data["status"] === "up",
  );
  const read = await api("/api/imports", { content: `${target.url}other\n` });
  expect(read.data).toMatchObject({ format: "urls" });
  await api("/api/status-pages", { name: "Shop", slug: "shop" });
  const page = await (await fetch(`${server.url}/status/shop`)).text();
  expect(page).toContain("<style>");
  const document = (await (await fetch(`${server.url}/openapi.json`)).json()) as { openapi: string };
  expect(document.openapi).toBe("3.1.0");
  await expectWell(server);
  expect(existsSync(installed.cache)).toBe(false);
}, 240_000);

it("runs the sources where they have changed since", async () => {
  const installed = installElsewhere();
  build(installed);
  utimesSync(join(installed.folder, "server", "src", "platform/clock.ts"), 0, 0);
  await expectWell(await installed.start());
  expect(existsSync(installed.cache)).toBe(true);
}, 240_000);

it("keeps the previous build, and of older ones any that a server is running", async () => {
  const installed = installElsewhere();
  const server = join(installed.folder, "server");
  const builds: string[] = [];
  const present = () => readdirSync(join(server, "dist"));
  const buildAnew = () => {
    utimesSync(join(server, "src", "platform/clock.ts"), 0, builds.length);
    build(installed);
    builds.push(...present().filter((name) => !builds.includes(name)));
  };
  for (let times = 0; times < 3; times++) buildAnew();
  expect(present().sort()).toEqual(builds.slice(1).sort());
  const running = await installed.start();
  for (let times = 0; times < 2; times++) buildAnew();
  expect(present().sort()).toEqual(builds.slice(2).sort());
  buildAnew();
  expect(present().sort()).toEqual([builds[2], ...builds.slice(4)].sort());
  await running.stop("SIGKILL");
  buildAnew();
  expect(present().sort()).toEqual(builds.slice(5).sort());
}, 180_000);

it("leaves nothing in a build that it has run", async () => {
  const installed = installElsewhere();
  build(installed);
  const dist = join(installed.folder, "server", "dist");
  const files = () => readdirSync(dist, { recursive: true });
  const before = files();
  const { status } = spawnSync(process.execPath, [installed.main, "--version"]);
  await (await installed.start()).stop("SIGKILL");
  expect([status, files()]).toEqual([0, before]);
}, 240_000);
