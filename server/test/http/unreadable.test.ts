import { connect } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { startTestServer } from "../harness/server.ts";

const ID = /^[\w-]{36}$/;

async function start(publicUrl: string | null = null) {
  const server = await startTestServer({ engine: "sqlite", config: { publicUrl } });
  onTestFinished(server.close);
  return server;
}

describe("a request that cannot be read", () => {
  test.each(["/api/domains/%zz", "/%E0%A4%A", "/api/domains/%ED%A0%80"])(
    "by its address %s is answered with 400 and a request id",
    async (path) => {
      const server = await start();
      for (const method of ["GET", "PUT"]) {
        const { status, body, headers } = await server.api(method, path);
        expect([status, body]).toEqual([
          400,
          { success: false, message: "The address of the request cannot be read." },
        ]);
        expect(headers.get("x-request-id")).toMatch(ID);
        expect(headers.get("x-content-type-options")).toBe("nosniff");
      }
    },
  );

  test("because it is no HTTP has a request id as well", async () => {
    const server = await start();
    const text = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(new URL(server.url).port), "127.0.0.1", () =>
        socket.write("FOO / HTTP/1.1\r\n\r\n"),
      );
      let got = "";
      socket
        .on("data", (chunk) => (got += chunk))
        .on("close", () => resolve(got))
        .on("error", reject);
    });
    expect(text).toMatch(/^HTTP\/1\.1 400 [^]*\r\nX-Request-Id: [\w-]{36}\r\n/);
    expect(text).toContain('{"success":false,"message":"The request could not be read."}');
  });
});

test("an id longer than any is unknown, whatever the method", async () => {
  const server = await start();
  for (const method of ["GET", "PUT", "DELETE"]) {
    const { status, body, headers } = await server.api(method, `/api/domains/${"x".repeat(3000)}`);
    expect([method, status, body]).toEqual([method, 404, { success: false, message: "Resource not found." }]);
    expect(headers.get("x-request-id")).toMatch(ID);
  }
});

test("browsers are told to insist on TLS for this host only, and only where it has TLS", async () => {
  const secure = await start("https://status.example.org");
  const { headers } = await secure.api("GET", "/api/health");
  expect(headers.get("strict-transport-security")).toBe("max-age=31536000");
  const plain = await start("http://status.example.org");
  expect((await plain.api("GET", "/api/health")).headers.get("strict-transport-security")).toBeNull();
});
