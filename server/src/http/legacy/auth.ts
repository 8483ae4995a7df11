import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import { auditEntry, recordAudit } from "../../account/audit.ts";
import type { AuditAction } from "../../account/audit-actions.ts";
import { recognizeDevice } from "../../account/known-device.ts";
import { readAuthState } from "../../account/read-auth-state.ts";
import { setUp } from "../../account/set-up.ts";
import { signIn } from "../../account/sign-in.ts";
import { signOut } from "../../account/sign-out.ts";
import { signUp } from "../../account/sign-up.ts";
import type { Device, StartedSession } from "../../account/start-session.ts";
import type { Context } from "../../context.ts";
import { AuthState } from "../../wire/auth.ts";
import { AccountBody, SetUpBody, SignInBody } from "../../wire/credentials.ts";
import { defineRoute } from "../define-route.ts";
import { readDeviceCookie, rememberDevice } from "../device-cookie.ts";
import { createGuessLimits } from "../guess-limits.ts";
import { assertOwnOrigin } from "../origin.ts";
import { clearSessionCookie, SESSION_COOKIE, setSessionCookie } from "../session-cookie.ts";
import { assertSetUpHost } from "../set-up-host.ts";

/** Making accounts: per client address. */
const limit = { group: "new-account", perMinute: 10 };
/**
 * Generous, since it also counts people who share an address with a flood; guesses have tighter limits
 * (guess-limits.ts).
 */
const SIGN_INS_READ = { group: "sign-in-requests", perMinute: 300 };
const Started = Type.Object({
  userId: Type.Integer({ examples: [1] }),
  organizationId: Type.Integer({ examples: [1] }),
});

/** Coming in and going out. The session travels in a cookie that scripts cannot read. */
export function registerAuth(app: FastifyInstance, ctx: Context): void {
  defineRoute(app, ctx, {
    method: "GET",
    url: "/api/auth/state",
    family: "public",
    resource: null,
    tag: "auth",
    summary: "Whether the installation waits for its set-up, and whether sign-up is open",
    description:
      "What a sign-in page needs to know before anybody has signed in: whether to offer set-up, and whether to offer sign-up.",
    response: AuthState,
    handler: async (own) => ({ data: await readAuthState(own) }),
  });
  defineRoute(app, ctx, {
    method: "POST",
    url: "/api/auth/setup",
    family: "public",
    resource: null,
    tag: "auth",
    limit,
    status: 201,
    failures: [403, 409],
    summary: "Create the owner of an empty installation and sign them in",
    description:
      "Works once: 409 as soon as anybody has an account. 403 at any host other than this installation's own; if other machines can reach the server, the token printed at startup is required.",
    body: SetUpBody,
    response: Started,
    async handler(own, { body, raw }, reply) {
      assertSetUpHost(own.config, raw);
      assertOwnOrigin(own.config, raw);
      return enter(own, raw, reply, await setUp(own, body, deviceOf(raw)), "create account");
    },
  });
  defineRoute(app, ctx, {
    method: "POST",
    url: "/api/auth/sign-up",
    family: "public",
    resource: null,
    tag: "auth",
    limit,
    status: 201,
    failures: [403],
    summary: "Create an account with an organization of its own and sign in",
    description: "403 where the operator has not opened sign-up (`VEDETTE_SIGNUP`).",
    body: AccountBody,
    response: Started,
    async handler(own, { body, raw }, reply) {
      assertOwnOrigin(own.config, raw);
      return enter(own, raw, reply, await signUp(own, body, deviceOf(raw)), "create account");
    },
  });
  registerSignIn(app, ctx);
  registerSignOut(app, ctx);
}

function registerSignIn(app: FastifyInstance, ctx: Context): void {
  const limitsOf = createGuessLimits(app.limiter, ctx.clock);
  defineRoute(app, ctx, {
    method: "POST",
    url: "/api/auth/sign-in",
    family: "public",
    resource: null,
    tag: "auth",
    limit: SIGN_INS_READ,
    failures: [403],
    summary: "Sign in with e-mail, password and, where the account has one, a one-time code",
    description:
      "Starts a session and sends it in the cookie `vedette_session`. A session sent along with the request ends. A wrong address and a wrong password get the same 422; `errors.code` asks for the one-time code. Wrong guesses at an account make the next ones wait, up to 20 s; a browser that has signed in before does not wait for other people's.",
    body: SignInBody,
    response: Started,
    async handler(own, { body, raw }, reply) {
      assertOwnOrigin(own.config, raw);
      const { email } = body;
      const deviceId = await recognizeDevice(own, { email, proof: readDeviceCookie(raw, email) });
      const limits = limitsOf({ request: raw, reply, email, deviceId });
      const started = await signIn(own, body, { ...deviceOf(raw), isKnown: deviceId !== null }, limits);
      const before = raw.cookies[SESSION_COOKIE];
      if (before) await signOut(own, { token: before });
      return enter(own, raw, reply, started, "sign in");
    },
  });
}

function registerSignOut(app: FastifyInstance, ctx: Context): void {
  defineRoute(app, ctx, {
    method: "POST",
    url: "/api/auth/sign-out",
    family: "public",
    resource: null,
    tag: "auth",
    failures: [403],
    summary: "End the session of the cookie",
    description: "Also succeeds when there is no session any more.",
    response: Type.Object({}),
    async handler(own, { raw }, reply) {
      assertOwnOrigin(own.config, raw);
      const token = raw.cookies[SESSION_COOKIE];
      if (token) await signOut(own, { token });
      clearSessionCookie(own.config, raw, reply);
      return { data: {}, message: "Signed out." };
    },
  });
}

const deviceOf = (request: FastifyRequest): Device => ({
  address: request.ip,
  userAgent: request.headers["user-agent"] ?? "",
});

async function enter(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  started: StartedSession,
  action: AuditAction,
) {
  const { token, userId, organizationId } = started;
  setSessionCookie(ctx.config, request, reply, token);
  await rememberDevice(ctx, request, reply, userId);
  const author = { userId, organizationId, apiKeyId: null, requestId: request.id, address: request.ip };
  const resourceId = String(userId);
  await recordAudit(ctx, auditEntry(author, { action, resource: "account", resourceId, subject: null }));
  return { data: { userId, organizationId }, message: "Signed in." };
}
