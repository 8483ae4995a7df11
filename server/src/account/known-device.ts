import { randomUUID } from "node:crypto";
import type { Context } from "../context.ts";
import { findUser, findUserByEmail, type User } from "../store/queries/users.ts";
import { normalizeEmail } from "./email.ts";
import { hashToken } from "./token.ts";

/** As long as browsers keep a cookie. */
export const DEVICE_KNOWN_MS = 400 * 86_400_000;

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

/** What a browser keeps after a sign-in, to be recognized at the next one. Null: the person no longer exists. */
export async function proveDevice(
  ctx: Context,
  userId: number,
): Promise<{ email: string; proof: string } | null> {
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

/** The cookie's name ends in this, so that a browser can remember several people. */
export const deviceSuffix = (email: string): string => hashToken(normalizeEmail(email)).slice(0, 8);

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
