import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { changePassword } from "../../account/change-password.ts";
import { confirmTotp } from "../../account/confirm-totp.ts";
import { describeCaller } from "../../account/describe-caller.ts";
import { disableTotp } from "../../account/disable-totp.ts";
import { startTotp } from "../../account/start-totp.ts";
import { switchOrganization } from "../../account/switch-organization.ts";
import { updateProfile } from "../../account/update-profile.ts";
import type { Context } from "../../context.ts";
import { Me, PasswordChange, projectMe, Totp } from "../../wire/auth.ts";
import { CodeBody, PasswordBody, ProfileBody } from "../../wire/credentials.ts";
import { defineRoute } from "../define-route.ts";
import { rememberDevice } from "../device-cookie.ts";

const person = { family: "legacy", tag: "auth", resource: null, by: "session" } as const;
/**
 * Every wrong password or code here is a guess too. Counted by session: whoever stole one cannot lock its owner out
 * of another.
 */
const guesses = { group: "password", perMinute: 10, by: "session" } as const;

/** The signed-in person's own account. */
export function registerMe(app: FastifyInstance, ctx: Context): void {
  registerProfile(app, ctx);
  registerTotp(app, ctx);
}

function registerProfile(app: FastifyInstance, ctx: Context): void {
  defineRoute(app, ctx, {
    ...person,
    by: "caller",
    method: "GET",
    url: "/api/auth/me",
    summary: "Who is calling, in which organization, and in which others they could",
    description:
      "The person behind the session or API key, the organization they act in, their role there, and the scopes.",
    response: Me,
    handler: async (own) => ({ data: projectMe(await describeCaller(own)) }),
  });
  defineRoute(app, ctx, {
    ...person,
    method: "PUT",
    url: "/api/auth/me",
    audit: "update profile",
    summary: "Change your name",
    description: "The name that others in your organizations see. API keys cannot do this.",
    body: ProfileBody,
    response: Me,
    async handler(own, { body }) {
      await updateProfile(own, body);
      return { data: projectMe(await describeCaller(own)) };
    },
  });
  defineRoute(app, ctx, {
    ...person,
    method: "PUT",
    url: "/api/auth/password",
    audit: "change password",
    limit: guesses,
    summary: "Change your password; your other sessions end",
    description:
      "Needs the current password. The session that makes this request goes on; API keys stay as they are.",
    body: PasswordChange,
    response: Type.Object({}),
    async handler(own, { body, raw }, reply) {
      await changePassword(own, body);
      // The new password has made every device unknown, this one too.
      await rememberDevice(own, raw, reply, own.caller.userId);
      return { data: {}, message: "Password changed." };
    },
  });
  defineRoute(app, ctx, {
    ...person,
    method: "PUT",
    url: "/api/auth/organization",
    audit: null,
    summary: "Move your session to another of your organizations",
    description:
      "From then on the session acts there: lists, figures and new domains are that organization's.",
    body: Type.Object({
      organization: Type.String({ minLength: 1, description: "Id, uuid or slug.", examples: ["example"] }),
    }),
    response: Me,
    async handler(own, { body }) {
      const organizationId = await switchOrganization(own, body);
      const moved = { ...own, caller: { ...own.caller, organizationId } };
      return { data: projectMe(await describeCaller(moved)) };
    },
  });
}

function registerTotp(app: FastifyInstance, ctx: Context): void {
  defineRoute(app, ctx, {
    ...person,
    method: "POST",
    url: "/api/auth/totp",
    audit: "start two-factor",
    status: 201,
    failures: [409],
    summary: "Get a secret for two-factor sign-in; it counts once confirmed",
    description:
      "Put the secret into an authenticator app, then send its first code to `/api/auth/totp/confirm`. Asking again replaces a secret that was not confirmed; 409 when two-factor sign-in is already on.",
    response: Totp,
    handler: async (own) => ({ data: await startTotp(own) }),
  });
  defineRoute(app, ctx, {
    ...person,
    method: "POST",
    url: "/api/auth/totp/confirm",
    audit: "enable two-factor",
    limit: guesses,
    failures: [409],
    summary: "Turn two-factor sign-in on with the first code; your other sessions end",
    description:
      "Needs a code made from the secret that `/api/auth/totp` gave. From then on every sign-in asks for one.",
    body: CodeBody,
    response: Type.Object({}),
    async handler(own, { body, raw }, reply) {
      await confirmTotp(own, body);
      // It has made every device unknown; this one has just shown a code.
      await rememberDevice(own, raw, reply, own.caller.userId);
      return { data: {}, message: "Two-factor sign-in is on." };
    },
  });
  defineRoute(app, ctx, {
    ...person,
    method: "POST",
    url: "/api/auth/totp/disable",
    audit: "disable two-factor",
    limit: guesses,
    summary: "Turn two-factor sign-in off",
    description: "Needs your password. Sign-in no longer asks for a code, and the secret is forgotten.",
    body: PasswordBody,
    response: Type.Object({}),
    async handler(own, { body, raw }, reply) {
      await disableTotp(own, body);
      await rememberDevice(own, raw, reply, own.caller.userId);
      return { data: {}, message: "Two-factor sign-in is off." };
    },
  });
}
