import { RPC } from "./rpc-error.ts";

/** So many fields are named, of what length. */
const MAX_FIELDS = 5;
const FIELD = /^[\w$.[\]-]{1,100}$/;
/** Where the library's text of what is wrong, which is JSON, says in which field that is. */
const PATHS = /"path":\s*\[([^\]]{0,300})\]/g;

interface Answer {
  error?: { code?: unknown; message?: unknown };
}

/**
 * A message to a client in words of ours: of parameters that are not as MCP has them, the library tells in the terms of its own
 * schemas, at any length and with what was sent. `said`: the errors that we have worded.
 */
export function inOwnWords<T>(message: T, said: Set<string>): T {
  if (Array.isArray(message)) return message.map((one) => inOwnWords(one as unknown, said)) as T;
  const { error } = (message ?? {}) as Answer;
  if (!error || typeof error.message !== "string" || said.has(error.message)) return message;
  if (error.code !== RPC.params && error.code !== RPC.internal) return message;
  const fields = fieldsIn(error.message);
  // What it cannot read of a request it calls a fault of the inside.
  const isInside = error.code === RPC.internal && fields.length === 0;
  const what = fields.length > 0 ? `: ${fields.join(", ")} is missing, or not as MCP has it` : "";
  const own = isInside
    ? { code: RPC.internal, message: "Server Error" }
    : { code: RPC.params, message: `Invalid params${what}.` };
  // An answer may pass here twice.
  said.add(own.message);
  return { ...message, error: own };
}

function fieldsIn(text: string): string[] {
  const fields = [...text.matchAll(PATHS)].flatMap(([, inside = ""]) => {
    const field = inside.replace(/["\s]/g, "").replaceAll(",", ".");
    return FIELD.test(field) ? [field] : [];
  });
  return [...new Set(fields)].slice(0, MAX_FIELDS);
}
