import type { MessageDescriptor } from "../../../server/src/platform/i18n/message.ts";
import { formatWait } from "../i18n/format.ts";
import { i18n, translateMessage } from "../i18n/i18n.ts";
import { apiPaths } from "../paths.ts";

/** Field name (nested as `authConfig.username`) to the API's sentences about it, in the reader's language. */
export type FieldErrors = Record<string, string[]>;

/** `status`: of HTTP, 0 when no answer came at all; `message` may be shown as it is. */
export class ApiError extends Error {
  readonly status: number;
  readonly fields: FieldErrors;
  readonly requestId: string | null;

  constructor(status: number, message: string, fields: FieldErrors = {}, requestId: string | null = null) {
    super(message);
    this.name = "ApiError";
    this.status = status;
    this.fields = fields;
    this.requestId = requestId;
  }
}

/** What to say of a refusal in one place: the sentences of every field, or the error's own. */
export function sentencesOf(error: unknown): string[] {
  const fields = error instanceof ApiError ? Object.values(error.fields).flat() : [];
  return fields.length > 0 ? fields : [error instanceof Error ? error.message : String(error)];
}

export const isGone = (error: Error | null): boolean => error instanceof ApiError && error.status === 404;

export interface Pagination {
  page: number;
  limit: number;
  total: number;
  totalPages: number;
}

interface Envelope {
  success: boolean;
  message?: string;
  data?: unknown;
  errors?: FieldErrors;
  fact?: MessageDescriptor;
  facts?: Record<string, MessageDescriptor[]>;
  pagination?: Pagination;
}

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
type Query = Record<string, string | number | boolean | undefined>;

export interface Answer<T, Beside = unknown> {
  data: T;
  message: string;
  /** Only on paged lists. */
  pagination: Pagination | undefined;
  beside: Beside;
}

/**
 * Of the same origin, with the session's cookie, unwrapping the envelope. The caller names the shape of
 * `data` and `beside`. Throws ApiError for every failure, the network's included.
 */
export async function call<T, Beside = unknown>(
  method: Method,
  path: string,
  options: RequestOptions = {},
): Promise<Answer<T, Beside>> {
  return unwrap(await send(method, path, options));
}

/** As `call`, for a file, with the name that the API gives it. Throws ApiError. */
export async function callForFile(path: string): Promise<{ name: string; content: Blob }> {
  const response = await send("GET", path, {});
  if (!response.ok) throw failure(response, await readEnvelope(response));
  const [, name = ""] = /filename="([^"]*)"/.exec(response.headers.get("content-disposition") ?? "") ?? [];
  return { name, content: await response.blob() };
}

interface RequestOptions {
  query?: Query;
  body?: object;
  signal?: AbortSignal | undefined;
}

/** A line of an answer that comes in lines (docs/api.md): how far it is, what came of it, or why it failed. */
type LastLine<T> =
  | { type: "result"; results: T }
  | { type: "error"; message: string; fact?: MessageDescriptor };

/** As `call`, for an answer that comes in lines: `onLine` receives those before the last. Throws ApiError. */
export async function callInLines<T, L extends { type: string }>(
  path: string,
  options: RequestOptions & { onLine: (line: L) => void },
): Promise<T> {
  const response = await send("POST", path, options);
  const isLines = response.headers.get("content-type")?.startsWith("application/x-ndjson") ?? false;
  if (!isLines || response.body === null) return (await unwrap<T, unknown>(response)).data;
  let rest = "";
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines.map((one) => JSON.parse(one) as L | LastLine<T>)) {
      if (isLast(line)) return resultOf(response, line);
      options.onLine(line);
    }
  }
  throw new ApiError(0, i18n.t("error.unreachable"));
}

const isLast = <T>(line: { type: string } | LastLine<T>): line is LastLine<T> =>
  line.type === "result" || line.type === "error";

function resultOf<T>(response: Response, line: LastLine<T>): T {
  if (line.type === "result") return line.results;
  const message = translateMessage(line.message, line.fact);
  throw new ApiError(response.status, message, {}, response.headers.get("x-request-id"));
}

/**
 * As `call`, for long requests: `onProgress` receives the percentage done, where the answer has it. Throws ApiError.
 */
export const callWithProgress = <T>(
  path: string,
  { onProgress, ...options }: RequestOptions & { onProgress: (percent: number) => void },
): Promise<T> =>
  callInLines<T, { type: "progress"; progress: number }>(path, {
    ...options,
    onLine: ({ progress }) => onProgress(progress),
  });

async function send(method: Method, path: string, options: RequestOptions): Promise<Response> {
  const init: RequestInit = {
    method,
    credentials: "same-origin",
    headers: { Accept: "application/json" },
    ...(options.signal && { signal: options.signal }),
  };
  if (options.body) {
    init.headers = { ...init.headers, "Content-Type": "application/json" };
    init.body = JSON.stringify(options.body);
  }
  return fetch(withQuery(path, options.query), init).catch((cause: unknown) => {
    if (options.signal?.aborted) throw cause;
    throw new ApiError(0, i18n.t("error.unreachable"));
  });
}

async function unwrap<T, Beside>(response: Response): Promise<Answer<T, Beside>> {
  const envelope = await readEnvelope(response);
  if (!response.ok || !envelope?.success) throw failure(response, envelope);
  const { success: _, data, message = "", pagination, ...beside } = envelope;
  return { data: data as T, message, pagination, beside: beside as Beside };
}

function withQuery(path: string, query: Query = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== "") parameters.set(name, String(value));
  }
  return parameters.size > 0 ? `${path}?${parameters}` : path;
}

/** Null for a body that is no envelope, e.g. the page of a proxy in between. */
async function readEnvelope(response: Response): Promise<Envelope | null> {
  try {
    const body: unknown = await response.json();
    return typeof body === "object" && body !== null && "success" in body ? (body as Envelope) : null;
  } catch {
    return null;
  }
}

function failure(response: Response, envelope: Envelope | null): ApiError {
  const { message: sentence, errors = {}, fact, facts: details } = envelope ?? {};
  const message =
    comeBackLater(response) ??
    (sentence ? translateMessage(sentence, fact) : i18n.t("error.unexpected", { status: response.status }));
  const fields = Object.entries(errors).map(([name, sentences]) => [
    name,
    sentences.map((one, at) => translateMessage(one, details?.[name]?.[at], name)),
  ]);
  return new ApiError(
    response.status,
    message,
    Object.fromEntries(fields),
    response.headers.get("x-request-id"),
  );
}

/** After too many requests, when to try again; null for other answers, and where the server does not say when. */
function comeBackLater(response: Response): string | null {
  const seconds = Number(response.headers.get("retry-after"));
  if (response.status !== 429 || !(seconds > 0)) return null;
  return i18n.t("error.tooMany", { duration: formatWait(seconds, i18n.language) });
}

/** Whether the server answers; a proxy that speaks in its place says that it is away. */
export async function serverAnswers(): Promise<boolean> {
  try {
    return (await fetch(apiPaths.health, { cache: "no-store" })).ok;
  } catch {
    return false;
  }
}
