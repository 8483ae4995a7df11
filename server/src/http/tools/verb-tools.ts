import { type TSchema, Type } from "typebox";
import { callVerb, findSubject } from "../../verb/call.ts";
import type { Verb } from "../../verb/verb.ts";
import { VERBS } from "../../verbs.ts";
import { Pagination, projectPage } from "../../wire/envelope.ts";
import type { Listed } from "../../wire/page.ts";
import { DESCRIBED } from "../described.ts";
import type { Listing } from "../listing.ts";
import { takesOrganization } from "../organization-filter.ts";

import { toldValue } from "./told-value.ts";
import type { Annotations, ToolCall, VerbTool } from "./tool.ts";

import { fieldsOf, toolInput, withoutFacts } from "./tool-schema.ts";

/** What belongs to people, their conversations and keys is not for assistants, unless a listing says so. */
const NOT_OFFERED = ["organization", "api-keys", "chat", "metrics"];
/** Of a list that a person would be shown in one go. */
const ITEMS_A_PAGE = 20;
/** With so few fields as a check has, these are more than fit (trim.ts). */
const MOST_ITEMS = 500;
/** Everything that assistants do is in the largest plan (decisions §5). */
export const TOOL_FEATURES = ["full"] as const;

type AnyListing = Listing<TSchema, TSchema, unknown>;

/** Whether it only looks at what is here, so that it can do no harm whoever thought of it. */
export const runsAtOnce = ({ readOnlyHint, openWorldHint }: Annotations): boolean =>
  readOnlyHint && !openWorldHint;

/** A tool for each verb that makes sense to an assistant, from what the verbs and their listings declare. */
export function verbTools(): VerbTool[] {
  const names = new Map<unknown, string>(Object.entries(VERBS).map(([name, verb]) => [verb, name]));
  const tools = new Map<string, VerbTool>();
  for (const describe of DESCRIBED) {
    describe((listing) => {
      const own = listing as unknown as AnyListing;
      const name = names.get(own.verb);
      if (name !== undefined && isOffered(own) && !tools.has(name)) tools.set(name, toolOf(name, own));
    });
  }
  return [...tools.values()];
}

function isOffered({ assistant, verb, file }: AnyListing): boolean {
  if (assistant !== undefined) return assistant;
  const { by = "caller", resource } = verb;
  return by === "caller" && resource !== null && !NOT_OFFERED.includes(resource) && !file;
}

/** `listIncidents` is `list_incidents`. */
const toolName = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function toolOf(name: string, listing: AnyListing): VerbTool {
  const { verb, summary, description = "", limit } = listing;
  const annotations = annotationsOf(listing);
  const isConfirmed = annotations.destructiveHint && verb.hints?.destructive !== "elsewhere";
  const { resource, by } = verb;
  const output = withoutFacts(verb.output);
  const item = itemOf(listing);
  const isFiltered = takesOrganization({ family: by === "anyone" ? "public" : "v2", resource });
  return {
    name: toolName(name),
    title: summary,
    description: `${summary}. ${forAssistants(description)}`.trim(),
    input: toolInput(verb.input, { takesOrganization: isFiltered, isConfirmed }),
    output: outputOf(verb, output),
    annotations,
    needs: [verb],
    limit: limit ?? verb.action,
    page: resource ?? "account",
    ...(item && { item }),
    run: async (call) => resultOf(listing, await callVerb(...argumentsOf(verb, call))),
    isConfirmed,
    ...(!runsAtOnce(annotations) && {
      preview: async (call: ToolCall) => (await findSubject(...argumentsOf(verb, call))).found,
    }),
  };
}

/** By its address. What is added to a thing has an id of its own, which is none of the thing's kind; what is deleted is gone. */
function itemOf({ url, method, verb: { resource } }: AnyListing): VerbTool["item"] {
  const collection = `/api/${resource}`;
  if (url === collection) return method === "GET" ? "listed" : "made";
  const isGone = method === "DELETE" && url === `${collection}/:id`;
  return !isGone && /^\/:id(?:\/|$)/.test(url.slice(collection.length)) && url.startsWith(collection)
    ? "given"
    : undefined;
}

const argumentsOf = (verb: Verb, { ctx, input, organizations }: ToolCall) => {
  const { requestId, address, language } = ctx.caller;
  const visitor = { requestId, address, userAgent: "", ...(language && { language }) };
  const calling = verb.by === "anyone" ? { ...ctx, visitor } : ctx;
  return [calling, verb, withPage(verb, input), { organizations, features: TOOL_FEATURES }] as const;
};

/** A list that could be long comes in pages, asked for or not, and none has more items than an answer could hold. */
function withPage(verb: Verb, input: Record<string, unknown>): Record<string, unknown> {
  const limit = fieldsOf(verb.input)["limit"];
  const { limit: asked } = input;
  if (limit === undefined) return input;
  const isOpen = verb.paged === true && limit.default === undefined;
  if (asked === undefined) return isOpen ? { ...input, limit: ITEMS_A_PAGE } : input;
  // What is more than the verb allows is for it to refuse.
  const { maximum = Number.POSITIVE_INFINITY } = limit as { maximum?: number };
  const isMany = typeof asked === "number" && asked > MOST_ITEMS && asked <= maximum;
  return isMany ? { ...input, limit: MOST_ITEMS } : input;
}

/** Assistants are told that it was refused, not by which status code. */
const forAssistants = (description: string): string =>
  description
    .replaceAll(
      /(^|[.:;] )?\b(?:40[0-9]|42[29]|50[0-9])\b(?= (?:for|where|when|on|once|to)\b)/g,
      (_, start?: string) => (start === undefined ? "refused" : `${start}Refused`),
    )
    .trim();

function annotationsOf({ verb, method }: AnyListing): Annotations {
  const { hints = {}, action } = verb;
  const readOnlyHint = hints.readOnly ?? action === "read";
  return {
    readOnlyHint,
    destructiveHint: !readOnlyHint && Boolean(hints.destructive ?? method === "DELETE"),
    idempotentHint: hints.idempotent ?? (readOnlyHint || method === "PUT" || method === "DELETE"),
    openWorldHint: hints.openWorld ?? false,
  };
}

const outputOf = ({ paged, beside = {} }: Verb, output: TSchema): TSchema =>
  Type.Object({ result: output, ...(paged && { pagination: Type.Optional(Pagination) }), ...beside });

/** What the verb's output declares, and nothing that `run` gives besides. */
function resultOf({ verb, write }: AnyListing, output: unknown): Record<string, unknown> {
  const { page, beside = {} } = verb.paged ? (output as Listed<unknown>) : {};
  return {
    result: write
      ? (JSON.parse(write(output, (word) => word, { first: "", last: "" }).toString()) as unknown)
      : toldValue<unknown>(verb.output, verb.paged ? (output as Listed<unknown>).items : output),
    ...(page && { pagination: projectPage(page, "legacy") }),
    ...beside,
  };
}
