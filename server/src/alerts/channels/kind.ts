import type { TSchema } from "typebox";
import type { Context } from "../../platform/context.ts";
import type { FieldErrors } from "../../platform/errors.ts";
import type { Reader } from "../../platform/i18n/reader.ts";
import type { OpenDelivery, Outcome } from "../outbox.ts";
import type { Message } from "./message.ts";
import type { Words } from "./message-words.ts";

/** A message that is to be sent now, in its channel's words. */
export interface Outgoing {
  /** The same for each attempt, so that receivers can recognize duplicates. */
  id: string;
  message: Message;
  words: Words;
  /** The link by which it is acknowledged, and the token in it, which is a secret; null: there is none. */
  acknowledge: { url: string; token: string } | null;
  /** The receiver's id of the first message about this outage; null for the first one. */
  reference: string | null;
  /** The same in all messages about this outage. */
  threadKey: string;
  organization: { uuid: string; name: string };
  /** The channel is the receiver's own. */
  isOwn: boolean;
  /** Milliseconds; of this try. */
  now: number;
}

/** A request to send. */
export interface ChannelRequest {
  /** Default: POST. */
  method?: "POST" | "PUT" | "PATCH";
  url: string;
  headers?: Record<string, string>;
  /** Sent as JSON, or in the form of a web page's, or as it is. */
  body: { json: object } | { form: Record<string, string> } | { text: string; type: string };
}

/** What came back. */
export interface ChannelAnswer {
  status: number;
  header(name: string): string | undefined;
  /** The beginning, at most 64 KiB. */
  body: string;
}

/**
 * What an answer means where its status code does not say it. `unknown`: the message that was referred to is gone. `moved`:
 * the recipient is reached elsewhere from now on, by these fields of the configuration.
 */
export type AnswerVerdict =
  | "sent"
  | "refused"
  | "ended"
  | "unknown"
  | { afterMs: number }
  | { moved: object };

interface KindDetails<Config> {
  type: string;
  /** Validates `channels.config` with its secrets; forms and OpenAPI come from it. Title and description are for people. */
  configSchema: TSchema;
  /**
   * What reads the messages, where it is not people. A pager has alerts of its own, which stay open until their end is sent; a
   * machine receives each event by itself.
   */
  reader?: "pager" | "machine";
  /**
   * The server is self-hosted: a proxy in front of it, or one being set up, may answer as if the receiver were gone. Only a day
   * of such refusals counts.
   */
  isSelfHosted?: boolean;
  /** It is notified of acknowledgements: it has alarms of its own, or threads that show them. */
  supportsAcknowledgement?: boolean;
  /** The address that has to give consent before it is written to. Absent: none is needed. */
  consentOf?(config: Config): string;
  /** What lists show of a configuration, in one line and without secrets. */
  target(config: Config): string;
  /** Adds what is made where it is not given. `stored`: the configuration so far, `{}` for a new channel. */
  complete?(config: Config, stored: Partial<Config>): object;
  /** What is wrong with it beside what the schema says, by field. */
  problems?(config: Config): FieldErrors;
}

/** A kind that is reached by one HTTP request. Sending, retrying, logging and masking belong to the transport. */
export interface HttpChannelKind<Config = never> extends KindDetails<Config> {
  request(config: Config, outgoing: Outgoing): ChannelRequest;
  /** Undefined: as the status code says (post.ts). */
  evaluate?(answer: ChannelAnswer, now: number): AnswerVerdict | undefined;
  /** How long it wants to be left alone after what it has taken, milliseconds. Undefined: not at all. */
  pauseMs?(answer: ChannelAnswer): number | undefined;
  /** What the other side calls the message. */
  reference?(answer: ChannelAnswer): string | null;
}

/** A kind that is reached in another way. */
export interface OwnChannelKind<Config = never> extends KindDetails<Config> {
  send(
    ctx: Context,
    to: { config: Config; reader: Reader; delivery: OpenDelivery; outgoing: Outgoing },
    signal: AbortSignal,
  ): Promise<Outcome>;
}

/** A way to reach people: a file each, listed in registry.ts. `Config` follows `configSchema`. */
export type ChannelKind<Config = never> = HttpChannelKind<Config> | OwnChannelKind<Config>;
