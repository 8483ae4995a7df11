import { isIP } from "node:net";
import type { FastifyRequest } from "fastify";
import { recognizeDevice } from "../../account/known-device.ts";
import { readAuthState } from "../../account/read-auth-state.ts";
import { setUp } from "../../account/set-up.ts";
import { signIn } from "../../account/sign-in.ts";
import { signOut } from "../../account/sign-out.ts";
import { signUp } from "../../account/sign-up.ts";
import type { StartedSession } from "../../account/start-session.ts";
import { type Config, isForThisMachineOnly } from "../../config.ts";
import { isLoopbackHost, ownHostOf } from "../../config-values.ts";
import { PublicError } from "../../errors.ts";
import { fact } from "../../texts/fact.ts";
import type { DefineBoth } from "../both-families.ts";
import { readDeviceCookie, rememberDevice } from "../device-cookie.ts";
import type { HttpCall } from "../listing.ts";
import { isForwarded } from "../loopback.ts";
import { requestedHost } from "../requested-host.ts";
import { clearSessionCookie, setSessionCookie } from "../session-cookie.ts";
import { ownVisitor } from "../visitor.ts";

const facts = { only: "legacy", tag: "auth" } as const;
/** Making accounts: per client address. */
const limit = { group: "new-account", perMinute: 10 };
/**
 * Generous, since it also counts people who share an address with a flood; guesses have tighter limits
 * (guess-limits.ts).
 */
const SIGN_INS_READ = { group: "sign-in-requests", perMinute: 300 };

/** Coming in and going out. The session travels in a cookie that scripts cannot read. */
export function describeAuth(define: DefineBoth): void {
  define({
    ...facts,
    verb: readAuthState,
    method: "GET",
    url: "/api/auth/state",
    summary: "Whether the installation waits for its set-up, and whether sign-up is open",
    description:
      "What a sign-in page needs to know before anybody has signed in: whether to offer set-up, and whether to offer sign-up.",
  });
  define({
    ...facts,
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
    ...facts,
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
    ...facts,
    verb: signIn,
    method: "POST",
    url: "/api/auth/sign-in",
    limit: SIGN_INS_READ,
    failures: [403],
    summary: "Sign in with e-mail, password and, where the account has one, a one-time code",
    description:
      "Starts a session and sends it in the cookie `vedette_session`. A session sent along with the request ends. A wrong address and a wrong password get the same 422; `errors.code` asks for the one-time code. Wrong guesses at an account make the next ones wait, up to 20 s; a browser that has signed in before does not wait for other people's. With `invitation`, the person joins the organization that has invited them, and the session starts there.",
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
    ...facts,
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
 * Before its set-up an installation answers to names of its own only: a web page elsewhere whose name was made
 * to mean this server (DNS rebinding) would otherwise become its owner. These are loopback names, the host of
 * the public address and, where the server listens beyond loopback, any IP address. A server for its own machine
 * asks for no token, so that whoever comes through a proxy there could be anybody. Throws 403.
 */
function assertSetUpHost(config: Config, request: FastifyRequest): void {
  if (isForThisMachineOnly(config) && isForwarded(request))
    throw new PublicError("forbidden", fact("request.forwarded"));
  const host = requestedHost(request);
  if (isLoopbackHost(host)) return;
  if (host !== "" && host === ownHostOf(config.publicUrl)) return;
  if (!isForThisMachineOnly(config) && isIP(host) !== 0) return;
  const address = config.publicUrl ?? `http://localhost:${config.port}`;
  throw new PublicError("forbidden", fact("request.unknown_host", { address }));
}
