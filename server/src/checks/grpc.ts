import http2 from "node:http2";
import type { Duplex } from "node:stream";
import { type Static, Type } from "typebox";
import { excerpt, msg } from "../platform/i18n/message.ts";
import { PHASES, type ProbedKind } from "./check.ts";
import type { Connection } from "./dial.ts";
import { http2Failed } from "./http/http-running.ts";
import { checkOver, hostAndPort, hostField, peerOf, portField } from "./peer.ts";
import { DialogueError } from "./reasons.ts";
import { switchedTlsFields } from "./tls-config.ts";

/** What grpc.health.v1 knows of a service, by number. */
const HEALTH = ["UNKNOWN", "SERVING", "NOT_SERVING", "SERVICE_UNKNOWN"] as const;
type Health = (typeof HEALTH)[number];

/** Field 1, a text. */
const SERVICE_FIELD = 0x0a;
/** Field 1, a number. */
const STATUS_FIELD = 0x08;
const PREFIX_BYTES = 5;

/** HealthCheckRequest { string service = 1 }, as one message of gRPC: uncompressed, its length before it. */
export function healthRequest(service: string): Buffer {
  const text = Buffer.from(service);
  const message =
    text.length === 0 ? text : Buffer.concat([Buffer.from([SERVICE_FIELD, ...varint(text.length)]), text]);
  const prefix = Buffer.alloc(PREFIX_BYTES);
  prefix.writeUInt32BE(message.length, 1);
  return Buffer.concat([prefix, message]);
}

/** HealthCheckResponse { ServingStatus status = 1 }; null for what is none. What other fields say is passed over. */
function healthStatus(body: Buffer): Health | null {
  const isWhole = body.length >= PREFIX_BYTES && body[0] === 0;
  if (!isWhole || body.readUInt32BE(1) !== body.length - PREFIX_BYTES) return null;
  const message = body.subarray(PREFIX_BYTES);
  if (message.length === 0) return "UNKNOWN";
  if (message[0] !== STATUS_FIELD) return null;
  return HEALTH[message[1] ?? HEALTH.length] ?? null;
}

function varint(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(value >>> 7)];
}

const grpcConfigSchema = Type.Object(
  {
    host: hostField,
    port: portField,
    tls: Type.Optional(Type.Boolean({ default: true, description: "Connect over TLS." })),
    ...switchedTlsFields,
    service: Type.Optional(
      Type.String({
        maxLength: 255,
        description: "The service to check. Without one, the server as a whole.",
        examples: ["shop.v1.Orders"],
      }),
    ),
  },
  {
    additionalProperties: false,
    title: "gRPC",
    description:
      "Requests the health of a gRPC server, by the standard protocol (grpc.health.v1); the answer must be SERVING.",
  },
);

type GrpcConfig = Static<typeof grpcConfigSchema>;

/** A gRPC server that says it is serving. */
export const checkGrpc: ProbedKind<GrpcConfig, typeof PHASES> = {
  type: "grpc",
  phases: PHASES,
  configSchema: grpcConfigSchema,
  target: (config) => `${hostAndPort(config)}${config.service ? `/${config.service}` : ""}`,
  run: (config, environment) => {
    const peer = { ...peerOf({ ...config, tls: config.tls ?? true }), alpn: ["h2"] };
    return checkOver(peer, environment, (connection, socket) => ({
      over: requestHealth(connection, socket, config),
    }));
  },
};

const MAX_BYTES = 65_536;
const SETTINGS = { enablePush: false, maxHeaderListSize: MAX_BYTES };

interface Answer {
  httpStatus: number;
  /** Of the trailers, or of the headers where there is nothing else. */
  grpcStatus: string | undefined;
  message: string;
  body: Buffer;
}

