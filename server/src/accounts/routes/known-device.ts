import { randomUUID } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { findUser, findUserByEmail, type User } from "../../platform/access/queries/users.ts";
import { hashToken } from "../../platform/access/token.ts";
import type { Context } from "../../platform/context.ts";
import { normalizeEmail } from "../../platform/formats/name.ts";
import { cookieAttributes } from "../../platform/http/authenticate.ts";

/** What the browser proves that it has been signed in with to this account. */
export const readDeviceCookie = (request: FastifyRequest, email: string): string | undefined =>
  request.cookies[nameOf(email)];

/** Lets the browser be known at the person's next sign-in. */
export async function rememberDevice(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  userId: number,
): Promise<void> {
  const device = await proveDevice(ctx, userId);
  if (!device) return;
  reply.setCookie(nameOf(device.email), device.proof, {
    ...cookieAttributes(ctx.config, request),
    path: "/api/auth",
    maxAge: DEVICE_KNOWN_MS / 1000,
  });
}

const nameOf = (email: string): string => `vedette_device_${deviceSuffix(email)}`;

/** As long as browsers keep a cookie. */
export const DEVICE_KNOWN_MS = 400 * 86_400_000;

/** What a browser keeps after a sign-in, to be recognized at the next one. Null: the person no longer exists. */
async function proveDevice(ctx: Context, userId: number): Promise<{ email: string; proof: string } | null> {
  const user = await findUser(ctx.store.db, userId);
  if (!user) return null;
  const proof: DeviceProof = {
    purpose: PURPOSE,
    deviceId: randomUUID(),
    userId,
    credentials: fingerprint(user),
    issuedAt: ctx.clock.now(),
  };
  return { email: user.email, proof: ctx.secrets.seal(JSON.stringify(proof)) };
}

/** The cookie's name ends in this, so that a browser can remember several people. */
const deviceSuffix = (email: string): string => hashToken(normalizeEmail(email)).slice(0, 8);

/** Sealed with the installation's key: nobody else can make one, or read whose it is. */
interface DeviceProof {
  purpose: typeof PURPOSE;
  deviceId: string;
  userId: number;
  /** Changes with the password and with two-factor sign-in, so that a change of either forgets every device. */
  credentials: string;
  issuedAt: number;
}

const PURPOSE = "known device";

/**
 * The device's id if somebody has signed in to this account from it since its password and two-factor sign-in last
 * changed, else null.
 */
export async function recognizeDevice(
  ctx: Context,
  input: { email: string; proof: string | undefined },
): Promise<string | null> {
  const proof = input.proof === undefined ? null : openProof(ctx, input.proof);
  if (!proof || ctx.clock.now() - proof.issuedAt > DEVICE_KNOWN_MS) return null;
  const user = await findUserByEmail(ctx.store.db, input.email);
  return user && proof.userId === user.id && proof.credentials === fingerprint(user) ? proof.deviceId : null;
}

const fingerprint = (user: User): string =>
  hashToken(`${user.passwordHash}\n${user.totpSecret ?? ""}`).slice(0, 16);

function openProof(ctx: Context, sealed: string): DeviceProof | null {
  try {
    const proof = JSON.parse(ctx.secrets.open(sealed)) as DeviceProof;
    return proof.purpose === PURPOSE ? proof : null;
  } catch {
    // Made up, or sealed with a former key.
    return null;
  }
}
