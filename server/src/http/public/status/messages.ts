import type { FastifyReply, FastifyRequest } from "fastify";
import type { Rendered } from "../../../page/render/document.ts";
import { type MessageKind, messagePage } from "../../../page/render/message-page.ts";
import { LANGUAGES, type Language, preferredLanguage } from "../../../texts/languages.ts";
import { VARY } from "./ready.ts";

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
