import { type Static, Type } from "typebox";
import { MessageSchema } from "../../../platform/operations/field.ts";

/** Listed most severe first. */
export const Finding = Type.Object(
  {
    severity: Type.Enum(["critical", "warning", "info"], {
      description: "`critical`: visitors are turned away; `warning`: worth mending; `info`: worth knowing.",
    }),
    text: Type.String({ description: "What it is, in a sentence." }),
    fact: MessageSchema,
  },
  { title: "ToolFinding" },
);

export type Finding = Static<typeof Finding>;
