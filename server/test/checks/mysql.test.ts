import { spawnSync } from "node:child_process";
import { constants, generateKeyPairSync, privateDecrypt } from "node:crypto";
import { describe, expect, test } from "vitest";
import { checkMysql } from "../../src/checks/mysql.ts";
import { type CertificateFlavour, testCa } from "../harness/certificates.ts";
import { missingServers, startDaemon } from "../harness/daemons.ts";
import { eventually } from "../harness/eventually.ts";
import { startLineTarget } from "../harness/line-target.ts";
import { readable } from "../harness/reasons.ts";
import { closing, makeNetwork } from "./factories.ts";
import { greetingOfMysql } from "./mysql-greeting.ts";

type Config = Parameters<typeof checkMysql.run>[0];

const run = async (config: Partial<Config>, timeoutMs = 5000) =>
  readable(
    await checkMysql.run(
      { host: "localhost", user: "watch", password: "open-sesame", ...config },
      { network: await makeNetwork(), timeoutMs },
    ),
  );

const up = { verdict: "ok", reason: null };

const ACCOUNTS = `
CREATE DATABASE shop;
CREATE TABLE shop.orders (id INT, note TEXT);
INSERT INTO shop.orders VALUES (7, NULL);
CREATE USER 'watch'@'%' IDENTIFIED BY 'open-sesame';
GRANT ALL ON shop.* TO 'watch'@'%';
CREATE USER 'nobody'@'%';
`;

async function startMariadb(flavour: CertificateFlavour = "valid"): Promise<number> {
  const { cert, key } = await (await testCa()).issue(flavour, ["localhost"]);
  const { ports } = await startDaemon({
    program: "mariadbd",
    files: ({ folder }) => {
      const made = spawnSync(
        "mariadb-install-db",
        [
          "--no-defaults",
          `--datadir=${folder}/data`,
          "--auth-root-authentication-method=normal",
          "--skip-test-db",
        ],
        { encoding: "utf8" },
      );
      if (made.status !== 0) throw new Error(`${made.stdout}${made.stderr}`);
      return { "cert.pem": cert, "key.pem": key, "init.sql": ACCOUNTS };
    },
    args: ({ folder, ports: [port] }) => [
      "--no-defaults",
      `--datadir=${folder}/data`,
      "--user=root",
      "--bind-address=127.0.0.1",
      `--port=${port}`,
      `--socket=${folder}/socket`,
      `--ssl-cert=${folder}/cert.pem`,
      `--ssl-key=${folder}/key.pem`,
      `--init-file=${folder}/init.sql`,
      "--innodb-flush-log-at-trx-commit=0",
    ],
  });
  return ports[0] ?? 0;
}

const missing = missingServers("mariadbd", "mariadb-install-db");

describe.skipIf(missing)(`a check of a real MySQL server (${missing ?? "MariaDB"})`, () => {
  test("logs in, over TLS or without, and runs a query that changes nothing", async () => {
    const port = await startMariadb();
    const where = `localhost (127.0.0.1:${port})`;
    expect(await run({ port })).toMatchObject({ ...up, certificate: { valid: true } });
    expect(await run({ port, tls: false, database: "shop" })).toMatchObject({ ...up, certificate: null });
    expect(await run({ port, user: "nobody", password: "" })).toMatchObject(up);
    const refused = await run({ port, password: "guessed" });
    expect(refused.reason).toContain("refused the login: \"Access denied for user 'watch'");
    expect((await run({ port, database: "none" })).reason).toContain('refused the login: "');
    const query = "SELECT id, note FROM orders";
    const shop = { port, database: "shop" };
    expect(await run({ ...shop, query })).toMatchObject(up);
    expect(await run({ ...shop, query, expect: "7" })).toMatchObject(up);
    expect((await run({ ...shop, query, expect: "8" })).reason).toBe(
      `The query on ${where} returned "7" instead of the expected "8".`,
    );
    const empty = await run({ ...shop, query: `${query} WHERE id = 9`, expect: "7" });
    expect(empty).toMatchObject({ verdict: "failed", reasonCode: "assertion" });
    const nothing = await run({ ...shop, query: "SELECT note FROM orders", expect: "7" });
    expect(nothing).toMatchObject({ verdict: "failed", reasonCode: "assertion" });
    expect((await run({ ...shop, query: "SELECT wrong" })).reason).toContain(
      'answered with an error: "Unknown column',
    );
    const several = await run({ ...shop, query: "SELECT 1; DELETE FROM orders" });
    expect(several.reason).toContain("You have an error in your SQL syntax");
    const locking = await run({ ...shop, query: "WITH a AS (SELECT 1) SELECT * FROM a", expect: "1" });
    expect(locking).toMatchObject(up);
    const long = await run({ ...shop, query: "SELECT REPEAT('x', 70000)" });
    expect(long.reason).toContain("sent more than 64 KiB");
  });

  test("leaves no query running that takes longer than the check", async () => {
    const port = await startMariadb();
    const late = await run({ port, query: "SELECT BENCHMARK(1000000000000, MD5('x'))" }, 1_000);
    expect(late.verdict).toBe("failed");
    const running = "SELECT COUNT(*) FROM information_schema.processlist WHERE info LIKE 'SELECT BENCHMARK%'";
    await eventually(
      () => run({ port, query: running, expect: "0" }),
      ({ verdict }) => verdict === "ok",
      15_000,
    );
  }, 30_000);

  test("an expired certificate means down, unless ignored", async () => {
    const port = await startMariadb("expired");
    expect(await run({ port })).toMatchObject({ reasonCode: "certificate" });
    expect(await run({ port, ignoreCertificate: true })).toMatchObject(up);
  });
});

