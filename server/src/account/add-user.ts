import { randomUUIDv7 } from "node:crypto";
import type { Clock } from "../clock.ts";
import { invalidInput } from "../errors.ts";
import type { Db } from "../store/db.ts";
import { insertUser } from "../store/queries/users.ts";
import { fact } from "../texts/fact.ts";
import type { Language } from "../texts/languages.ts";
import { nameFromEmail } from "./credentials.ts";
import { normalizeEmail } from "./email.ts";

interface NewUser {
  email: string;
  name?: string | undefined;
  passwordHash: string;
  /** What their browser asks for. */
  seenLanguage?: Language | undefined;
}

/** Adds the person's row. Throws 422 when the e-mail has an account. */
export async function addUser(
  { db, clock }: { db: Db; clock: Clock },
  input: NewUser,
): Promise<{ id: number; uuid: string; email: string; name: string }> {
  const email = normalizeEmail(input.email);
  const user = { uuid: randomUUIDv7(), email, name: input.name?.trim() || nameFromEmail(email) };
  const { passwordHash, seenLanguage } = input;
  const id = await insertUser(db, { ...user, passwordHash, seenLanguage }, clock.now());
  if (id === undefined) throw invalidInput({ email: [fact("account.email_taken")] });
  return { id, ...user };
}
