import { type Static, Type } from "typebox";
import type { OwnOrganization } from "../store/queries/organizations.ts";
import type { Session as StoredSession } from "../store/queries/sessions.ts";
import type { User } from "../store/queries/users.ts";
import { NewPassword } from "./credentials.ts";
import { Timestamp } from "./field.ts";
import { Organization, projectOrganization } from "./organizations.ts";
import { Preferences, SeenBrowser } from "./preferences.ts";
import { shown } from "./shown.ts";

export const AuthState = Type.Object(
  {
    setupRequired: Type.Boolean({
      examples: [false],
      description: "Nobody has an account yet: the first visitor makes the owner's.",
    }),
    setupTokenRequired: Type.Boolean({
      examples: [false],
      description: "Set-up asks for the one-time token that the server printed at startup.",
    }),
    signupOpen: Type.Boolean({ description: "Whether strangers may make an account." }),
    mail: Type.Boolean({
      description: "Whether this installation sends mail: links for forgotten passwords, invitations.",
    }),
  },
  { title: "AuthState" },
);

export const Me = Type.Object(
  {
    user: Type.Object({
      id: Type.Integer(),
      uuid: Type.String({ format: "uuid" }),
      email: Type.String(),
      name: Type.String(),
      twoFactor: Type.Boolean({ description: "Whether sign-in asks for a one-time code." }),
      ...Preferences.properties,
      ...SeenBrowser.properties,
    }),
    organization: Organization,
    organizations: Type.Array(Organization, { description: "Every organization you can act in." }),
    scopes: Type.Array(Type.String(), { description: "Of your API key; a session has `*:*`." }),
  },
  { title: "Me" },
);

export const Totp = Type.Object(
  {
    secret: Type.String({ description: "Base32, for typing.", examples: ["JBSWY3DPEHPK3PXP"] }),
    uri: Type.String({ description: "otpauth:// address, for a QR code." }),
  },
  { title: "Totp" },
);

export const RecoveryCodes = Type.Object(
  {
    recoveryCodes: Type.Array(Type.String({ examples: ["7KQ2M-XH4RT-9WBCP-3LNVZ"] }), {
      description: "Each signs in once in the place of a one-time code. They are not shown again.",
    }),
  },
  { title: "RecoveryCodes" },
);

/** How the caller's account is protected. */
export const TwoFactor = Type.Object(
  {
    enabled: Type.Boolean(),
    recoveryCodesLeft: Type.Integer({ description: "Not used yet; of ten.", examples: [10] }),
  },
  { title: "TwoFactor" },
);

export const AuthSession = Type.Object(
  {
    id: Type.Integer(),
    current: Type.Boolean(),
    address: Type.String(),
    userAgent: Type.String(),
    createdAt: Timestamp,
    lastSeenAt: Timestamp,
  },
  { title: "Session" },
);

export const PasswordChange = Type.Object(
  {
    currentPassword: Type.String({ minLength: 1, maxLength: 1000, examples: ["my old password"] }),
    password: NewPassword,
  },
  { title: "PasswordChange" },
);

/** Who is calling, and where. `scopes`: what their key permits; a session permits whatever the role does. */
export function projectMe(me: {
  user: User;
  organization: OwnOrganization;
  organizations: OwnOrganization[];
  scopes: readonly string[];
}): Static<typeof Me> {
  return {
    user: shown(Me.properties.user, { ...me.user, twoFactor: me.user.totpSecret !== null }),
    organization: projectOrganization(me.organization),
    organizations: me.organizations.map(projectOrganization),
    scopes: [...me.scopes],
  };
}

export const projectSession = (
  session: StoredSession,
  currentId: number | null,
): Static<typeof AuthSession> =>
  shown(AuthSession, { ...session, current: session.id === currentId, lastSeenAt: session.seenAt });
