import type { Duplex } from "node:stream";
import type pg from "pg";
import { type Static, Type } from "typebox";
import { excerpt, msg } from "../platform/i18n/message.ts";
import { harmless, type SecretHint } from "../platform/secrets/config-secrets.ts";
import { type CheckEnvironment, PHASES, type ProbedKind } from "./check.ts";
import { type Connection, secure } from "./dial.ts";
import type { Dialogue } from "./dialogue.ts";
import { type Admission, driverStream } from "./driver-stream.ts";
import { checkOver, hostAndPort, hostField, peerOf, usualPort } from "./peer.ts";
import { DialogueError, hungUp, socketFailed } from "./reasons.ts";
import { MAX_SCRAM_ITERATIONS } from "./redis.ts";
import { switchedTlsFields } from "./tls-config.ts";

/** Whether what follows the header of a PostgreSQL message has the form that its type requires, to the last byte. */
type Form = (body: Buffer) => boolean;

/** What a result can have (PostgreSQL, appendix K). */
const MAX_COLUMNS = 1664;
/** What follows a column's name in its description. */
const DESCRIPTION_BYTES = 18;

const isEmpty: Form = (body) => body.length === 0;

/** Whether it is so many strings, each with its zero. */
const isStrings = (body: Buffer, count: number): boolean =>
  body.at(-1) === 0 && body.reduce((zeros, byte) => zeros + (byte === 0 ? 1 : 0), 0) === count;

/** Strings, and a zero where the next would begin. */
const isList: Form = (body) => body.at(-1) === 0 && (body.length === 1 || body.at(-2) === 0);

/** A row: each value is as long as it says, or NULL. */
const isDataRow = columnsOf((body, at) => {
  const length = at + 4 > body.length ? Number.NaN : body.readInt32BE(at);
  return length < -1 ? Number.NaN : at + 4 + Math.max(length, 0);
});

/** What a result's columns are called, and of which types they are. */
const isRowDescription = columnsOf((body, at) => {
  const end = body.indexOf(0, at);
  return end < 0 ? Number.NaN : end + 1 + DESCRIPTION_BYTES;
});

/** A count, and as many columns; `endOf` says where the one ends that begins there, or NaN. */
function columnsOf(endOf: (body: Buffer, at: number) => number): Form {
  return (body) => {
    let left = body.length < 2 ? Number.NaN : body.readUInt16BE(0);
    if (left > MAX_COLUMNS) return false;
    let at = 2;
    for (; left > 0 && at < body.length; left--) at = endOf(body, at);
    return left === 0 && at === body.length;
  };
}

/** A message's type, and its length, which counts itself (PostgreSQL protocol, message formats). */
const HEADER_BYTES = 5;

type Forms = ReadonlyMap<string, Form>;

const AT_ANY_TIME: [string, Form][] = [
  ["E", isList],
  ["N", isList],
  ["S", (body) => isStrings(body, 2)],
  ["A", (body) => isStrings(body.subarray(4), 2)],
];
const READY: [string, Form] = ["Z", (body) => body.length === 1];
const LOGIN: Forms = new Map(AT_ANY_TIME);
const START: Forms = new Map([...AT_ANY_TIME, ["K", (body) => body.length >= 8], READY]);
const QUERIES: Forms = new Map([
  ...AT_ANY_TIME,
  ["1", isEmpty],
  ["2", isEmpty],
  ["n", isEmpty],
  ["T", isRowDescription],
  ["D", isDataRow],
  ["C", (body) => isStrings(body, 1)],
  READY,
]);

/** The steps of a login: the form of each, and which of them may be the next. */
const STEPS = new Map<number, { form: Form; next: readonly number[] }>([
  [0, { form: isEmpty, next: [] }],
  [3, { form: isEmpty, next: [0] }],
  [5, { form: (salt) => salt.length === 4, next: [0] }],
  [10, { form: isList, next: [11] }],
  [11, { form: () => true, next: [12] }],
  [12, { form: () => true, next: [0] }],
]);

/**
 * The driver trusts every count and length, derives a key for each login step, and answers messages that no
 * query of ours brings. So only messages that login and queries need pass, well-formed and in order.
 */
