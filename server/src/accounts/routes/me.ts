import {
  listPushBrowsers,
  subscribeBrowser,
  testPushBrowser,
  unsubscribeBrowser,
} from "../../alerts/push/browsers.ts";
import { unauthenticated } from "../../platform/errors.ts";
import type { DefineBoth } from "../../platform/http/both-families.ts";
import type { HttpCall } from "../../platform/http/listing.ts";
import { limitMails } from "../../platform/http/rate-limits.ts";
import { changePreferences, requestEmailChange, updateProfile } from "../change-email.ts";
import { describeCaller } from "../describe-caller.ts";
import { switchOrganization } from "../organizations.ts";
import { changePassword } from "../passwords.ts";
import { endOtherSessions, endSession, listSessions } from "../sign-out.ts";
import { confirmTotp, disableTotp, readTwoFactor, renewRecoveryCodes, startTotp } from "../two-factor.ts";
import { rememberDevice } from "./known-device.ts";

const common = { only: "legacy", tag: "auth" } as const;
/** Every wrong password or code is a guess. By session: a stolen one cannot lock its owner out of another. */
const guesses = { group: "password", perMinute: 10, by: "session" } as const;

/** Per address, which may be another person's. Wrong passwords count, too. */
const EMAIL_CHANGES_AN_HOUR = 10;

export function describeMe(define: DefineBoth): void {
  define({
    ...common,
    verb: describeCaller,
    method: "GET",
    url: "/api/auth/me",
    summary: "Who is calling, in which organization, and in which others they could",
    description:
      "The person behind the session or API key, the organization they act in, their role there, and the scopes.",
  });
  define({
    ...common,
    verb: updateProfile,
    method: "PUT",
    url: "/api/auth/me",
    summary: "Change your name",
    description: "The name that others in your organizations see. API keys cannot do this.",
  });
  define({
    ...common,
    verb: changePreferences,
    method: "PATCH",
    url: "/api/auth/me",
    summary: "Change your language, theme or time zone",
    description:
      "What you leave out stays as it is; null means as the browser says. They follow you to every browser you sign in with. The app says of the browser that it is opened in what `seenLanguage` and `seenTimeZone` are. API keys cannot do this.",
  });
  define({
    ...common,
    verb: changePassword,
    method: "PUT",
    url: "/api/auth/password",
    limit: guesses,
    summary: "Change your password; your other sessions end",
    description:
      "Needs the current password. The session that makes this request goes on; API keys stay as they are.",
    message: "Password changed.",
    finish: stayKnown,
  });
  define({
    ...common,
    verb: requestEmailChange,
    method: "POST",
    url: "/api/auth/email",
    limit: guesses,
    summary: "Have a link mailed to another e-mail address, which becomes yours once it is confirmed",
    before: ({ email }, http) =>
      limitMails(http, { group: "email-change", to: email, anHour: EMAIL_CHANGES_AN_HOUR }),
    description:
      "Needs your password. The link works once, within an hour; another request replaces it, ten times an hour at most for one address. 403 where this installation sends no mail (`mail` of `GET /api/auth/state`).",
    message: "A link is on its way to that address.",
  });
  define({
    ...common,
    verb: switchOrganization,
    method: "PUT",
    url: "/api/auth/organization",
    summary: "Move your session to another of your organizations",
    description:
      "From then on the session acts there: lists, metrics and new domains are that organization's.",
  });
  describeTwoFactor(define);
}

