import { isIP } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import type { FastifyRequest } from "fastify";
import { acknowledgeByLink, readAcknowledgement } from "../../alerts/operations/acknowledge-by-link.ts";
import { type Config, isForThisMachineOnly } from "../../platform/config.ts";
import { isLoopbackHost, ownHostOf } from "../../platform/config-values.ts";
import { PublicError } from "../../platform/errors.ts";
import { clearSessionCookie, setSessionCookie } from "../../platform/http/authenticate.ts";
import type { DefineBoth } from "../../platform/http/both-families.ts";
import type { HttpCall } from "../../platform/http/listing.ts";
import { limitMails } from "../../platform/http/rate-limits.ts";
import { isForwarded, ownVisitor, requestedHost } from "../../platform/http/visitor.ts";
import { msg } from "../../platform/i18n/message.ts";
import { confirmEmail } from "../change-email.ts";
import { readAuthState } from "../describe-caller.ts";
import { readInvitation } from "../invitations.ts";
import { requestPasswordReset, resetForgottenPassword } from "../passwords.ts";
import { setUp, signUp } from "../set-up.ts";
import { type StartedSession, signIn } from "../sign-in.ts";
import { signOut } from "../sign-out.ts";
import { readDeviceCookie, recognizeDevice, rememberDevice } from "./known-device.ts";

const common = { only: "legacy", tag: "auth" } as const;
/** Per client address. */
const limit = { group: "new-account", perMinute: 10 };
/**
 * Generous, since people may share an address with a flood; guesses have tighter limits (rate-limits.ts).
 */
const SIGN_INS_READ = { group: "sign-in-requests", perMinute: 300 };

/** The session is in an HttpOnly cookie. */
export function describeAuth(define: DefineBoth): void {
  define({
    ...common,
    verb: readAuthState,
    method: "GET",
    url: "/api/auth/state",
    summary: "Whether the installation waits for its set-up, and whether sign-up is open",
    description:
      "What a sign-in page needs to know before anybody has signed in: whether to offer set-up, and whether to offer sign-up.",
  });
  define({
    ...common,
    verb: setUp,
    method: "POST",
    url: "/api/auth/setup",
    limit,
    status: 201,
    failures: [403, 409],
    summary: "Create the owner of an empty installation and sign them in",
    description:
      "Works once: 409 as soon as anybody has an account. 403 at any host other than this installation's own; if other machines can reach the server, the token printed at startup is required.",
    message: "Signed in.",
    async visitor(input, http) {
      assertSetUpHost(http.ctx.config, http.request);
      return ownVisitor(input, http);
    },
    finish: enter,
  });
  define({
    ...common,
    verb: signUp,
    method: "POST",
    url: "/api/auth/sign-up",
    limit,
    status: 201,
    failures: [403],
    summary: "Create an account and sign in",
    description:
      "With an organization of its own, or with `invitation` as a member of the one that has invited this address. 403 without an invitation where the operator has not opened sign-up (`VEDETTE_SIGNUP`).",
    message: "Signed in.",
    visitor: ownVisitor,
    finish: enter,
  });
  define({
    ...common,
    verb: signIn,
    method: "POST",
    url: "/api/auth/sign-in",
    limit: SIGN_INS_READ,
    failures: [403],
    summary: "Sign in with e-mail, password and, where the account has one, a one-time code",
    description:
      "Starts a session and sends it in the cookie `vedette_session`. A session sent along with the request ends. A wrong address and a wrong password get the same 422; `errors.code` requests the one-time code. Wrong guesses at an account make the next ones wait, up to 20 s; a browser that has signed in before does not wait for other people's. With `invitation`, the person joins the organization that has invited them, and the session starts there.",
    message: "Signed in.",
    async visitor({ email }, http) {
      const visitor = await ownVisitor(email, http);
      const { ctx, request, reply } = http;
      const deviceId = await recognizeDevice(ctx, { email, proof: readDeviceCookie(request, email) });
      const guesses = request.server.guessLimits({ request, reply, email, deviceId });
      return { ...visitor, isKnown: deviceId !== null, guesses };
    },
    finish: enter,
  });
  define({
    ...common,
    verb: signOut,
    method: "POST",
    url: "/api/auth/sign-out",
    failures: [403],
    summary: "End the session of the cookie",
    description: "Also succeeds when there is no session any more.",
    message: "Signed out.",
    visitor: ownVisitor,
    finish: (_, { ctx, request, reply }) => clearSessionCookie(ctx.config, request, reply),
  });
}