async function requestHealth(connection: Connection, socket: Duplex, config: GrpcConfig): Promise<void> {
  const { where } = connection;
  const { httpStatus, grpcStatus, message, body } = await exchange(connection, socket, config);
  if (httpStatus !== 200) throw new DialogueError(msg("status.grpc_http", { where, status: httpStatus }));
  if (grpcStatus === undefined) throw new DialogueError(msg("protocol.broken", { where }));
  if (grpcStatus === UNIMPLEMENTED) throw new DialogueError(msg("status.grpc_health", { where }));
  if (grpcStatus !== "0") {
    const said = excerpt(`${STATUS_NAMES[Number(grpcStatus)] ?? grpcStatus} ${message}`.trim());
    throw new DialogueError(msg("status.error", { where, said }));
  }
  const status = healthStatus(body);
  if (status === null) throw new DialogueError(msg("protocol.broken", { where }));
  if (status !== "SERVING") throw new DialogueError(msg("assertion.health", { where, status }));
}

function exchange(connection: Connection, socket: Duplex, config: GrpcConfig): Promise<Answer> {
  const { host, tls = true, service = "" } = config;
  const { where, options } = connection;
  const { trace } = options;
  connection.stage = "answer";
  // The handshake's server name is the request's authority, as gRPC's own clients do.
  const authority = hostAndPort({ host: (tls ? config.serverName : undefined) ?? host, port: config.port });
  const origin = `${tls ? "https" : "http"}://${authority}`;
  const session = http2.connect(origin, { createConnection: () => socket, settings: SETTINGS });
  connection.drop = () => {
    session.destroy();
    socket.destroy();
  };
  return new Promise<Answer>((resolve, reject) => {
    const broken = (error: NodeJS.ErrnoException) => reject(new DialogueError(http2Failed(error, where)));
    session.on("error", broken);
    const stream = session.request({
      ":method": "POST",
      ":path": "/grpc.health.v1.Health/Check",
      "content-type": "application/grpc",
      te: "trailers",
    });
    const sentMs = performance.now();
    const answer: Omit<Answer, "body"> = { httpStatus: 0, grpcStatus: undefined, message: "" };
    const conclude = (headers: http2.IncomingHttpHeaders) => {
      answer.grpcStatus = headers["grpc-status"]?.toString() ?? answer.grpcStatus;
      answer.message = decoded(headers["grpc-message"]?.toString() ?? answer.message);
    };
    stream.on("error", broken);
    stream.on("response", (headers) => {
      trace.protocol = "h2";
      trace.firstByteMs = performance.now() - sentMs;
      answer.httpStatus = Number(headers[":status"]);
      conclude(headers);
    });
    stream.on("trailers", conclude);
    const pieces: Buffer[] = [];
    let length = 0;
    stream.on("data", (bytes: Buffer) => {
      pieces.push(bytes);
      length += bytes.length;
      if (length > MAX_BYTES) {
        reject(new DialogueError(msg("protocol.size", { where, size: MAX_BYTES / 1024 })));
      }
    });
    stream.on("close", () => {
      trace.transferMs = performance.now() - sentMs - (trace.firstByteMs ?? 0);
      if (answer.httpStatus === 0) broken(new Error("closed"));
      else resolve({ ...answer, body: Buffer.concat(pieces) });
    });
    stream.end(healthRequest(service));
  });
}

/** Messages are percent-encoded (gRPC over HTTP/2, Status-Message). */
function decoded(message: string): string {
  try {
    return decodeURIComponent(message);
  } catch {
    return message;
  }
}

const UNIMPLEMENTED = "12";
/** By number (gRPC, status codes). */
const STATUS_NAMES = [
  "OK",
  "CANCELLED",
  "UNKNOWN",
  "INVALID_ARGUMENT",
  "DEADLINE_EXCEEDED",
  "NOT_FOUND",
  "ALREADY_EXISTS",
  "PERMISSION_DENIED",
  "RESOURCE_EXHAUSTED",
  "FAILED_PRECONDITION",
  "ABORTED",
  "OUT_OF_RANGE",
  "UNIMPLEMENTED",
  "INTERNAL",
  "UNAVAILABLE",
  "DATA_LOSS",
  "UNAUTHENTICATED",
];
