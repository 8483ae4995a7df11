/** What grpc.health.v1 knows of a service, by number. */
const HEALTH = ["UNKNOWN", "SERVING", "NOT_SERVING", "SERVICE_UNKNOWN"] as const;
export type Health = (typeof HEALTH)[number];

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
export function healthStatus(body: Buffer): Health | null {
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
