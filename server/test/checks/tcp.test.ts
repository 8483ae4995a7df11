import { expect, test } from "vitest";
import { checkTcp } from "../../src/checks/tcp.ts";
import { startLineTarget } from "../harness/line-target.ts";
import { readable } from "../harness/reasons.ts";
import { closing, makeNetwork } from "./factories.ts";

type Config = Parameters<typeof checkTcp.run>[0];

const run = async (config: Omit<Config, "host"> & { host?: string }, timeoutMs = 5000) =>
  readable(await checkTcp.run({ host: "127.0.0.1", ...config }, { network: await makeNetwork(), timeoutMs }));

const lines = async (...given: Parameters<typeof startLineTarget>) =>
  closing(await startLineTarget(...given));

test("being able to connect is enough where nothing is expected", async () => {
  const { port } = await lines(() => {});
  expect(await run({ port })).toMatchObject({ verdict: "ok", reason: null, address: "127.0.0.1" });
});

test("sends its text as it is and looks for the expected one anywhere in the answer", async () => {
  const target = await lines((socket) => {
    socket.on("data", () => socket.write("hello\r\n+PONG\r\n"));
  });
  const { port } = target;
  expect(await run({ port, send: "PING\r\n", expect: "PONG" })).toMatchObject({ verdict: "ok" });
  expect(target.received).toEqual(["PING\r\n"]);
  expect(await run({ port, send: "PING\r\n", expect: "QUIT" }, 200)).toMatchObject({
    verdict: "failed",
    reasonCode: "timeout",
  });
});

test("says what was expected and what came instead", async () => {
  const { port } = await lines((socket) => socket.end("554 no"));
  expect(await run({ port, expect: "220" })).toMatchObject({
    reasonCode: "assertion",
    reason: `127.0.0.1:${port} sent "554 no", but not the expected "220", and closed the connection.`,
  });
});

test("never quotes what it sent, not even a line of that", async () => {
  const { port } = await lines((socket) => {
    socket.once("data", (bytes) => socket.end(`554 no ${bytes}, nor s3cret\u200bone, nor two`));
  });
  expect((await run({ port, send: "s3cretone\r\nHELO\r\n\r\n", expect: "220" })).reason).toBe(
    `127.0.0.1:${port} sent "554 no ******** ******** , nor ********, nor two", but not the expected "220", and closed the connection.`,
  );
  const send = `AUTH ${"x".repeat(4000)}`;
  expect((await run({ port, send, expect: "220" })).reason).toContain('sent "554 no ********, nor');
});

test("over TLS refuses a bad certificate, unless that is to be ignored", async () => {
  const greet = (socket: NodeJS.WritableStream) => void socket.write("220 hello\r\n");
  const good = await lines(greet, { certificate: "valid" });
  const tls = { host: "localhost", tls: true, expect: "220" };
  expect(await run({ ...tls, port: good.port })).toMatchObject({
    verdict: "ok",
    certificate: { valid: true },
  });
  const { port } = await lines(greet, { certificate: "wrong-host" });
  expect(await run({ ...tls, port })).toMatchObject({ verdict: "failed", reasonCode: "certificate" });
  expect(await run({ ...tls, port, ignoreCertificate: true })).toMatchObject({
    verdict: "ok",
    certificate: { valid: false },
  });
});

test("connects over IPv6, with and without brackets", async () => {
  const { port } = await lines((socket) => void socket.write("220"), { host: "::1" });
  for (const host of ["::1", "[::1]"]) {
    expect(await run({ host, port, expect: "220" })).toMatchObject({ verdict: "ok", address: "::1" });
  }
});
