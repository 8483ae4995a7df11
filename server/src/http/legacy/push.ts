import {
  listPushBrowsers,
  subscribeBrowser,
  testPushBrowser,
  unsubscribeBrowser,
} from "../../account/push-browsers.ts";
import type { DefineBoth } from "../both-families.ts";

const facts = { only: "legacy", tag: "auth" } as const;
const TESTS = { group: "push-test", perMinute: 10 };

/** In which browsers a person is told what happens (Web Push). */
export function describePush(define: DefineBoth): void {
  define({
    ...facts,
    verb: listPushBrowsers,
    method: "GET",
    url: "/api/auth/push",
    summary: "The browsers in which you are told what happens",
    description:
      "Your own, and the public key with which another browser subscribes (Web Push, RFC 8292). API keys cannot do this.",
  });
  define({
    ...facts,
    verb: subscribeBrowser,
    method: "POST",
    url: "/api/auth/push",
    status: 201,
    summary: "Be told what happens in this browser",
    description:
      "Takes what the browser's `PushManager.subscribe` answers. From then on its push service gets a message, encrypted for the browser (RFC 8291), for everything that happens in your organizations, until you sign out there or delete it. The same browser again replaces what was kept of it; of more than 20 the oldest goes.",
    message: "Browser subscribed.",
  });
  define({
    ...facts,
    verb: unsubscribeBrowser,
    method: "DELETE",
    url: "/api/auth/push/:id",
    summary: "Be told nothing any more in one of your browsers",
    description: "What is on its way may still arrive.",
    message: "Browser unsubscribed.",
  });
  define({
    ...facts,
    verb: testPushBrowser,
    method: "POST",
    url: "/api/auth/push/:id/test",
    limit: TESTS,
    summary: "Send a test message to one of your browsers",
    description:
      "Sends it at once and says what the push service answered. A browser that is gone over there is removed here.",
  });
}
