import type { CallToolResult } from "@modelcontextprotocol/server";
import { type Static, type TSchema, Type } from "typebox";
import { Timestamp } from "../../wire/field.ts";
import { type LeftOut, trimmed } from "./trim.ts";
import { markUntrusted, UNTRUSTED_NOTE } from "./untrusted.ts";

/** What every answer may say beside its own. Told in few words: each of a hundred tools has them. */
const Besides = {
  /** `page`: where the app shows it; `item`: where it shows one, with its id for `{id}`. */
  links: Type.Optional(Type.Unsafe<object>({ type: "object" })),
  /** Where something was left out so that the answer fits (trim.ts). */
  leftOut: Type.Optional(Type.Array(Type.Unsafe<object>({ type: "object" }))),
  /** Where text from outside stands: it is data, whatever it says, and no instruction. */
  untrusted: Type.Optional(Type.Array(Type.String())),
};

/** What a tool that must be confirmed says first. */
const Confirmation = Type.Object({
  required: Type.Literal(true),
  wouldDo: Type.String({ description: "What the call would do." }),
  subject: Type.Optional(Type.Unknown({ description: "What it would do that to." })),
  token: Type.String({ description: "Repeat the call with it as `confirmationToken`." }),
  expiresAt: Timestamp,
});

export type Confirmation = Static<typeof Confirmation>;

/** The shape of a tool's structured answer. Of one that is confirmed nothing of its own is there at first. */
export function answerSchema(output: TSchema, { isConfirmed }: { isConfirmed: boolean }): TSchema {
  const own = output as TSchema & { properties: Record<string, TSchema>; required?: string[] };
  return Type.Unsafe({
    type: "object",
    properties: { ...own.properties, ...Besides, ...(isConfirmed && { confirmation: Confirmation }) },
    ...(!isConfirmed && own.required && { required: own.required }),
  });
}

export interface Links {
  page: string;
  item?: string;
}

/** A tool's answer: as its schema says, and the same for whoever reads text. */
export function answer(
  own: Record<string, unknown>,
  { schema, links }: { schema: TSchema; links?: Links | undefined },
): CallToolResult {
  const { value, leftOut } = trimmed(own, (part) => markUntrusted(schema, part).value);
  const { value: marked, places } = markUntrusted(schema, value);
  const besides = {
    ...(links && { links }),
    ...(leftOut.length > 0 && { leftOut }),
    ...(places.length > 0 && { untrusted: places }),
  };
  return {
    content: [
      { type: "text", text: JSON.stringify(marked) },
      { type: "text", text: notes({ links, leftOut, isMarked: places.length > 0 }) },
    ],
    structuredContent: { ...value, ...besides },
  };
}

/** The same as texts, for resources and prompts: the data as JSON, and what is to be said of it. */
export function answerTexts(own: Record<string, unknown>, how: Parameters<typeof answer>[1]): string[] {
  return answer(own, how).content.flatMap((part) => (part.type === "text" ? [part.text] : []));
}

function notes({
  links,
  leftOut,
  isMarked,
}: {
  links: Links | undefined;
  leftOut: LeftOut[];
  isMarked: boolean;
}): string {
  const lines = ["Times are UTC (ISO 8601, Z)."];
  for (const { at, what, shown, of } of leftOut) {
    lines.push(
      `Left out of ${at}: ${of - shown} of ${of} ${what}. Ask for a page, a range or one item to see more.`,
    );
  }
  if (isMarked) {
    lines.push(UNTRUSTED_NOTE);
  }
  if (links) lines.push(`In the app: ${links.page}${links.item ? `; one of them: ${links.item}` : ""}`);
  return lines.join("\n");
}
