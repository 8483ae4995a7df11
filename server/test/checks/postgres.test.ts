import { once } from "node:events";
import net from "node:net";
import tls from "node:tls";
import fc from "fast-check";
import { describe, expect, inject, onTestFinished, test, vi } from "vitest";
import { checkPostgres } from "../../src/checks/postgres.ts";
import { type CertificateFlavour, testCa } from "../harness/certificates.ts";
import { startLineTarget } from "../harness/line-target.ts";
import { connectTo, PASSWORD_ROLE } from "../harness/postgres.ts";
import { readable } from "../harness/reasons.ts";
import { createTestDatabase } from "../harness/stores.ts";
import { closing, makeNetwork } from "./factories.ts";

type Config = Parameters<typeof checkPostgres.run>[0];

const run = async (config: Partial<Config>, timeoutMs = 5000) =>
  readable(
    await checkPostgres.run(
      { host: "127.0.0.1", user: "postgres", database: "postgres", tls: false, ...config },
      { network: await makeNetwork(), timeoutMs },
    ),
  );

/** A database of the test's own on a real server. */
async function startDatabase() {
  const { location, remove } = await createTestDatabase("postgres", { empty: true });
  onTestFinished(remove);
  const { url } = location as { url: string };
  const { hostname, port, pathname } = new URL(url);
  return { url, config: { host: hostname, port: Number(port), database: pathname.slice(1) } };
}

