import { Type } from "typebox";
import { oneOf } from "./field.ts";
import { ROLES } from "./legacy/organizations.ts";

const Email = Type.String({ minLength: 1, maxLength: 254, examples: ["ada@example.org"] });
const Password = Type.String({ minLength: 1, maxLength: 1000, description: "8 to 200 characters." });
const Name = Type.String({ minLength: 1, maxLength: 255 });

/** Set-up and sign-up. */
export const AccountBody = Type.Object(
  {
    email: Email,
    password: Password,
    name: Type.Optional(Name),
    organization: Type.Optional(
      Type.String({ maxLength: 255, description: "Name of the organization. Default: the person's name." }),
    ),
  },
  { title: "NewAccount" },
);

export const SignInBody = Type.Object(
  {
    email: Email,
    password: Type.String({ minLength: 1, maxLength: 1000 }),
    code: Type.Optional(
      Type.String({ maxLength: 16, description: "From the authenticator app, if the account has one." }),
    ),
  },
  { title: "SignIn" },
);

export const CodeBody = Type.Object({ code: Type.String({ minLength: 6, maxLength: 16 }) });
export const PasswordBody = Type.Object({ password: Type.String({ minLength: 1, maxLength: 1000 }) });
export const ProfileBody = Type.Object({ name: Name });

/** Body of a new member; the same words in both families. */
export const MemberBody = Type.Object(
  {
    email: Email,
    role: oneOf(ROLES),
    name: Type.Optional(Name),
    password: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1000,
        description: "Makes an account for somebody who has none.",
      }),
    ),
  },
  { title: "NewMember" },
);

export const RoleBody = Type.Object({ role: oneOf(ROLES) });
export const OrganizationBody = Type.Object({ name: Name }, { title: "OrganizationName" });
