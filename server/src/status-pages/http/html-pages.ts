import type { FastifyReply } from "fastify";
import Negotiator from "negotiator";
import type { Language } from "../../platform/i18n/languages.ts";
import type { Rendered } from "../render/document.ts";
import { type MessageKind, messagePage } from "../render/form-pages.ts";

/** What a page that the server writes depends on besides its address. */
export const VARY = "accept-encoding, accept-language";

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