/** A proxy before a server that offers TLS, as PostgreSQL does. */
async function startTlsFront(port: number, flavour: CertificateFlavour): Promise<number> {
  const credentials = await (await testCa()).issue(flavour, ["localhost"]);
  const open = new Set<net.Socket>();
  const server = net.createServer(async (socket) => {
    open.add(socket.on("error", () => {}));
    await once(socket, "data");
    socket.write("S");
    const clear = new tls.TLSSocket(socket, { isServer: true, ...credentials });
    const behind = net.connect(port, "127.0.0.1");
    clear.on("error", () => behind.destroy()).pipe(behind.on("error", () => {}));
    behind.pipe(clear);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  return (server.address() as net.AddressInfo).port;
}

const access = inject("postgres");

describe.skipIf("missing" in access)("a check of a real PostgreSQL server", () => {
  test("passes when it can log in", async () => {
    const { config } = await startDatabase();
    const outcome = await run(config);
    expect(outcome).toMatchObject({ verdict: "ok", reason: null, address: "127.0.0.1", certificate: null });
    const { connectUs, firstByteUs, totalUs } = outcome.phases;
    for (const us of [connectUs, firstByteUs, totalUs]) expect(us).toBeGreaterThanOrEqual(0);
  });

  test("compares the first column of the first row as text", async () => {
    const { config } = await startDatabase();
    const check = (query: string, expected?: string) => run({ ...config, query, expect: expected });
    expect(await check("SELECT pg_is_in_recovery()", "f")).toMatchObject({ verdict: "ok" });
    expect(await check("SELECT n * 7, 'other' FROM generate_series(6, 1000000) n", "42")).toMatchObject({
      verdict: "ok",
    });
    const where = `127.0.0.1:${config.port}`;
    for (const [query, found] of [
      ["SELECT 41", '"41"'],
      ["SELECT NULL", "NULL"],
      ["SELECT 1 WHERE false", "no row"],
    ] as const) {
      expect(await check(query, "42")).toMatchObject({
        reasonCode: "assertion",
        reason: `The query on ${where} returned ${found} instead of the expected "42".`,
      });
    }
    expect(await check("SELECT 1 WHERE false")).toMatchObject({ verdict: "ok" });
  });

  test("is sent in parts without waiting for the server to acknowledge each", async () => {
    const { config } = await startDatabase();
    const connected = vi.spyOn(net, "connect");
    onTestFinished(() => connected.mockRestore());
    expect(await run({ ...config, query: "SELECT 1" })).toMatchObject({ verdict: "ok" });
    expect(connected).toHaveBeenCalledWith(expect.objectContaining({ port: config.port, noDelay: true }));
  });

  test("changes nothing, runs one statement only, and no longer than its timeout", async () => {
    const { url, config } = await startDatabase();
    const client = await connectTo(url);
    await client.query("create table precious (n integer); create sequence counted");
    for (const query of [
      "SELECT 1; DROP TABLE precious",
      "DROP TABLE precious",
      "SELECT nextval('counted')",
      "WITH gone AS (INSERT INTO precious VALUES (1) RETURNING n) SELECT n FROM gone",
      "SELECT 1 /* ",
    ]) {
      expect(await run({ ...config, query })).toMatchObject({ verdict: "failed", reasonCode: "status" });
    }
    expect(await run({ ...config, query: "SELECT pg_sleep(60)" }, 300)).toMatchObject({ verdict: "failed" });
    const left = () =>
      client.query(
        "select 1 from pg_stat_activity where query like '%pg_sleep(60)%' and pid <> pg_backend_pid()",
      );
    await expect.poll(async () => (await left()).rowCount, { timeout: 5000 }).toBe(0);
    expect((await client.query("select * from precious")).rowCount).toBe(0);
    await client.end();
  });

  test("reads no more than a bounded answer", async () => {
    const { config } = await startDatabase();
    const outcome = await run({ ...config, query: "SELECT repeat('x', 10000000)" });
    expect(outcome).toMatchObject({ reasonCode: "protocol" });
    expect(outcome.reason).toMatch(/^127\.0\.0\.1:\d+ sent more than 256 KiB\.$/);
  });

  test("says that a login was refused in the server's words, never with the password", async () => {
    const { url, config } = await startDatabase();
    const client = await connectTo(url);
    onTestFinished(() => client.end());
    await client.query(`drop role if exists ${PASSWORD_ROLE}`);
    await client.query(`create role ${PASSWORD_ROLE} login password 's3cret-wörd'`);
    const login = { ...config, user: PASSWORD_ROLE };
    expect(await run({ ...login, password: "s3cret-wörd" })).toMatchObject({ verdict: "ok" });
    expect((await run(login)).reason).toBe(`127.0.0.1:${config.port} requires a password, and none is set.`);
    for (const password of ["wrong", "s3cret-w"]) {
      expect(await run({ ...login, password })).toMatchObject({
        verdict: "failed",
        reasonCode: "status",
        reason: `127.0.0.1:${config.port} refused the login: "password authentication failed for user "${PASSWORD_ROLE}"".`,
      });
    }
    expect(await run({ ...config, database: "none-such", password: "none-such" })).toMatchObject({
      reason: `127.0.0.1:${config.port} refused the login: "database "********" does not exist".`,
    });
    await client.query(`drop role ${PASSWORD_ROLE}`);
  });

  test("requests TLS first, and logs in only where the certificate is good or may be ignored", async () => {
    const { config } = await startDatabase();
    const secured = { ...config, host: "localhost", tls: true };
    const valid = await startTlsFront(config.port, "valid");
    const outcome = await run({ ...secured, port: valid });
    expect(outcome).toMatchObject({ verdict: "ok", certificate: { valid: true } });
    expect(outcome.phases.tlsUs).toBeGreaterThan(0);
    const port = await startTlsFront(config.port, "expired");
    expect(await run({ ...secured, port })).toMatchObject({ reasonCode: "certificate" });
    expect(await run({ ...secured, port, ignoreCertificate: true })).toMatchObject({ verdict: "ok" });
    expect(await run({ ...config, tls: true })).toMatchObject({
      reasonCode: "protocol",
      reason: `127.0.0.1:${config.port} offers no TLS.`,
    });
  });
});

describe("a check of what is no PostgreSQL server", () => {
  const answering = async (answer: Uint8Array) =>
    closing(await startLineTarget((socket) => void socket.once("data", () => socket.end(answer))));

  test("quotes the beginning of what came instead of an answer about TLS", async () => {
    const { port } = await answering(Buffer.from("HTTP/1.1 400 Bad Request\r\n"));
    expect((await run({ port, tls: true })).reason).toBe(
      `127.0.0.1:${port} does not speak PostgreSQL, its answer begins "HTTP/1.1 400 Bad Request".`,
    );
  });

  test("trusts nothing that came unencrypted behind the answer about TLS", async () => {
    const { port } = await answering(Buffer.from("SR\0\0\0\u0008\0\0\0\0"));
    expect(await run({ port, tls: true })).toMatchObject({ verdict: "failed", reasonCode: "protocol" });
  });

  test("does not look for the end of an error that has none", async () => {
    for (const type of ["E", "N"]) {
      const { port } = await answering(
        Buffer.concat([Buffer.from(type), lengthOf({ length: 2 }), Buffer.from("Mx")]),
      );
      expect(await run({ port })).toMatchObject({
        reasonCode: "protocol",
        reason: `127.0.0.1:${port} does not keep to the protocol.`,
      });
    }
  });

  test("fails in order whatever bytes come, before the login and after it", async () => {
    const loggedIn = Buffer.from("R\0\0\0\u0008\0\0\0\0Z\0\0\0\u0005I");
    const messages = fc.array(
      fc.tuple(fc.constantFrom(..."RSKZTDCEN123ntGHWdcsI"), fc.uint8Array({ maxLength: 40 })),
      { minLength: 1, maxLength: 8 },
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(Buffer.alloc(0), loggedIn), messages, async (before, parts) => {
        const bytes = parts.flatMap(([type, body]) => [Buffer.from(type), lengthOf(body), body]);
        const { port } = await answering(Buffer.concat([before, ...bytes]));
        expect(await run({ port, query: "SELECT 1" }, 1000)).toMatchObject({ verdict: "failed" });
      }),
      { numRuns: 150 },
    );
  });
});

function lengthOf({ length }: { length: number }): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(length + 4);
  return bytes;
}
