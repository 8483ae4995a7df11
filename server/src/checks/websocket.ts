import { hash, randomFillSync } from "node:crypto";
import { type Static, Type } from "typebox";
import { excerpt, msg } from "../platform/i18n/message.ts";
import { harmless, type SecretHint } from "../platform/secrets/config-secrets.ts";
import { PHASES, type ProbedKind } from "./check.ts";
import { closedWithout, type Dialogue, MAX_DIALOGUE_BYTES, noMessage } from "./dialogue.ts";
import { HEADER_NAME_PATTERN, HEADER_VALUE_PATTERN, HOST_HEADER } from "./http/http-config.ts";
import { USER_AGENT } from "./http/http-request.ts";
import { converse, hostAndPort, hostField, peerOf } from "./peer.ts";
import { DialogueError, type Reason } from "./reasons.ts";
import { switchedTlsFields } from "./tls-config.ts";

const FINAL = 0x80;
const MASKED = 0x80;
const CONTINUATION = 0x0;
const TEXT = 0x1;
const BINARY = 0x2;
const CLOSE = 0x8;
const PING = 0x9;
const PONG = 0xa;

/** Generating four bytes costs as much as generating all of these. */
const pool = Buffer.alloc(4096);
let used = pool.length;

/** A text as one frame of a client: those are masked (RFC 6455 §5.2). */
const textFrame = (text: string): Buffer => clientFrame(TEXT, Buffer.from(text));

/** The end of it, in an orderly way (RFC 6455 §7.4.1). */
const goodbye = (): Buffer => clientFrame(CLOSE, Buffer.from([0x03, 0xe8]));

function clientFrame(opcode: number, payload: Buffer): Buffer {
  const mask = randomBytes(4);
  const isLong = payload.length > 125;
  const start = isLong ? 8 : 6;
  const frame = Buffer.alloc(start + payload.length);
  frame[0] = FINAL | opcode;
  frame[1] = MASKED | (isLong ? 126 : payload.length);
  if (isLong) frame.writeUInt16BE(payload.length, 2);
  mask.copy(frame, start - 4);
  for (let at = 0; at < payload.length; at += 1) {
    frame[start + at] = (payload[at] as number) ^ (mask[at % 4] as number);
  }
  return frame;
}

/** Of one frame or several; null for a close. Pings are answered. Throws DialogueError for an invalid frame. */
async function readText(dialogue: Dialogue): Promise<string | null> {
  const pieces: Buffer[] = [];
  for (;;) {
    const { isFinal, opcode, payload } = await readFrame(dialogue);
    if (opcode === CLOSE) return null;
    if (opcode === PING) dialogue.send(clientFrame(PONG, payload));
    if (opcode === PING || opcode === PONG) continue;
    if ((opcode === CONTINUATION) !== pieces.length > 0) throw broken(dialogue);
    pieces.push(payload);
    if (isFinal) return Buffer.concat(pieces).toString("utf8");
  }
}

const KNOWN: ReadonlySet<number> = new Set([CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG]);

async function readFrame(dialogue: Dialogue) {
  const [first = 0, second = 0] = await dialogue.readBytes(2);
  const opcode = first & 0x0f;
  const isFinal = (first & FINAL) !== 0;
  const isControl = opcode >= CLOSE;
  // Reserved bits belong to extensions, which were not agreed on; servers do not mask.
  if ((first & 0x70) !== 0 || (second & MASKED) !== 0 || !KNOWN.has(opcode)) throw broken(dialogue);
  if (isControl && (!isFinal || second > 125)) throw broken(dialogue);
  const length = await readLength(dialogue, second);
  return { isFinal, opcode, payload: await dialogue.readBytes(length) };
}

