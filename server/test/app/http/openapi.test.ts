import { readFileSync } from "node:fs";
import fastJson from "fast-json-stringify";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { nameComponents } from "../../../src/app/http/openapi.ts";
import { buildOpenApi } from "../../../src/app/http/openapi-process.ts";
import { buildInProcess, OPENAPI_FILE } from "../../../src/app/http/openapi-text.ts";
import { startTestServer, type TestServer } from "../../harness/server.ts";

// biome-ignore lint/suspicious/noExplicitAny: the document is any JSON
let document: any;
let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ engine: "sqlite", alone: true });
  document = (await server.api("GET", "/openapi.json", undefined, { key: null })).body;
});
afterAll(() => server.close());

interface Operation {
  operationId: string;
  summary: string;
  security: object[];
  responses: Record<string, { $ref?: string; content?: Record<string, { schema: object }> }>;
}

const operations = (): [string, Operation][] =>
  Object.entries(document.paths as Record<string, Record<string, Operation>>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, Operation] => [
      `${method.toUpperCase()} ${path}`,
      operation,
    ]),
  );

describe("the OpenAPI document", () => {
  test("is version 3.1 of interface 1.0.0, with both ways to say who one is", () => {
    expect([document.openapi, document.info.version]).toEqual(["3.1.0", "1.0.0"]);
    expect(document.components.securitySchemes.bearer).toMatchObject({ type: "http", scheme: "bearer" });
    expect(document.components.securitySchemes.cookie).toMatchObject({
      in: "cookie",
      name: "vedette_session",
    });
  });

  test("describes every route once, aliases left out", () => {
    const documented = operations().map(([name]) => name);
    const registered = server.app.routeList
      .filter((route) => !route.alias)
      .map((route) => `${route.method} ${route.url.replaceAll(/:(\w+)/g, "{$1}")}`);
    expect(documented.sort()).toEqual(registered.sort());
    const ids = operations().map(([, operation]) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("has only schemas that answers can be written by: nothing makes their writers before the first answer", () => {
    interface Registered {
      response: Record<string, { content: Record<string, { schema: object }> }>;
    }
    // Failures are alike nearly everywhere.
    const seen = new Set<string>();
    for (const { method, url, schema } of server.app.routeList) {
      const answers = Object.values((schema as Registered).response);
      for (const answer of answers.flatMap(({ content }) => Object.values(content))) {
        if (seen.size === seen.add(JSON.stringify(answer.schema)).size) continue;
        expect(() => fastJson(answer.schema), `${method} ${url}`).not.toThrow();
      }
    }
  });

  test("documents that every guarded route answers 401, 403, 429, 500 and 503", () => {
    for (const [name, { responses, security }] of operations()) {
      expect(responses, name).toMatchObject({ 500: {} });
      if (security.length === 0) continue;
      for (const code of ["401", "403", "429", "503"]) expect(Object.keys(responses), name).toContain(code);
    }
  });

  test("refers only to components that are there", () => {
    const refs = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g)];
    expect(refs.length).toBeGreaterThan(50);
    for (const [, kind, name] of refs)
      expect(document.components[kind as string]).toHaveProperty(name as string);
  });

  test("gives fields their units and formats, and named shapes to code generators", () => {
    const { schemas } = document.components;
    expect(schemas.Failure.properties).toHaveProperty("errors");
    expect(schemas.CreatedApiKey.properties.createdAt).toMatchObject({ format: "date-time" });
    expect(JSON.stringify(document)).toMatch(/[Mm]illiseconds/);
    expect(JSON.stringify(document)).toContain('"examples"');
  });

  test("is the same each time: what the routes say, from its file or built anew in a process", async () => {
    const built = `${JSON.stringify(await buildOpenApi(), null, 1)}\n`;
    expect(`${JSON.stringify(document, null, 1)}\n`).toBe(built);
    expect(readFileSync(OPENAPI_FILE, "utf8")).toBe(built);
    await expect(buildInProcess()).resolves.toEqual(JSON.parse(built));
  });

  test("is read and compressed once, however many requests come at the same moment", async () => {
    const made = vi.spyOn(server.app, "swagger");
    onTestFinished(() => made.mockRestore());
    const get = (path: string, headers = {}) => fetch(`${server.url}${path}`, { headers });
    const all = Array.from({ length: 20 }, () => get("/openapi.json", { "accept-encoding": "br" }));
    const answers = await Promise.all(all);
    const etag = answers[0]?.headers.get("etag") ?? "";
    expect(await answers[19]?.json()).toEqual(document);
    expect((await get("/openapi.json", { "if-none-match": etag })).status).toBe(304);
    for (const path of ["/docs/json", "/docs/yaml"])
      expect((await get(path)).url).toBe(`${server.url}/openapi.json`);
    const bundle = await get("/docs/static/swagger-ui-bundle.js", { "accept-encoding": "gzip" });
    expect([bundle.status, bundle.headers.get("content-encoding")]).toEqual([200, "gzip"]);
    // Known beforehand: it is not compressed while it is sent.
    expect(Number(bundle.headers.get("content-length"))).toBeGreaterThan(100_000);
    expect((await bundle.text()).length).toBeGreaterThan(500_000);
    expect(made).not.toHaveBeenCalled();
  });

  test("refuses two different shapes under one name", () => {
    const field = (type: string) => ({ schema: { title: "Thing", type } });
    expect(() => nameComponents({ paths: {}, a: field("string"), b: field("integer") })).toThrow(
      "Two different schemas are titled Thing",
    );
  });
});

describe("/docs", () => {
  test("shows the document with files of our own only, under a policy that lets them run", async () => {
    const page = await server.api("GET", "/docs/static/index.html", undefined, { key: null });
    const start = page.status === 200 ? page : await server.api("GET", "/docs", undefined, { key: null });
    expect(start.status).toBe(200);
    const sources = [...String(start.body).matchAll(/(?:src|href)="([^"]+)"/g)].map(
      ([, source]) => source as string,
    );
    expect(sources.length).toBeGreaterThan(2);
    const base = `${server.url}/docs/`;
    for (const source of sources) {
      const url = new URL(source, base);
      expect(url.origin).toBe(server.url);
      const file = await fetch(url);
      await file.arrayBuffer();
      expect([source, file.status]).toEqual([source, 200]);
    }
    expect(String(start.body)).not.toMatch(/<script(?![^>]*src=)[^>]*>[^<]/);
  });
});
