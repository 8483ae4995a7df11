import { Secret, TOTP } from "otpauth";
import type { Db } from "../store/db.ts";
import { useTotpStep } from "../store/queries/users.ts";

/** RFC 6238 with the values that every authenticator app takes. */
const PERIOD_SECONDS = 30;
const DIGITS = 6;
const CODE = /^[0-9]{6}$/;
/** Steps before and after now that still count, for phones whose clock is off. */
const WINDOW = 1;
const SECRET_BYTES = 20;

/** A new secret, base32. */
export const newTotpSecret = (): string => new Secret({ size: SECRET_BYTES }).base32;

/** The `otpauth://` address that apps read from a QR code. */
export const totpUri = (secret: string, email: string): string => totp(secret, email).toString();

const totp = (secret: string, label: string): TOTP =>
  new TOTP({
    issuer: "Vedette",
    label,
    algorithm: "SHA1",
    digits: DIGITS,
    period: PERIOD_SECONDS,
    secret: Secret.fromBase32(secret),
  });

/**
 * The code that was meant: full-width digits (NFKC) and those of Arabic and Persian keyboards count, spaces do not.
 * Null: not a code, however long it is in bytes.
 */
function readCode(text: string): string | null {
  const code = text
    .normalize("NFKC")
    .replaceAll(/\s/g, "")
    // The last four bits of each are the digit.
    .replaceAll(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 15));
  return CODE.test(code) ? code : null;
}

/** The time step that the code is of, now or just before or after; null for a wrong one. */
export function stepOf(now: number, { secret, code }: { secret: string; code: string }): number | null {
  const token = readCode(code);
  if (token === null) return null;
  const delta = totp(secret, "").validate({ token, timestamp: now, window: WINDOW });
  return delta === null ? null : Math.floor(now / 1000 / PERIOD_SECONDS) + delta;
}

/** Whether the code is right now and neither it nor a later one has been used; it is used up by this. */
export async function useCode(
  db: Db,
  now: number,
  { userId, ...code }: { userId: number; secret: string; code: string },
): Promise<boolean> {
  const step = stepOf(now, code);
  return step !== null && useTotpStep(db, userId, step);
}
