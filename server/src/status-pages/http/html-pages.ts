import type { FastifyReply } from "fastify";
import type { Language } from "../../platform/i18n/render.ts";
import { type MessageKind, messagePage } from "../render/form-pages.ts";
import type { Rendered } from "../render/page-frame.ts";

export const VARY = "accept-encoding, accept-language";

/** `home`: a link to the page, for visitors who may see it. */
export const sendMessage = (
  reply: FastifyReply,
  status: number,
  kind: MessageKind,
  language: Language,
  home: string | null = null,
) => sendRendered(reply, status, messagePage(kind, language, home));

/** For this visitor alone: not cached. */
export const sendRendered = (reply: FastifyReply, status: number, { body, headers }: Rendered) =>
  reply
    .status(status)
    .headers({ ...headers, vary: VARY })
    .type("text/html; charset=utf-8")
    .send(body);
