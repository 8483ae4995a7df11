import { endOtherSessions, endSession, listSessions } from "../../account/sessions.ts";
import type { DefineBoth } from "../both-families.ts";

const facts = { only: "legacy", tag: "auth" } as const;

/** Where a person is signed in. */
export function describeSessions(define: DefineBoth): void {
  define({
    ...facts,
    verb: listSessions,
    method: "GET",
    url: "/api/auth/sessions",
    summary: "Where you are signed in",
    description:
      "All of your sessions, each with its address, browser and times; `current` marks the one that makes this request.",
  });
  define({
    ...facts,
    verb: endSession,
    method: "DELETE",
    url: "/api/auth/sessions/:id",
    summary: "End one of your sessions",
    description: "Whoever uses it has to sign in again. Ending the current session signs you out.",
    message: "Session ended.",
  });
  define({
    ...facts,
    verb: endOtherSessions,
    method: "DELETE",
    url: "/api/auth/sessions",
    summary: "End all of your sessions but this one",
    description: "Signs you out everywhere else. API keys stay as they are.",
    message: "Other sessions ended.",
  });
}
