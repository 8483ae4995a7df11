import { ProtocolError } from "@modelcontextprotocol/server";
import { type ErrorKind, PublicError } from "../../platform/errors.ts";
import { sentenceOf } from "../tools/run-tool.ts";

/** JSON-RPC allows batches, though recent clients send none. */
const MAX_BATCH = 20;
const MAX_DEPTH = 32;
/** Half a megabyte each time, and the same: at most once a batch. */
const ONCE = "tools/list";
const MAX_ID_LENGTH = 255;

/** Ids are echoed and passed on, so their length is limited. */
export const isId = (id: unknown): id is string | number =>
  Number.isSafeInteger(id) || (typeof id === "string" && id.length <= MAX_ID_LENGTH);

/** A call if it has an id and a method, a notification without id, otherwise a response. */
export interface RpcMessage {
  id?: string | number;
  /** Undefined: a response. */
  method?: string;
  params?: Record<string, unknown>;
}

/**
 * The JSON-RPC 2.0 messages of a body. Throws RpcRefusal for invalid, too many, or too deeply nested ones.
 */
export function readMessages(body: unknown): RpcMessage[] {
  if (body === undefined || body === null)
    throw new RpcRefusal(400, RPC.parse, "Parse error: the body is empty.");
  if (isTooDeep(body)) throw refused(`Invalid Request: nested deeper than ${MAX_DEPTH} levels.`);
  const messages: unknown[] = Array.isArray(body) ? body : [body];
  if (messages.length === 0) throw refused("Invalid Request: the batch is empty.");
  if (messages.length > MAX_BATCH) throw refused(`Invalid Request: at most ${MAX_BATCH} messages a batch.`);
  const read = messages.map(readMessage);
  if (read.filter(({ method }) => method === ONCE).length > 1)
    throw refused(`Invalid Request: ${ONCE} at most once a batch.`);
  const ids = read.flatMap(({ id, method }) =>
    id === undefined || method === undefined ? [] : [JSON.stringify(id)],
  );
  if (new Set(ids).size < ids.length)
    throw refused("Invalid Request: two messages of a batch have the same id.");
  return read;
}

const refused = (message: string, id: string | number | null = null) =>
  new RpcRefusal(400, RPC.request, message, id);

function readMessage(given: unknown): RpcMessage {
  if (given === null || typeof given !== "object" || Array.isArray(given)) {
    throw refused("Invalid Request: a message is an object.");
  }
  const { jsonrpc, id, method, params } = given as Record<string, unknown>;
  const isNamed = typeof id === "string" || Number.isSafeInteger(id);
  const echo = isNamed ? (id as string | number) : null;
  if (jsonrpc !== "2.0") throw refused('Invalid Request: jsonrpc must be "2.0".', echo);
  if (id !== undefined && !isNamed) throw refused("Invalid Request: id must be a string or an integer.");
  if (typeof id === "string" && id.length > MAX_ID_LENGTH)
    throw refused("Invalid Request: the id is too long.");
  const isAnswer = method === undefined && ("result" in given || "error" in given);
  if (!isAnswer && typeof method !== "string")
    throw refused("Invalid Request: method must be a string.", echo);
  if (params !== undefined && (params === null || typeof params !== "object" || Array.isArray(params))) {
    throw new RpcRefusal(400, RPC.params, "Invalid params: params must be an object.", echo);
  }
  return given as RpcMessage;
}

/** Level by level: deep nesting must not exhaust the stack. */
function isTooDeep(whole: unknown): boolean {
  let level: unknown[] = [whole];
  for (let depth = 0; depth <= MAX_DEPTH + 1; depth += 1) {
    level = level.flatMap((one) => (one !== null && typeof one === "object" ? Object.values(one) : []));
    if (level.length === 0) return false;
  }
  return true;
}

/** JSON-RPC 2.0 §5.1; from -32000 to -32099 a server's own. */
export const RPC = {
  parse: -32_700,
  request: -32_600,
  method: -32_601,
  params: -32_602,
  internal: -32_603,
  refused: -32_000,
} as const;

/** An error before any tool runs: HTTP status and JSON-RPC code. */
export class RpcRefusal extends Error {
  readonly status: number;
  readonly code: number;
  readonly id: string | number | null;

  constructor(status: number, code: number, message: string, id: string | number | null = null) {
    super(message);
    this.status = status;
    this.code = code;
    this.id = id;
  }
}

export const rpcFailure = (
  code: number,
  message: string,
  id: string | number | null = null,
  data?: object,
) => ({
  jsonrpc: "2.0",
  id,
  error: { code, message, ...(data && { data }) },
});

const CODES: Partial<Record<ErrorKind, number>> = { invalid_input: RPC.params, not_found: RPC.params };

/** A verb's error as a method other than a tool call answers it; internal details are left out. */
export function asProtocolError(error: unknown, requestId: string): Error {
  if (error instanceof ProtocolError) return error;
  if (error instanceof RpcRefusal) return new ProtocolError(error.code, error.message);
  if (!(error instanceof PublicError)) {
    return new ProtocolError(RPC.internal, "Server Error", { requestId });
  }
  return new ProtocolError(CODES[error.kind] ?? RPC.refused, sentenceOf(error), { reason: error.kind });
}
