import { apiPaths } from "../paths.ts";

/** Whether the server answers; a proxy that speaks in its place says that it is away. */
export async function serverAnswers(): Promise<boolean> {
  try {
    return (await fetch(apiPaths.health, { cache: "no-store" })).ok;
  } catch {
    return false;
  }
}
