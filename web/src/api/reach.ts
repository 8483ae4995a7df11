import { apiPaths } from "../paths.ts";

/** Whether the server answers at all, whatever it says. */
export async function serverAnswers(): Promise<boolean> {
  try {
    await fetch(apiPaths.health, { cache: "no-store" });
    return true;
  } catch {
    return false;
  }
}
