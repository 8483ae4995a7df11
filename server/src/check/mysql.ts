import { type Static, Type } from "typebox";
import { harmless, type SecretHint } from "../secret/config-secrets.ts";
import { excerpt, fact } from "../texts/fact.ts";
import { type AskingKind, PHASES } from "./check.ts";
import { converse } from "./converse.ts";
import { DialogueError } from "./dialogue-error.ts";
import { logIn, refusal } from "./mysql-login.ts";
import { EOF, errorOf, type Numbered, OK, readPacket, readText, sendPacket } from "./mysql-packets.ts";
import { hostAndPort, hostField, peerOf, usualPort } from "./peer-config.ts";
import { switchedTlsFields } from "./tls-config.ts";

const hidden: SecretHint = { "x-secret": "hidden" };
const PORT = 3306;

const mysqlConfigSchema = Type.Object(
  {
    host: hostField,
    port: usualPort(PORT),
    database: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: "The database to use.", examples: ["shop"] }),
    ),
    user: Type.String({ minLength: 1, maxLength: 80, description: "The user to log in as." }),
    password: Type.Optional(
      Type.String({ maxLength: 1024, format: "password", description: "The user's password.", ...hidden }),
    ),
    tls: Type.Optional(
      Type.Boolean({
        default: true,
        description: "Connect over TLS; if the server offers none, the monitor is down.",
      }),
    ),
    ...switchedTlsFields,
    query: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 4096,
        pattern: "^\\s*([Ss][Ee][Ll][Ee][Cc][Tt]|[Ss][Hh][Oo][Ww]|[Ww][Ii][Tt][Hh])\\b",
        description:
          "One SELECT, SHOW or WITH to run in a read-only transaction, no longer than the timeout. Only its first row is looked at, and an answer of more than 64 KiB is a failure. Without it, logging in is enough.",
        examples: ["SELECT @@read_only"],
      }),
    ),
    expect: Type.Optional(
      Type.String({
        maxLength: 1024,
        description: "What the first column of the first row must be, as the server writes it as text.",
        examples: ["0"],
        ...harmless,
      }),
    ),
  },
  {
    additionalProperties: false,
    title: "MySQL",
    description:
      "Logs in to a MySQL or MariaDB server and, if there is a query, runs it and compares the result.",
  },
);

type MysqlConfig = Static<typeof mysqlConfigSchema>;

/** Logging in, and what a query answers. */
export const checkMysql: AskingKind<MysqlConfig, typeof PHASES> = {
  type: "mysql",
  phases: PHASES,
  configSchema: mysqlConfigSchema,
  target: ({ host, port = PORT, database }) =>
    `${hostAndPort({ host, port })}${database === undefined ? "" : `/${database}`}`,
  run: (config, environment) => {
    const { password = "", user, database, tls = true } = config;
    // TLS begins when the server has agreed to it, not with the first byte.
    const peer = { ...peerOf({ ...config, port: config.port ?? PORT }), tls: false };
    const login = { user, password, database, isTls: tls };
    return converse(
      peer,
      environment,
      async (dialogue) => {
        const to = { dialogue, next: 0 };
        const version = await logIn(to, login);
        if (config.query !== undefined) {
          await limitQueries(to, version, environment.timeoutMs);
          await runQuery(to, config.query, config);
        }
        sendPacket({ dialogue, next: 0 }, Buffer.from([QUIT]));
      },
      [password],
    );
  },
};

const QUIT = 0x01;
const QUERY = 0x03;

/** Some queries end as if all were well when the server gives them up, so the check's own limit comes first. */
const GRACE_MS = 1_000;

/** Whoever hangs up ends no query: the server itself must give it up. Versions before MySQL 5.7 and MariaDB 10.1 cannot. */
async function limitQueries(to: Numbered, version: string, timeoutMs: number): Promise<void> {
  const limit = version.includes("MariaDB")
    ? `max_statement_time = ${(timeoutMs + GRACE_MS) / 1000}`
    : `max_execution_time = ${Math.ceil(timeoutMs) + GRACE_MS}`;
  try {
    await ask(to, `SET SESSION ${limit}`);
  } catch (error) {
    if (!(error instanceof DialogueError) || error.reason.code !== "status.error") throw error;
  }
}

async function runQuery(to: Numbered, query: string, config: MysqlConfig): Promise<void> {
  const { where } = to.dialogue;
  for (const statement of ["SET SESSION TRANSACTION READ ONLY", "START TRANSACTION READ ONLY"]) {
    await ask(to, statement);
  }
  const value = await ask(to, query);
  const { expect } = config;
  if (expect === undefined || value === expect) return;
  const expected = excerpt(expect);
  if (value === undefined) throw new DialogueError(fact("assertion.query_empty", { where, expected }));
  if (value === null) throw new DialogueError(fact("assertion.query_null", { where, expected }));
  throw new DialogueError(fact("assertion.query", { where, found: excerpt(value), expected }));
}

/** The first column of the first row; `undefined` where there is no row. */
async function ask(to: Numbered, statement: string): Promise<string | null | undefined> {
  const { where } = to.dialogue;
  to.next = 0;
  sendPacket(to, Buffer.concat([Buffer.from([QUERY]), Buffer.from(statement)]));
  const next = async () => {
    const payload = await readPacket(to);
    const refused = errorOf(payload);
    if (refused !== null) throw refusal("status.error", refused, to.dialogue);
    return payload;
  };
  if ((await next())[0] === OK) return undefined;
  await readToEnd(next);
  const rows = await readToEnd(next);
  if (rows[0] === undefined) return undefined;
  const first = readText(rows[0], 0);
  if (first === undefined) throw new DialogueError(fact("protocol.broken", { where }));
  return first.text;
}

/** Packets up to the one that ends them: columns, then rows. */
async function readToEnd(next: () => Promise<Buffer>): Promise<Buffer[]> {
  const packets: Buffer[] = [];
  for (;;) {
    const payload = await next();
    if (payload[0] === EOF && payload.length < 9) return packets;
    packets.push(payload);
  }
}
