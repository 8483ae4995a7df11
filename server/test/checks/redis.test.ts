import net from "node:net";
import { describe, expect, test } from "vitest";
import { checkRedis } from "../../src/checks/redis.ts";
import { type CertificateFlavour, testCa } from "../harness/certificates.ts";
import { missingServers, startDaemon } from "../harness/daemons.ts";
import { startLineTarget } from "../harness/line-target.ts";
import { readable } from "../harness/reasons.ts";
import { closing, makeNetwork } from "./factories.ts";

type Config = Parameters<typeof checkRedis.run>[0];

const run = async (config: Omit<Config, "host">, timeoutMs = 5000) =>
  readable(
    await checkRedis.run({ host: "localhost", ...config }, { network: await makeNetwork(), timeoutMs }),
  );

async function startRedis(lines: readonly string[] = [], flavour: CertificateFlavour = "valid") {
  const { cert, key } = await (await testCa()).issue(flavour, ["localhost"]);
  const { ports } = await startDaemon({
    program: "redis-server",
    ports: 2,
    files: ({ ports: [clear, secured] }) => ({
      "cert.pem": cert,
      "key.pem": key,
      "redis.conf": [
        `port ${clear}`,
        `tls-port ${secured}`,
        "bind 127.0.0.1",
        'save ""',
        "tls-cert-file cert.pem",
        "tls-key-file key.pem",
        "tls-ca-cert-file cert.pem",
        "tls-auth-clients no",
        ...lines,
        "",
      ].join("\n"),
    }),
    args: () => ["redis.conf"],
  });
  const [clear = 0, secured = 0] = ports;
  return { clear, secured };
}

test("takes no other protocol's plus for an answer to PING, or for a key's value", async () => {
  const { port } = await answering("+OK POP3 ready\r\n");
  expect((await run({ port })).reason).toContain("does not speak Redis");
  expect((await run({ port, key: "ready" })).reason).toContain("does not speak Redis");
});

/** A server that answers every command with this. */
const answering = async (answer: string) =>
  closing(
    await startLineTarget((socket) => {
      socket.on("data", () => socket.write(answer));
    }),
  );

const missing = missingServers("redis-server");
const up = { verdict: "ok", reason: null };

describe.skipIf(missing)(`a check of a real Redis server (${missing ?? "redis-server"})`, () => {
  test("passes when it answers PING, over TLS too", async () => {
    const { clear, secured } = await startRedis();
    expect(await run({ port: clear })).toMatchObject({ ...up, certificate: null });
    expect(await run({ port: secured, tls: true })).toMatchObject({ ...up, certificate: { valid: true } });
  });

  test("logs in, and reports a refusal in the server's words", async () => {
    const { clear: port } = await startRedis(["requirepass open-sesame", "user watch on >let-me-in +ping"]);
    expect(await run({ port, password: "open-sesame" })).toMatchObject(up);
    expect(await run({ port, user: "watch", password: "let-me-in" })).toMatchObject(up);
    expect((await run({ port })).reason).toContain('refused the login: "NOAUTH Authentication required."');
    expect((await run({ port, password: "guessed" })).reason).toContain('refused the login: "WRONGPASS');
    const barred = await run({ port, user: "watch", password: "let-me-in", key: "ready" });
    expect(barred.reason).toContain("NOPERM");
  });

  test("reads a key and compares its value", async () => {
    const { clear: port } = await startRedis();
    const where = `localhost (127.0.0.1:${port})`;
    expect((await run({ port, key: "ready" })).reason).toBe(`${where} has nothing under that key.`);
    await send(port, "SET ready yes\r\n");
    await send(port, "LPUSH list a\r\n");
    expect(await run({ port, key: "ready" })).toMatchObject(up);
    expect(await run({ port, key: "ready", expect: "yes" })).toMatchObject(up);
    expect((await run({ port, key: "ready", expect: "no" })).reason).toBe(
      `${where} has "yes" under that key, not the expected "no".`,
    );
    expect((await run({ port, key: "list" })).reason).toContain('answered with an error: "WRONGTYPE');
  });

  test("an expired certificate means down, unless ignored", async () => {
    const { secured: port } = await startRedis([], "expired");
    expect(await run({ port, tls: true })).toMatchObject({ reasonCode: "certificate" });
    expect(await run({ port, tls: true, ignoreCertificate: true })).toMatchObject(up);
  });
});

/** One inline command, and its answer awaited. */
async function send(port: number, command: string): Promise<void> {
  const socket = net.connect(port, "127.0.0.1", () => socket.write(command));
  await new Promise((resolve) => socket.once("data", resolve));
  socket.destroy();
}

test("a value may hold line breaks, and its length is trusted only so far", async () => {
  const broken = await answering("$4\r\na\r\nb\r\n");
  expect(await run({ port: broken.port, key: "k", expect: "a\r\nb" })).toMatchObject(up);
  const huge = await answering("$999999999\r\n");
  expect((await run({ port: huge.port, key: "k" })).reason).toContain("sent more than 64 KiB");
});

test.each([":1\r\n", "*1\r\n$1\r\na\r\n", "$x\r\n", "HTTP/1.1 400 Bad Request\r\n"])(
  "an answer %j is none",
  async (answer) => {
    const { port } = await answering(answer);
    expect((await run({ port })).reason).toContain("does not speak Redis");
  },
);

test("a password is not quoted, not even by a server that repeats it", async () => {
  const { port } = await answering("-ERR no such password: open-sesame\r\n");
  expect((await run({ port, password: "open-sesame" })).reason).toContain('password: ********"');
});
