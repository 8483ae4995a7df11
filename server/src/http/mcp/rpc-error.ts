import { ProtocolError } from "@modelcontextprotocol/server";
import { type ErrorKind, PublicError } from "../../errors.ts";
import { sentenceOf } from "../tools/sentence-of.ts";

/** JSON-RPC 2.0 §5.1; from -32000 to -32099 a server's own. */
export const RPC = {
  parse: -32_700,
  request: -32_600,
  method: -32_601,
  params: -32_602,
  internal: -32_603,
  refused: -32_000,
} as const;

/** A request that is answered before any tool sees it: by HTTP's status and by JSON-RPC's code. */
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

/** The body of a refusal. */
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

/** What a method other than a tool call answers to what a verb throws; nothing of the inside is told. */
export function asProtocolError(error: unknown, requestId: string): Error {
  if (error instanceof ProtocolError) return error;
  if (error instanceof RpcRefusal) return new ProtocolError(error.code, error.message);
  if (!(error instanceof PublicError)) {
    return new ProtocolError(RPC.internal, "Server Error", { requestId });
  }
  return new ProtocolError(CODES[error.kind] ?? RPC.refused, sentenceOf(error), { reason: error.kind });
}
