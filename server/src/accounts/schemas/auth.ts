import { type Static, Type } from "typebox";
import { THEMES } from "../../platform/access/caller.ts";
import type { OwnOrganization } from "../../platform/access/queries/organizations.ts";
import type { Session as StoredSession } from "../../platform/access/queries/sessions.ts";
import type { ListedUser, User } from "../../platform/access/queries/users.ts";
import { ROLES } from "../../platform/access/roles-and-scopes.ts";
import { LANGUAGES } from "../../platform/i18n/render.ts";
import { nullable, oneOf, shown, Timestamp, timestamp } from "../../platform/operations/field.ts";
import { NewPassword } from "./credentials.ts";
import { Organization, projectOrganization } from "./organizations.ts";

/** Independent of the browser. */
export const Preferences = Type.Object({
  language: nullable(
    oneOf(LANGUAGES, { examples: ["de"] }),
    "Of the app, and of what is sent to you. Null: as the browser says.",
  ),
  theme: nullable(oneOf(THEMES, { examples: ["dark"] }), "Null: as the browser says."),
  timeZone: nullable(
    Type.String({ format: "time-zone", maxLength: 64, examples: ["Europe/Berlin"] }),
    "A name of the IANA time zone database, in which dates and times are written, in the app and in what is sent to you. Null: as the browser says.",
  ),
});

const SeenBrowser = Type.Object({
  seenLanguage: nullable(
    oneOf(LANGUAGES, { examples: ["de"] }),
    "Of the browser that you used last: of what is sent to you where `language` is null. Null: not known; it is English then.",
  ),
  seenTimeZone: nullable(
    Type.String({ format: "time-zone", maxLength: 64, examples: ["Europe/Berlin"] }),
    "Of the browser that you used last: of times in what is sent to you where `timeZone` is null. Null: not known; they are in UTC then.",
  ),
});

export const PreferencesChange = Type.Partial(
  Type.Object({ ...Preferences.properties, ...SeenBrowser.properties }),
  { title: "Preferences" },
);

export const AuthState = Type.Object(
  {
    setupRequired: Type.Boolean({
      examples: [false],
      description: "There is no account yet: the first visitor makes the owner's.",
    }),
    setupTokenRequired: Type.Boolean({
      examples: [false],
      description: "Set-up requires the one-time token that the server printed at startup.",
    }),
    signupOpen: Type.Boolean({ description: "Whether anyone may create an account." }),
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
      twoFactor: Type.Boolean({ description: "Whether sign-in requires a one-time code." }),
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

/** `scopes`: the key's; a session has all that the role permits. */
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

export const UserOfInstallation = Type.Object({
  email: Type.String(),
  name: Type.String(),
  twoFactor: Type.Boolean(),
  createdAt: Timestamp,
  organizations: Type.Array(Type.Object({ slug: Type.String(), role: oneOf(ROLES) })),
});

export const projectUser = ({ createdAt, ...user }: ListedUser): Static<typeof UserOfInstallation> => ({
  ...user,
  createdAt: timestamp(createdAt),
});
