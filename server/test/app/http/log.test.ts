import { PassThrough } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import { createLogger } from "../../../src/app/http/server.ts";
import { eventually } from "../../harness/eventually.ts";
import { startTestServer } from "../../harness/server.ts";
import { rawRequest, sendRaw } from "../../platform/http/raw-client.ts";

function logged(write: (log: ReturnType<typeof createLogger>) => void): string {
  const stream = new PassThrough();
  write(createLogger("info", stream));
  return String(stream.read() ?? "");
}

const TOKEN = `vdt_${"k".repeat(43)}`;

test("no token reaches the log, anywhere in a line", () => {
  const line = logged((log) =>
    log.error(
      { err: new Error(`refused Bearer ${TOKEN}`), url: `/x?key=${TOKEN}`, list: [`vda_${"a".repeat(43)}`] },
      `cookie vedette_session=${"s".repeat(43)}; and whsec_${"w".repeat(32)}`,
    ),
  );
  for (const secret of ["kkkk", "aaaa", "ssss", "wwww"]) expect(line).not.toContain(secret);
  expect(line).toContain("vdt_…");
});

test("no password reaches the log, and everything else does", () => {
  const line = logged((log) =>
    log.info({ password: "hush", body: { password: "hush", token: "hush", name: "Ada" } }, "noted"),
  );
  expect(line).not.toContain("hush");
  expect(JSON.parse(line)).toMatchObject({ msg: "noted", body: { name: "Ada" } });
});

test("a request that breaks off in its body is one line too, with the id that its client got", async () => {
  const lines: { msg: string }[] = [];
  const stream = new PassThrough().on("data", (line: Buffer) => lines.push(JSON.parse(String(line))));
  const server = await startTestServer({ engine: "sqlite", log: createLogger("info", stream) });
  onTestFinished(server.close);
  const head = rawRequest(
    "POST /api/auth/sign-in",
    "Content-Type: application/json",
    "Transfer-Encoding: chunked",
  );
  const { text } = await sendRaw(server.url, `${head}no size\r\n`);
  const reqId = /\r\nx-request-id: (\S+)/i.exec(text)?.[1];
  const requests = () => lines.filter(({ msg }) => msg === "request");
  expect(await eventually(requests, ({ length }) => length > 0)).toMatchObject([
    { reqId, route: "/api/auth/sign-in", status: 400 },
  ]);
});

test("a request is one line with its id and caller; a file of the API browser is none", async () => {
  const lines: { msg: string }[] = [];
  const stream = new PassThrough().on("data", (line: Buffer) => lines.push(JSON.parse(String(line))));
  const server = await startTestServer({ engine: "sqlite", log: createLogger("info", stream) });
  onTestFinished(server.close);
  await fetch(`${server.url}/docs/static/index.html`);
  const headers = { authorization: `Bearer ${server.key}`, "x-request-id": "mine" };
  await fetch(`${server.url}/api/domains?search=${TOKEN}`, { headers });
  const requests = () => lines.filter(({ msg }) => msg === "request");
  expect(await eventually(requests, ({ length }) => length > 0)).toEqual([
    {
      level: 30,
      time: expect.any(Number),
      pid: process.pid,
      hostname: expect.any(String),
      reqId: "mine",
      method: "GET",
      route: "/api/domains",
      status: 200,
      elapsedMs: expect.any(Number),
      address: "127.0.0.1",
      userId: expect.any(Number),
      organizationId: expect.any(Number),
      msg: "request",
    },
  ]);
});
