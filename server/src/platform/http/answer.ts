import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { promisify } from "node:util";
import zlib from "node:zlib";
import fastJson from "fast-json-stringify";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { TSchema } from "typebox";
import { inSlices, mapInTurns } from "../turns.ts";
import { createLine } from "./begin-in-turns.ts";

const compressBrotli = promisify(zlib.brotliCompress);
const compressGzip = promisify(zlib.gzip);
/** A page of 50 kB takes 2 ms, and becomes 7 kB. */
const BROTLI = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 5 } };
/** Smaller answers are sent as they are. */
const LEAST_BYTES = 1024;
export type Coding = "br" | "gzip" | "identity";

/** Bytes that many clients are sent, with their headers: compressed once in each coding. */
export interface Answer {
  etag: string;
  headers: Readonly<Record<string, string>>;
  /** Other people's pages may show it in a frame of theirs. */
  isFramed: boolean;
  /** Made when first needed; `identity` is always there. */
  bodies: Partial<Record<Coding, Buffer>> & { identity: Buffer };
  making?: Partial<Record<Coding, Promise<Buffer>>>;
}

export function answerWith(content: string | Buffer, headers: Answer["headers"]): Answer {
  const identity = Buffer.from(content);
  return {
    // Weak, since it is the same for every coding.
    etag: `W/"${createHash("sha256").update(identity).digest("base64url").slice(0, 22)}"`,
    headers,
    bodies: { identity },
    isFramed: headers["content-security-policy"]?.includes("frame-ancestors *") ?? false,
  };
}

/** The smallest that the client takes. */
export function codingFor({ bodies }: Answer, accepted: string | undefined): Coding {
  if (accepted === undefined || bodies.identity.length < LEAST_BYTES) return "identity";
  if (takes(accepted, "br")) return "br";
  return takes(accepted, "gzip") ? "gzip" : "identity";
}

/** Whether a header names a coding, and not with a weight of nothing (RFC 9110 §12.5.3). */
export function takes(accepted: string, coding: string): boolean {
  const at = accepted.indexOf(coding);
  return at >= 0 && !/^\s*;\s*q=0(?:\.0*)?\s*(?:,|$)/.test(accepted.slice(at + coding.length));
}

/** Made once, also for many that need it at the same moment. */
export async function bodyIn(answer: Answer, coding: Coding): Promise<Buffer> {
  const { bodies } = answer;
  const known = bodies[coding];
  if (known) return known;
  const making = (answer.making ??= {});
  making[coding] ??=
    coding === "br" ? compressBrotli(bodies.identity, BROTLI) : compressGzip(bodies.identity);
  try {
    const body = await making[coding];
    bodies[coding] = body;
    return body;
  } finally {
    delete making[coding];
  }
}

/** Whether the client has this version already (RFC 9110 §13.1.2). */
export const isKnown = ({ etag }: Answer, known: string | undefined): boolean =>
  known !== undefined && (known.trim() === "*" || known.includes(etag.slice(2)));

/** Sends it as the client takes it, in parts that others have their turn between; 304 where the client has it. */
export async function sendAnswer(
  answer: Answer,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  reply.headers({ ...answer.headers, etag: answer.etag });
  if (isKnown(answer, request.headers["if-none-match"])) return reply.status(304).send();
  const coding = codingFor(answer, request.headers["accept-encoding"]);
  if (coding !== "identity") reply.header("content-encoding", coding);
  const body = await bodyIn(answer, coding);
  reply.header("content-length", body.length);
  return reply.send(request.method === "HEAD" ? "" : Readable.from(slicesOf(body)));
}

/** What goes to a socket at a time: three hundred simultaneous clients get a quarter of a megabyte in a turn, not 900. */
const SLICE_BYTES = 32_768;

const SLICES_A_TURN = 8;
const slices = createLine({ perTurn: SLICES_A_TURN, most: Number.POSITIVE_INFINITY });

