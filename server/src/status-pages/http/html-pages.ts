import type { FastifyReply, FastifyRequest } from "fastify";
import Negotiator from "negotiator";
import { LANGUAGES, type Language, preferredLanguage } from "../../platform/i18n/languages.ts";
import type { Rendered } from "../render/document.ts";
import { type MessageKind, messagePage } from "../render/form-pages.ts";

/** What a page that the server writes depends on besides its address. */
export const VARY = "accept-encoding, accept-language";

const JSON_TYPE = "application/json";
const HTML_TYPE = "text/html";

type Requested = Pick<FastifyRequest, "method" | "headers">;

/** Whether a client would rather be sent HTML than JSON (RFC 9110, 12.5.1); programs that take anything get JSON. */
export const prefersHtml = ({ headers: { accept } }: Pick<FastifyRequest, "headers">): boolean =>
  accept !== undefined &&
  new Negotiator({ headers: { accept } }).mediaType([JSON_TYPE, HTML_TYPE]) === HTML_TYPE;

/** Whether a person's browser goes there: they get a page to read, programs get JSON. */
export const isNavigation = (request: Requested): boolean =>
  (request.method === "GET" || request.method === "HEAD") &&
  request.headers.authorization === undefined &&
  prefersHtml(request);

/** The language that the address names. */
export function namedLanguage(request: FastifyRequest): Language | undefined {
  const { lang } = request.query as { lang?: unknown };
  return LANGUAGES.find((one) => one === lang);
}

/** The language that the address names, or that the browser asks for. */
export const languageOf = (request: FastifyRequest): Language =>
  namedLanguage(request) ?? preferredLanguage(request.headers["accept-language"]);

/** Sends a page that says why there is none; `home` leads to the page whose visitor has gone astray. */
export const sendMessage = (
  reply: FastifyReply,
  status: number,
  kind: MessageKind,
  language: Language,
  home: string | null = null,
) => sendRendered(reply, status, messagePage(kind, language, home));

/** Sends a page that is for this visitor alone, and that nobody keeps. */
export const sendRendered = (reply: FastifyReply, status: number, { body, headers }: Rendered) =>
  reply
    .status(status)
    .headers({ ...headers, vary: VARY })
    .type("text/html; charset=utf-8")
    .send(body);