async function enter({ token, userId }: StartedSession, { ctx, request, reply }: HttpCall): Promise<void> {
  setSessionCookie(ctx.config, request, reply, token);
  await rememberDevice(ctx, request, reply, userId);
}

/**
 * Against DNS rebinding: before set-up, a web page elsewhere could become the owner. Allows loopback names,
 * the public address's host and, beyond loopback, IP addresses. A loopback server has no token, so a proxy
 * there would let anybody in. Throws 403.
 */
function assertSetUpHost(config: Config, request: FastifyRequest): void {
  if (isForThisMachineOnly(config) && isForwarded(request))
    throw new PublicError("forbidden", msg("request.forwarded"));
  const host = requestedHost(request);
  if (isLoopbackHost(host)) return;
  if (host !== "" && host === ownHostOf(config.publicUrl)) return;
  if (!isForThisMachineOnly(config) && isIP(host) !== 0) return;
  const address = config.publicUrl ?? `http://localhost:${config.port}`;
  throw new PublicError("forbidden", msg("request.unknown_host", { address }));
}

const limitOfMailedLinks = { group: "mailed-links", perMinute: 20 };
const MAILS_AN_HOUR = 5;
/** Constant time: an existing account shows in a millisecond or two of work. */
const EVEN_MS = 300;

/** Without a session, wherever people read their mail. */
export function describeMailedLinks(define: DefineBoth): void {
  define({
    ...common,
    verb: requestPasswordReset,
    method: "POST",
    url: "/api/auth/password/forgot",
    limit: limitOfMailedLinks,
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
    ...common,
    verb: resetForgottenPassword,
    method: "POST",
    url: "/api/auth/password/reset",
    limit: limitOfMailedLinks,
    failures: [403],
    summary: "Choose a new password with the token that was mailed; your sessions end",
    description:
      "Needs the token of the link that `/api/auth/password/forgot` sends. Two-factor sign-in stays as it is; this signs no one in. API keys keep working, each in its own organization only. 422 on `token` for one that has expired or was used.",
    message: "Password changed.",
    visitor: ownVisitor,
  });
  define({
    ...common,
    verb: confirmEmail,
    method: "POST",
    url: "/api/auth/email/confirm",
    limit: limitOfMailedLinks,
    failures: [403],
    summary: "Confirm a new e-mail address with the token that was mailed there",
    description:
      "From then on the account has that address, and the old one is notified. 422 on `token` for one that has expired or was used, and when the address has an account of its own.",
    message: "E-mail address changed.",
    visitor: ownVisitor,
  });
  define({
    ...common,
    verb: readInvitation,
    method: "POST",
    url: "/api/auth/invitation",
    limit: limitOfMailedLinks,
    summary: "Read the invitation that a link leads to",
    description:
      "For anyone who has its code, signed in or not. They accept it with `POST /api/invitations/{id}/accept` if they are signed in, else by signing in or up with the code as `invitation`. 422 on `invitation` for one that has expired, was used or withdrawn, and for any other code.",
  });
  define({
    ...common,
    verb: readAcknowledgement,
    method: "POST",
    url: "/api/auth/acknowledgement",
    limit: limitOfMailedLinks,
    summary: "Read what the link of a message acknowledges or confirms",
    description:
      "For anyone who has the message, signed in or not: what it said, and whether it has been acknowledged. Nothing is changed. 422 on `token` for a link that has expired, and for any other text.",
  });
  define({
    ...common,
    verb: acknowledgeByLink,
    method: "POST",
    url: "/api/auth/acknowledgement/confirm",
    limit: limitOfMailedLinks,
    failures: [403],
    summary: "Acknowledge the incidents of a message, or confirm an address, by its link",
    description:
      "As the person who is signed in, where they may; else in the name of the channel. The link of a confirmation request confirms the address. A link works once, within seven days. 422 on `token` for one that has expired or was used.",
    message: "Noted.",
    visitor: ownVisitor,
  });
}

async function takeAsLong(_: unknown, { ctx, reply }: HttpCall): Promise<void> {
  const left = Math.max(0, EVEN_MS - reply.elapsedTime);
  await (ctx.clock.wait?.(left) ?? wait(left, undefined, { ref: false }));
}
