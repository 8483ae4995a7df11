import { type Static, Type } from "typebox";
import type { EnrollmentToken as Stored } from "../store/queries/enrollment-tokens.ts";
import { asSecret, Name, nullable, Timestamp, Uuid } from "./field.ts";
import { shown } from "./shown.ts";

const fields = {
  id: Type.Integer(),
  uuid: Uuid,
  name: Type.String({ examples: ["Web servers"] }),
  prefix: Type.String({ description: "How the token begins, to tell it from others." }),
  userName: Type.String({ description: "Who made it. It ends when they leave the organization." }),
  devices: Type.Integer({ description: "How many devices enrolled with it." }),
  lastUsedAt: nullable(Timestamp),
  expiresAt: nullable(Timestamp, "Null: never."),
  createdAt: Timestamp,
};

export const EnrollmentToken = Type.Object(fields, { title: "EnrollmentToken" });

export const CreatedEnrollmentToken = Type.Object(
  { ...fields, token: asSecret(Type.String({ description: "The token itself; shown only this once." })) },
  { title: "CreatedEnrollmentToken" },
);

/** POST /api/devices/enrollment-tokens. */
export const NewEnrollmentToken = Type.Object(
  {
    name: Name,
    expiresAt: Type.Optional(Type.Union([Timestamp, Type.Null()], { description: "Default: never." })),
  },
  { title: "NewEnrollmentToken" },
);

export const projectEnrollmentToken = (token: Stored): Static<typeof EnrollmentToken> =>
  shown(EnrollmentToken, token);
