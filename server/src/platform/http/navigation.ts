import type { FastifyRequest } from "fastify";
import Negotiator from "negotiator";
import { LANGUAGES, type Language, preferredLanguage } from "../i18n/languages.ts";

const JSON_TYPE = "application/json";

const HTML_TYPE = "text/html";

type Requested = Pick<FastifyRequest, "method" | "headers">;

/** RFC 9110, 12.5.1; programs that take anything get JSON. */
export const prefersHtml = ({ headers: { accept } }: Pick<FastifyRequest, "headers">): boolean =>
  accept !== undefined &&
  new Negotiator({ headers: { accept } }).mediaType([JSON_TYPE, HTML_TYPE]) === HTML_TYPE;

/** A person's browser gets a page to read, programs get JSON. */
export const isNavigation = (request: Requested): boolean =>
  (request.method === "GET" || request.method === "HEAD") &&
  request.headers.authorization === undefined &&
  prefersHtml(request);

export function namedLanguage(request: FastifyRequest): Language | undefined {
  const { lang } = request.query as { lang?: unknown };
  return LANGUAGES.find((one) => one === lang);
}

/** Of the address, else of the browser. */
export const languageOf = (request: FastifyRequest): Language =>
  namedLanguage(request) ?? preferredLanguage(request.headers["accept-language"]);
