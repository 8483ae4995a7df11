import { randomUUID } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { findUser, findUserByEmail, type User } from "../../platform/access/queries/users.ts";
import { hashToken } from "../../platform/access/random-tokens.ts";
import type { Context } from "../../platform/context.ts";
import { normalizeEmail } from "../../platform/formats/name.ts";
import { cookieAttributes } from "../../platform/http/authenticate.ts";

export const readDeviceCookie = (request: FastifyRequest, email: string): string | undefined =>
  request.cookies[nameOf(email)];

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

/** The longest that browsers store a cookie. */
export const DEVICE_KNOWN_MS = 400 * 86_400_000;

/** Null: the person no longer exists. */
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

/** Part of the cookie's name, so that a browser can remember several people. */
const deviceSuffix = (email: string): string => hashToken(normalizeEmail(email)).slice(0, 8);

/** Encrypted with the installation's key. */
interface DeviceProof {
  purpose: typeof PURPOSE;
  deviceId: string;
  userId: number;
  /** Changes with the password and with two-factor sign-in, which invalidates every device. */
  credentials: string;
  issuedAt: number;
}

const PURPOSE = "known device";

/**
 * The device's id if this account was used on it since its password and two-factor sign-in last changed, else
 * null.
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
    // Forged, or encrypted with a former key.
    return null;
  }
}
