import { once } from "node:events";
import tls from "node:tls";
import { afterEach, expect, test } from "vitest";
import { status } from "./behaviours.ts";
import { startHttpTarget, startTlsTarget, type Target } from "./targets.ts";

const open: Target[] = [];
afterEach(async () => {
  for (const target of open.splice(0)) await target.close();
});

test("an HTTP target changes its answer, refuses, and comes back on the same port", async () => {
  const target = await startHttpTarget();
  open.push(target);
  expect((await fetch(target.url)).status).toBe(200);
  target.set(status(503));
  expect((await fetch(`${target.url}x?y`)).status).toBe(503);
  expect(target.requests.map((request) => request.path)).toEqual(["/", "/x?y"]);
  await target.refuse();
  await expect(fetch(target.url)).rejects.toThrow();
  await target.listen();
  expect((await fetch(target.url)).status).toBe(503);
});

test("a TLS target's certificate is valid only for clients that trust the test's CA", async () => {
  const target = await startTlsTarget();
  open.push(target);
  const options = { port: target.port, host: "127.0.0.1", servername: "localhost" };
  const good = tls.connect({ ...options, ca: target.ca });
  good.write("GET / HTTP/1.1\r\n\r\n");
  const [answer] = await once(good, "data");
  expect(String(answer)).toMatch(/^HTTP\/1\.1 200 /);
  good.destroy();
  const [error] = await once(tls.connect(options), "error");
  expect(error.code).toBe("UNABLE_TO_GET_ISSUER_CERT_LOCALLY");
  expect(target.serverNames).toContain("localhost");
});
