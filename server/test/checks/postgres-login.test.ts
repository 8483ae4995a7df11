import type net from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { checkPostgres } from "../../src/checks/postgres.ts";
import { startLineTarget } from "../harness/line-target.ts";
import { readable } from "../harness/reasons.ts";
import { closing, makeNetwork } from "./factories.ts";

type Config = Parameters<typeof checkPostgres.run>[0];

const run = async (config: Partial<Config>) =>
  readable(
    await checkPostgres.run(
      { host: "127.0.0.1", user: "me", database: "here", tls: false, ...config },
      { network: await makeNetwork(), timeoutMs: 5000 },
    ),
  );

const listen = async (talk: (socket: net.Socket) => void) => closing(await startLineTarget(talk));

/** A step of a login; its rest is text. */
function step(code: number, rest = ""): Buffer {
  const bytes = Buffer.from(`R\0\0\0\0\0\0\0\0${rest}`);
  bytes.writeUInt32BE(bytes.length - 1, 1);
  bytes.writeUInt32BE(code, 5);
  return bytes;
}

const LOGGED_IN = Buffer.concat([step(0), Buffer.from("Z\0\0\0\u0005I")]);
const GOODBYE = "X\0\0\0\u0004";

test("sends the server nothing from this process's environment", async () => {
  onTestFinished(() => void vi.unstubAllEnvs());
  const names = ["OPTIONS", "REPLICATION", "CLIENT_ENCODING", "APPNAME", "HOST", "PORT", "USER", "DATABASE"];
  for (const name of [...names, "PASSWORD", "BINARY", "CONNECT_TIMEOUT"]) vi.stubEnv(`PG${name}`, "7");
  vi.stubEnv("PGSSLMODE", "require");
  vi.stubEnv("PGSSLNEGOTIATION", "direct");
  const { port, received } = await listen(
    (socket) => void socket.once("data", () => socket.write(LOGGED_IN)),
  );
  expect(await run({ port })).toMatchObject({ verdict: "ok" });
  const given = "user\0me\0database\0here\0application_name\0vedette\0client_encoding\0UTF8\0\0";
  expect(received[0]?.slice(8).replace(GOODBYE, "")).toBe(given);
});

test.each([
  [100_000, /p=/, /closed the connection/],
  [100_001, /,r=[^,]+$/, /requires more than 100000 SCRAM iterations/],
])("derives a key of %i iterations, if that is not too long to do", async (iterations, answer, reason) => {
  const { port, received } = await listen((socket) => {
    socket.once("data", () => socket.write(step(10, "SCRAM-SHA-256\0\0")));
    const proceed = () => {
      const [, nonce] = /,r=(.+)/s.exec(received[0] ?? "") ?? [];
      if (nonce === undefined) return;
      socket.off("data", proceed).once("data", () => socket.end());
      socket.write(step(11, `r=${nonce}1,s=c2FsdA==,i=${iterations}`));
    };
    socket.on("data", proceed);
  });
  expect((await run({ port, password: "secret" })).reason).toMatch(reason);
  expect(received[0]).toMatch(answer);
});

test.each([
  ["pw", "no such user pw", "no such user ********"],
  ["pw", "no such user p\u200bw", "no such user ********"],
  ["p\u200bw", "no such user pw", "no such user ********"],
  ["line\nbreak", "no such user line break", "no such user ********"],
  ["*", "no * and **", "no * and **"],
  ["a.*\\b", "no aab, but a.*\\b", "no aab, but ********"],
])("never quotes the password %j", async (password, said, shown) => {
  const error = Buffer.from(`E\0\0\0\0C28000\0M${said}\0\0`);
  error.writeUInt32BE(error.length - 1, 1);
  const { port } = await listen((socket) => void socket.once("data", () => socket.write(error)));
  expect((await run({ port, password })).reason).toBe(`127.0.0.1:${port} refused the login: "${shown}".`);
});
