import { type Static, Type } from "typebox";
import { ROLES } from "../account/scopes.ts";
import type { OwnInvitation, Invitation as StoredInvitation } from "../store/queries/members.ts";
import { MessageSchema } from "./fact.ts";
import { asSecret, IdText, nullable, oneOf, shown, Timestamp } from "./field.ts";

const fields = {
  id: Type.Integer(),
  uuid: Type.String({ format: "uuid" }),
  email: Type.String({ examples: ["ada@example.org"] }),
  role: oneOf(ROLES, { description: "The role that the person will have." }),
  invitedBy: Type.String({ description: "Who invited them." }),
  createdAt: Timestamp,
  expiresAt: Timestamp,
};

export const Invitation = Type.Object(fields, { title: "Invitation" });

/** One of an organization's. */
export const InvitationKey = Type.Object({ organization: IdText, invitation: IdText });

/** What the inviter is answered. */
export const CreatedInvitation = Type.Object(
  {
    ...fields,
    code: asSecret(
      Type.String({
        description:
          "What it is accepted with, shown only this once: hand it to the person you mean, as the link `/invitation#CODE` to the app.",
        examples: ["7KQ2M-XW4PA-9DRTZ-H3BFN"],
      }),
    ),
    sent: Type.Boolean({
      description:
        "Whether it goes to the person by mail, whose link has a code of its own: who uses that has the address.",
    }),
    notSentReason: nullable(
      Type.String(),
      "Why no mail goes there: too many mails to others, or your own address is not confirmed. Hand the code over instead. Null: it is sent, or this installation sends no mail.",
    ),
    notSentReasonFact: MessageSchema,
  },
  { title: "CreatedInvitation" },
);

/** The same as the app reads it. */
export type CreatedInvitationRow = Static<typeof CreatedInvitation>;

export const MyInvitation = Type.Object(
  { ...fields, organizationName: Type.String({ description: "The organization that invites you." }) },
  { title: "MyInvitation" },
);

export const NewInvitation = Type.Object(
  {
    organization: IdText,
    email: Type.String({ minLength: 1, maxLength: 254, examples: ["ada@example.org"] }),
    role: oneOf(ROLES, { examples: ["member"] }),
  },
  { title: "NewInvitation" },
);

export const InvitationCode = Type.Object(
  {
    code: Type.String({
      minLength: 1,
      maxLength: 64,
      examples: ["7KQ2M-XW4PA-9DRTZ-H3BFN"],
      description:
        "From the person who invited you, or from the mail. Spaces, dashes and case do not matter.",
    }),
  },
  { title: "InvitationCode" },
);

const invitationCode = Type.String({
  minLength: 1,
  maxLength: 64,
  examples: ["7KQ2M-XW4PA-9DRTZ-H3BFN"],
  description: "The code of an invitation: the end of its link, behind the `#`.",
});

/** POST /api/auth/invitation: what the link of an invitation holds. */
export const InvitationLookup = Type.Object({ invitation: invitationCode }, { title: "InvitationLookup" });

/** The same beside the fields of a sign-in or sign-up, which then joins the organization as well. */
export const InvitationOnSignIn = Type.Optional(
  Type.String({
    ...invitationCode,
    description:
      "The code of an invitation to this address: it is accepted at the same time, and the session starts in its organization.",
  }),
);

/** What an invitation says to whoever has its code. */
export const InvitationPreview = Type.Object(
  {
    ...MyInvitation.properties,
    hasAccount: Type.Boolean({
      description: "Whether the address has an account: sign in with it, or else make one.",
    }),
  },
  { title: "InvitationPreview" },
);

export const projectInvitation = (invitation: StoredInvitation): Static<typeof Invitation> =>
  shown(Invitation, invitation);

export const projectInvitationPreview = (
  invitation: OwnInvitation & { hasAccount: boolean },
): Static<typeof InvitationPreview> => shown(InvitationPreview, invitation);

export const projectMyInvitation = (invitation: OwnInvitation): Static<typeof MyInvitation> =>
  shown(MyInvitation, invitation);