async function readLength(dialogue: Dialogue, short: number): Promise<number> {
  if (short < 126) return short;
  const long = await dialogue.readBytes(short === 126 ? 2 : 8);
  const length = short === 126 ? long.readUInt16BE() : Number(long.readBigUInt64BE());
  if (length <= MAX_DIALOGUE_BYTES) return length;
  const size = MAX_DIALOGUE_BYTES / 1024;
  throw new DialogueError(msg("protocol.size", { where: dialogue.where, size }));
}

const broken = ({ where }: Dialogue) => new DialogueError(msg("protocol.broken", { where }));

const changers: SecretHint = { "x-secret": "changers" };
const headerRecord: SecretHint = { "x-secret": "headers" };
const CLEAR_PORT = 80;
const TLS_PORT = 443;

const websocketConfigSchema = Type.Object(
  {
    host: hostField,
    port: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 65_535,
        description: "The port it listens on. Without one, 443 with TLS and 80 without.",
      }),
    ),
    path: Type.Optional(
      Type.String({
        pattern: "^/[\\x21-\\x7e]*$",
        maxLength: 2048,
        default: "/",
        description: "The path, with its query.",
        examples: ["/socket?room=1"],
        ...harmless,
      }),
    ),
    tls: Type.Optional(Type.Boolean({ default: true, description: "Connect over TLS (wss)." })),
    ...switchedTlsFields,
    hostHeader: Type.Optional(
      Type.String({
        ...HOST_HEADER,
        pattern: "^[\\[\\]A-Za-z0-9.:_-]+$",
        description: "The Host header. Default: the host and port.",
      }),
    ),
    headers: Type.Optional(
      Type.Record(
        Type.String({ pattern: HEADER_NAME_PATTERN }),
        Type.String({ pattern: HEADER_VALUE_PATTERN, maxLength: 8192 }),
        { maxProperties: 50, description: "Sent with the handshake.", ...headerRecord },
      ),
    ),
    send: Type.Optional(
      Type.String({
        maxLength: 4096,
        description: "A text message to send once connected.",
        examples: ["ping"],
        ...changers,
        ...harmless,
      }),
    ),
    expect: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1024,
        description:
          "Text that must appear in one of the messages that the server sends. Without it, the handshake is enough.",
        examples: ["pong"],
        ...harmless,
      }),
    ),
  },
  {
    additionalProperties: false,
    title: "WebSocket",
    description: "Opens a WebSocket, sends a message and waits for an expected one.",
  },
);

type WebsocketConfig = Static<typeof websocketConfigSchema>;

const portOf = ({ port, tls = true }: { port?: number | undefined; tls?: boolean }) =>
  port ?? (tls ? TLS_PORT : CLEAR_PORT);

export const checkWebsocket: ProbedKind<WebsocketConfig, typeof PHASES> = {
  type: "websocket",
  phases: PHASES,
  configSchema: websocketConfigSchema,
  target: (config) =>
    `${(config.tls ?? true) ? "wss" : "ws"}://${hostAndPort({ host: config.host, port: portOf(config) })}${config.path ?? "/"}`,
  run: (config, environment) => {
    const { headers = {}, send = "" } = config;
    const peer = peerOf({ ...config, port: portOf(config), tls: config.tls ?? true });
    const secrets = [...Object.values(headers), send].filter(({ length }) => length >= 4);
    return converse(peer, environment, (dialogue) => talk(dialogue, config), secrets);
  },
};

async function talk(dialogue: Dialogue, config: WebsocketConfig): Promise<void> {
  await shakeHands(dialogue, config);
  const { send, expect } = config;
  if (send !== undefined) dialogue.send(textFrame(send));
  if (expect !== undefined) await awaitMessage(dialogue, expect);
  dialogue.send(goodbye());
}

async function awaitMessage(dialogue: Dialogue, expect: string): Promise<void> {
  const { where } = dialogue;
  const wanted = excerpt(expect);
  let said = "";
  dialogue.ifLate((seconds) => noMessage({ seconds, where, said, wanted }));
  for (
    let message = await readText(dialogue);
    !message?.includes(expect);
    message = await readText(dialogue)
  ) {
    if (message === null) throw new DialogueError(closedWithout({ where, said, wanted }));
    said = dialogue.quote(message);
  }
}

