import type { Duplex } from "node:stream";
import type pg from "pg";
import { type Static, Type } from "typebox";
import { harmless, type SecretHint } from "../secret/config-secrets.ts";
import { excerpt, fact } from "../texts/fact.ts";
import { type AskingKind, type CheckEnvironment, PHASES } from "./check.ts";
import type { Connection } from "./dial.ts";
import { DialogueError } from "./dialogue-error.ts";
import { driverStream } from "./driver-stream.ts";
import { checkOver } from "./one-connection.ts";
import { hostAndPort, hostField, peerOf, usualPort } from "./peer-config.ts";
import { admitMessages } from "./postgres-messages.ts";
import { demandOffer, SSL_REQUEST } from "./postgres-tls.ts";
import { hungUp, socketFailed } from "./reasons.ts";
import { MAX_SCRAM_ITERATIONS } from "./scram.ts";
import { secure } from "./secure.ts";
import { switchedTlsFields } from "./tls-config.ts";

const hidden: SecretHint = { "x-secret": "hidden" };
const PORT = 5432;

const postgresConfigSchema = Type.Object(
  {
    host: hostField,
    port: usualPort(PORT),
    database: Type.String({ minLength: 1, maxLength: 63, description: "The database to log in to." }),
    user: Type.String({ minLength: 1, maxLength: 63, description: "The role to log in as." }),
    password: Type.Optional(
      Type.String({ maxLength: 1024, format: "password", description: "The role's password.", ...hidden }),
    ),
    tls: Type.Optional(
      Type.Boolean({
        default: true,
        description:
          "Connect over TLS; if the server offers none, the monitor is down. Without TLS the password may be sent unprotected.",
      }),
    ),
    ...switchedTlsFields,
    query: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 4096,
        description:
          "One SELECT to run in a read-only transaction, no longer than the timeout. Only its first row is fetched. Without it, logging in is enough.",
        examples: ["SELECT pg_is_in_recovery()"],
      }),
    ),
    expect: Type.Optional(
      Type.String({
        maxLength: 1024,
        description: "What the first column of the first row must be, as PostgreSQL writes it as text.",
        examples: ["f"],
        ...harmless,
      }),
    ),
  },
  {
    additionalProperties: false,
    title: "PostgreSQL",
    description:
      "Logs in to a PostgreSQL database and, if there is a query, runs it and compares the result.",
  },
);

type PostgresConfig = Static<typeof postgresConfigSchema>;

/** Logging in, and what a query answers. */
export const checkPostgres: AskingKind<PostgresConfig, typeof PHASES> = {
  type: "postgres",
  phases: PHASES,
  configSchema: postgresConfigSchema,
  target: (config) => `${hostAndPort({ ...config, port: config.port ?? PORT })}/${config.database}`,
  run: async (config, environment) => {
    // Only where such monitors are: it costs a process megabytes.
    const { default: driver } = await import("pg");
    // TLS begins when the server has agreed to it, not with the first byte.
    const peer = { ...peerOf({ ...config, port: config.port ?? PORT }), tls: false };
    return checkOver(peer, environment, (connection, socket) => ({
      over: ask(driver, config, environment, connection, socket),
    }));
  },
};

async function ask(
  driver: typeof pg,
  config: PostgresConfig,
  { timeoutMs }: CheckEnvironment,
  connection: Connection,
  socket: Duplex,
): Promise<void> {
  const secured = (config.tls ?? true) ? await startServersTls(connection, socket) : socket;
  const stream = driverStream(connection, secured, admitMessages());
  const client = clientOver(driver, config, { stream, where: connection.where });
  const broken = new Promise<never>((_, reject) => {
    stream.on("close", () => reject(stream.errored ?? new DialogueError(hungUp("answer", connection.where))));
  });
  try {
    await Promise.race([logInAndQuery(client, config, connection.where, timeoutMs), broken]);
  } catch (error) {
    if (stream.errored !== null || error instanceof DialogueError) throw stream.errored ?? error;
    if (error instanceof driver.DatabaseError && error.code) throw refusal(error, config, connection.where);
    throw new DialogueError(misconduct(error, connection.where));
  }
  // Said before hanging up, or the server's log would tell of a lost client at every check.
  await new Promise<void>((resolve) => stream.end(Buffer.from([0x58, 0, 0, 0, 4]), resolve));
}

