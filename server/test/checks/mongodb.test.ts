import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { checkMongodb } from "../../src/checks/mongodb.ts";
import { startLineTarget } from "../harness/line-target.ts";
import { readable } from "../harness/reasons.ts";
import { closing, makeNetwork } from "./factories.ts";
import { framed, startMongodbTarget } from "./mongodb-target.ts";

type Config = Parameters<typeof checkMongodb.run>[0];

const run = async (config: Omit<Config, "host">) =>
  readable(
    await checkMongodb.run(
      { host: "localhost", ...config },
      { network: await makeNetwork(), timeoutMs: 5000 },
    ),
  );

const up = { verdict: "ok", reason: null, address: "127.0.0.1" };
const login = { user: "watch", password: "open-sesame" };
const account = { ...login, mechanism: "SCRAM-SHA-256" as const };

describe("a check of a MongoDB server", () => {
  test("passes when it answers, over TLS too", async () => {
    const clear = await startMongodbTarget();
    expect(await run({ port: clear.port })).toMatchObject({ ...up, certificate: null });
    const secured = await startMongodbTarget({ certificate: "valid" });
    expect(await run({ port: secured.port, tls: true })).toMatchObject({
      ...up,
      certificate: { valid: true },
    });
    const expired = await startMongodbTarget({ certificate: "expired" });
    expect(await run({ port: expired.port, tls: true })).toMatchObject({ reasonCode: "certificate" });
  });

  test("logs in by either mechanism, and never sends the password", async () => {
    const hashed = createHash("md5").update("watch:mongo:open-sesame").digest("hex");
    for (const one of [account, { user: "watch", password: hashed, mechanism: "SCRAM-SHA-1" as const }]) {
      const { port, commands, received } = await startMongodbTarget({ account: one });
      expect(await run({ port, ...login, authDatabase: "shop" })).toMatchObject(up);
      expect(commands[0]).toMatchObject({ hello: 1, saslSupportedMechs: "shop.watch", $db: "admin" });
      expect(commands[1]).toMatchObject({ mechanism: one.mechanism, $db: "shop" });
      expect(received.join()).not.toContain("open-sesame");
    }
  });

  test("reports a refused login in the server's words", async () => {
    const { port } = await startMongodbTarget({ account });
    const where = `localhost (127.0.0.1:${port})`;
    expect((await run({ port, user: "watch", password: "guessed" })).reason).toBe(
      `${where} refused the login: "Authentication failed.".`,
    );
    expect((await run({ port })).reason).toBe(
      `${where} refused the login: "command ping requires authentication".`,
    );
  });

  test("trusts no server that cannot prove that it knows the password", async () => {
    for (const proof of [() => Buffer.alloc(32).toString("base64"), () => ""]) {
      const { port } = await startMongodbTarget({ account, proof });
      expect((await run({ port, ...login })).reason).toContain("does not keep to the protocol");
    }
  });

  test("lets no server keep it busy", async () => {
    const { port } = await startMongodbTarget({ account, iterations: 1_000_000 });
    expect((await run({ port, ...login })).reason).toContain("requires more than 100000 SCRAM iterations");
  });

  test("queries its role in the replica set", async () => {
    const primary = await startMongodbTarget();
    expect(await run({ port: primary.port, role: "primary" })).toMatchObject(up);
    expect((await run({ port: primary.port, role: "secondary" })).reason).toBe(
      `localhost (127.0.0.1:${primary.port}) says that it is primary in its replica set, not secondary.`,
    );
    const secondary = await startMongodbTarget({ hello: { isWritablePrimary: false, secondary: true } });
    expect(await run({ port: secondary.port, role: "secondary" })).toMatchObject(up);
    const starting = await startMongodbTarget({ hello: { isWritablePrimary: false } });
    expect((await run({ port: starting.port, role: "primary" })).reason).toContain("is other in");
  });

  test("knows servers that know only the old name of the greeting", async () => {
    const unknown = { ok: 0, errmsg: "no such command: 'hello'", code: 59, codeName: "CommandNotFound" };
    const isMaster = { ismaster: true, isWritablePrimary: undefined, saslSupportedMechs: undefined };
    const old = { ...login, mechanism: "SCRAM-SHA-1" as const };
    const password = createHash("md5").update("watch:mongo:open-sesame").digest("hex");
    const { port, commands } = await startMongodbTarget({
      account: { ...old, password },
      hello: unknown,
      isMaster,
    });
    expect(await run({ port, ...login, role: "primary" })).toMatchObject(up);
    expect(commands[1]).toMatchObject({ isMaster: 1, $db: "admin" });
  });

  test("gives back no conversation that is more than a number", async () => {
    const { port, commands } = await startMongodbTarget({ account, conversationId: { deep: {} } });
    expect((await run({ port, ...login })).reason).toContain("does not keep to the protocol");
    expect(commands).toHaveLength(2);
  });

  test("reports an error without its secrets", async () => {
    const { port } = await startMongodbTarget({
      account,
      ping: { ok: 0, errmsg: "no such thing: open-sesame", codeName: "InternalError" },
    });
    expect((await run({ port, ...login })).reason).toContain('with an error: "no such thing: ********"');
  });
});

const answering = async (answer: Buffer) =>
  closing(await startLineTarget((socket) => void socket.on("data", () => socket.write(answer))));

test.each([
  ["a reply to another request", framed({ ok: 1 }, 9)],
  ["a document cut short", framed({ ok: 1 }).fill(0x7f, 25)],
  ["a reply without an outcome", framed({ hello: "you" })],
  ["another message", Buffer.concat([Buffer.from([36, 0, 0, 0]), Buffer.alloc(40)])],
])("%s is no answer", async (_title, answer) => {
  const { port } = await answering(answer);
  expect((await run({ port })).reason).toContain("does not keep to the protocol");
});

test("a length is trusted only so far", async () => {
  const answer = framed({ ok: 1 });
  answer.writeInt32LE(2_000_000_000, 0);
  const { port } = await answering(answer);
  expect((await run({ port })).reason).toContain("sent more than 64 KiB");
});
