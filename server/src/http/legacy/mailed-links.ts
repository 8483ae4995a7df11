import { setTimeout as wait } from "node:timers/promises";
import { confirmEmail } from "../../account/change-email.ts";
import { requestPasswordReset, resetForgottenPassword } from "../../account/forgotten-password.ts";
import { readInvitation } from "../../account/read-invitation.ts";
import { acknowledgeByLink, readAcknowledgement } from "../../incident/acknowledge-by-link.ts";
import type { DefineBoth } from "../both-families.ts";
import type { HttpCall } from "../listing.ts";
import { limitMails } from "../mail-limit.ts";
import { ownVisitor } from "../visitor.ts";

const facts = { only: "legacy", tag: "auth" } as const;
const limit = { group: "mailed-links", perMinute: 20 };
const MAILS_AN_HOUR = 5;
/** Every answer takes so long: whether there is an account shows in a millisecond or two of work. */
const EVEN_MS = 300;

/** What people do who are sent a link: without a session, from wherever they read their mail. */
export function describeMailedLinks(define: DefineBoth): void {
  define({
    ...facts,
    verb: requestPasswordReset,
    method: "POST",
    url: "/api/auth/password/forgot",
    limit,
    failures: [403],
    summary: "Have a link mailed for choosing a new password",
    description:
      "The answer is the same, and takes as long, whether or not the address has an account. The link works once, within an hour; an address gets at most five an hour. 403 where this installation sends no mail (`mail` of `GET /api/auth/state`).",
    message: "If the address has an account, a link is on its way there.",
    async visitor({ email }, http) {
      const visitor = await ownVisitor(email, http);
      await limitMails(http, { group: "forgotten", to: email, anHour: MAILS_AN_HOUR });
      return visitor;
    },
    finish: takeAsLong,
  });
  define({
    ...facts,
    verb: resetForgottenPassword,
    method: "POST",
    url: "/api/auth/password/reset",
    limit,
    failures: [403],
    summary: "Choose a new password with the token that was mailed; your sessions end",
    description:
      "Needs the token of the link that `/api/auth/password/forgot` sends. Two-factor sign-in stays as it is; nobody is signed in by this. API keys keep working, each in its own organization only. 422 on `token` for one that has expired or was used.",
    message: "Password changed.",
    visitor: ownVisitor,
  });
  define({
    ...facts,
    verb: confirmEmail,
    method: "POST",
    url: "/api/auth/email/confirm",
    limit,
    failures: [403],
    summary: "Confirm a new e-mail address with the token that was mailed there",
    description:
      "From then on the account has that address, and the old one is told. 422 on `token` for one that has expired or was used, and when the address has an account of its own.",
    message: "E-mail address changed.",
    visitor: ownVisitor,
  });
  define({
    ...facts,
    verb: readInvitation,
    method: "POST",
    url: "/api/auth/invitation",
    limit,
    summary: "Read the invitation that a link leads to",
    description:
      "For whoever has its code, signed in or not. They accept it with `POST /api/invitations/{id}/accept` if they are signed in, else by signing in or up with the code as `invitation`. 422 on `invitation` for one that has expired, was used or withdrawn, and for any other code.",
  });
  define({
    ...facts,
    verb: readAcknowledgement,
    method: "POST",
    url: "/api/auth/acknowledgement",
    limit,
    summary: "Read what the link of a message acknowledges or confirms",
    description:
      "For whoever has the message, signed in or not: what it said, and whether somebody knows of it by now. Nothing is changed. 422 on `token` for a link that has expired, and for any other text.",
  });
  define({
    ...facts,
    verb: acknowledgeByLink,
    method: "POST",
    url: "/api/auth/acknowledgement/confirm",
    limit,
    failures: [403],
    summary: "Acknowledge the incidents of a message, or confirm an address, by its link",
    description:
      "As the person who is signed in, where they may; else in the name of the channel. The link of a question whether an address may be written to confirms that (`asks`). A link works once, within seven days. 422 on `token` for one that has expired or was used.",
    message: "Noted.",
    visitor: ownVisitor,
  });
}

async function takeAsLong(_: unknown, { ctx, reply }: HttpCall): Promise<void> {
  const left = Math.max(0, EVEN_MS - reply.elapsedTime);
  await (ctx.clock.wait?.(left) ?? wait(left, undefined, { ref: false }));
}
