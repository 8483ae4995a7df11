import { type Static, Type } from "typebox";
import { Finding } from "./finding.ts";

export const TLS_VERSIONS = ["TLSv1.3", "TLSv1.2", "TLSv1.1", "TLSv1"] as const;
/** Where TLS comes first. */
export const TLS_PORT = 443;

export const Input = Type.Object(
  {
    host: Type.String({
      minLength: 1,
      maxLength: 255,
      description: "The host to look at: a name or an IP address.",
      examples: ["example.com"],
    }),
    port: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 65_535,
        default: TLS_PORT,
        description: "The port, where TLS comes first.",
      }),
    ),
  },
  { title: "TlsInspectionRequest" },
);

const moment = (description: string) => Type.String({ format: "date-time", description });
const orNull = <T extends Type.TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });

export const Output = Type.Object(
  {
    host: Type.String({ description: "The host that was looked at." }),
    port: Type.Integer({ description: "Its port." }),
    address: Type.String({ description: "The address of it that was connected to." }),
    trusted: Type.Boolean({ description: "Whether browsers would accept the certificate." }),
    expiresAt: orNull(
      Type.String({ format: "date-time" }),
      "When it stops to verify: the first end on the best path from the server's certificate to a trust anchor.",
    ),
    daysLeft: orNull(Type.Integer(), "How many days that is from now; negative once it has expired."),
    findings: Type.Array(Finding, { description: "What is wrong, the most severe first." }),
    protocols: Type.Array(
      Type.Object({
        version: Type.Enum([...TLS_VERSIONS], { description: "A version of TLS." }),
        accepted: orNull(Type.Boolean(), "Whether the server speaks it; null where it did not say in time."),
        cipher: orNull(Type.String(), "The cipher that it chose then."),
      }),
      { description: "The versions of TLS, each offered by itself." },
    ),
    alpn: orNull(Type.String(), "The protocol that it chose of h2 and http/1.1."),
    chain: Type.Array(
      Type.Object({
        subject: Type.String({ description: "Whose it is." }),
        issuer: Type.String({ description: "Who issued it." }),
        names: Type.Array(Type.String(), { description: "The names and addresses it is for." }),
        validFrom: moment("From when on it holds."),
        validTo: moment("Until when it holds."),
        keyType: Type.String({ description: "Its key.", examples: ["EC prime256v1"] }),
        serialNumber: Type.String({ description: "In hexadecimal digits." }),
        fingerprint: Type.String({ description: "SHA-256, in hexadecimal digits." }),
        isUsed: Type.Boolean({ description: "Whether the path to the trust anchor leads over it." }),
      }),
      { description: "The certificates that the server sent, its own first." },
    ),
    connectTime: orNull(Type.Number(), "How many milliseconds the connection took."),
    tlsTime: orNull(Type.Number(), "How many milliseconds the handshake took."),
  },
  { title: "TlsInspection" },
);

export type TlsInspectionInput = Static<typeof Input>;
export type TlsInspection = Static<typeof Output>;
