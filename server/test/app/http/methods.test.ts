import { expect, onTestFinished, test } from "vitest";
import { startTestServer } from "../../harness/server.ts";

async function start() {
  const server = await startTestServer({ engine: "sqlite" });
  onTestFinished(server.close);
  return server;
}

test.each(["/", "/docs", "/openapi.json", "/metrics"])("%s says which methods it takes", async (path) => {
  const server = await start();
  for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
    const { status, headers, body } = await server.api(method, path);
    expect([method, status, headers.get("allow")]).toEqual([method, 405, "GET, HEAD"]);
    expect(body).toEqual({
      success: false,
      message: "Method not allowed. This address answers to GET, HEAD.",
      fact: { code: "request.methods", params: { methods: "GET, HEAD" } },
    });
  }
});

test("HEAD is what GET is, without the body", async () => {
  const server = await start();
  for (const path of ["/", "/api/health", "/api/domains", "/openapi.json"]) {
    const { status, body } = await server.api("HEAD", path);
    expect([path, status, body]).toEqual([path, 200, ""]);
  }
});

test.each(["/api/events", "/v2/events", "/api/v2/events"])(
  "HEAD of the stream %s is refused, since it would hold one open for no reader",
  async (path) => {
    const server = await start();
    const answer = await server.api("HEAD", path, undefined, { signal: AbortSignal.timeout(5_000) });
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET"]);
  },
);