/** Each part only once the client has taken the one before, and others have had their turn. */
async function* slicesOf(body: Buffer): AsyncGenerator<Buffer> {
  for (let from = 0; from < body.length; from += SLICE_BYTES) {
    if (!slices.goesNow())
      await new Promise<void>((go) => slices.wait("", { go, refuse: go, isGone: () => false }));
    yield body.subarray(from, from + SLICE_BYTES);
  }
}

type Write = ReturnType<typeof fastJson>;

/** By their schemas: that of a failure is every route's. */
const writers = new WeakMap<object, Write>();

/** The writer of a schema is made at its first answer: making all took a fifth of the start. */
export function installSerialization(app: FastifyInstance): void {
  app.setSerializerCompiler(({ schema }) => {
    let write: Write | undefined;
    return (answer) => {
      write ??= writerOf(schema as object);
      return write(answer);
    };
  });
}

/** One for each schema. */
export function writerOf(schema: object): Write {
  const known = writers.get(schema);
  if (known) return known;
  // Which of several shapes a value has is found without formats: ours are unknown there, and each would be a line on stderr.
  const write = fastJson(schema, { ajv: { validateFormats: false } });
  writers.set(schema, write);
  return write;
}

/** From this length on a list is written piece by piece: ten thousand items at once held everything else up for 15 ms. */
const LONG = 400;
const PIECE = 250;

/** A list, or lists by a key that is data (a location's code). */
type Lists = unknown[] | Record<string, unknown[]>;

type WriteLists = (data: Lists, around: { first: string; last: string }) => Promise<string>;

/** Whether `data` holds lists that are too long to be written at once. */
export function isLong(data: unknown): data is Lists {
  if (Array.isArray(data)) return data.length > LONG;
  if (typeof data !== "object" || data === null) return false;
  return Object.values(data).some((list) => Array.isArray(list) && list.length > LONG);
}

/** Null where the schema is of something else. */
function listSchemas(schema: TSchema): { list: TSchema; item: TSchema } | null {
  const { items, patternProperties } = schema as {
    items?: TSchema;
    patternProperties?: Record<string, TSchema>;
  };
  if (items) return { list: schema, item: items };
  const [list] = Object.values(patternProperties ?? {});
  return list ? listSchemas(list) : null;
}

/** Yields to the event loop in between. Null: these are not long lists. */
export async function mapLists(
  schema: TSchema,
  data: unknown,
  change: (item: unknown, schema: TSchema) => unknown,
): Promise<Lists | null> {
  const schemas = listSchemas(schema);
  if (!schemas || !isLong(data)) return null;
  const changeAll = (list: unknown[]) => mapInTurns(list, (item) => change(item, schemas.item));
  if (Array.isArray(data)) return changeAll(data);
  const changed: Record<string, unknown[]> = {};
  for (const [key, list] of Object.entries(data)) changed[key] = await changeAll(list);
  return changed;
}

/** Writes long lists between the two texts of the envelope, yielding in between. Null: no lists. */
export function listWriter(schema: TSchema): WriteLists | null {
  const schemas = listSchemas(schema);
  if (!schemas) return null;
  const writeList = async (list: unknown[]): Promise<string> => {
    const writePiece = writerOf(schemas.list);
    const pieces: string[] = [];
    await inSlices(list, PIECE, (part) => void pieces.push(writePiece(part).slice(1, -1)));
    return `[${pieces.join(",")}]`;
  };
  return async (data, { first, last }) => {
    if (Array.isArray(data)) return first + (await writeList(data)) + last;
    const members: string[] = [];
    for (const [key, list] of Object.entries(data))
      members.push(`${JSON.stringify(key)}:${await writeList(list)}`);
    return `${first}{${members.join(",")}}${last}`;
  };
}

/** Read whole up to this size, so that the answer to a pasted log names the field that is too long. */
export const LONG_TEXTS = { bodyLimitBytes: 2 * 1024 * 1024 };