/** Asks for TLS as PostgreSQL's clients do. More than the one byte of an answer would be read as if it were encrypted. */
async function startServersTls(connection: Connection, socket: Duplex): Promise<Duplex> {
  const { where } = connection;
  connection.stage = "answer";
  const answer = await new Promise<Buffer>((resolve, reject) => {
    socket.once("data", resolve);
    socket.once("error", (error) => reject(new DialogueError(socketFailed(error, "answer", where))));
    socket.once("close", () => reject(new DialogueError(hungUp("answer", where))));
    socket.write(SSL_REQUEST);
  });
  socket.pause();
  demandOffer(answer, where);
  return secure(connection, socket);
}

/** What the driver would not go along with. */
const misconduct = (error: unknown, where: string) =>
  error instanceof Error && error.message.includes("scramMaxIterations")
    ? fact("status.iterations", { where, count: MAX_SCRAM_ITERATIONS })
    : fact("protocol.broken", { where });

/**
 * Everything that the driver would otherwise take from the environment or from files is given. It takes an empty value for
 * none, so what is said at the start is told as a whole.
 */
function clientOver(
  driver: typeof pg,
  { user, password, database }: PostgresConfig,
  { stream, where }: { stream: Duplex; where: string },
): pg.Client {
  const client = new driver.Client({
    host: "connected.invalid",
    port: PORT,
    user,
    password: () => {
      if (password) return password;
      throw new DialogueError(fact("status.no_password", { where }));
    },
    database,
    ssl: false,
    sslnegotiation: "postgres",
    scramMaxIterations: MAX_SCRAM_ITERATIONS,
    stream: () => stream,
  } as pg.ClientConfig);
  Object.assign(client, { getStartupConf: () => ({ user, database, application_name: "vedette" }) });
  // What ends the connection is told by the stream, or by what is being waited for.
  client.on("error", () => {});
  return client;
}

/** A cursor takes one SELECT and nothing else, and gives one row of it however many there are. */
async function logInAndQuery(
  client: pg.Client,
  { query, expect }: PostgresConfig,
  where: string,
  timeoutMs: number,
): Promise<void> {
  await client.connect();
  if (query === undefined) return;
  await client.query(`BEGIN READ ONLY; SET LOCAL statement_timeout = ${Math.ceil(timeoutMs)}`);
  await client.query(extended(`DECLARE vedette NO SCROLL CURSOR FOR ${query}`));
  const { rows } = await client.query<(string | null)[]>(extended("FETCH 1 FROM vedette"));
  if (expect === undefined) return;
  const value = rows[0] === undefined ? undefined : rows[0][0];
  if (value === expect) return;
  const expected = excerpt(expect);
  if (value === undefined) throw new DialogueError(fact("assertion.query_empty", { where, expected }));
  if (value === null) throw new DialogueError(fact("assertion.query_null", { where, expected }));
  throw new DialogueError(fact("assertion.query", { where, found: excerpt(value), expected }));
}

/** By the extended protocol, in which a text is one statement; values stay as the server writes them. */
const extended = (text: string) =>
  ({
    text,
    queryMode: "extended",
    rowMode: "array",
    types: { getTypeParser: () => (value: string) => value },
  }) as pg.QueryArrayConfig;

/** SQLSTATE classes of a login that was refused (PostgreSQL, appendix A). */
const LOGIN_REFUSED = /^28|^3D/;

/** In the server's own words, without the password, should it have quoted that. */
function refusal({ code, message }: pg.DatabaseError, { password }: PostgresConfig, where: string) {
  const said = excerpt(message, password ? [password] : []);
  return new DialogueError(
    fact(LOGIN_REFUSED.test(`${code}`) ? "status.login" : "status.error", { where, said }),
  );
}
