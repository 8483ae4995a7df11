import { type Static, Type } from "typebox";
import { secretText } from "./fields.ts";

export const vercelConfigSchema = Type.Object(
  {
    accessToken: secretText("Given by Vercel."),
    refreshToken: secretText("Given by Vercel."),
    expiresAt: Type.Integer({ description: "Of the access token, milliseconds." }),
  },
  { additionalProperties: false, title: "Vercel", description: "An account that was linked by OAuth." },
);

export type VercelConfig = Static<typeof vercelConfigSchema>;
