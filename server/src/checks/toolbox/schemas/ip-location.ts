import { type Static, Type } from "typebox";
import { MessageSchema } from "../../../platform/operations/field.ts";

export const Input = Type.Object(
  {
    ip: Type.String({
      minLength: 1,
      maxLength: 64,
      description: "A public IP address.",
      examples: ["203.0.113.7"],
    }),
  },
  { title: "IpScanRequest" },
);

const Database = Type.Object({
  name: Type.String({ description: "What the database calls itself.", examples: ["DB-IP Lite"] }),
  builtAt: Type.String({ format: "date-time", description: "When it was made." }),
  ageDays: Type.Integer({ minimum: 0, description: "How many days ago that was." }),
  isInstalled: Type.Boolean({ description: "Whether it came with this installation (DB-IP, CC BY 4.0)." }),
});

export const Output = Type.Object(
  {
    ip: Type.String({ description: "The address that was looked up." }),
    country: Type.String({ description: "In English; empty where it is not known.", examples: ["Germany"] }),
    countryCode: Type.String({ description: "ISO 3166-1; empty where it is not known.", examples: ["DE"] }),
    region: Type.String({ description: "Empty where it is not known." }),
    city: Type.String({ description: "Empty where it is not known." }),
    isp: Type.String({ description: "Who connects it; empty where it is not known." }),
    organization: Type.String({ description: "Whose it is; empty where it is not known." }),
    asn: Type.Union([Type.Integer(), Type.Null()], {
      description: "The autonomous system that it belongs to.",
    }),
    reason: Type.Union([Type.String(), Type.Null()], { description: "Why something is empty." }),
    reasonFact: MessageSchema,
    databases: Type.Array(Database, { description: "What was looked into, and how old it is." }),
  },
  { title: "IpLocation" },
);

export type IpLocationInput = Static<typeof Input>;
export type IpLocation = Static<typeof Output>;