const numbered = (number: number, ...bytes: (number | Buffer)[]) => {
  const body = Buffer.concat(bytes.map((one) => (typeof one === "number" ? Buffer.from([one]) : one)));
  return Buffer.concat([Buffer.from([body.length & 0xff, body.length >> 8, 0, number]), body]);
};

/** Greets, and answers each packet by the next of these. */
const answering = async (plugin: string, ...answers: (Buffer | ((said: Buffer) => Buffer))[]) =>
  closing(
    await startLineTarget((socket) => {
      socket.write(greetingOfMysql(plugin));
      socket.on("data", (said: Buffer) => {
        const answer = answers.shift();
        if (answer !== undefined) socket.write(typeof answer === "function" ? answer(said) : answer);
      });
    }),
  );

const letIn = (number: number) => numbered(number, Buffer.from([0, 0, 0, 2, 0, 0, 0]));
const clear = { host: "127.0.0.1", tls: false };
const SHA2 = "caching_sha2_password";

describe("a login by SHA-256", () => {
  test("is quick where the server remembers the password", async () => {
    const { port } = await answering(SHA2, Buffer.concat([numbered(2, 1, 3), letIn(3)]));
    expect(await run({ ...clear, port })).toMatchObject(up);
  });

  test("otherwise sends it for the server's key only", async () => {
    const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const pem = Buffer.from(String(publicKey.export({ type: "spki", format: "pem" })));
    let password = "";
    const { port, received } = await answering(
      SHA2,
      numbered(2, 1, 4),
      numbered(4, 1, pem),
      (said: Buffer) => {
        const padding = constants.RSA_PKCS1_OAEP_PADDING;
        const bytes = privateDecrypt({ key: privateKey, padding }, said.subarray(4));
        const nonce = Buffer.from("nonce123abcdefghijkl");
        password = bytes.map((byte, at) => byte ^ (nonce[at % 20] as number)).toString();
        return letIn(6);
      },
    );
    expect(await run({ ...clear, port })).toMatchObject(up);
    expect(password).toBe("open-sesame\0");
    expect(received.join()).not.toContain("open-sesame");
  });

  test("may be requested later, and an unknown method may be requested", async () => {
    const other = (plugin: string) => numbered(2, 0xfe, Buffer.from(`${plugin}\0${"n".repeat(20)}\0`));
    const later = await answering(
      "mysql_native_password",
      other(SHA2),
      Buffer.concat([numbered(4, 1, 3), letIn(5)]),
    );
    expect(await run({ ...clear, port: later.port })).toMatchObject(up);
    const strange = await answering("mysql_native_password", other("client_ed25519"));
    expect((await run({ ...clear, port: strange.port })).reason).toContain(
      "wants a login by client_ed25519, which is not supported",
    );
    const garbage = await answering(SHA2, numbered(2, 1, 4), numbered(4, 1, Buffer.from("no key")));
    expect((await run({ ...clear, port: garbage.port })).reason).toContain("does not keep to the protocol");
  });
});

test("a server that takes no more visitors says so, and one without TLS is down", async () => {
  const full = closing(
    await startLineTarget((socket) => {
      socket.write(numbered(0, 0xff, 0x10, 0x04, Buffer.from("Too many connections")));
    }),
  );
  expect((await run({ ...clear, port: full.port })).reason).toContain(
    'answered with an error: "Too many connections"',
  );
  const greeting = greetingOfMysql();
  greeting.writeUInt16LE(greeting.readUInt16LE(29) & ~(1 << 11), 29);
  const plain = closing(await startLineTarget((socket) => void socket.write(greeting)));
  expect((await run({ host: "127.0.0.1", port: plain.port })).reason).toContain("offers no TLS");
});
