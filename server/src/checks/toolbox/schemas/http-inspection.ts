import { type Static, Type } from "typebox";
import { MessageSchema } from "../../../platform/operations/field.ts";
import { Finding } from "./finding.ts";

export const Input = Type.Object(
  {
    url: Type.String({
      minLength: 1,
      maxLength: 2048,
      description: "The address to look at; without a scheme, https.",
      examples: ["https://example.com/"],
    }),
    method: Type.Optional(
      Type.Enum(["GET", "HEAD"], { default: "GET", description: "The request's method." }),
    ),
  },
  { title: "HttpInspectionRequest" },
);

const orNull = <T extends Type.TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });
const phase = (description: string) => orNull(Type.Number(), description);

const Hop = Type.Object({
  url: Type.String({ description: "What was requested." }),
  statusCode: orNull(Type.Integer(), "What was answered; null without an answer."),
  address: orNull(Type.String(), "The address that was connected to."),
  protocol: orNull(Type.String(), "What was spoken."),
  dns: phase("Milliseconds for finding the address."),
  connect: phase("Milliseconds for connecting."),
  tls: phase("Milliseconds for the TLS handshake."),
  firstByte: phase("Milliseconds from the request to the answer's first byte."),
  transfer: phase("Milliseconds from there to its last."),
  total: phase("Milliseconds for all of it."),
});

export const Output = Type.Object(
  {
    url: Type.String({ description: "What was requested." }),
    finalUrl: Type.String({ description: "Where the redirects ended." }),
    statusCode: orNull(Type.Integer(), "Of the last answer; null without one."),
    totalTime: phase("Milliseconds for everything together."),
    bodyBytes: orNull(Type.Integer(), "How many bytes of the last answer's body were read, at most 1 MiB."),
    bodyCut: Type.Boolean({ description: "Whether it is longer than that." }),
    hops: Type.Array(Hop, { description: "Each request: the first, and one for each redirect." }),
    findings: Type.Array(Finding, { description: "What is wrong, the most severe first." }),
    security: Type.Array(
      Type.Object({
        header: Type.String({ description: "A header that protects visitors." }),
        value: orNull(Type.String(), "As it came; null without one."),
        state: Type.Enum(["good", "weak", "missing"], { description: "What it is worth." }),
        text: orNull(Type.String(), "What that means, in a sentence; null where all is well."),
        fact: MessageSchema,
      }),
    ),
    headers: Type.Array(
      Type.Object({
        name: Type.String({ description: "In lower case." }),
        value: Type.String({ description: "Its value." }),
      }),
      { description: "Of the last answer, without cookies." },
    ),
    cookies: Type.Array(
      Type.Object({
        name: Type.String({ description: "Its name; values are not shown." }),
        isSecure: Type.Boolean({ description: "Sent over HTTPS only." }),
        isHttpOnly: Type.Boolean({ description: "Out of reach for scripts." }),
        sameSite: orNull(
          Type.String(),
          "Whether it goes along from other sites; null where that is not said.",
        ),
      }),
      { description: "Cookies that the last answer sets." },
    ),
  },
  { title: "HttpInspection" },
);

export type HttpInspectionInput = Static<typeof Input>;
export type HttpInspection = Static<typeof Output>;
