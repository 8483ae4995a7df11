import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import fastify, { type FastifyInstance } from "fastify";
import { afterEach, describe, expect, test } from "vitest";
import { API_PREFIXES, registerWeb } from "../../../src/app/http/web.ts";

const html = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
const folders: string[] = [];
const apps: FastifyInstance[] = [];

afterEach(async () => {
  for (const app of apps.splice(0)) await app.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function distFolder(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), "vedette-web-"));
  folders.push(folder);
  mkdirSync(join(folder, "assets"));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content, "latin1");
  return folder;
}

async function serve(folder: string): Promise<FastifyInstance> {
  const app = fastify();
  apps.push(app);
  app.setNotFoundHandler((_request, reply) => {
    reply.status(404).send({ success: false, message: "Resource not found." });
  });
  app.get("/api/health", () => ({ status: "ok" }));
  await registerWeb(app, { distFolder: folder });
  await app.ready();
  return app;
}

const builtApp = () =>
  serve(
    distFolder({
      "index.html": "<!doctype html><title>Vedette</title>",
      "theme.js": "// theme",
      "assets/index-Bm6rOnJA.js": "// app",
    }),
  );

describe("the built app", () => {
  test("answers the icon that browsers request by themselves with one that they all can show", async () => {
    const icon = readFileSync(new URL("../../../../web/public/favicon.ico", import.meta.url));
    const app = await serve(distFolder({ "index.html": "", "favicon.ico": icon.toString("latin1") }));
    const response = await app.inject({ url: "/favicon.ico", headers: { accept: "image/*" } });
    expect([response.statusCode, response.headers["content-type"]]).toEqual([
      200,
      "image/vnd.microsoft.icon",
    ]);
    expect(response.rawPayload.equals(icon)).toBe(true);
    // An icon (1) with three pictures, each a PNG.
    expect([icon.readUInt16LE(0), icon.readUInt16LE(2), icon.readUInt16LE(4)]).toEqual([0, 1, 3]);
    for (let at = 0; at < 3; at++) {
      const start = icon.readUInt32LE(6 + 16 * at + 12);
      expect(icon.toString("latin1", start + 1, start + 4)).toBe("PNG");
    }
  });

  test("answers the start page, to be requested anew each time", async () => {
    const app = await builtApp();
    const response = await app.inject({ url: "/", headers: html });
    expect(response.statusCode).toBe(200);
    expect(response.headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(response.headers["cache-control"]).toBe("no-cache");
    expect(response.headers.etag).toBeDefined();
  });

  test("gives the same page for an address inside the app, so that a reload works", async () => {
    const app = await builtApp();
    const response = await app.inject({ url: "/domains?show=down", headers: html });
    expect(response.statusCode).toBe(200);
    expect(response.body).toContain("<title>Vedette</title>");
  });

  test("lets files with a hash in their name be cached for a year", async () => {
    const app = await builtApp();
    const response = await app.inject({ url: "/assets/index-Bm6rOnJA.js" });
    expect(response.statusCode).toBe(200);
    expect(response.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
  });

  test("has files without a hash requested anew", async () => {
    const app = await builtApp();
    const response = await app.inject({ url: "/theme.js" });
    expect(response.headers["cache-control"]).toBe("no-cache");
  });

  test.each(["/api/nothing", "/v2/nothing", "/api-keys/9", "/docs/nothing", "/mcp", "/check-domain"])(
    "leaves %s to the API even when a browser navigates there",
    async (url) => {
      const app = await builtApp();
      const response = await app.inject({ url, headers: html });
      expect(response.statusCode).toBe(404);
      expect(response.json()).toEqual({ success: false, message: "Resource not found." });
    },
  );

  test("sends the compressed form that the build left beside a file, to clients that take it", async () => {
    const script = "// app".repeat(1_000);
    const app = await serve(
      distFolder({
        "index.html": "<!doctype html><title>Vedette</title>",
        "assets/index-Bm6rOnJA.js": script,
        "assets/index-Bm6rOnJA.js.br": brotliCompressSync(script).toString("latin1"),
        "assets/index-Bm6rOnJA.js.gz": gzipSync(script).toString("latin1"),
      }),
    );
    const url = "/assets/index-Bm6rOnJA.js";
    const get = (encoding: string) => app.inject({ url, headers: { "accept-encoding": encoding } });
    const [br, gzip, plain] = [await get("gzip, br"), await get("gzip"), await get("identity")];
    expect([br, gzip, plain].map(({ headers }) => headers["content-encoding"])).toEqual([
      "br",
      "gzip",
      undefined,
    ]);
    expect(brotliDecompressSync(br.rawPayload).toString()).toBe(script);
    expect(gunzipSync(gzip.rawPayload).toString()).toBe(script);
    expect(plain.body).toBe(script);
    for (const { headers } of [br, gzip, plain]) {
      expect(headers["content-type"]).toMatch(/^(?:text|application)\/javascript; charset=utf-8$/);
      expect(headers["cache-control"]).toBe("public, max-age=31536000, immutable");
      expect(headers.vary).toBe("accept-encoding");
    }
  });

  test("does not shadow a route of the API", async () => {
    const app = await builtApp();
    expect((await app.inject("/api/health")).json()).toEqual({ status: "ok" });
  });

  test("answers a missing script with 404, not with the page", async () => {
    const app = await builtApp();
    const response = await app.inject({ url: "/assets/index-gone.js", headers: html });
    expect(response.statusCode).toBe(404);
  });

  test("answers 404 to a client that wants no page", async () => {
    const app = await builtApp();
    const response = await app.inject({ url: "/domains", headers: { accept: "application/json" } });
    expect(response.statusCode).toBe(404);
  });

  test("gives nothing from outside its folder", async () => {
    const app = await builtApp();
    const response = await app.inject({ url: "/assets/..%2f..%2f..%2fetc%2fpasswd" });
    expect(response.statusCode).toBe(404);
  });
});

test("without a build, the page says how to make one", async () => {
  const app = await serve(distFolder({}));
  const response = await app.inject({ url: "/", headers: html });
  expect(response.statusCode).toBe(503);
  expect(response.headers["cache-control"]).toBe("no-store");
  expect(response.body).toContain("npm run build -w web");
});

test("the browser's worker leaves the API's own addresses to the server, and no others", () => {
  const worker = readFileSync(join(import.meta.dirname, "../../../../web/public/offline.js"), "utf8");
  const listed = /const noPage =\s+\/\^\\\/\(([^)]*)\)/.exec(worker)?.[1] ?? "";
  const prefixes = listed.split("|").map((name) => `/${name.replaceAll("\\", "")}`);
  expect(prefixes.toSorted()).toEqual(API_PREFIXES.toSorted());
});
