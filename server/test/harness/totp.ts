import { Secret, TOTP } from "otpauth";

/** The code that an authenticator app with this base32 secret shows at `atMs`. */
export const totpCode = (secret: string, atMs: number): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: atMs });
