import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";

/** What a password costs is for those who guess: here it is a millisecond, a twentieth of what it is in earnest. */
const MEMORY_KIB = 1024;

const { argon2 } = crypto;
const cheapArgon2: typeof argon2 = (algorithm, parameters, callback) =>
  argon2(algorithm, { ...parameters, memory: Math.min(parameters.memory, MEMORY_KIB) }, callback);

// Each file of tests sets up anew, in the same process.
if (argon2.name !== cheapArgon2.name) {
  crypto.argon2 = cheapArgon2;
  syncBuiltinESMExports();
}