function describeTwoFactor(define: DefineBoth): void {
  define({
    ...common,
    verb: readTwoFactor,
    method: "GET",
    url: "/api/auth/totp",
    summary: "Whether your sign-in takes two factors",
    description: "And how many of your recovery codes have not been used yet.",
  });
  define({
    ...common,
    verb: startTotp,
    method: "POST",
    url: "/api/auth/totp",
    limit: guesses,
    status: 201,
    failures: [409],
    summary: "Get a secret for two-factor sign-in; it counts once confirmed",
    description:
      "Needs your password. Put the secret into an authenticator app, then send its first code to `/api/auth/totp/confirm`. Another request replaces a secret that was not confirmed; 409 when two-factor sign-in is already on.",
  });
  define({
    ...common,
    verb: confirmTotp,
    method: "POST",
    url: "/api/auth/totp/confirm",
    limit: guesses,
    failures: [409],
    summary: "Turn two-factor sign-in on with the first code; your other sessions end",
    description:
      "Needs a code made from the secret that `/api/auth/totp` gave. From then on every sign-in needs one. Answers with ten recovery codes, this once: each signs in once if the authenticator is lost.",
    message: "Two-factor sign-in is on.",
    finish: stayKnown,
  });
  define({
    ...common,
    verb: renewRecoveryCodes,
    method: "POST",
    url: "/api/auth/totp/recovery-codes",
    limit: guesses,
    failures: [409],
    summary: "Get ten new recovery codes; the old ones no longer work",
    description: "Needs your password. 409 when two-factor sign-in is off.",
    message: "New recovery codes.",
  });
  define({
    ...common,
    verb: disableTotp,
    method: "POST",
    url: "/api/auth/totp/disable",
    limit: guesses,
    summary: "Turn two-factor sign-in off",
    description: "Needs your password. Sign-in no longer needs a code, and the secret is forgotten.",
    message: "Two-factor sign-in is off.",
    finish: stayKnown,
  });
}

/** The change has invalidated every device; this one has just proved itself. */
async function stayKnown(_: unknown, { ctx, request, reply }: HttpCall): Promise<void> {
  if (!ctx.caller) throw unauthenticated();
  await rememberDevice(ctx, request, reply, ctx.caller.userId);
}

export function describeSessions(define: DefineBoth): void {
  define({
    ...common,
    verb: listSessions,
    method: "GET",
    url: "/api/auth/sessions",
    summary: "Where you are signed in",
    description:
      "All of your sessions, each with its address, browser and times; `current` marks the one that makes this request.",
  });
  define({
    ...common,
    verb: endSession,
    method: "DELETE",
    url: "/api/auth/sessions/:id",
    summary: "End one of your sessions",
    description: "Its user has to sign in again. Ending the current session signs you out.",
    message: "Session ended.",
  });
  define({
    ...common,
    verb: endOtherSessions,
    method: "DELETE",
    url: "/api/auth/sessions",
    summary: "End all of your sessions but this one",
    description: "Signs you out everywhere else. API keys stay as they are.",
    message: "Other sessions ended.",
  });
}

const TESTS = { group: "push-test", perMinute: 10 };

export function describePush(define: DefineBoth): void {
  define({
    ...common,
    verb: listPushBrowsers,
    method: "GET",
    url: "/api/auth/push",
    summary: "Your browsers that receive notifications",
    description:
      "Your own, and the public key with which another browser subscribes (Web Push, RFC 8292). API keys cannot do this.",
  });
  define({
    ...common,
    verb: subscribeBrowser,
    method: "POST",
    url: "/api/auth/push",
    status: 201,
    summary: "Receive notifications in this browser",
    description:
      "Takes what the browser's `PushManager.subscribe` answers. From then on its push service gets a message, encrypted for the browser (RFC 8291), for everything that happens in your organizations, until you sign out there or delete it. The same browser again replaces what was stored of it; of more than 20 the oldest goes.",
    message: "Browser subscribed.",
  });
  define({
    ...common,
    verb: unsubscribeBrowser,
    method: "DELETE",
    url: "/api/auth/push/:id",
    summary: "Stop notifications in one of your browsers",
    description: "What is on its way may still arrive.",
    message: "Browser unsubscribed.",
  });
  define({
    ...common,
    verb: testPushBrowser,
    method: "POST",
    url: "/api/auth/push/:id/test",
    limit: TESTS,
    summary: "Send a test message to one of your browsers",
    description:
      "Sends it at once and says what the push service answered. A browser that is gone over there is removed here.",
  });
}