/** What a server adds to the client's key before it answers with the hash (RFC 6455 §1.3). */
const KEY_SUFFIX = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
const SWITCHING = /^HTTP\/1\.[1-9] 101(?: |$)/;
const STATUS_LINE = /^HTTP\/1\.\d (\d{3})(?: |$)/;

async function shakeHands(dialogue: Dialogue, config: WebsocketConfig): Promise<void> {
  const { where } = dialogue;
  const key = randomBytes(16).toString("base64");
  dialogue.send(Buffer.from(requestOf(config, key), "latin1"));
  // An empty line before the status line is passed over (RFC 9112 §2.2).
  const status = (await dialogue.readLine()) || (await dialogue.readLine());
  if (!SWITCHING.test(status)) {
    const [, code] = STATUS_LINE.exec(status) ?? [];
    if (code !== undefined) throw new DialogueError(msg("status.upgrade", { where, status: Number(code) }));
    const start = dialogue.quote(status);
    throw new DialogueError(msg("protocol.not_http", { where, start }));
  }
  const headers = await readHeaders(dialogue);
  const accepted = hash("sha1", `${key}${KEY_SUFFIX}`, "base64");
  if (headers.get("sec-websocket-accept") !== accepted) {
    throw new DialogueError(msg("protocol.broken", { where }));
  }
  const problem = subprotocolProblem(config, headers.get(SUBPROTOCOL), dialogue);
  if (problem !== null) throw new DialogueError(problem);
}

const SUBPROTOCOL = "sec-websocket-protocol";

/** The last of each name, in lower case. */
async function readHeaders(dialogue: Dialogue): Promise<Map<string, string>> {
  const headers = new Map<string, string>();
  for (let line = await dialogue.readLine(); line !== ""; line = await dialogue.readLine()) {
    const colon = line.indexOf(":");
    headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim());
  }
  return headers;
}

/** Of several requested subprotocols the server chooses one, and no other (RFC 6455 §4.1); browsers insist on it. */
function subprotocolProblem(
  { headers = {} }: WebsocketConfig,
  chosen: string | undefined,
  { where, quote }: Dialogue,
): Reason | null {
  const lists = Object.entries(headers).flatMap(([name, value]) =>
    name.toLowerCase() === SUBPROTOCOL ? [value] : [],
  );
  const requested = (lists.at(-1) ?? "").split(",").flatMap((one) => one.trim() || []);
  if (chosen !== undefined && !requested.includes(chosen)) {
    return msg("protocol.subprotocol_other", { where, found: quote(chosen) });
  }
  if (chosen !== undefined || requested.length === 0) return null;
  return msg("protocol.subprotocol", { where, requested: excerpt(requested.join(", ")) });
}

function requestOf(config: WebsocketConfig, key: string): string {
  const host = hostAndPort({ host: config.host, port: portOf(config) });
  const isUsual = portOf(config) === portOf({ ...config, port: undefined });
  // By name in one case: a header that is sent twice makes a server refuse the request.
  const headers = new Map([
    ["host", config.hostHeader ?? (isUsual ? host.replace(/:\d+$/, "") : host)],
    ["user-agent", USER_AGENT],
    ...Object.entries(config.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value] as const),
    ["connection", "Upgrade"],
    ["upgrade", "websocket"],
    ["sec-websocket-version", "13"],
    ["sec-websocket-key", key],
  ]);
  const lines = [...headers].map(([name, value]) => `${name}: ${value}`);
  return [`GET ${config.path ?? "/"} HTTP/1.1`, ...lines, "", ""].join("\r\n");
}

/** So many unpredictable bytes, at most 4096; each is given once. */
function randomBytes(count: number): Buffer {
  if (used + count > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const bytes = Buffer.from(pool.subarray(used, used + count));
  used += count;
  return bytes;
}
