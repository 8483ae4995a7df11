import { Secret, TOTP } from "otpauth";
import { Type } from "typebox";
import { countRecoveryCodes, replaceRecoveryCodes } from "../platform/access/queries/api-keys.ts";
import { findUser } from "../platform/access/queries/users.ts";
import type { Db } from "../platform/database/schema.ts";
import { invalidInput, PublicError, unauthenticated } from "../platform/errors.ts";
import { msg } from "../platform/i18n/message.ts";
import { verb } from "../platform/operations/operation.ts";
import { confirmPassword, lockConfirmed } from "./passwords.ts";
import { updateUser, useTotpStep } from "./queries/users.ts";
import { RecoveryCodes, Totp, TwoFactor } from "./schemas/auth.ts";
import { CodeBody, PasswordBody } from "./schemas/credentials.ts";
import { dropOtherSessions } from "./sign-out.ts";
import { hashCode, randomCode } from "./spoken-code.ts";

const CODES = 10;

/**
 * Throws 422 for a wrong password: a stolen session alone must not do it; 409 when two-factor sign-in is off.
 */
export const renewRecoveryCodes = verb({
  resource: null,
  by: "session",
  action: "write",
  audit: "renew recovery codes",
  input: PasswordBody,
  output: RecoveryCodes,
  prepare: confirmPassword,
  async run(ctx, _, verifiedHash) {
    // Of concurrent calls, the second replaces the codes of the first.
    const user = await lockConfirmed(ctx, verifiedHash);
    if (user.totpSecret === null) throw new PublicError("conflict", msg("account.two_factor_off"));
    return { recoveryCodes: await newRecoveryCodes(ctx.db, user.id, ctx.clock.now()) };
  },
});

/** Replaces the person's codes; only hashes are stored. */
async function newRecoveryCodes(db: Db, userId: number, now: number): Promise<string[]> {
  const codes = Array.from({ length: CODES }, randomCode);
  await replaceRecoveryCodes(db, userId, codes.map(hashCode), now);
  return codes;
}

/** RFC 6238 with the values that every authenticator app accepts. */
const PERIOD_SECONDS = 30;
const DIGITS = 6;
const CODE = /^[0-9]{6}$/;
/** Steps before and after now that count, for phones whose clock is off. */
const WINDOW = 1;
const SECRET_BYTES = 20;

const newTotpSecret = (): string => new Secret({ size: SECRET_BYTES }).base32;

/** For QR codes. */
const totpUri = (secret: string, email: string): string => totp(secret, email).toString();

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
 * Accepts full-width (NFKC), Arabic and Persian digits; ignores spaces. Null: not a code, however long it is
 * in bytes.
 */
function readCode(text: string): string | null {
  const code = text
    .normalize("NFKC")
    .replaceAll(/\s/g, "")
    // The last four bits of each are the digit.
    .replaceAll(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 15));
  return CODE.test(code) ? code : null;
}

/** The code's time step, now or just before or after; null for a wrong one. */
export function stepOf(now: number, { secret, code }: { secret: string; code: string }): number | null {
  const token = readCode(code);
  if (token === null) return null;
  const delta = totp(secret, "").validate({ token, timestamp: now, window: WINDOW });
  return delta === null ? null : Math.floor(now / 1000 / PERIOD_SECONDS) + delta;
}

/** Uses it up; false for a wrong one, or if it or a later one was used before. */
async function useCode(
  db: Db,
  now: number,
  { userId, ...code }: { userId: number; secret: string; code: string },
): Promise<boolean> {
  const step = stepOf(now, code);
  return step !== null && useTotpStep(db, userId, step);
}

const own = { resource: null, by: "session", action: "write" } as const;

/**
 * Offers a secret, which counts once a code has confirmed it. Throws 422 for a wrong password: a stolen
 * session alone must not lock its owner out; 409 when two-factor sign-in is on already.
 */
export const startTotp = verb({
  ...own,
  audit: "start two-factor",
  input: PasswordBody,
  output: Totp,
  prepare: confirmPassword,
  async run(ctx, _, verifiedHash) {
    const { db, clock, secrets } = ctx;
    // A secret offered while another is being confirmed would replace that.
    const user = await lockConfirmed(ctx, verifiedHash);
    if (user.totpSecret !== null) {
      throw new PublicError("conflict", msg("account.two_factor_on"));
    }
    const secret = newTotpSecret();
    await updateUser(db, user.id, { totpPending: secrets.seal(secret) }, clock.now());
    return { secret, uri: totpUri(secret, user.email) };
  },
});

/**
 * Ends the person's other sessions; shows ten recovery codes, this once. Throws 409 when no secret was
 * offered, 422 for a wrong code.
 */
export const confirmTotp = verb({
  ...own,
  audit: "enable two-factor",
  input: CodeBody,
  output: RecoveryCodes,
  async run(ctx, { code }) {
    const { db, clock } = ctx;
    const { userId } = ctx.caller;
    const user = await findUser(db, userId);
    if (!user?.totpPending) throw new PublicError("conflict", msg("account.two_factor_secret"));
    const secret = ctx.secrets.open(user.totpPending);
    if (!(await useCode(db, clock.now(), { userId, secret, code }))) {
      throw invalidInput({ code: [msg("account.code")] });
    }
    await updateUser(db, userId, { totpSecret: user.totpPending, totpPending: null }, clock.now());
    await dropOtherSessions(ctx);
    return { recoveryCodes: await newRecoveryCodes(db, userId, clock.now()) };
  },
});

/** Throws 422 for a wrong password: a stolen session alone must not do it. */
export const disableTotp = verb({
  ...own,
  audit: "disable two-factor",
  input: PasswordBody,
  output: Type.Object({}),
  prepare: confirmPassword,
  async run(ctx, _, verifiedHash) {
    const { id } = await lockConfirmed(ctx, verifiedHash);
    const now = ctx.clock.now();
    await updateUser(ctx.db, id, { totpSecret: null, totpPending: null }, now);
    await replaceRecoveryCodes(ctx.db, id, [], now);
    return {};
  },
});

export const readTwoFactor = verb({
  ...own,
  action: "read",
  input: Type.Object({}),
  output: TwoFactor,
  async run({ db, caller }) {
    const user = await findUser(db, caller.userId);
    if (!user) throw unauthenticated();
    return {
      enabled: user.totpSecret !== null,
      recoveryCodesLeft: await countRecoveryCodes(db, caller.userId),
    };
  },
});
