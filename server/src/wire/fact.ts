import { Type } from "typebox";
import { inEnglish } from "../texts/english.ts";
import type { MessageDescriptor } from "../texts/message.ts";
import { nullable } from "./field.ts";

const own = {
  code: Type.String({ description: "Which sentence it is, e.g. `timeout.body`.", examples: ["refused"] }),
  params: Type.Optional(
    Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]), {
      description: "What fills the sentence in. Days and times are ISO 8601, durations milliseconds.",
      examples: [{ where: "shop.example (192.0.2.1:443)" }],
    }),
  ),
};

const withOthers = {
  ...own,
  also: Type.Optional(
    Type.Array(Type.Object(own), {
      description: "What holds beside it and is said after it, the most important first.",
    }),
  ),
};

/** Beside each field that holds a sentence: the same in no language. One shape, so that it is one component. */
export const MessageSchema = nullable(
  Type.Object(
    {
      ...withOthers,
      because: Type.Optional(
        Type.Object(
          {
            ...withOthers,
            because: Type.Optional(Type.Object(withOthers, { description: "The fact behind that." })),
          },
          { description: "The fact behind it." },
        ),
      ),
    },
    { title: "Fact" },
  ),
  "What the sentence says, for those who say it in another language; null where there is none, or a person wrote it.",
);

/** A message as the API's sentences say it, in English; null where there is none. */
export const sentenceOf = (message: MessageDescriptor | null | undefined): string | null =>
  message ? inEnglish(message) : null;
