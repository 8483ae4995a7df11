import type { FastifyReply, FastifyRequest } from "fastify";
import { type Static, type TObject, type TSchema, Type } from "typebox";
import type { AnonymousClient } from "../access/caller.ts";
import { runVerb } from "../operations/call.ts";
import type { Word } from "../operations/field.ts";
import { oneOf } from "../operations/field.ts";
import type { Access, Calling, Verb } from "../operations/operation.ts";
import type { Listed } from "../operations/paging.ts";
import { organizationsNamed, takesOrganization } from "./authenticate.ts";
import type {
  RouteDefinition,
  RouteDetails,
  RouteRequest,
  RouteResult,
  SentFile,
  WriteData,
} from "./route.ts";
import { visitorOf } from "./visitor.ts";

type RouteWords = Omit<RouteDetails, keyof Access | "family" | "paged" | "beside" | "loopback" | "elsewhere">;

export interface HttpCall {
  ctx: Calling;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** An HTTP address of an operation. */
export interface Listing<I extends TSchema, O extends TSchema, R> extends RouteWords {
  verb: Verb<I, O, R>;
  /** Which field of the input a placeholder of the address is; default: the one of the same name. */
  params?: Record<string, string>;
  /** Whether assistants have it as a tool. Default: what needs a scope of its own, but for people and keys. */
  assistant?: boolean;
  /** What the answer says. Default: `OK`. */
  message?: string | ((output: R) => string);
  /** The status of an answer, where that is not always the one of the listing. */
  statusOf?(output: R): 200 | 201;
  /** The visitor, for what anonymous clients may do. */
  visitor?(input: Static<I>, http: HttpCall): Promise<AnonymousClient>;
  /** What HTTP itself refuses before the operation runs, such as too much of it. */
  before?(input: Static<I>, http: HttpCall): Promise<void>;
  /** What HTTP itself adds afterwards, such as a cookie. Returns what is sent. */
  finish?(output: R, http: HttpCall): unknown;
  /** Writes the answer by hand, from what the operation's own `run` returns. */
  write?(output: R, ...how: Parameters<WriteData>): ReturnType<WriteData>;
  /** Sends a file of this content type in the place of the envelope, in the family's words. */
  file?: FileForm<R>;
  /** Sent in its place where the query's `format` names them; `query`: their further parameters. */
  formats?: { query: TObject; files: Readonly<Record<string, FileForm<R>>> };
}

/** `query`: of a listing with `formats`. */
export interface FileForm<R> {
  type: string;
  schema: TSchema;
  of(output: R, word: Word, query: Readonly<Record<string, unknown>>): SentFile | Promise<SentFile>;
}

export function routeOf<I extends TSchema, O extends TSchema, R>(
  listing: Listing<I, O, R>,
): Omit<RouteDefinition, "family"> {
  const {
    verb,
    params: _,
    assistant: ____,
    message,
    statusOf,
    visitor = visitorOf,
    before,
    finish: __,
    write: ___,
    ...others
  } = listing;
  const { file, formats, ...words } = others;
  const input = inputOf(listing);
  const details = detailsOf(verb as unknown as Verb);
  const { by, resource } = details;
  const isFiltered = takesOrganization({ family: by === "anyone" ? "public" : "legacy", resource });
  return {
    ...words,
    ...details,
    response: verb.output,
    ...(verb.progress && { progress: verb.progress }),
    ...(file && { content: { [file.type]: file.schema } }),
    ...input.schemas,
    ...(formats && withFormats(formats, input.schemas as { querystring?: Shape })),
    async handler(ctx, request, reply) {
      const given = input.read(request);
      const http = { ctx, request: request.raw, reply };
      if (by === "anyone") http.ctx.visitor = await visitor(given, http);
      await before?.(given, http);
      const names = isFiltered ? organizationsNamed(request.raw) : [];
      const output = await runVerb(http.ctx, verb, given, names);
      const query = request.query as Record<string, unknown>;
      const result = resultOf(listing, output, { query, finished: await listing.finish?.(output, http) });
      return {
        ...result,
        ...(statusOf && { status: statusOf(output) }),
        ...(message !== undefined && {
          message: typeof message === "string" ? message : message(output),
        }),
      };
    },
  };
}

/** Whatever an operation requires of its caller, its route requires too: nothing is picked by name. */
function detailsOf(verb: Verb) {
  const {
    input: _input,
    output: _output,
    audit: _audit,
    find: _find,
    prepare: _prepare,
    run: _run,
    progress: _progress,
    hints: _hints,
    ...details
  } = verb;
  return details;
}

function resultOf<I extends TSchema, O extends TSchema, R>(
  { verb, write, file, formats }: Listing<I, O, R>,
  output: R,
  { query, finished }: { query: Record<string, unknown>; finished: unknown },
): RouteResult {
  const { page, beside } = verb.paged ? (output as Listed<unknown>) : {};
  const details = { ...(page && { page }), ...(beside && { beside }) };
  const form = file ?? formats?.files[String(query["format"])];
  if (form) return { ...details, type: form.type, file: (word) => form.of(output, word, query) };
  if (write) return { ...details, writeData: (...how) => write(output, ...how) };
  return { ...details, data: finished ?? (verb.paged ? (output as Listed<unknown>).items : output) };
}

function withFormats(
  { query, files }: NonNullable<Listing<TSchema, TSchema, never>["formats"]>,
  { querystring = {} }: { querystring?: Shape },
) {
  const format = oneOf(["json", ...Object.keys(files)], {
    default: "json",
    description: "What the answer is: this envelope, or a file.",
  });
  const properties = { ...querystring.properties, format, ...query.properties };
  return {
    querystring: Type.Unsafe({ type: "object", ...querystring, properties }),
    files: Object.fromEntries(Object.values(files).map(({ type, schema }) => [type, schema])),
  };
}

interface Shape {
  properties?: Record<string, TSchema>;
  required?: string[];
}

/** Where the input's fields are in a request: named in the path, all others in query or body. */
function inputOf<I extends TSchema>({
  verb,
  method,
  url,
  params = {},
}: Pick<Listing<I, TSchema, unknown>, "verb" | "method" | "url" | "params">) {
  const shape = verb.input as TSchema & Shape;
  const { properties = {} } = shape;
  const placeholders = Array.from(url.matchAll(/:(\w+)/g), ([, name]) => name as string);
  const inPath = placeholders.map((name) => [name, params[name] ?? name] as const);
  const missing = inPath.find(([, field]) => !(field in properties));
  if (missing) throw new Error(`${method} ${url}: the verb's input has no field ${missing[1]}.`);
  const others = Object.keys(properties).filter((name) => !inPath.some(([, field]) => field === name));
  const isText = method === "GET" || method === "DELETE";
  const path = Object.fromEntries(inPath.map(([name, field]) => [name, properties[field] as TSchema]));
  const required = shape.required?.filter((name) => others.includes(name)) ?? [];
  const rest = Type.Unsafe({
    ...shape,
    properties: Object.fromEntries(others.map((name) => [name, properties[name]])),
    required: required.length > 0 ? required : undefined,
  });
  return {
    schemas: {
      ...(inPath.length > 0 && { params: Type.Object(path) }),
      ...(others.length > 0 && (isText ? { querystring: rest } : { body: rest })),
    },
    read(request: RouteRequest): Static<I> {
      const input: Record<string, unknown> = {};
      for (const [name, field] of inPath) input[field] = (request.params as typeof input)[name];
      const given = (isText ? request.query : request.body) as typeof input;
      for (const name of others) if (given[name] !== undefined) input[name] = given[name];
      return input as Static<I>;
    },
  };
}