export function admitMessages(): Admission {
  let held: Buffer[] = [];
  let heldBytes = 0;
  let neededBytes = HEADER_BYTES;
  const order = startOrder();
  return (bytes) => {
    held.push(bytes);
    heldBytes += bytes.length;
    if (heldBytes < neededBytes) return Buffer.alloc(0);
    const all = Buffer.concat(held);
    let at = 0;
    for (neededBytes = HEADER_BYTES; at + neededBytes <= all.length; neededBytes = HEADER_BYTES) {
      const type = String.fromCharCode(all[at] ?? 0);
      const length = all.readUInt32BE(at + 1);
      if (length < 4 || !order.mayCome(type)) return null;
      neededBytes = 1 + length;
      if (at + neededBytes > all.length) break;
      if (!order.take(type, all.subarray(at + HEADER_BYTES, at + neededBytes))) return null;
      at += neededBytes;
    }
    held = [all.subarray(at)];
    heldBytes = all.length - at;
    return all.subarray(0, at);
  };
}

function startOrder() {
  let forms = LOGIN;
  let steps: readonly number[] = [0, 3, 5, 10];
  const takeStep = (body: Buffer): boolean => {
    const step = body.length < 4 ? -1 : body.readUInt32BE(0);
    const { form, next } = STEPS.get(step) ?? {};
    if (!steps.includes(step) || next === undefined || !form?.(body.subarray(4))) return false;
    steps = next;
    if (step === 0) forms = START;
    return true;
  };
  return {
    mayCome: (type: string): boolean => (type === "R" ? steps.length > 0 : forms.has(type)),
    take: (type: string, body: Buffer): boolean => {
      if (type === "R") return takeStep(body);
      if (!forms.get(type)?.(body)) return false;
      if (type === "Z") forms = QUERIES;
      return true;
    },
  };
}

/** SSLRequest (PostgreSQL protocol, message formats): its length, and the code 1234.5679. */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]);

/** What the one byte says with which a server answers it. Throws DialogueError where it is no yes. */
function demandOffer(answer: Buffer, where: string): void {
  const said = answer.toString("latin1");
  if (said === "S") return;
  const start = excerpt(answer.toString("utf8", 0, 80));
  const other = msg("protocol.other", { where, protocol: "PostgreSQL", start });
  throw new DialogueError(said === "N" ? msg("protocol.no_tls", { where }) : other);
}

/** From the first byte to TLS, as PostgreSQL's clients do it. Throws DialogueError. */
export async function startPostgresTls(dialogue: Dialogue): Promise<void> {
  dialogue.send(SSL_REQUEST);
  demandOffer(await dialogue.readBytes(1), dialogue.where);
  await dialogue.secure();
}

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

export const checkPostgres: ProbedKind<PostgresConfig, typeof PHASES> = {
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
      over: connectAndQuery(driver, config, environment, connection, socket),
    }));
  },
};

async function connectAndQuery(
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
  // Said before hanging up, or the server would log a lost client at every check.
  await new Promise<void>((resolve) => stream.end(Buffer.from([0x58, 0, 0, 0, 4]), resolve));
}

/** Requests TLS as PostgreSQL's clients do. More than the one byte of an answer would be read as if it were encrypted. */
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
    ? msg("status.iterations", { where, count: MAX_SCRAM_ITERATIONS })
    : msg("protocol.broken", { where });

/**
 * Gives all that the driver would take from the environment or files. It takes an empty value for none, so
 * the startup text is quoted as a whole.
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
      throw new DialogueError(msg("status.no_password", { where }));
    },
    database,
    ssl: false,
    sslnegotiation: "postgres",
    scramMaxIterations: MAX_SCRAM_ITERATIONS,
    stream: () => stream,
  } as pg.ClientConfig);
  Object.assign(client, { getStartupConf: () => ({ user, database, application_name: "vedette" }) });
  // The stream reports what ends the connection, or the pending call does.
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
  if (value === undefined) throw new DialogueError(msg("assertion.query_empty", { where, expected }));
  if (value === null) throw new DialogueError(msg("assertion.query_null", { where, expected }));
  throw new DialogueError(msg("assertion.query", { where, found: excerpt(value), expected }));
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

/** In the server's own words, without the password. */
function refusal({ code, message }: pg.DatabaseError, { password }: PostgresConfig, where: string) {
  const said = excerpt(message, password ? [password] : []);
  return new DialogueError(
    msg(LOGIN_REFUSED.test(`${code}`) ? "status.login" : "status.error", { where, said }),
  );
}
