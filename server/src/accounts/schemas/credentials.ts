import { Type } from "typebox";
import { ROLES } from "../../platform/access/roles-and-scopes.ts";
import { LANGUAGES } from "../../platform/i18n/render.ts";
import { IdText, Name, oneOf } from "../../platform/operations/field.ts";
import { InvitationOnSignIn } from "./organizations.ts";
import { PASSWORD_LENGTH } from "./password-length.ts";

const Email = Type.String({ minLength: 1, maxLength: 254, examples: ["ada@example.org"] });
const password = { minLength: 1, maxLength: 1000, examples: ["correct horse battery staple"] };
const Password = Type.String(password);
export const NewPassword = Type.String({
  ...password,
  description: `${PASSWORD_LENGTH.least} to ${PASSWORD_LENGTH.most} characters.`,
});
const code = { maxLength: 16, examples: ["123456"] };

export const AccountBody = Type.Object(
  {
    email: Email,
    password: NewPassword,
    name: Type.Optional(Name),
    organization: Type.Optional(
      Type.String({ maxLength: 255, description: "Name of the organization. Default: the person's name." }),
    ),
  },
  { title: "NewAccount" },
);

export const SignUpBody = Type.Object(
  { ...AccountBody.properties, invitation: InvitationOnSignIn },
  { title: "SignUp" },
);

export const SetUpBody = Type.Object(
  {
    ...AccountBody.properties,
    setupToken: Type.Optional(
      Type.String({
        maxLength: 64,
        description:
          "The one-time token that the server printed at startup; required if other machines can reach the server.",
      }),
    ),
  },
  { title: "FirstAccount" },
);

export const SignInBody = Type.Object(
  {
    email: Email,
    password: Password,
    code: Type.Optional(
      Type.String({
        ...code,
        maxLength: 64,
        description: "From the authenticator app, if the account has one; or one of its recovery codes.",
      }),
    ),
    invitation: InvitationOnSignIn,
  },
  { title: "SignIn" },
);

export const ForgottenPassword = Type.Object(
  {
    email: Email,
    language: Type.Optional(
      oneOf(LANGUAGES, {
        description: "The mail's, unless the person has chosen one. Default: by the Accept-Language header.",
      }),
    ),
  },
  { title: "ForgottenPassword" },
);

const MailedToken = Type.String({
  minLength: 1,
  maxLength: 100,
  description: "From the link in the mail, behind the `#`. It works once.",
  examples: ["3q2-7wTfq0kd4mPS0oK9mA8R1s5dX2uVYbGmN7hJcQw"],
});
export const MailedTokenBody = Type.Object({ token: MailedToken }, { title: "MailedToken" });
export const PasswordReset = Type.Object(
  { token: MailedToken, password: NewPassword },
  { title: "PasswordReset" },
);
export const EmailChange = Type.Object({ email: Email, password: Password }, { title: "EmailChange" });

export const SignedIn = Type.Object({
  userId: Type.Integer({ examples: [1] }),
  organizationId: Type.Integer({ examples: [1] }),
});

export const CodeBody = Type.Object({ code: Type.String({ ...code, minLength: 6 }) });
export const PasswordBody = Type.Object({ password: Password });
export const ProfileBody = Type.Object({ name: Name });

export const MemberKey = Type.Object({ organization: IdText, member: IdText });

export const NewMember = Type.Object(
  {
    organization: IdText,
    email: Email,
    role: oneOf(ROLES),
    name: Type.Optional(Name),
    password: NewPassword,
  },
  { title: "NewMember" },
);

export const OrganizationTransfer = Type.Object(
  {
    organization: IdText,
    member: Type.Unsafe<string | number>({
      type: ["string", "integer"],
      minLength: 1,
      maxLength: 64,
      minimum: 1,
      description: "Id or uuid of the member who becomes an owner.",
      examples: [42],
    }),
    ...PasswordBody.properties,
  },
  { title: "OrganizationTransfer" },
);

export const MemberRole = Type.Object({
  ...MemberKey.properties,
  role: oneOf(ROLES, { examples: ["member"] }),
});
export const OrganizationName = Type.Object({ name: Name }, { title: "OrganizationName" });
